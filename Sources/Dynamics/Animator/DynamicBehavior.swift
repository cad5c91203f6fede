/// A behavior that an animator can run (UIKit: `UIDynamicBehavior`). Subclasses act on items. An instance of this class
/// itself is a composite of other behaviors. A behavior belongs to at most one animator.
open class DynamicBehavior {
  /// The animator that runs this behavior (UIKit: `dynamicAnimator`).
  public final var dynamicAnimator: DynamicAnimator? { animator }
  /// The child behaviors in the order in which they were added.
  public private(set) final var childBehaviors: [DynamicBehavior] = []
  /// The animator that runs this behavior. The reference is not weak, because a weak one costs an atomic look-up per
  /// frame. The animator clears the reference when the animator is released.
  final unowned(unsafe) var animator: DynamicAnimator?
  /// The parent of this behavior. The parent clears this reference when the parent is released.
  final unowned(unsafe) var parent: DynamicBehavior?

  /// Creates a composite without children, which does nothing yet.
  public init() {}
  deinit { for child in childBehaviors { child.parent = nil } }

  /// The name of the behavior's items in error messages.
  var itemName: String { childBehaviors.first?.itemName ?? "\(type(of: self))" }

  /// Makes the animator run this behavior without its children.
  /// - Throws: If a value is invalid. In that case, the animator does not change.
  func join(_ animator: DynamicAnimator) throws(DynamicsError) {}

  /// Undoes `join`.
  func leave(_ animator: DynamicAnimator) {}

  /// Called when the animator is released or emptied. Clears the state that the behavior keeps for the animator.
  func forget() {}

  /// Makes another behavior a child of this one. An animator runs and removes both together. If an animator already
  /// runs this behavior, it also runs the child from now on.
  /// - Throws: If the child belongs to an animator or a parent, contains this behavior, or has an invalid value. In
  ///   these cases, neither behavior changes.
  public final func addChildBehavior(_ child: DynamicBehavior) throws(DynamicsError) {
    guard child.animator == nil, child.parent == nil, !child.contains(self) else {
      throw .behaviorBelongsToAnimator(item: child.itemName)
    }
    child.parent = self
    if let animator {
      do throws(DynamicsError) { try child.joinWithChildren(animator) } catch {
        child.parent = nil
        throw error
      }
      animator.resume()
    }
    childBehaviors.append(child)
  }

  /// Adds children that were created for this behavior and have no animator or other parent.
  final func adopt(_ children: [DynamicBehavior]) {
    assert(animator == nil, "children that are adopted late must be checked")
    for child in children { child.parent = self }
    childBehaviors += children
  }

  /// Removes a child. An animator that runs this behavior no longer runs the child.
  /// - Throws: `DynamicsError.unknownBehavior` if the other behavior is not a child of this one.
  public final func removeChildBehavior(_ child: DynamicBehavior) throws(DynamicsError) {
    guard child.parent === self else { throw .unknownBehavior(behavior: child.itemName) }
    if let animator { child.leaveWithChildren(animator) }
    child.parent = nil
    childBehaviors.removeAll { $0 === child }
    animator?.resumeIfAwake()
  }

  private func contains(_ other: DynamicBehavior) -> Bool {
    self === other || childBehaviors.contains { $0.contains(other) }
  }

  /// Makes the animator run this behavior and its children, or none of them if one throws.
  final func joinWithChildren(_ animator: DynamicAnimator) throws(DynamicsError) {
    try join(animator)
    self.animator = animator
    for (index, child) in childBehaviors.enumerated() {
      do throws(DynamicsError) { try child.joinWithChildren(animator) } catch {
        for joined in childBehaviors[..<index].reversed() { joined.leaveWithChildren(animator) }
        leave(animator)
        self.animator = nil
        throw error
      }
    }
  }

  final func leaveWithChildren(_ animator: DynamicAnimator) {
    for child in childBehaviors.reversed() { child.leaveWithChildren(animator) }
    leave(animator)
    self.animator = nil
  }

  final func forgetAnimator() {
    for child in childBehaviors { child.forgetAnimator() }
    forget()
    animator = nil
  }
}
