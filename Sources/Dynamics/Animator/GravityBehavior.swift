/// Accelerates items as if they fell (UIKit: `UIGravityBehavior`).
public final class GravityBehavior: GroupBehavior {
  /// Direction and strength: a length of 1 is `accelerationOfOne`. Setting one that is not finite while an animator
  /// runs the behavior is a programming error that ends the program.
  public var gravityDirection: Vector { didSet { valuesChanged() } }
  /// Acceleration for a magnitude of 1, points per second².
  public static let accelerationOfOne = 1000.0

  /// Values are checked when the behavior is added to an animator.
  public init(items: [any DynamicItem] = [], gravityDirection: Vector = Vector(dx: 0, dy: 1)) {
    self.gravityDirection = gravityDirection
    super.init(items: items)
  }

  /// Strength of the gravity; 1 is 1,000 points per second².
  public var magnitude: Double { gravityDirection.squared.squareRoot() }

  override func check() throws(DynamicsError) {
    guard gravityDirection.isFinite else { throw .gravityNotFinite(direction: gravityDirection) }
  }

  /// Several gravities add up.
  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) {
    body.acceleration.dx += gravityDirection.dx * Self.accelerationOfOne
    body.acceleration.dy += gravityDirection.dy * Self.accelerationOfOne
  }
}
