import Testing
import UIKit

/// Tests cells that prefer a size. The tests set these sizes in `preferredLayoutAttributesFitting`.
@Suite struct SelfSizingTests {
  private func makeView(_ layout: UICollectionViewLayout, items: Int = 1_000) -> (UICollectionView, Numbers) {
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    let numbers = Numbers(items)
    view.dataSource = numbers
    _ = view.numberOfSections  // Counts the items while the data source exists.
    return (view, numbers)
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  /// Returns the height that an item's cell prefers.
  private func height(_ item: Int) -> CGFloat { CGFloat(40 + item % 3 * 20) }

  private func flow() -> UICollectionViewFlowLayout {
    let layout = UICollectionViewFlowLayout()
    layout.minimumLineSpacing = 0
    layout.estimatedItemSize = CGSize(width: 320, height: 200)
    return layout
  }

  @Test func itemsWithAnEstimateTakeTheSizesThatTheirCellsPrefer() {
    let (view, numbers) = makeView(flow())
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = height(attributes.indexPath.item)
      return attributes
    }
    func expectRightSizes() {
      let shown = view.visibleAttributes()
      #expect(shown.map(\.size.height) == shown.map { height($0.indexPath.item) })
      for (item, next) in zip(shown, shown.dropFirst()) { #expect(item.frame.maxY == next.frame.minY) }
    }
    expectRightSizes()
    // Ten cells of 40, 60 and 80 points are in view. The sizes of the others are estimates.
    #expect(view.visibleAttributes().count == 10)
    #expect(view.contentSize == CGSize(width: 320, height: 580 + 990 * 200))
    for offset in stride(from: 0.0, through: 3_000, by: 150) {
      view.scroll(to: CGPoint(x: 0, y: offset))
      view.step(by: 1 / 60)
      view.layoutIfNeeded()
      expectRightSizes()
    }
    #expect(view.numberOfItems(inSection: 0) == numbers.counts[0])
  }

  @Test func aCellIsAskedOnceWhileItsSizeStays() {
    let (view, _) = makeView(flow())
    var asked: [IndexPath] = []
    view.preferredLayoutAttributesFitting = { attributes in
      asked.append(attributes.indexPath)
      attributes.size.height = 60
      return attributes
    }
    view.layoutIfNeeded()
    #expect(asked == (0..<10).map { path($0) })
    view.scroll(to: CGPoint(x: 0, y: 100))
    view.layoutIfNeeded()
    view.scroll(to: .zero)
    view.layoutIfNeeded()
    #expect(asked == (0..<12).map { path($0) })
  }

  @Test func withoutAnEstimateAFlowLayoutKeepsItsSizes() {
    let layout = flow()
    layout.estimatedItemSize = .zero
    layout.itemSize = CGSize(width: 320, height: 50)
    let (view, _) = makeView(layout)
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = 90
      return attributes
    }
    #expect(view.visibleAttributes().allSatisfy { $0.size.height == 50 })
    // `automaticSize` contains no estimate, so items that were never in view keep their height of 50.
    layout.estimatedItemSize = UICollectionViewFlowLayout.automaticSize
    #expect(view.visibleAttributes().allSatisfy { $0.size.height == 90 })
    // Twelve items of 50 points were in view.
    #expect(view.contentSize == CGSize(width: 320, height: 12 * 90 + 988 * 50))
    layout.estimatedItemSize = .zero
    #expect(view.contentSize.height == 50_000)
  }

  @Test func anUpdateAsksTheCellsInViewAnew() throws {
    let (view, numbers) = makeView(flow())
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = height(numbers.counts[0] - attributes.indexPath.item)
      return attributes
    }
    view.layoutIfNeeded()
    #expect(view.layoutAttributesForItem(at: path(0))?.size.height == height(1_000))
    numbers.counts = [1_001]
    view.performBatchUpdates({ view.insertItems(at: [path(0)]) })
    for _ in 0..<30 { view.step(by: 1 / 60) }
    #expect(view.visibleAttributes().map(\.size.height) == (0..<10).map { height(1_001 - $0) })
  }

  /// A layout with rows of 100 points, or of the height that a cell prefers.
  private final class Rows: UICollectionViewLayout {
    var heights: [Int: CGFloat] = [:]
    /// The amount by which a row is higher than its cell prefers.
    var excess: CGFloat = 0
    var asks = 0
    private var frames: [CGRect] = []

    override func prepare() {
      frames = []
      for item in 0..<(collectionView?.numberOfItems(inSection: 0) ?? 0) {
        frames.append(CGRect(x: 0, y: frames.last?.maxY ?? 0, width: 320, height: heights[item] ?? 100))
      }
    }

    override var collectionViewContentSize: CGSize { CGSize(width: 320, height: frames.last?.maxY ?? 0) }

    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      frames.indices.filter { frames[$0].intersects(rect) }.compactMap {
        layoutAttributesForItem(at: IndexPath(item: $0, section: 0))
      }
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
      let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
      attributes.frame = frames[indexPath.item]
      return attributes
    }

    override func shouldInvalidateLayout(
      forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
      withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
    ) -> Bool {
      asks += 1
      return preferredAttributes.size.height != originalAttributes.size.height
    }

    override func invalidationContext(
      forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
      withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutInvalidationContext {
      let context = super.invalidationContext(
        forPreferredLayoutAttributes: preferredAttributes, withOriginalAttributes: originalAttributes)
      let growth = preferredAttributes.size.height - originalAttributes.size.height
      heights[originalAttributes.indexPath.item] = preferredAttributes.size.height + excess
      // A change above the view must not move the visible items.
      let isAbove = originalAttributes.frame.minY < collectionView?.contentOffset.y ?? 0
      context.contentOffsetAdjustment = CGPoint(x: 0, y: isAbove ? growth : 0)
      return context
    }
  }

  @Test func aLayoutOfOnesOwnMakesRoomForWhatCellsPrefer() {
    let layout = Rows()
    let (view, _) = makeView(layout)
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height = 150
      return attributes
    }
    view.scroll(to: CGPoint(x: 0, y: 5_050))
    view.layoutIfNeeded()
    // Item 50 now covers 5000 to 5150, and the view has moved with the item's lower edge.
    #expect(view.contentOffset.y == 5_100)
    #expect(view.visibleAttributes().first?.frame == CGRect(x: 0, y: 5_000, width: 320, height: 150))
    #expect(view.visibleAttributes().allSatisfy { $0.size.height == 150 })
  }

  @Test func aLayoutThatNeverDoesWhatCellsPreferDoesNotKeepTheView() {
    let layout = Rows()
    layout.excess = 1
    let (view, _) = makeView(layout)
    view.preferredLayoutAttributesFitting = { attributes in
      attributes.size.height += 1
      return attributes
    }
    view.layoutIfNeeded()
    #expect(layout.asks == 6)
    view.layoutIfNeeded()
    #expect(layout.asks == 12)
  }
}
