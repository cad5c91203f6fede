import Foundation
import Testing
import UIKit

/// Tests that an offset beyond the content is corrected, and in which order a layout hears about new bounds.
@Suite struct OffsetTests {
  private final class Source: NSObject, UICollectionViewDataSource {
    var count: Int

    init(_ count: Int) { self.count = count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { count }
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    { UICollectionViewCell(frame: .zero) }
  }

  /// A layout that records the view's calls. When it is invalidated or queried, it asks the view for the visible cells.
  private final class Layout: UICollectionViewFlowLayout {
    var calls: [String] = []
    var target: CGPoint?

    override func invalidateLayout() {
      calls.append("invalidate")
      super.invalidateLayout()
    }

    override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
      super.invalidateLayout(with: context)
      guard let view = collectionView else { return }
      calls.append("\(Int(view.bounds.width)), \(context.invalidateDataSourceCounts)")
      _ = view.indexPathsForVisibleItems
    }

    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      _ = collectionView?.visibleCells
      return super.layoutAttributesForElements(in: rect)
    }

    override func targetContentOffset(forProposedContentOffset proposed: CGPoint) -> CGPoint { target ?? proposed }
  }

  private let layout = Layout()
  private let source = Source(60)
  private let view: UICollectionView

  /// Creates a view of 300 by 200 points with 60 rows of 50 points, and scrolls it to 2,800, the end of the content.
  init() {
    (layout.itemSize, layout.minimumLineSpacing) = (CGSize(width: 200, height: 50), 0)
    view = UICollectionView(frame: CGRect(x: 0, y: 0, width: 300, height: 200), collectionViewLayout: layout)
    view.dataSource = source
    view.contentOffset.y = 2_800
    view.layoutIfNeeded()
  }

  @Test func theOffsetReturnsIntoShorterContent() {
    source.count = 10
    view.reloadData()
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 300)
    layout.itemSize.height = 30
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 100)
  }

  @Test func theOffsetReturnsIntoTheContentOfALargerView() {
    view.frame.size.height = 400
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 2_600)
  }

  @Test func theOffsetReturnsFromAnInsetThatIsGone() {
    view.contentInset.bottom = 100
    view.contentOffset.y = 2_900
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 2_900)
    view.contentInset.bottom = 0
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 2_800)
  }

  @Test func aViewAtTheStartOfItsContentMovesWithTheInset() {
    view.contentInset = UIEdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
    // Vertically, the view is at the end of its content. Horizontally, it is at the start.
    #expect(view.contentOffset == CGPoint(x: -20, y: 2_800))
    view.contentOffset.y = -10
    view.contentInset.top = 60
    #expect(view.contentOffset == CGPoint(x: -20, y: -60))
    view.contentInset = .zero
    #expect(view.contentOffset == .zero)
  }

  @Test func theSafeAreaCountsWhereTheContentScrolls() {
    let notch = UIEdgeInsets(top: 40, left: 44, bottom: 20, right: 44)
    view.safeAreaInsets = notch
    view.layoutIfNeeded()
    #expect(view.adjustedContentInset == UIEdgeInsets(top: 40, left: 0, bottom: 20, right: 0))
    layout.scrollDirection = .horizontal
    view.layoutIfNeeded()
    #expect(view.adjustedContentInset == notch)
    view.contentInsetAdjustmentBehavior = .scrollableAxes
    #expect(view.adjustedContentInset == UIEdgeInsets(top: 0, left: 44, bottom: 0, right: 44))
    source.count = 1
    view.reloadData()
    view.layoutIfNeeded()
    #expect(view.adjustedContentInset == .zero && view.contentOffset == .zero)
    view.contentInsetAdjustmentBehavior = .always
    #expect(view.adjustedContentInset == notch)
  }

  @Test func whoScrollsBeyondTheEndStaysThere() {
    view.contentOffset.y = 2_850
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 2_850)
  }

  @Test func aLayoutIsInvalidatedWithTheNewBoundsAlreadySet() {
    layout.calls = []
    view.bounds.size.width = 250
    #expect(layout.calls == ["invalidate", "250, false"])
    layout.calls = []
    view.reloadData()
    #expect(layout.calls == ["invalidate", "250, true"])
  }

  @Test func aLayoutMayAskForCellsWhileItIsAskedOrUpdated() {
    #expect(view.visibleCells.count == 4)
    source.count = 57
    view.deleteItems(at: (57..<60).map { IndexPath(item: $0, section: 0) })
    view.layoutIfNeeded()
    #expect(view.numberOfItems(inSection: 0) == 57)
  }

  private final class Delegate: NSObject, UICollectionViewDelegate {
    var counts: [Int] = []

    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) { counts.append(collectionView.visibleCells.count) }
  }

  @Test func aDelegateMayAskForCellsThatDoNotExistYet() {
    let delegate = Delegate()
    view.delegate = delegate
    _ = view.visibleAttributes()
    #expect(delegate.counts == [4, 4, 4, 4])
  }

  @Test func aRotationAsksForTheTargetOffset() {
    layout.target = CGPoint(x: 0, y: 150)
    view.frame.origin = CGPoint(x: 30, y: 70)
    view.rotate(to: CGSize(width: 200, height: 300))
    #expect(view.contentOffset.y == 150 && view.frame == CGRect(x: 30, y: 70, width: 200, height: 300))
  }

  /// Lifts the finger from a drag, and lets the view decelerate for three frames.
  private func fling() {
    view.scroll(to: CGPoint(x: 0, y: 1_000), touch: CGPoint(x: 10, y: 100))
    view.endDragging(withVelocity: CGPoint(x: 0, y: 1))
    for _ in 0..<3 { view.step(by: 1 / 60) }
  }

  @Test func whatMovesTheViewMovesTheEndOfADecelerationAsWell() {
    fling()
    view.contentOffset.y += 100
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.contentOffsetAdjustment.y = 30
    layout.invalidateLayout(with: context)
    for _ in 0..<20 { view.step(by: 1 / 60) }
    // A scroll with a velocity of 1 point per millisecond comes to rest after 499 points.
    #expect(abs(view.contentOffset.y - 1_000 - 499 - 130) < 1e-6 && !view.isDecelerating)
  }

  @Test func aRotationEndsADeceleration() {
    fling()
    layout.target = CGPoint(x: 0, y: 150)
    view.rotate(to: CGSize(width: 200, height: 300))
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.contentOffset.y == 150 && !view.isDecelerating)
  }

  @Test func aDecelerationThatWasMovedBeyondTheContentReturns() {
    fling()
    view.contentOffset.y += 2_000
    for _ in 0..<20 { view.step(by: 1 / 60) }
    view.layoutIfNeeded()
    #expect(view.contentOffset.y == 2_800)
  }
}
