/// A behavior that an animator can run: one of the subclasses, or a composite of others (UIKit: `UIDynamicBehavior`).
/// It belongs to at most one animator.
open class DynamicBehavior {
  /// The animator that runs this behavior (UIKit: `dynamicAnimator`).
  public final var dynamicAnimator: DynamicAnimator? { animator }
  /// The child behaviors in the order in which they were added.
  public private(set) final var childBehaviors: [DynamicBehavior] = []
  /// Not a weak reference, which costs an atomic look-up per frame: the animator clears it when it is released.
  final unowned(unsafe) var animator: DynamicAnimator?
  /// Not owned: the parent clears it when it is released.
  final unowned(unsafe) var parent: DynamicBehavior?

  /// A composite without children, which does nothing yet.
  public init() {}
  deinit { for child in childBehaviors { child.parent = nil } }

  /// The name of the behavior's items in error messages.
  var itemName: String { childBehaviors.first?.itemName ?? "\(type(of: self))" }

  /// Makes the animator run this behavior without its children.
  /// - Throws: For invalid values; then the animator is unchanged.
  func join(_ animator: DynamicAnimator) throws(DynamicsError) {}

  /// Undoes `join`.
  func leave(_ animator: DynamicAnimator) {}

  /// Clears the state that the behavior keeps for its animator, when the animator is released or removes everything at
  /// once.
  func forget() {}

  /// Makes the other behavior part of this one: they are added to an animator and removed together. While this one
  /// runs, so does the child from now on.
  /// - Throws: If it belongs to an animator or a parent, contains this one, or has invalid values; both are unchanged.
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

  /// Adds children that were created for this behavior and belong to nothing else.
  final func adopt(_ children: [DynamicBehavior]) {
    assert(animator == nil, "children that are adopted late must be checked")
    for child in children { child.parent = self }
    childBehaviors += children
  }

  /// - Throws: `DynamicsError.unknownBehavior` if it is not a child of this one.
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

  /// Joins all or none of them.
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
