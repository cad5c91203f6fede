/// A behavior that an animator can run (UIKit: `UIDynamicBehavior`). Subclasses act on items. A behavior belongs to at
/// most one animator.
public class DynamicBehavior {
  /// The animator that runs this behavior (UIKit: `dynamicAnimator`).
  public final var dynamicAnimator: DynamicAnimator? { animator }
  /// The animator that runs this behavior. The reference is not weak, because a weak one costs an atomic look-up per
  /// frame. The animator clears the reference when the animator is released.
  final unowned(unsafe) var animator: DynamicAnimator?

  init() {}

  /// The name of the behavior's items in error messages.
  var itemName: String { "\(type(of: self))" }

  /// Makes the animator run this behavior.
  /// - Throws: If a value is invalid. In that case, the animator does not change.
  func join(_ animator: DynamicAnimator) throws(DynamicsError) {}

  /// Undoes `join`.
  func leave(_ animator: DynamicAnimator) {}

  /// Called when the animator is released or emptied. Clears the state that the behavior keeps for the animator.
  func forget() {}

  final func forgetAnimator() {
    forget()
    animator = nil
  }
}
