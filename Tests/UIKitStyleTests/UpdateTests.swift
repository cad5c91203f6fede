import Testing
import UIKitScenarios

@testable import UIKit

private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

/// Tests what the layout, its delegate and the selection learn about an update, and when.
@Suite final class UpdateTests {
  /// Retains the data sources, because views do not.
  private var sources: [Numbers] = []

  /// A layout of rows that records the calls that it receives.
  private class Logging: UICollectionViewFlowLayout {
    var log: [String] = []
    var contexts: [UICollectionViewLayoutInvalidationContext] = []
    var shift: CGFloat = 0

    override init() {
      super.init()
      itemSize = CGSize(width: 320, height: 50)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func prepare() {
      super.prepare()
      log.append(collectionView == nil ? "prepare without a view" : "prepare")
    }

    override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
      super.invalidateLayout(with: context)
      contexts.append(context)
    }

    override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
      super.prepare(forCollectionViewUpdates: updateItems)
      log += updateItems.map { item in
        let paths = [item.indexPathBeforeUpdate, item.indexPathAfterUpdate].map { path in
          path.map { $0.item == NSNotFound ? "section \($0.section)" : "\(Array($0))" } ?? "-"
        }
        return "\(item.updateAction) \(paths.joined(separator: " "))"
      }
      if updateItems.isEmpty { log.append("updates") }
    }

    override func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint {
      log.append("target")
      return CGPoint(x: proposedContentOffset.x, y: proposedContentOffset.y + shift)
    }

