import Testing
import UIKit

/// Tests parts of UIKit's flow layout and scroll view that the articles in docs/sources.md do not use.
@Suite struct FlowTests {
  private func makeView(_ counts: Int...) -> (view: UICollectionView, layout: UICollectionViewFlowLayout, Numbers) {
    let layout = UICollectionViewFlowLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    let numbers = Numbers()
    numbers.counts = counts
    view.dataSource = numbers
    _ = view.numberOfSections  // Counts the items while the data source exists.
    return (view, layout, numbers)
  }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  @Test func sectionsFollowEachOtherOnLinesOfTheirOwn() throws {
    let (view, layout, numbers) = makeView(3, 0, 7)
    layout.sectionInset = UIEdgeInsets(top: 8, left: 15, bottom: 4, right: 15)
    #expect(view.numberOfSections == 3 && view.numberOfItems(inSection: 2) == 7)
    view.layoutIfNeeded()
    // Five items of 50 points fill a line of 290.
    #expect(view.contentSize == CGSize(width: 320, height: 62 + 12 + 122))
    #expect(view.layoutAttributesForItem(at: path(2))?.frame == CGRect(x: 135, y: 8, width: 50, height: 50))
    #expect(view.layoutAttributesForItem(at: path(0, 2))?.frame == CGRect(x: 15, y: 82, width: 50, height: 50))
    #expect(view.layoutAttributesForItem(at: path(6, 2))?.frame == CGRect(x: 75, y: 142, width: 50, height: 50))
    #expect(view.layoutAttributesForItem(at: path(0, 1)) == nil)
    #expect(view.indexPathForItem(at: CGPoint(x: 80, y: 150)) == path(6, 2))
    #expect(view.indexPathsForVisibleItems.count == 10)
    #expect(view.indexPathsForVisibleItems[3] == path(0, 2))

    numbers.counts = [3, 2, 6]
    view.performBatchUpdates({
      view.insertItems(at: [path(0, 1), path(1, 1)])
      view.deleteItems(at: [path(3, 2)])
    })
    #expect(view.numberOfItems(inSection: 1) == 2 && view.numberOfItems(inSection: 2) == 6)
    #expect(view.layoutAttributesForItem(at: path(1, 1))?.frame.minX == 75)
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.visibleAttributes().count == 11)

