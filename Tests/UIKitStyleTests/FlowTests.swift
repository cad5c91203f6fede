import CollectionLayout
import Dynamics
import Testing

/// What UIKit's flow layout and scroll view do that the systems of the articles do not need.
@Suite struct FlowTests {
  private func makeView(_ counts: Int...) -> (view: CollectionView, layout: CollectionViewFlowLayout, Numbers)
  {
    let layout = CollectionViewFlowLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    let numbers = Numbers()
    numbers.counts = counts
    view.dataSource = numbers
    return (view, layout, numbers)
  }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  @Test func sectionsFollowEachOtherOnLinesOfTheirOwn() throws {
    let (view, layout, numbers) = makeView(3, 0, 7)
    layout.sectionInset = EdgeInsets(top: 8, left: 10, bottom: 4, right: 10)
    #expect(view.numberOfSections == 3 && view.numberOfItems(inSection: 2) == 7)
    try view.prepareLayout()
    // Five items of 50 points fit into a line of 300.
    #expect(view.contentSize == Size(width: 320, height: 62 + 12 + 122))
    #expect(view.layoutAttributesForItem(at: path(2))?.frame == Rect(x: 130, y: 8, width: 50, height: 50))
    #expect(
      view.layoutAttributesForItem(at: path(0, 2))?.frame == Rect(x: 10, y: 82, width: 50, height: 50))
    #expect(
      view.layoutAttributesForItem(at: path(6, 2))?.frame == Rect(x: 70, y: 142, width: 50, height: 50))
    #expect(view.layoutAttributesForItem(at: path(0, 1)) == nil)
    #expect(view.indexPathForItem(at: Point(x: 75, y: 150)) == path(6, 2))
    #expect(view.indexPathsForVisibleItems.count == 10)
    #expect(view.indexPathsForVisibleItems[3] == path(0, 2))

    numbers.counts = [3, 2, 6]
    try view.performBatchUpdates {
      view.insertItems(at: [path(0, 1), path(1, 1)])
      view.deleteItems(at: [path(3, 2)])
    }
    #expect(view.numberOfItems(inSection: 1) == 2 && view.numberOfItems(inSection: 2) == 6)
    #expect(view.layoutAttributesForItem(at: path(1, 1))?.frame.minX == 70)
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.visibleAttributes().map(\.index) == Array(0..<11))
  }

  @Test func optionsCanBeSetAtAnyTime() throws {
    let (view, layout, _) = makeView(40)
    #expect(layout.itemSize == Size(width: 50, height: 50) && layout.minimumLineSpacing == 10)
    #expect(layout.sectionInset == EdgeInsets(all: 0) && layout.scrollDirection == .vertical)
    layout.itemSize = Size(width: 100, height: 20)
    layout.minimumInteritemSpacing = 0
    layout.minimumLineSpacing = 1
    try view.prepareLayout()
    #expect(layout.layoutAttributesForItem(at: path(4))?.center == Point(x: 150, y: 31))
    layout.scrollDirection = .horizontal
    layout.sectionInset = EdgeInsets(top: 0, left: 7, bottom: 0, right: 7)
    try view.prepareLayout()
    #expect(layout.layoutAttributesForItem(at: path(1))?.center == Point(x: 57, y: 30))
    layout.itemSize = .zero
    #expect(throws: LayoutError.invalidItemSize(index: nil, size: .zero)) { try view.prepareLayout() }
    layout.itemSize = Size(width: 60, height: 60)
    try view.prepareLayout()
    #expect(view.visibleAttributes().first?.size == Size(width: 60, height: 60))
  }

  @Test func theContentInsetTakesRoomAndCanBeScrolledTo() throws {
    let (view, _, _) = makeView(100)
    view.contentInset = EdgeInsets(top: 64, left: 0, bottom: 49, right: 60)
    try view.prepareLayout()
    // Four items fit into 260 points, so there are 25 lines.
    #expect(view.contentSize == Size(width: 260, height: 25 * 60 - 10))
    try view.scrollToItem(at: path(0), at: .top, animated: false)
    #expect(view.contentOffset == Point(x: 0, y: -64))
    try view.scrollToItem(at: path(99), at: .bottom, animated: false)
    #expect(view.contentOffset.y == 1490 - 568 + 49)
    try view.scrollToItem(at: path(48), at: .centeredVertically, animated: false)
    // The item's centre is at 745, that of what can be seen 291.5 below the view's edge.
    #expect(view.contentOffset.y == 453.5)
    let offset = view.contentOffset
    try view.scrollToItem(at: path(49), at: [], animated: false)
    #expect(view.contentOffset == offset)
  }

  @Test func anAnimatedScrollTakesItsTime() throws {
    let (view, _, _) = makeView(500)
    try view.scrollToItem(at: path(300), at: .top, animated: true)
    var offsets: [Double] = []
    for _ in 0..<20 {
      view.step(by: 1 / 60)
      offsets.append(view.contentOffset.y)
    }
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(offsets[0] > 0 && offsets[0] < 100 && offsets[16] < 3600 && offsets[17] == 3600)
    #expect(throws: LayoutError.noItemAtIndexPath(path(500))) {
      try view.scrollToItem(at: path(500), at: .top, animated: true)
    }
  }

  @Test func objectsOfDifferentQueriesAreDifferent() throws {
    let (view, layout, _) = makeView(10)
    let item = try #require(layout.layoutAttributesForItem(at: path(3)))
    let copy = item.copy()
    item.center.x += 5
    #expect(copy == layout.layoutAttributesForItem(at: path(3)) && copy != item)
    #expect(view.visibleAttributes()[3].center == copy.center)
  }

  /// Items fade and shrink towards the edges of the screen.
  private final class CoverFlow: CollectionViewFlowLayout {
    override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool { true }

    override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
      super.layoutAttributesForElements(in: rect)?.map(faded)
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
      super.layoutAttributesForItem(at: indexPath).map(faded)
    }

    private func faded(_ attributes: CollectionViewLayoutAttributes) -> CollectionViewLayoutAttributes {
      let share = abs(attributes.center.y - (collectionView?.bounds.midY ?? 0)) / 568
      attributes.alpha = 1 - share
      attributes.transform = AffineTransform(scaleX: 1 - share, y: 1)
      return attributes
    }
  }

  @Test func itemsAtRestAreShownAsTheirAttributesSay() throws {
    let view = CollectionView(frame: phone, collectionViewLayout: CoverFlow())
    let numbers = Numbers(60)
    view.dataSource = numbers
    view.contentOffset.y = 100
    try view.prepareLayout()
    let first = try #require(view.presentedAttributes().first)
    // Of the second line, whose centre is 299 points above the middle of the screen.
    #expect(first.attributes.index == 5 && abs(first.alpha - (1 - 299 / 568)) < 1e-12)
    #expect(abs(first.frame.width - 50 * (1 - 299 / 568)) < 1e-12 && first.frame.height == 50)
    numbers.counts = [59]
    view.deleteItems(at: [IndexPath(item: 0, section: 0)])
    #expect(view.presentedAttributes().first == first.renamed(4))
  }

  @Test func framesFollowTheTransform() {
    let item = CollectionViewLayoutAttributes(forCellWith: path(0))
    item.frame = Rect(x: 10, y: 20, width: 40, height: 20)
    item.transform = AffineTransform(scaleX: 2, y: 1).translatedBy(x: 3, y: 0)
    #expect(item.frame == Rect(x: -4, y: 20, width: 80, height: 20))
    item.transform = AffineTransform(rotationAngle: .pi / 2)
    #expect(abs(item.frame.width - 20) < 1e-12 && abs(item.frame.height - 40) < 1e-12)
    #expect(abs(item.angle - .pi / 2) < 1e-12)
    item.angle = .pi
    #expect(abs(item.transform.a + 1) < 1e-12 && abs(item.transform.b) < 1e-12)
    let one = AffineTransform(translationX: 3, y: 4).concatenating(AffineTransform(scaleX: 2, y: 3))
    #expect(Point(x: 1, y: 1).applying(one) == Point(x: 8, y: 15))
  }
}

extension AnimatedAttributes {
  /// The same look of an item at another index.
  fileprivate func renamed(_ index: Int) -> AnimatedAttributes {
    var look = self
    look.attributes.index = index
    return look
  }
}
