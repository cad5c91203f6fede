import Dynamics

/// A straightforward port of UIKit's animator: an array of references to behavior objects. Each behavior steps and
/// moves its own item.
final class ObjectAnimator {
  private(set) var behaviors: [ObjectBehavior] = []

  func addBehavior(_ behavior: ObjectBehavior) { behaviors.append(behavior) }

  func step(by timestep: Double) { for behavior in behaviors { behavior.step(by: timestep) } }
}

protocol ObjectItem: AnyObject {
  /// Points.
  var center: Point { get set }
}

class ObjectBehavior { func step(by timestep: Double) {} }

/// Connects an item to an anchor with a spring of length 0, and solves the spring exactly.
final class ObjectAttachment: ObjectBehavior {
  let item: any ObjectItem
  let anchorPoint: Point
  /// Hz.
  let frequency: Double
  /// Damping ratio.
  let damping: Double
  /// Points per second.
  var velocity = Point.zero
  private var timestep = 0.0
  private var matrix: SpringMatrix

  init(item: any ObjectItem, attachedToAnchor anchorPoint: Point, frequency: Double, damping: Double) {
    self.item = item
    self.anchorPoint = anchorPoint
    self.frequency = frequency
    self.damping = damping
    matrix = SpringMatrix(frequency: frequency, damping: damping, timestep: 0)
  }

  override func step(by timestep: Double) {
    if timestep != self.timestep {
      matrix = SpringMatrix(frequency: frequency, damping: damping, timestep: timestep)
      self.timestep = timestep
    }
    let center = item.center
    let (dx, dy) = (center.x - anchorPoint.x, center.y - anchorPoint.y)
    item.center = Point(
      x: anchorPoint.x + (matrix.m00 * dx + matrix.m01 * velocity.x),
      y: anchorPoint.y + (matrix.m00 * dy + matrix.m01 * velocity.y))
    velocity = Point(x: matrix.m10 * dx + matrix.m11 * velocity.x, y: matrix.m10 * dy + matrix.m11 * velocity.y)
  }
}
