import CollectionLayout
import Testing
import UIKit

/// Tests when a layout is called, and what it may ask of its view during the call.
@Suite struct LayoutCallTests {
  /// A layout of columns of 100 points that scroll sideways. It caches its attributes until the list changes.
  private class Shelf: UICollectionViewLayout {
    var log: [String] = []
    var cache: [UICollectionViewLayoutAttributes] = []

    override func prepare() {
      log.append("prepare \(collectionView?.visibleCells.count ?? 0)")
      guard let view = collectionView, cache.count != view.numberOfItems(inSection: 0) else { return }
      cache = (0..<view.numberOfItems(inSection: 0)).map { item in
        let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: item, section: 0))
        attributes.frame = CGRect(x: 100 * item, y: 0, width: 100, height: 100)
        return attributes
      }
    }

    override var collectionViewContentSize: CGSize { CGSize(width: 100 * cache.count, height: 100) }

    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      if log.last != "elements" { log.append("elements") }
      return cache.filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
      cache.indices.contains(indexPath.item) ? cache[indexPath.item] : nil
    }

    override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
      log.append("updates \(collectionView?.indexPathsForVisibleItems.count ?? 0)")
    }

    override func finalizeLayoutTransition() { log.append("finalize") }
  }

  /// When the device is rotated, scrolls the item that was the first in view to the left edge.
  private final class Anchored: Shelf {
    private var anchor: IndexPath?

    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
      newBounds.size != collectionView?.bounds.size
    }

    override func prepare(forAnimatedBoundsChange oldBounds: CGRect) {
      anchor = collectionView?.indexPathsForVisibleItems.first
      log.append("bounds")
    }

    override func targetContentOffset(forProposedContentOffset proposed: CGPoint) -> CGPoint {
      guard let anchor, let frame = layoutAttributesForItem(at: anchor)?.frame else { return proposed }
      return CGPoint(x: frame.minX, y: proposed.y)
    }

    override func finalizeAnimatedBoundsChange() { anchor = nil }
  }

  private func view(_ layout: UICollectionViewLayout, _ numbers: Numbers) -> UICollectionView {
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.layoutIfNeeded()
    return view
  }

  @Test func aLayoutChoosesInARotationWhatToKeepInView() {
    let (layout, numbers) = (Anchored(), Numbers(30))
    let view = view(layout, numbers)
    view.scroll(to: CGPoint(x: 730, y: 0))
    layout.log = []
    view.rotate(to: CGSize(width: 568, height: 320))
    #expect(layout.log.filter { $0 != "elements" } == ["prepare 0", "bounds"])
    #expect(view.contentOffset == CGPoint(x: 700, y: 0))
  }

  @Test func anyLayoutMayAskForVisibleCellsWhileItIsPrepared() {
    let (layout, numbers) = (Shelf(), Numbers(30))
    let view = view(layout, numbers)
    view.scroll(to: CGPoint(x: 2_680, y: 0))
    #expect(view.visibleCells.count == 4)
    layout.log = []
    numbers.counts = [27]
    view.deleteItems(at: (27..<30).map { IndexPath(item: $0, section: 0) })
    // One of the four visible items remains. The view queries the elements before it announces the updates.
    #expect(layout.log.prefix(5) == ["elements", "prepare 1", "elements", "updates 1", "elements"])
    #expect(view.contentOffset.x == 2_380)
  }

  @Test func aChangeOfTheLayoutKeepsTheItemInTheMiddleAndIsMadeAtOnce() throws {
    let (old, new, numbers) = (UICollectionViewFlowLayout(), Shelf(), Numbers(60))
    old.itemSize = CGSize(width: 320, height: 100)
    let view = view(old, numbers)
    view.scroll(to: CGPoint(x: 0, y: 2_166))
    var completed: [Bool] = []
    view.setCollectionViewLayout(new, animated: true) { completed.append($0) }
    // Item 22, from 2,420 to 2,520, was in the middle of the view, at 2,450.
    #expect(view.contentOffset == CGPoint(x: 2_090, y: 0) && new.log.last == "finalize")
    #expect(view.collectionViewLayout === new && old.collectionView == nil && completed.isEmpty)
    let start = try #require(view.presentedAttributes().first { $0.indexPath.item == 22 }).frame
    #expect(abs(start.minX - 2_090) + abs(start.minY - (2_420 - 2_166)) + abs(start.width - 320) < 1e-9)
    for _ in 0..<15 { view.step(by: 1 / 60) }
    #expect(view.animatedItemCount == 0 && completed == [true])
  }

  private final class Chooser: NSObject, UICollectionViewDelegate {
    var calls = 0

    func collectionView(
      _ collectionView: UICollectionView, transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
      newLayout toLayout: UICollectionViewLayout
    ) -> UICollectionViewTransitionLayout {
      calls += 1
      return UICollectionViewTransitionLayout(currentLayout: fromLayout, nextLayout: toLayout)
    }
  }

  @Test func theDelegateChoosesTheTransitionLayoutOnlyIfAFingerMovesIt() {
    let (numbers, chooser) = (Numbers(30), Chooser())
    let view = view(Shelf(), numbers)
    view.delegate = chooser
    view.setCollectionViewLayout(Shelf(), animated: true)
    #expect(chooser.calls == 0)
    view.startInteractiveTransition(to: Shelf())
    #expect(chooser.calls == 1)
  }

  @Test func aLayoutThatWasNotShownIsOnlyExchanged() {
    let (old, new, numbers) = (Shelf(), Shelf(), Numbers(30))
    let view = UICollectionView(frame: phone, collectionViewLayout: old)
    view.dataSource = numbers
    view.setCollectionViewLayout(new, animated: true)
    #expect(old.log.isEmpty && new.log.isEmpty && old.collectionView == nil)
    #expect(view.visibleAttributes().count == 4)
  }

  /// A list on springs that counts its invalidations.
  private final class Ticking: UICollectionViewFlowLayout {
    lazy var animator = UIDynamicAnimator(collectionViewLayout: self)
    var ticks: [Bool] = []

    override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
      super.invalidateLayout(with: context)
      let context = context as? UICollectionViewFlowLayoutInvalidationContext
      ticks.append(context?.invalidateFlowLayoutDelegateMetrics ?? true)
    }
  }

  private final class Sizes: NSObject, UICollectionViewDelegateFlowLayout {
    var calls = 0

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
      calls += 1
      return CGSize(width: 320, height: 40)
    }
  }

  @Test func everyStepOfAnAnimatorInvalidatesTheLayoutInPublic() throws {
    let (layout, numbers, sizes) = (Ticking(), Numbers(10), Sizes())
    let view = view(layout, numbers)
    view.delegate = sizes
    layout.invalidateLayout()
    view.layoutIfNeeded()
    let item = try #require(layout.layoutAttributesForItem(at: IndexPath(item: 3, section: 0)))
    let spring = UIAttachmentBehavior(item: item, attachedToAnchor: CGPoint(x: 160, y: 400))
    (spring.length, spring.frequency) = (0, 1)
    layout.animator.addBehavior(spring)
    (layout.ticks, sizes.calls) = ([], 0)
    for _ in 0..<5 {
      view.step(by: 1 / 60)
      view.layoutIfNeeded()
    }
    #expect(layout.ticks == [false, false, false, false, false] && sizes.calls == 0)
  }

  @Test func pinningHeadersInvalidatesTheLayout() {
    let (layout, numbers) = (UICollectionViewFlowLayout(), Numbers(60))
    layout.headerReferenceSize.height = 30
    let view = view(layout, numbers)
    view.contentOffset.y = 200
    view.layoutIfNeeded()
    layout.sectionHeadersPinToVisibleBounds = true
    #expect(view.engine.layout.isInvalid)
  }
}
