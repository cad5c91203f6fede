import Testing
import UIKit

/// A list of recorded calls, which several objects may share.
private final class Notes { var lines: [String] = [] }

private class NotingController: UIViewController {
  let notes: Notes

  init(_ name: String, _ notes: Notes) {
    self.notes = notes
    super.init(nibName: nil, bundle: nil)
    title = name
  }

  required init?(coder: NSCoder) { nil }

  func note(_ what: String) { notes.lines.append("\(title ?? "") \(what)") }

  override func viewDidLoad() { note("loaded") }
  override func viewWillAppear(_ animated: Bool) { note(animated ? "comes, animated" : "comes") }
  override func viewDidAppear(_ animated: Bool) { note("there") }
  override func viewWillDisappear(_ animated: Bool) { note("goes") }
  override func viewDidDisappear(_ animated: Bool) { note("gone") }
  override func viewDidLayoutSubviews() { note("laid out") }
  override func didMove(toParent parent: UIViewController?) { note(parent == nil ? "alone" : "inside") }
}

/// A controller that shows a list of 60 items in one color.
private final class ListController: UICollectionViewController {
  var color = UIColor.red

  override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { 60 }

  override func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  {
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
    cell.backgroundColor = color
    return cell
  }
}

/// A controller whose view is a collection view, which it asks for the visible cells in each layout pass.
private final class AskingController: UIViewController {
  let list = UICollectionView(frame: phone, collectionViewLayout: flow(100))
  var cellCounts: [Int] = []

  override func loadView() { view = list }
  override func viewWillLayoutSubviews() { cellCounts.append(list.visibleCells.count) }
  override func viewDidLayoutSubviews() { cellCounts.append(list.visibleCells.count) }
}

/// Makes each shown list controller the data source of its collection view, and animates transitions with `animate`.
private final class StackDelegate: NSObject, UINavigationControllerDelegate {
  var shown: [String] = []
  var animate: ((any UIViewControllerContextTransitioning) -> Void)?
  /// Whether each animated transition was completed, in order.
  var ended: [Bool] = []

  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {
    shown.append(viewController.title ?? "")
    if let list = viewController as? ListController { list.collectionView.dataSource = list }
  }

  func navigationController(
    _ navigationController: UINavigationController, animationControllerFor operation: UINavigationController.Operation,
    from fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)? {
    animate.map { Animator(animate: $0) { [unowned self] in ended.append($0) } }
  }
}

private final class Animator: NSObject, UIViewControllerAnimatedTransitioning {
  let animate: (any UIViewControllerContextTransitioning) -> Void
  let end: (Bool) -> Void

  init(animate: @escaping (any UIViewControllerContextTransitioning) -> Void, end: @escaping (Bool) -> Void) {
    (self.animate, self.end) = (animate, end)
  }

  func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval { 0.3 }
  func animateTransition(using transitionContext: any UIViewControllerContextTransitioning) {
    animate(transitionContext)
  }
  func animationEnded(_ transitionCompleted: Bool) { end(transitionCompleted) }
}

private func window(of controller: UIViewController) -> UIWindow {
  let window = UIWindow(frame: phone)
  window.rootViewController = controller
  window.makeKeyAndVisible()
  return window
}

private func frames(_ count: Int, _ window: UIWindow) {
  for _ in 0..<count {
    window.step(by: 1 / 60)
    window.layoutIfNeeded()
  }
}

private func flow(_ side: CGFloat) -> UICollectionViewFlowLayout {
  let layout = UICollectionViewFlowLayout()
  layout.itemSize = CGSize(width: side, height: side)
  return layout
}

@Suite struct ViewControllerTests {
  @Test func aViewIsLoadedOnceAndLaidOutWhenItsSizeChanges() {
    let notes = Notes()
    let controller = NotingController("a", notes)
    let window = window(of: controller)
    frames(2, window)
    #expect(notes.lines == ["a loaded", "a comes", "a laid out", "a there"])
    window.frame = CGRect(x: 0, y: 0, width: 568, height: 320)
    frames(2, window)
    #expect(controller.view.frame == window.bounds && notes.lines.dropFirst(4) == ["a laid out"])
    window.rootViewController = nil
    #expect(notes.lines.dropFirst(5) == ["a goes", "a gone"])
  }

  @Test func aControllerMayAskForVisibleCellsWhileItsViewIsLaidOut() {
    let source = ListController(collectionViewLayout: flow(100))
    let asking = AskingController()
    asking.list.dataSource = source
    asking.list.layoutIfNeeded()
    let count = asking.list.indexPathsForVisibleItems.count
    asking.loadViewIfNeeded()
    asking.list.layoutIfNeeded()
    #expect(count > 0 && asking.cellCounts == [count, count])
  }