    numbers.counts = [2, 6]
    view.deleteSections([0])
    #expect(view.numberOfSections == 2 && view.indexPathsForVisibleItems.count == 8)
  }

  @Test func fullLinesAreSpreadAndTheLastOneContinuesTheGrid() throws {
    let (view, layout, _) = makeView(7)
    // Five items of 50 points with gaps of 10 leave 30 of 320 points free, which adds 7.5 to each gap.
    #expect(view.visibleAttributes().prefix(5).map(\.frame.minX) == [0, 67.5, 135, 202.5, 270])
    #expect(view.visibleAttributes().suffix(2).map(\.frame.minX) == [0, 67.5])
    // A single column is centered.
    layout.itemSize = CGSize(width: 200, height: 50)
    #expect(view.visibleAttributes().allSatisfy { $0.frame.minX == 60 })
    layout.scrollDirection = .horizontal
    layout.itemSize = CGSize(width: 100, height: 400)
    #expect(view.visibleAttributes().map(\.frame.minY) == [84, 84, 84])
  }

  private final class Widths: NSObject, UICollectionViewDelegateFlowLayout {
    var widths: [CGFloat] = []

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: widths[indexPath.item], height: 20 + CGFloat(indexPath.item)) }
  }

  /// Returns where the items of a list in a view of 320 points begin.
  private func starts(_ widths: CGFloat..., insets: (CGFloat, CGFloat) = (0, 0), spacing: CGFloat = 10) -> [CGFloat] {
    let (view, layout, numbers) = makeView(widths.count)
    let sizes = Widths()
    sizes.widths = widths
    view.delegate = sizes
    (layout.sectionInset.left, layout.sectionInset.right) = insets
    layout.minimumInteritemSpacing = spacing
    return withExtendedLifetime((numbers, sizes)) { view.visibleAttributes().map(\.frame.minX) }
  }

  @Test func aLastLineOfDifferentWidthsKeepsTheSmallestDistance() {
    #expect(starts(70, 80, 60, insets: (6, 10), spacing: 7) == [6, 83, 170])
    #expect(starts(50, 150.5, 58.5) == [0, 60, 220.5])
    // The first line is full, so its two items are spread.
    #expect(starts(100, 180, 50, 60) == [0, 140, 0, 60])
  }

  @Test func aLastLineOfEqualWidthsContinuesTheGrid() {
    #expect(starts(50, 50, 50, 50, 50, 50, 50) == [0, 67.5, 135, 202.5, 270, 0, 67.5])
  }

  @Test func aLoneItemInTheLastLineIsCenteredIfTwoDoNotFit() {
    #expect(starts(300, 200) == [10, 60])
    #expect(starts(300, 150) == [10, 0])
    #expect(starts(300, 155) == [10, 0] && starts(300, 156) == [10, 82])
  }

  @Test func itemsOfDifferentSizesBeginAtWholePixels() {
    #expect(starts(60, 60, 60, 61, 320) == [0, 86.5, 172.5, 259, 0])
    // Gaps of 12.67 points would let items begin at fractions of pixels.
    #expect(starts(70.5, 70.5, 70.5, 70.5) == [0, 83, 166.5, 249.5])
  }

  @Test func aQueryFindsItemsWhoseRoundedFramesReachBeyondTheirLines() {
    final class Heights: NSObject, UICollectionViewDelegateFlowLayout {
      var heights: [CGFloat] = []

      func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
      ) -> CGSize { CGSize(width: 320, height: heights[indexPath.item % 2]) }
    }
    let (view, layout, numbers) = makeView(2, 2)
    let sizes = Heights()
    view.delegate = sizes
    for first in [20.3, 20.7] as [CGFloat] {
      sizes.heights = [first, 30]
      layout.invalidateLayout()
      view.layoutIfNeeded()
      for (section, item) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        guard let frame = view.layoutAttributesForItem(at: path(item, section))?.frame else { continue }
        // The frames overlap these rectangles by a tenth of a point.
        for y in [frame.minY - 0.9, frame.maxY - 0.1] {
          let found = layout.layoutAttributesForElements(in: CGRect(x: 0, y: y, width: 320, height: 1)) ?? []
          #expect(found.contains { $0.indexPath == path(item, section) }, "\(first): \(frame) from \(y)")
        }
      }
    }
    withExtendedLifetime((numbers, sizes)) {}
  }

  private final class Sizes: NSObject, UICollectionViewDelegateFlowLayout {
    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: 90 + 10 * indexPath.item, height: 20 * (1 + indexPath.item % 2)) }

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      minimumLineSpacingForSectionAt section: Int
    ) -> CGFloat { -5 }
  }

  @Test func theDelegateSizesItemsWhichStandInTheMiddleOfTheirLine() throws {
    let (view, layout, _) = makeView(5)
    let sizes = Sizes()
    view.delegate = sizes
    layout.invalidateLayout()
    // Three items of 90, 100 and 110 points with gaps of 10 fill the width of 320 exactly. The next line has items of
    // 120 and 130. The line spacing of −5 makes lines overlap.
    let frames = view.visibleAttributes().map(\.frame)
    #expect(frames[0] == CGRect(x: 0, y: 10, width: 90, height: 20))
    #expect(frames[1] == CGRect(x: 100, y: 0, width: 100, height: 40))
    #expect(frames[2].minX == 210)
    #expect(frames[3].minY == 35 && frames[4].minY == 45)
    let delegate = view.delegate as? any UICollectionViewDelegateFlowLayout
    #expect(delegate?.collectionView?(view, layout: layout, sizeForItemAt: path(2)).width == 110)
    #expect(delegate?.collectionView?(view, layout: layout, insetForSectionAt: 0) == .zero)
  }

  @Test func headersStayInViewWhileTheirSectionIs() throws {
    let (view, layout, _) = makeView(60, 60)
    layout.headerReferenceSize = CGSize(width: 0, height: 30)
    layout.footerReferenceSize = CGSize(width: 0, height: 20)
    func header(_ section: Int) -> CGRect? {
      view.layoutIfNeeded()
      return view.layoutAttributesForSupplementaryElement(
        ofKind: UICollectionView.elementKindSectionHeader, at: path(0, section))?.frame
    }
    // The first section has twelve lines of 50 points with gaps of 10.
    #expect(header(1) == CGRect(x: 0, y: 30 + 710 + 20, width: 320, height: 30))
    view.contentOffset.y = 200
    #expect(header(0)?.minY == 0)
    layout.sectionHeadersPinToVisibleBounds = true
    view.contentOffset.y = 250
    #expect(header(0)?.minY == 250 && header(1)?.minY == 760)
    view.contentOffset.y = 735
    // The header of the next section pushes the first header up.
    #expect(header(0)?.minY == 710 && header(1)?.minY == 760)
    let kinds = view.visibleAttributes().compactMap(\.representedElementKind)
    #expect(Set(kinds).count == 2)
    #expect(
      view.indexPathsForVisibleSupplementaryElements(ofKind: UICollectionView.elementKindSectionHeader).count == 2)
  }

  @Test func onlyAttributesThatNobodyHoldsChangeInLaterQueries() throws {
    let (view, layout, _) = makeView(500)
    layout.headerReferenceSize = CGSize(width: 0, height: 30)
    view.layoutIfNeeded()
    func query(_ y: CGFloat) -> [UICollectionViewLayoutAttributes] {
      layout.layoutAttributesForElements(in: CGRect(x: 0, y: y, width: 320, height: 300)) ?? []
    }
    let held = query(0)[3]
    let copy = try #require(held.copy() as? UICollectionViewLayoutAttributes)
    for attributes in query(0) {
      (attributes.alpha, attributes.zIndex, attributes.isHidden) = (0.5, 7, true)
      attributes.transform3D = CATransform3DMakeRotation(1, 0, 1, 0)
    }
    // Nobody holds the objects that were changed, so this query may reuse them. The first of them represented a header.
    let found = query(1000)
    #expect(found.count > 20 && found.allSatisfy { $0 == layout.layoutAttributesForItem(at: $0.indexPath) })
    let paths = found.map(\.indexPath)
    #expect(query(0).first?.representedElementCategory == .supplementaryView)
    #expect(found.map(\.indexPath) == paths && held == copy)
  }

  @Test func optionsCanBeSetAtAnyTime() throws {
    let (view, layout, _) = makeView(40)
    #expect(layout.itemSize == CGSize(width: 50, height: 50) && layout.minimumLineSpacing == 10)
    #expect(layout.sectionInset == .zero && layout.scrollDirection == .vertical)
    layout.itemSize = CGSize(width: 100, height: 20)
    layout.minimumInteritemSpacing = 0
    layout.minimumLineSpacing = 1
    view.layoutIfNeeded()
    #expect(layout.layoutAttributesForItem(at: path(4))?.center == CGPoint(x: 160, y: 31))
    layout.scrollDirection = .horizontal
    layout.sectionInset = UIEdgeInsets(top: 0, left: 7, bottom: 8, right: 7)
    view.layoutIfNeeded()
    #expect(layout.layoutAttributesForItem(at: path(1))?.center == CGPoint(x: 57, y: 30))
    layout.itemSize = CGSize(width: 60, height: 60)
    view.layoutIfNeeded()
    #expect(view.visibleAttributes().first?.size == CGSize(width: 60, height: 60))
  }

  @Test func theContentInsetTakesRoomAndCanBeScrolledTo() throws {
    let (view, _, _) = makeView(100)
    view.contentInset = UIEdgeInsets(top: 64, left: 0, bottom: 49, right: 60)
    view.layoutIfNeeded()
    // Four items fit into 260 points, so there are 25 lines.
    #expect(view.contentSize == CGSize(width: 260, height: 25 * 60 - 10))
    view.scrollToItem(at: path(0), at: .top, animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: -64))
    view.scrollToItem(at: path(99), at: .bottom, animated: false)
    #expect(view.contentOffset.y == 971)
    view.scrollToItem(at: path(48), at: .centeredVertically, animated: false)
    // The item's center is at 745. The center of the visible part is 291.5 below the view's upper edge.
    #expect(view.contentOffset.y == 453.5)
    let offset = view.contentOffset
    view.scrollToItem(at: path(49), at: [], animated: false)
    #expect(view.contentOffset == offset)
  }

  @Test func anAnimatedScrollTakesItsTime() throws {
    let (view, _, _) = makeView(500)
    view.scrollToItem(at: path(300), at: .top, animated: true)
    var offsets: [CGFloat] = []
    for _ in 0..<20 {
      view.step(by: 1 / 60)
      offsets.append(view.contentOffset.y)
    }
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(offsets[0] > 0 && offsets[0] < 100 && offsets[16] < 3600 && offsets[17] == 3600)
  }

  private final class PagedLayout: UICollectionViewFlowLayout {
    override func targetContentOffset(
      forProposedContentOffset proposedContentOffset: CGPoint, withScrollingVelocity velocity: CGPoint
    ) -> CGPoint { CGPoint(x: 0, y: (proposedContentOffset.y / 60).rounded() * 60) }
  }

  @Test func theLayoutSaysWhereADragComesToRest() throws {
    let view = UICollectionView(frame: phone, collectionViewLayout: PagedLayout())
    let numbers = Numbers(500)
    view.dataSource = numbers
    view.scroll(to: CGPoint(x: 0, y: 95), touch: CGPoint(x: 10, y: 20))
    view.endDragging(withVelocity: CGPoint(x: 0, y: 0.1))
    for _ in 0..<20 { view.step(by: 1 / 60) }
    // A scroll with a velocity of 0.1 points per millisecond comes to rest after 49.9 points.
    #expect(view.contentOffset.y == 120)
  }

  @Test func objectsOfDifferentQueriesAreDifferent() throws {
    let (view, layout, _) = makeView(10)
    view.layoutIfNeeded()
    let item = try #require(layout.layoutAttributesForItem(at: path(3)))
    let copy = try #require(item.copy() as? UICollectionViewLayoutAttributes)
    item.center.x += 5
    #expect(copy == layout.layoutAttributesForItem(at: path(3)) && copy != item)
    #expect(view.visibleAttributes()[3].center == copy.center)
  }

  /// A layout whose items fade and shrink towards the edges of the screen.
  private final class CoverFlow: UICollectionViewFlowLayout {
    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { true }

    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      super.layoutAttributesForElements(in: rect)?.map(faded)
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
      super.layoutAttributesForItem(at: indexPath).map(faded)
    }

    private func faded(_ attributes: UICollectionViewLayoutAttributes) -> UICollectionViewLayoutAttributes {
      let share = abs(attributes.center.y - (collectionView?.bounds.midY ?? 0)) / 568
      attributes.alpha = 1 - share
      attributes.transform = CGAffineTransform(scaleX: 1 - share, y: 1)
      return attributes
    }
  }

  @Test func itemsAtRestAreShownAsTheirAttributesSay() throws {
    let view = UICollectionView(frame: phone, collectionViewLayout: CoverFlow())
    let numbers = Numbers(60)
    view.dataSource = numbers
    view.contentOffset.y = 100
    let first = try #require(view.presentedAttributes().first)
    // The item is in the second line, whose center is 299 points above the middle of the screen.
    #expect(first.indexPath == path(5) && abs(first.alpha - (1 - 299 / 568)) < 1e-12)
    #expect(abs(first.frame.width - 50 * (1 - 299 / 568)) < 1e-12 && first.frame.height == 50)
    numbers.counts = [59]
    view.deleteItems(at: [path(0)])
    let next = try #require(view.presentedAttributes().first)
    #expect(next.indexPath == path(4) && abs(next.alpha - first.alpha) < 1e-12)
    #expect(abs(next.frame.width - first.frame.width) < 1e-12 && next.center == first.center)
  }

  @Test func framesFollowTheTransform() {
    let item = UICollectionViewLayoutAttributes(forCellWith: path(0))
    item.frame = CGRect(x: 10, y: 20, width: 40, height: 20)
    item.transform = CGAffineTransform(scaleX: 2, y: 1).translatedBy(x: 3, y: 0)
    #expect(item.frame == CGRect(x: -4, y: 20, width: 80, height: 20))
    item.transform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(abs(item.frame.width - 20) < 1e-12 && abs(item.frame.height - 40) < 1e-12)
    let one = CGAffineTransform(translationX: 3, y: 4).concatenating(CGAffineTransform(scaleX: 2, y: 3))
    #expect(CGPoint(x: 1, y: 1).applying(one) == CGPoint(x: 8, y: 15))
    #expect(CGPoint(x: 8, y: 15).applying(one.inverted()) == CGPoint(x: 1, y: 1))
  }

  @Test func framesFollowATransformOfSpace() {
    let item = UICollectionViewLayoutAttributes(forCellWith: path(0))
    item.frame = CGRect(x: 10, y: 20, width: 40, height: 20)
    item.transform3D = CATransform3DMakeRotation(.pi / 3, 0, 1, 0)
    #expect(abs(item.frame.width - 20) < 1e-12 && item.frame.height == 20)
    // A camera at a distance of 100 points shows an item that is 50 points nearer at twice its size.
    var camera = CATransform3DIdentity
    camera.m34 = -1 / 100
    item.transform3D = CATransform3DTranslate(camera, 0, 0, 50)
    #expect(item.frame == CGRect(x: -10, y: 10, width: 80, height: 40))
    #expect(!CATransform3DIsAffine(item.transform3D))
    item.transform = .identity
    #expect(CATransform3DIsIdentity(item.transform3D))
  }

  private final class Marked: UICollectionViewLayoutAttributes {
    var mark = 0

    override func copy(with zone: NSZone? = nil) -> Any {
      let copy = super.copy(with: zone)
      (copy as? Marked)?.mark = mark
      return copy
    }

    override func isEqual(_ object: Any?) -> Bool { super.isEqual(object) && (object as? Marked)?.mark == mark }
  }

  private final class MarkingLayout: UICollectionViewFlowLayout {
    override class var layoutAttributesClass: AnyClass { Marked.self }
  }

  @Test func aLayoutMakesAttributesOfItsClass() throws {
    let view = UICollectionView(frame: phone, collectionViewLayout: MarkingLayout())
    let numbers = Numbers(3)
    view.dataSource = numbers
    let one = try #require(view.visibleAttributes().first as? Marked)
    one.mark = 7
    let copy = try #require(one.copy() as? Marked)
    #expect(copy.mark == 7 && copy == one && copy.frame == one.frame)
    copy.mark = 8
    #expect(copy != one)
  }
}
