import Foundation

/// Animates the change from one controller's view to another's.
public protocol UIViewControllerAnimatedTransitioning: NSObjectProtocol {
  /// Returns the duration, seconds.
  func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval
  /// Adds the appearing view to the container and animates it. Calls `completeTransition(_:)` at the end.
  func animateTransition(using transitionContext: any UIViewControllerContextTransitioning)
  func animationEnded(_ transitionCompleted: Bool)
}

extension UIViewControllerAnimatedTransitioning { public func animationEnded(_ transitionCompleted: Bool) {} }

public enum UITransitionContextViewControllerKey: Sendable { case from, to }

public enum UITransitionContextViewKey: Sendable { case from, to }

public protocol UIViewControllerContextTransitioning: NSObjectProtocol {
  /// The view that contains the disappearing view. The animation adds the appearing view to it.
  var containerView: UIView { get }
  var isAnimated: Bool { get }
  var isInteractive: Bool { get }
  var transitionWasCancelled: Bool { get }
  func completeTransition(_ didComplete: Bool)
  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController?
  func view(forKey key: UITransitionContextViewKey) -> UIView?
  func initialFrame(for vc: UIViewController) -> CGRect
  func finalFrame(for vc: UIViewController) -> CGRect
}

/// A navigation controller's transition from its old top controller to the new one. It is never interactive.
final class NavigationTransition: NSObject, UIViewControllerContextTransitioning {
  let containerView: UIView
  let from: UIViewController?
  let to: UIViewController
  let isAnimated: Bool
  let isInteractive = false
  private(set) var transitionWasCancelled = false
  private var end: ((_ completed: Bool) -> Void)?

  init(
    in container: UIView, from: UIViewController?, to: UIViewController, isAnimated: Bool,
    end: @escaping (_ completed: Bool) -> Void
  ) { (containerView, self.from, self.to, self.isAnimated, self.end) = (container, from, to, isAnimated, end) }

  /// Does nothing when it is called a second time.
  func completeTransition(_ didComplete: Bool) {
    guard let end else { return }
    (self.end, transitionWasCancelled) = (nil, !didComplete)
    end(didComplete)
  }

  func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
    key == .from ? from : to
  }

  func view(forKey key: UITransitionContextViewKey) -> UIView? { key == .from ? from?.view : to.view }

  func initialFrame(for vc: UIViewController) -> CGRect { vc === from ? vc.view.frame : .zero }

  func finalFrame(for vc: UIViewController) -> CGRect { vc === to ? containerView.bounds : .zero }
}
