import Testing
import UIKit

/// Tests scroll views that are no collection views, and what belongs to scrolling.
@Suite struct ScrollViewTests {
  private final class Told: NSObject, UIScrollViewDelegate {
    var offsets: [CGFloat] = []

    func scrollViewDidScroll(_ scrollView: UIScrollView) { offsets.append(scrollView.contentOffset.y) }
  }

  private let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))

  @Test func aScrollViewTellsItsDelegateThatItScrolls() {
    let told = Told()
    view.delegate = told
    view.contentSize = CGSize(width: 100, height: 1000)
    view.contentOffset.y = 50
    view.setContentOffset(CGPoint(x: 0, y: 70), animated: false)
    view.contentOffset.y = 70
    view.frame.size.height = 90
    #expect(told.offsets == [50, 70])
  }

  @Test func aRectangleIsShownInsideTheInsets() {
    view.contentSize = CGSize(width: 100, height: 1000)
    view.contentInset = UIEdgeInsets(top: 20, left: 0, bottom: 10, right: 0)
    view.scrollRectToVisible(CGRect(x: 0, y: 200, width: 10, height: 30), animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: 140))
    view.scrollRectToVisible(CGRect(x: 0, y: 100, width: 10, height: 30), animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: 80))
    view.scrollRectToVisible(CGRect(x: 0, y: 110, width: 10, height: 30), animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: 80))
  }

  @Test func aRectangleIsShownOnlyAsFarAsTheContentReaches() {
    view.contentSize = CGSize(width: 100, height: 1000)
    view.contentInset = UIEdgeInsets(top: 20, left: 0, bottom: 10, right: 0)
    view.scrollRectToVisible(CGRect(x: 300, y: 2000, width: 10, height: 30), animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: 910))
    view.scrollRectToVisible(CGRect(x: -300, y: -2000, width: 10, height: 30), animated: false)
    #expect(view.contentOffset == CGPoint(x: 0, y: -20))
  }

  @Test func aRectangleThatIsLongerThanTheViewIsShownFromTheNearerEnd() {
    view.contentSize = CGSize(width: 100, height: 1000)
    view.contentInset = UIEdgeInsets(top: 20, left: 0, bottom: 10, right: 0)
    let rect = CGRect(x: 0, y: 200, width: 10, height: 100)
    for (before, after) in [(0, 180), (500, 210), (195, 195)] as [(CGFloat, CGFloat)] {
      view.contentOffset.y = before
      for _ in 0..<2 {
        view.scrollRectToVisible(rect, animated: false)
        #expect(view.contentOffset.y == after)
      }
    }
  }

  @Test func aRefreshControlCallsItsTargets() {
    final class List: NSObject {
      var calls = 0
      func refresh(_ sender: UIRefreshControl) { calls += 1 }
    }
    let (list, control) = (List(), UIRefreshControl())
    control.addTarget(list, action: Selector(List.refresh), for: .valueChanged)
    control.addTarget(List(), action: Selector(List.refresh), for: .valueChanged)
    control.sendActions(for: .valueChanged)
    control.sendActions(for: .touchUpInside)
    #expect(list.calls == 1)
  }

  @Test func aRefreshControlOnlyKeepsItsState() {
    let control = UIRefreshControl()
    view.refreshControl = control
    control.beginRefreshing()
    #expect(view.refreshControl?.isRefreshing == true)
    control.endRefreshing()
    #expect(!control.isRefreshing)
  }

  @Test func aDeviceCanBeObserved() {
    let name = UIDevice.orientationDidChangeNotification
    #expect(name.rawValue == "UIDeviceOrientationDidChangeNotification")
  }

  @Test func aControllerClearsTheSelectionWhenItsViewAppears() {
    for clears in [true, false] {
      let controller = UICollectionViewController(collectionViewLayout: UICollectionViewFlowLayout())
      controller.clearsSelectionOnViewWillAppear = clears
      controller.collectionView.selectItem(at: IndexPath(item: 3, section: 0), animated: false, scrollPosition: [])
      let window = UIWindow(frame: phone)
      window.rootViewController = controller
      window.makeKeyAndVisible()
      #expect(controller.collectionView.indexPathsForSelectedItems?.count == (clears ? 0 : 1))
    }
  }
}
