import Dynamics
import Foundation

/// A behavior that an animator can run: one of the subclasses, or a composite of others.
open class UIDynamicBehavior: NSObject {
  /// The animator that runs this behavior.
  public final var dynamicAnimator: UIDynamicAnimator? { runner?.takeUnretainedValue() }
  /// The animator, as an unmanaged reference. Each step compares the reference twice, which would be slow with a weak
  /// or a retained reference. The animator clears the reference in its `deinit`.
  private final var runner: Unmanaged<UIDynamicAnimator>?
  /// The children in the order in which they were added.
  @exclusivity(unchecked) public private(set) final var childBehaviors: [UIDynamicBehavior] = []
  /// Called after each step of a running animator.
  @exclusivity(unchecked) open var action: (() -> Void)? {
    didSet { if action != nil { dynamicAnimator?.callsBehaviors = true } }
  }
  final weak var parent: UIDynamicBehavior?

  public override init() { super.init() }

  /// Called before the behavior is added to an animator. Called with nil before it is removed.
  open func willMove(to dynamicAnimator: UIDynamicAnimator?) {}

  /// Adds a behavior that an animator starts and stops together with this behavior.
  open func addChildBehavior(_ behavior: UIDynamicBehavior) {
    guard behavior.parent == nil, behavior.dynamicAnimator == nil, !behavior.contains(self) else {
      raise("\(behavior) already belongs to an animator or to another behavior; remove it there first")
    }
    behavior.parent = self
    childBehaviors.append(behavior)
    if let dynamicAnimator { dynamicAnimator.whole { behavior.start(in: dynamicAnimator) } }
  }

  /// Does nothing if `behavior` is not a child of this behavior.
  open func removeChildBehavior(_ behavior: UIDynamicBehavior) {
    guard behavior.parent === self else { return }
    behavior.parent = nil
    childBehaviors.removeAll { $0 === behavior }
    if let dynamicAnimator { dynamicAnimator.whole { behavior.stop(in: dynamicAnimator) } }
  }

  private func contains(_ other: UIDynamicBehavior) -> Bool {
    self === other || childBehaviors.contains { $0.contains(other) }
  }

  // MARK: For the animator

  /// Makes the animator's engine run this behavior, without its children.
  func join(_ animator: UIDynamicAnimator) {}

  /// Makes the animator's engine stop running this behavior.
  func leave(_ animator: UIDynamicAnimator) {}

  /// Called when the animator is released, or removes all behaviors at once.
  func forget() {}

  func willStep(by timestep: Double, _ animator: UIDynamicAnimator) {}

  func didStep(by timestep: Double, _ animator: UIDynamicAnimator) {}

  final func start(in animator: UIDynamicAnimator) {
    willMove(to: animator)
    runner = .passUnretained(animator)
    // A subclass may override `action` with a computed property, whose value can change unnoticed.
    if type(of: self) != UIAttachmentBehavior.self || action != nil { animator.callsBehaviors = true }
    join(animator)
    for child in childBehaviors { child.start(in: animator) }
  }

  final func stop(in animator: UIDynamicAnimator) {
    willMove(to: nil)
    for child in childBehaviors.reversed() { child.stop(in: animator) }
    leave(animator)
    runner = nil
  }

  final func forgetAnimator() {
    willMove(to: nil)
    for child in childBehaviors { child.forgetAnimator() }
    forget()
    runner = nil
  }

  private func runs(in animator: UIDynamicAnimator) -> Bool {
    runner?.toOpaque() == Unmanaged.passUnretained(animator).toOpaque()
  }

  // Blocks, delegates and actions may remove behaviors during a step. Removed behaviors are skipped.

  final func willStepAll(by timestep: Double, in animator: UIDynamicAnimator) {
    guard runs(in: animator) else { return }
    willStep(by: timestep, animator)
    if !childBehaviors.isEmpty { for child in childBehaviors { child.willStepAll(by: timestep, in: animator) } }
  }

  final func didStepAll(by timestep: Double, in animator: UIDynamicAnimator) {
    guard runs(in: animator) else { return }
    didStep(by: timestep, animator)
    if runs(in: animator) { action?() }
    if !childBehaviors.isEmpty { for child in childBehaviors { child.didStepAll(by: timestep, in: animator) } }
  }
}

extension CGFloat {
  /// Returns the nearest value in `range`. UIKit accepts any value, but the module Dynamics does not.
  func usable(_ range: ClosedRange<Double> = 0...1e9) -> Double {
    // NaN becomes the lower bound.
    Double(self) >= range.lowerBound ? Swift.min(Double(self), range.upperBound) : range.lowerBound
  }
}