  @Test func aChildAppearsWithTheViewAroundIt() {
    let notes = Notes()
    let (parent, child) = (NotingController("parent", notes), NotingController("child", notes))
    parent.addChild(child)
    parent.view.addSubview(child.view)
    child.didMove(toParent: parent)
    #expect(child.parent === parent && parent.children == [child])
    notes.lines = []
    let window = window(of: parent)
    #expect(
      notes.lines == [
        "parent comes", "child comes", "parent laid out", "child laid out", "child there", "parent there",
      ])
    notes.lines = []
    child.view.removeFromSuperview()
    child.removeFromParent()
    #expect(window.isKeyWindow && notes.lines == ["child goes", "child gone", "child alone"])
  }

  @Test func aStackShowsItsLastController() {
    let notes = Notes()
    let (first, second) = (NotingController("1", notes), NotingController("2", notes))
    let stack = UINavigationController(rootViewController: first)
    let delegate = StackDelegate()
    stack.delegate = delegate
    let window = window(of: stack)
    notes.lines = []
    stack.pushViewController(second, animated: true)
    #expect(notes.lines == ["2 loaded", "1 goes", "2 comes, animated", "2 laid out", "1 gone", "2 there", "2 inside"])
    #expect(second.navigationController === stack && second.view.window === window && first.view.window == nil)
    #expect(stack.popViewController(animated: false) === second)
    #expect(stack.viewControllers == [first] && second.parent == nil && delegate.shown == ["1", "2", "1"])
    #expect(stack.popViewController(animated: false) == nil)
    notes.lines = []
    stack.viewControllers = []
    #expect(notes.lines == ["1 goes", "1 gone", "1 alone"] && first.view.superview == nil)
  }

  @Test func anAnimatorEndsTheChangeOrTakesItBack() throws {
    let notes = Notes()
    let (first, second) = (NotingController("1", notes), NotingController("2", notes))
    let stack = UINavigationController(rootViewController: first)
    let delegate = StackDelegate()
    stack.delegate = delegate
    let window = window(of: stack)
    var running: (any UIViewControllerContextTransitioning)?
    delegate.animate = { running = $0 }
    stack.pushViewController(second, animated: true)
    let cancelled = try #require(running)
    #expect(cancelled.viewController(forKey: .from) === first && cancelled.view(forKey: .to) === second.view)
    #expect(cancelled.finalFrame(for: second) == phone && cancelled.containerView === stack.view)
    cancelled.containerView.addSubview(second.view)
    cancelled.completeTransition(false)
    #expect(stack.viewControllers == [first] && second.view.window == nil && notes.lines.last == "2 alone")
    stack.pushViewController(second, animated: true)
    #expect(delegate.shown == ["1"] && first.view.window === window)
    running?.completeTransition(true)
    #expect(
      delegate.ended == [false, true] && delegate.shown == ["1", "2"] && first.view.window == nil
        && second.view.frame == phone)
  }

  @Test func aPushedListTakesTheViewOfTheOneBefore() throws {
    let (small, large) = (flow(60), flow(280))
    let (root, detail) = (ListController(collectionViewLayout: small), ListController(collectionViewLayout: large))
    (root.title, detail.title, detail.color) = ("root", "detail", .blue)
    detail.useLayoutToLayoutNavigationTransitions = true
    // This change is lost, because the pushed controller takes over the collection view of the root controller.
    detail.collectionView.contentInset.top = 50
    let stack = UINavigationController(rootViewController: root)
    let delegate = StackDelegate()
    stack.delegate = delegate
    let window = window(of: stack)
    let view = try #require(root.collectionView)
    stack.pushViewController(detail, animated: true)
    #expect(detail.collectionView === view && view.superview === detail.view && view.contentInset == .zero)
    frames(5, window)
    let width = try #require(view.presentedAttributes().first).size.width
    #expect(width > 60 && width < 280 && view.dataSource === root && delegate.shown == ["root"])
    frames(12, window)
    #expect(delegate.shown == ["root", "detail"] && view.dataSource === detail)
    #expect(view.visibleCells.first.map { $0.frame.width == 280 && $0.backgroundColor == .blue } == true)
    stack.popViewController(animated: true)
    frames(17, window)
    #expect(view.collectionViewLayout === small && view.superview === root.view && view.delegate === root)
    #expect(view.visibleCells.first.map { $0.frame.width == 60 && $0.backgroundColor == .red } == true)
  }

  @Test func pinnedViewsAreLaidOut() {
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    root.safeAreaInsets.top = 20
    let (list, bar, dot) = (UIView(), UIView(), UIView())
    for view in [list, bar, dot] { view.translatesAutoresizingMaskIntoConstraints = false }
    root.addSubview(list)
    root.addSubview(bar)
    bar.addSubview(dot)
    let height = bar.heightAnchor.constraint(equalToConstant: 44)
    NSLayoutConstraint.activate([
      list.topAnchor.constraint(equalTo: root.safeAreaLayoutGuide.topAnchor),
      list.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 10),
      list.trailingAnchor.constraint(equalTo: root.trailingAnchor, constant: -10),
      list.bottomAnchor.constraint(equalTo: bar.topAnchor), bar.bottomAnchor.constraint(equalTo: root.bottomAnchor),
      bar.leftAnchor.constraint(equalTo: root.leftAnchor), bar.widthAnchor.constraint(equalTo: root.widthAnchor),
      height, dot.centerXAnchor.constraint(equalTo: bar.centerXAnchor), dot.widthAnchor.constraint(equalToConstant: 8),
      dot.heightAnchor.constraint(equalTo: bar.heightAnchor, multiplier: 0.5),
      dot.centerYAnchor.constraint(equalTo: bar.centerYAnchor),
    ])
    root.layoutIfNeeded()
    #expect(bar.frame == CGRect(x: 0, y: 436, width: 320, height: 44))
    #expect(list.frame == CGRect(x: 10, y: 20, width: 300, height: 416))
    #expect(dot.frame == CGRect(x: 156, y: 11, width: 8, height: 22))
    height.constant = 80
    root.bounds.size.width = 200
    root.layoutIfNeeded()
    #expect(list.frame == CGRect(x: 10, y: 20, width: 180, height: 380))
    height.isActive = false
    #expect(bar.constraints.count == 3)
  }
}
