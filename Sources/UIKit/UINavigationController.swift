import Foundation

public protocol UINavigationControllerDelegate: NSObjectProtocol {
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
  /// Returns nil for a change without a custom animation.
  func navigationController(
    _ navigationController: UINavigationController, animationControllerFor operation: UINavigationController.Operation,
    from fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)?
}

extension UINavigationControllerDelegate {
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
  ) {}
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {}
  public func navigationController(
    _ navigationController: UINavigationController, animationControllerFor operation: UINavigationController.Operation,
    from fromVC: UIViewController, to toVC: UIViewController
  ) -> (any UIViewControllerAnimatedTransitioning)? { nil }
}

/// Shows the last controller of a stack. There is no navigation bar.
open class UINavigationController: UIViewController {
  public enum Operation: Int, Sendable { case none, push, pop }

  open weak var delegate: (any UINavigationControllerDelegate)?
  private final var stack: [UIViewController] = []
  private final var transition: NavigationTransition?

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  open var topViewController: UIViewController? { stack.last }
  open var visibleViewController: UIViewController? { stack.last }

  open var viewControllers: [UIViewController] {
    get { stack }
    set { setViewControllers(newValue, animated: false) }
  }

  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    setViewControllers(stack + [viewController], animated: animated)
  }

  @discardableResult open func popViewController(animated: Bool) -> UIViewController? {
    stack.count > 1 ? pop(to: stack.count - 1, animated).last : nil
  }

  @discardableResult open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    stack.count > 1 ? pop(to: 1, animated) : nil
  }

  @discardableResult open func popToViewController(_ viewController: UIViewController, animated: Bool)
    -> [UIViewController]?
  { stack.firstIndex(of: viewController).map { pop(to: $0 + 1, animated) } }

  private func pop(to count: Int, _ animated: Bool) -> [UIViewController] {
    let popped = Array(stack[count...])
    setViewControllers(Array(stack[..<count]), animated: animated)
    return popped
  }

  /// Shows the last of the controllers: pops to this controller if the stack contained it before, otherwise pushes it.
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    transition?.completeTransition(true)
    let old = stack
    stack = viewControllers
    for controller in old where !stack.contains(controller) { controller.willMove(toParent: nil) }
    for controller in stack { addChild(controller) }
    if stack.isEmpty { old.last?.viewIfLoaded?.removeFromSuperview() }
    guard let to = stack.last, to !== old.last, isViewLoaded else { return settle(old) }
    let operation: Operation = old.contains(to) ? .pop : .push
    show(to, from: old.last, operation, animated) { [weak self] completed in
      guard let self else { return }
      var before = old
      if !completed { swap(&before, &stack) }
      settle(before)
    }
  }

  /// Completes the addition of new child controllers and the removal of old ones.
  private func settle(_ old: [UIViewController]) {
    for controller in stack where !old.contains(controller) { controller.didMove(toParent: self) }
    for controller in old where !stack.contains(controller) { controller.removeFromParent() }
  }

  open override func loadView() {
    super.loadView()
    if let top = stack.last { place(top.view) }
    (stack.last as? UICollectionViewController)?.useOwnView()
  }

  private func place(_ view: UIView) {
    view.frame = self.view.bounds
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    if view.superview !== self.view { self.view.addSubview(view) }
  }

  private func show(
    _ to: UIViewController, from: UIViewController?, _ operation: Operation, _ animated: Bool,
    end: @escaping (_ completed: Bool) -> Void
  ) {
    let isSeen = isShown
    to.loadViewIfNeeded()
    let list = to as? UICollectionViewController
    let takesView = list?.takesView(of: from, operation) == true
    if isSeen {
      delegate?.navigationController(self, willShow: to, animated: animated)
      from?.beginAppearanceTransition(false, animated: animated)
      to.beginAppearanceTransition(true, animated: animated)
    }
    var animator: (any UIViewControllerAnimatedTransitioning)?
    let transition = NavigationTransition(in: view, from: from, to: to, isAnimated: animated) { [weak self] completed in
      guard let self else { return }
      self.transition = nil
      let (winner, loser) = completed ? (to, from) : (from, to)
      if !completed {
        to.beginAppearanceTransition(false, animated: animated)
        from?.beginAppearanceTransition(true, animated: animated)
      }
      loser?.view.removeFromSuperview()
      if let winner { place(winner.view) }
      if isSeen {
        view.layoutIfNeeded()
        loser?.endAppearanceTransition()
        winner?.endAppearanceTransition()
      }
      end(completed)
      if isSeen, completed { delegate?.navigationController(self, didShow: to, animated: animated) }
      animator?.animationEnded(completed)
    }
    self.transition = transition
    if takesView {
      place(to.view)
      list?.showLayout(animated: animated && isSeen) { transition.completeTransition(true) }
      return
    }
    list?.useOwnView()
    if animated, isSeen, let from {
      animator = delegate?.navigationController(self, animationControllerFor: operation, from: from, to: to)
    }
    if let animator { animator.animateTransition(using: transition) } else { transition.completeTransition(true) }
  }

  // When the navigation controller itself appears, the delegate is notified of the controller on top of the stack.
  open override func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    super.beginAppearanceTransition(isAppearing, animated: animated)
    if isAppearing, let top = stack.last { delegate?.navigationController(self, willShow: top, animated: animated) }
  }

  open override func endAppearanceTransition() {
    super.endAppearanceTransition()
    if isShown, let top = stack.last { delegate?.navigationController(self, didShow: top, animated: false) }
  }
}