    override func finalizeCollectionViewUpdates() { log.append("finalize") }
  }

  private func makeView(_ layout: UICollectionViewLayout, _ counts: Int...) -> (UICollectionView, Numbers) {
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    let numbers = Numbers()
    sources.append(numbers)
    numbers.counts = counts
    view.dataSource = numbers
    view.layoutIfNeeded()
    (layout as? Logging)?.log = []
    (layout as? Logging)?.contexts = []
    return (view, numbers)
  }

  @Test func aLayoutIsPreparedOnceForAChange() {
    let layout = Logging()
    let (view, numbers) = makeView(layout, 30)
    func expectOne(_ change: () -> Void) {
      layout.log = []
      change()
      view.layoutIfNeeded()
      #expect(layout.log.count { $0 == "prepare" } == 1)
    }
    expectOne {
      numbers.counts = [31]
      view.insertItems(at: [path(0)])
    }
    expectOne { view.reloadItems(at: [path(0)]) }
    expectOne { view.performBatchUpdates(nil) }
    expectOne { view.rotate(to: CGSize(width: 568, height: 320)) }
    let next = Logging()
    view.setCollectionViewLayout(next, animated: false)
    view.layoutIfNeeded()
    #expect(next.log == ["prepare", "target"])
  }

  @Test func aBatchIsToldInUIKitsOrder() {
    let layout = Logging()
    let (view, numbers) = makeView(layout, 3, 2, 4)
    numbers.counts = [3, 4, 5, 1]
    view.performBatchUpdates {
      view.moveItem(at: path(0, 2), to: path(3, 1))
      view.deleteSections([1])
      view.insertSections([3])
      view.insertSections([2])
      view.reloadItems(at: [path(1, 2)])
      view.reloadSections([0])
    }
    #expect(
      layout.log == [
        "prepare", "delete section 1 -", "insert - section 2", "insert - section 3", "reload section 0 section 0",
        "reload [2, 1] [1, 0]", "move [2, 0] [1, 3]", "target", "finalize",
      ])
    #expect(layout.contexts.count == 1 && layout.contexts[0].invalidateDataSourceCounts)
    #expect(!layout.contexts[0].invalidateEverything)
    #expect(layout.contexts[0].invalidatedItemIndexPaths == [path(0, 1), path(3, 1), path(0, 2), path(1, 2)])
    view.reloadData()
    #expect(layout.contexts.last?.invalidateEverything == true)
    view.layoutIfNeeded()
    layout.log = []
    numbers.counts = [3, 4, 4, 1]
    view.performBatchUpdates {
      view.insertItems(at: [path(2, 2), path(0, 2)])
      view.deleteItems(at: [path(1, 2), path(4, 2), path(2, 2)])
    }
    #expect(
      layout.log.prefix(6) == [
        "prepare", "delete [2, 4] -", "delete [2, 2] -", "delete [2, 1] -", "insert - [2, 0]", "insert - [2, 2]",
      ])
  }

  private final class Heights: NSObject, UICollectionViewDelegateFlowLayout {
    var heights: [CGFloat] = [50, 100, 150]

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: 320, height: heights[indexPath.item]) }
  }

  @Test func theDelegateIsAskedForSizesAgain() {
    let heights = Heights()
    let (view, _) = makeView(UICollectionViewFlowLayout(), 3)
    view.delegate = heights
    for change in [
      { view.performBatchUpdates(nil) }, { view.reloadItems(at: [IndexPath(item: 0, section: 0)]) },
      { view.reloadSections([0]) },
      { view.moveItem(at: IndexPath(item: 0, section: 0), to: IndexPath(item: 2, section: 0)) },
    ] as [() -> Void] {
      heights.heights[0] += 7
      change()
      #expect(view.layoutAttributesForItem(at: path(0))?.size.height == heights.heights[0])
    }
  }

  @Test func theTargetOffsetBelongsToTheAnimation() throws {
    let layout = Logging()
    let (view, numbers) = makeView(layout, 100)
    view.scroll(to: CGPoint(x: 0, y: 600))
    func onScreen(_ item: Int) -> CGFloat? {
      view.presentedAttributes().first { $0.indexPath.item == item }.map { $0.frame.minY - view.contentOffset.y }
    }
    let before = try #require(onScreen(12))
    layout.shift = 60
    numbers.counts = [101]
    view.insertItems(at: [path(0)])
    for _ in 0..<20 {
      #expect(onScreen(13) == before && view.contentOffset.y == 660)
      view.step(by: 1 / 60)
    }
    // The content now ends before the view's offset.
    layout.shift = 0
    numbers.counts = [12]
    view.deleteItems(at: (12..<101).map { path($0) })
    let end: CGFloat = 12 * 60 - 10 - 568
    #expect(view.contentOffset.y == end)
    layout.log = []
    #expect(layout.targetContentOffset(forProposedContentOffset: .zero, withScrollingVelocity: .zero) == .zero)
    #expect(layout.log.isEmpty)
  }

  @Test func aBatchAnimatesAChangeOfTheLayout() {
    let (old, new) = (Logging(), Logging())
    new.itemSize = CGSize(width: 200, height: 200)
    let (view, _) = makeView(old, 4)
    var completed = false
    view.performBatchUpdates { view.setCollectionViewLayout(new, animated: false) { completed = $0 } }
    #expect(view.collectionViewLayout === new && old.collectionView == nil && old.log.isEmpty)
    #expect(new.log == ["prepare", "updates", "target", "finalize"] && new.change == nil)
    var widths: [CGFloat] = []
    for _ in 0..<20 {
      widths.append(view.presentedAttributes().first { $0.indexPath.item == 1 }?.size.width ?? 0)
      view.step(by: 1 / 60)
    }
    #expect(widths.first == 320 && widths.last == 200 && zip(widths, widths.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(completed && view.animatedItemCount == 0)
  }

  @Test func changesDuringAnAnimatedChangeOfTheLayoutFindItMade() {
    let (first, second, third) = (Logging(), Logging(), Logging())
    let (view, numbers) = makeView(first, 20)
    var completed: [Bool] = []
    view.setCollectionViewLayout(second, animated: true) { completed.append($0) }
    numbers.counts = [21]
    view.insertItems(at: [path(0)])
    #expect(view.collectionViewLayout === second && view.numberOfItems(inSection: 0) == 21)
    view.setCollectionViewLayout(third, animated: true)
    view.reloadData()
    #expect(view.collectionViewLayout === third && completed.isEmpty)
    for _ in 0..<15 { view.step(by: 1 / 60) }
    #expect(completed == [true])
  }

  /// A layout in which all items appear with an alpha of 0.5 and disappear 300 points further down. An item that stays
  /// during an update does both: it appears, and a copy of it disappears.
  private final class Odd: UICollectionViewFlowLayout {
    override func initialLayoutAttributesForAppearingItem(at itemIndexPath: IndexPath)
      -> UICollectionViewLayoutAttributes?
    {
      let attributes = super.initialLayoutAttributesForAppearingItem(at: itemIndexPath)
      attributes?.alpha = 0.5
      return attributes
    }

    override func finalLayoutAttributesForDisappearingItem(at itemIndexPath: IndexPath)
      -> UICollectionViewLayoutAttributes?
    {
      let attributes = super.finalLayoutAttributesForDisappearingItem(at: itemIndexPath)
      attributes?.center.y += 300
      return attributes
    }
  }

  @Test func itemsThatStayHaveInitialAndFinalAttributes() {
    let (view, numbers) = makeView(Odd(), 3)
    numbers.counts = [4]
    view.insertItems(at: [path(0)])
    let shown = view.presentedAttributes()
    #expect(shown.map(\.indexPath.item) == [0, 1, 2, 3, 0, 1, 2])
    #expect(shown.map(\.alpha) == [0.5, 0.5, 0.5, 0.5, 1, 1, 1])
    // Both copies of an item begin at its old place.
    #expect(shown[1...3].map(\.center) == shown[4...6].map(\.center))
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.presentedAttributes().map(\.alpha) == [1, 1, 1, 1])
  }

  @Test func leavingItemsKeepTheirPaths() {
    let (view, numbers) = makeView(UICollectionViewFlowLayout(), 2, 3)
    numbers.counts = [2]
    view.deleteSections([1])
    view.step(by: 0.05)
    #expect(view.presentedAttributes().suffix(3).map(\.indexPath) == (0..<3).map { path($0, 1) })
    numbers.counts = [1]
    view.deleteItems(at: [path(0)])
    view.step(by: 0.05)
    #expect(view.presentedAttributes().map(\.indexPath) == [path(0), path(0, 1), path(1, 1), path(2, 1), path(0)])
    numbers.counts = []
    view.deleteSections([0])
    #expect(view.presentedAttributes().last?.indexPath == path(0) && view.numberOfSections == 0)
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.presentedAttributes().isEmpty)
  }

  @Test func theSelectionFollowsItsItems() {
    let (view, numbers) = makeView(UICollectionViewFlowLayout(), 5, 5)
    view.allowsMultipleSelection = true
    for selected in [path(1), path(4), path(2, 1)] {
      view.selectItem(at: selected, animated: false, scrollPosition: [])
    }
    numbers.counts = [5, 4]
    view.performBatchUpdates {
      view.moveSection(1, toSection: 0)
      view.deleteItems(at: [path(4)])
    }
    #expect(view.indexPathsForSelectedItems == [path(2), path(1, 1)])
    view.reloadData()
    #expect(view.indexPathsForSelectedItems == [])
  }

  @Test func anEqualInsetChangesNothing() {
    let layout = Logging()
    let (view, _) = makeView(layout, 3)
    view.contentInset = .zero
    view.safeAreaInsets = .zero
    #expect(layout.contexts.isEmpty)
    view.contentInset.top = 5
    #expect(layout.contexts.count == 1 && !layout.contexts[0].invalidateEverything)
  }

  private final class Adjusting: UICollectionViewFlowLayout {
    var asked: [CGRect] = []

    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
      asked.append(newBounds)
      return true
    }

    override func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext {
      let context = super.invalidationContext(forBoundsChange: newBounds)
      context.contentOffsetAdjustment.y = 10
      return context
    }
  }

  @Test func aChangeOfTheBoundsCanAdjustTheOffset() {
    let layout = Adjusting()
    let (view, _) = makeView(layout, 1_000)
    layout.asked = []
    view.scroll(to: CGPoint(x: 0, y: 100))
    #expect(view.contentOffset.y == 110 && layout.asked == [CGRect(x: 0, y: 100, width: 320, height: 568)])
    view.bounds = CGRect(x: 0, y: 200, width: 300, height: 400)
    #expect(view.bounds == CGRect(x: 0, y: 210, width: 300, height: 400) && layout.asked.count == 2)
  }

  /// A layout that is never prepared again when the bounds change.
  private final class Stubborn: UICollectionViewFlowLayout {
    var preparations = 0

    override func prepare() {
      super.prepare()
      preparations += 1
    }

    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }
  }

  @Test func aLayoutThatNeedsNoPreparationForABoundsChangeIsNotPrepared() {
    let layout = Stubborn()
    let (view, _) = makeView(layout, 30)
    view.bounds = CGRect(x: 0, y: 10, width: 200, height: 400)
    view.layoutIfNeeded()
    view.rotate(to: CGSize(width: 400, height: 200))
    view.layoutIfNeeded()
    #expect(layout.preparations == 1 && view.layoutAttributesForItem(at: path(1))?.frame.minX == 67.5)
  }

  private final class Measuring: UICollectionViewFlowLayout {
    var sizes: [CGFloat] = []

    override func prepare() {
      super.prepare()
      sizes.append(collectionView?.contentSize.height ?? 0)
    }
  }

  @Test func theContentSizeInAPreparationIsThatOfTheLastPass() {
    let layout = Measuring()
    layout.itemSize = CGSize(width: 320, height: 90)
    let (view, numbers) = makeView(layout, 3)
    numbers.counts = [4]
    view.insertItems(at: [path(0)])
    #expect(layout.sizes.last == 290 && view.contentSize.height == 390)
  }

  @Test func aLayoutThatShowsADeletedItemEndsTheProgramWithAMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let view = UICollectionView(frame: phone, collectionViewLayout: SpringyLayout())
      let numbers = Numbers(10)
      view.dataSource = numbers
      view.layoutIfNeeded()
      numbers.counts = [9]
      view.deleteItems(at: [IndexPath(item: 9, section: 0)])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("does not exist, at the index path [0, 9]"))
  }

  @Test func aLayoutWithoutAttributesOfAnItemThatStaysEndsTheProgramWithAMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let view = UICollectionView(frame: phone, collectionViewLayout: SpringyLayout())
      let numbers = Numbers(10)
      view.dataSource = numbers
      view.layoutIfNeeded()
      numbers.counts = [11]
      view.insertItems(at: [IndexPath(item: 0, section: 0)])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("no attributes from SpringyLayout.layoutAttributesForItem(at: [0, 10])"))
  }

  private final class Mirrored: UICollectionViewFlowLayout {
    override var flipsHorizontallyInOppositeLayoutDirection: Bool { true }
  }

  @Test func aLayoutIsFlippedForTextFromRightToLeft() {
    let (view, _) = makeView(Mirrored(), 7)
    view.semanticContentAttribute = .forceRightToLeft
    #expect(view.visibleAttributes().prefix(2).map(\.frame.minX) == [270, 202.5])
    #expect(view.layoutAttributesForItem(at: path(5))?.frame.minX == 270)
    #expect(view.indexPathForItem(at: CGPoint(x: 300, y: 80)) == path(5))
  }
}
