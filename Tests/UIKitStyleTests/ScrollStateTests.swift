import Testing
import UIKit

/// Tests the calls of a delegate during a scroll, and the view's properties at that time.
@Suite struct ScrollStateTests {
  private final class Log: NSObject, UICollectionViewDelegate {
    var calls: [String] = []

    private func note(_ call: String, _ view: UIScrollView) {
      let state = [("t", view.isTracking), ("d", view.isDragging), ("s", view.isDecelerating)]
      calls.append(call + " " + state.map { $1 ? $0 : "-" }.joined())
    }

    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { note("begin", scrollView) }
    func scrollViewWillEndDragging(
      _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) { note("lift", scrollView) }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
      note("end \(decelerate)", scrollView)
    }
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) { note("slow", scrollView) }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { note("rest", scrollView) }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) { note("animated", scrollView) }
    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) { calls.append("show \(indexPath.item)") }
    func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath
    ) { calls.append("hide \(indexPath.item)") }
    func collectionView(
      _ collectionView: UICollectionView, willDisplaySupplementaryView view: UICollectionReusableView,
      forElementKind elementKind: String, at indexPath: IndexPath
    ) { calls.append("show header") }
  }

  private func makeView(itemHeight: CGFloat = 5_000) -> (UICollectionView, Log, Numbers) {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 320, height: itemHeight)
    layout.minimumLineSpacing = 0
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    let (log, numbers) = (Log(), Numbers(10))
    (view.dataSource, view.delegate) = (numbers, log)
    _ = view.numberOfSections  // Counts the items while the data source exists.
    return (view, log, numbers)
  }

  @Test func aFlingIsADragAndADeceleration() {
    let (view, log, _) = makeView()
    view.layoutIfNeeded()
    log.calls = []
    for y in [5.0, 30, 60] { view.scroll(to: CGPoint(x: 0, y: y), touch: CGPoint(x: 10, y: 300 - y)) }
    view.endDragging(withVelocity: CGPoint(x: 0, y: 1))
    #expect(log.calls == ["begin td-", "lift -d-", "end true ---", "slow --s"] && view.isDecelerating)
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(log.calls.last == "rest ---" && log.calls.count == 5 && !view.isDecelerating)
  }

  @Test func aPagingViewAsksNobodyWhereAScrollEnds() {
    let (view, log, _) = makeView()
    view.isPagingEnabled = true
    view.scroll(to: CGPoint(x: 0, y: 60), touch: CGPoint(x: 10, y: 10))
    view.endDragging(withVelocity: CGPoint(x: 0, y: 1))
    #expect(log.calls.suffix(3) == ["begin td-", "end true ---", "slow --s"])
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.contentOffset.y == 568)
  }

  @Test func aFingerThatRestsBeforeItLiftsEndsTheScroll() {
    let (view, log, _) = makeView()
    view.scroll(to: CGPoint(x: 0, y: 60), touch: CGPoint(x: 10, y: 10))
    view.endDragging(withVelocity: .zero)
    #expect(log.calls.last == "end false ---" && !view.isDecelerating)
  }

  @Test func aFingerCatchesADecelerationAndACallDoesNot() {
    let (view, log, _) = makeView()
    view.scroll(to: CGPoint(x: 0, y: 60), touch: CGPoint(x: 10, y: 10))
    view.endDragging(withVelocity: CGPoint(x: 0, y: 1))
    view.step(by: 1 / 60)
    view.scroll(to: view.contentOffset, touch: CGPoint(x: 10, y: 10))
    #expect(log.calls.suffix(2) == ["rest ---", "begin td-"])
    view.endDragging(withVelocity: .zero)
    log.calls = []
    view.setContentOffset(view.contentOffset, animated: true)
    view.setContentOffset(.zero, animated: true)
    for _ in 0..<40 { view.step(by: 1 / 60) }
    #expect(log.calls == ["animated ---"])
  }

  @Test func cellsComeIntoViewAndLeaveIt() {
    let (view, log, numbers) = makeView(itemHeight: 300)
    view.layoutIfNeeded()
    #expect(log.calls == ["show 0", "show 1"])
    view.layoutIfNeeded()
    view.contentOffset.y = 320
    view.layoutIfNeeded()
    #expect(log.calls.dropFirst(2) == ["show 2", "hide 0"])
    numbers.counts = [9]
    view.deleteItems(at: [IndexPath(item: 1, section: 0)])
    view.layoutIfNeeded()
    #expect(log.calls.dropFirst(4) == ["hide 1", "show 2"])
    log.calls = []
    (view.collectionViewLayout as? UICollectionViewFlowLayout)?.headerReferenceSize.height = 500
    view.contentOffset.y = 0
    view.reloadData()
    view.layoutIfNeeded()
    #expect(log.calls == ["hide 1", "hide 2", "show header", "show 0"])
  }

  @Test func aReloadedItemDisappearsAndAppearsAndAReconfiguredOneStays() throws {
    let (view, log, numbers) = makeView(itemHeight: 300)
    view.allowsMultipleSelection = true
    for item in 0..<2 { view.selectItem(at: IndexPath(item: item, section: 0), animated: false, scrollPosition: []) }
    let cells = view.visibleCells
    log.calls = []
    view.reloadItems(at: [IndexPath(item: 0, section: 0)])
    view.reconfigureItems(at: [IndexPath(item: 1, section: 0)])
    view.layoutIfNeeded()
    #expect(log.calls == ["hide 0", "show 0"])
    #expect(view.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
    #expect(zip(view.visibleCells, cells).allSatisfy { $0 !== $1 })
    withExtendedLifetime(numbers) {}
  }

  /// A layout that invalidates itself while it is prepared and when it is asked for its size.
  private final class Restless: UICollectionViewFlowLayout {
    override func prepare() {
      super.prepare()
      invalidateLayout()
    }

    override var collectionViewContentSize: CGSize {
      invalidateLayout()
      return super.collectionViewContentSize
    }
  }

  @Test func aDelegateHearsOfTheItemsOfALayoutThatAlwaysInvalidatesItself() {
    let (view, log, numbers) = makeView(itemHeight: 300)
    view.setCollectionViewLayout(Restless(), animated: false)
    log.calls = []
    view.layoutIfNeeded()
    #expect(log.calls.contains("show 2"))
    log.calls = []
    view.layoutIfNeeded()
    #expect(log.calls == [])
    withExtendedLifetime(numbers) {}
  }

  @Test func aViewDoesNotScrollToAnItemWithoutAttributes() {
    final class Empty: UICollectionViewLayout {
      override var collectionViewContentSize: CGSize { CGSize(width: 320, height: 5_000) }
    }
    let (view, _, numbers) = makeView()
    view.setCollectionViewLayout(Empty(), animated: false)
    view.contentOffset.y = 100
    view.scrollToItem(at: IndexPath(item: 3, section: 0), at: .top, animated: false)
    #expect(view.contentOffset.y == 100)
    withExtendedLifetime(numbers) {}
  }

  @Test func recognizersOfAViewSeeItsTouch() {
    let (view, _, _) = makeView()
    let pan = UIPanGestureRecognizer()
    view.addGestureRecognizer(pan)
    view.scroll(to: CGPoint(x: 0, y: 7), touch: CGPoint(x: 30, y: 40))
    #expect(pan.view === view && pan.location(in: view) == CGPoint(x: 30, y: 47))
    #expect(view.gestureRecognizers == [view.panGestureRecognizer, pan])
  }
}
