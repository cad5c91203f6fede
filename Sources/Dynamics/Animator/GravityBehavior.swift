/// Accelerates items in one direction (UIKit: `UIGravityBehavior`).
public final class GravityBehavior: GroupBehavior {
  /// The direction and strength of the gravity. A vector of length 1 is an acceleration of `accelerationOfOne`. Setting
  /// a vector that is not finite while an animator runs the behavior ends the program.
  public var gravityDirection: Vector { didSet { valuesChanged() } }
  /// The acceleration for a magnitude of 1, points per second².
  public static let accelerationOfOne = 1000.0

  /// Creates a behavior. The values are checked when it is added to an animator.
  public init(items: [any DynamicItem] = [], gravityDirection: Vector = Vector(dx: 0, dy: 1)) {
    self.gravityDirection = gravityDirection
    super.init(items: items)
  }

  /// The strength of the gravity. A strength of 1 accelerates by 1,000 points per second².
  public var magnitude: Double { gravityDirection.squared.squareRoot() }

  override func check() throws(DynamicsError) {
    guard gravityDirection.isFinite else { throw .gravityNotFinite(direction: gravityDirection) }
  }

  /// Adds to the acceleration of the body instead of setting it, so that several gravities add up.
  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) {
    body.acceleration.dx += gravityDirection.dx * Self.accelerationOfOne
    body.acceleration.dy += gravityDirection.dy * Self.accelerationOfOne
  }
}
