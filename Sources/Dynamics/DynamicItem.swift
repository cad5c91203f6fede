/// Something that a behaviour can move: the animator reads its centre when the item is added or when it is
/// told to, and writes it in every step (UIKit: `UIDynamicItem`).
public protocol DynamicItem: AnyObject {
  /// Points, in the coordinates of the animator's reference.
  var center: Point { get set }
  /// Size of the item, points.
  var size: Size { get }
  /// How error messages call the item.
  var dynamicItemName: String { get }
}

extension DynamicItem {
  public var dynamicItemName: String { "\(type(of: self)) at \(center)" }
}

/// A behaviour that an animator can run. The subclasses say what it does.
///
/// A behaviour has identity: it belongs to one animator at most, and is removed as the object that it is.
public class DynamicBehavior {
  /// The animator that runs this behaviour (UIKit: `dynamicAnimator`).
  public final var dynamicAnimator: DynamicAnimator? { animator }
  /// Not a weak reference, which costs an atomic look-up a frame: the animator clears it when it goes.
  final unowned(unsafe) var animator: DynamicAnimator?

  init() {}

  /// How error messages call what the behaviour moves.
  var itemName: String { "\(type(of: self))" }
}

/// What is told when an animator falls asleep and wakes (UIKit: `UIDynamicAnimatorDelegate`).
public protocol DynamicAnimatorDelegate: AnyObject {
  /// Something moved again after a rest, or for the first time.
  func dynamicAnimatorWillResume(_ animator: DynamicAnimator)
  /// All items have come to rest; no step does anything until something moves one of them.
  func dynamicAnimatorDidPause(_ animator: DynamicAnimator)
}

extension DynamicAnimatorDelegate {
  public func dynamicAnimatorWillResume(_ animator: DynamicAnimator) {}
  public func dynamicAnimatorDidPause(_ animator: DynamicAnimator) {}
}
