/// Keeps springs from giving bodies more energy than they had, and those that are not damped from keeping any.
///
/// Kicks before and after a move are right to second order only, and not even that where a spring changes its
/// direction within the move, as it does when a body flies past its anchor. So the work of both kicks is
/// booked against the energy that the spring has lost, and the velocities after the second are made such that
/// the account balances. Where the bodies hardly move, as at the turning points of an oscillation, what is
/// left is carried to the next sub-step.
struct EnergyAccount: BitwiseCopyable {
  /// What bodies have got beyond what springs have lost, so far.
  var surplus = 0.0

  /// From next to no motion, any error in the account would make a great one.
  private static let mostGrowth = 2.0

  /// Takes the surplus from a motion, or gives it back.
  /// - Parameters:
  ///   - energy: Of the motion.
  ///   - restores: Whether what the springs have kept is given to it.
  /// - Returns: By how much its speed is to be multiplied.
  @inline(__always)
  mutating func settle(with energy: Double, restores: Bool) -> Double {
    guard energy > 0, surplus > 0 || restores else { return 1 }
    let scale = min(max(0, 1 - surplus / energy).squareRoot(), Self.mostGrowth)
    surplus += energy * (scale * scale - 1)
    return scale
  }

  /// For a spring that is the only one to pull at its bodies, by their centres: settles it along the spring,
  /// so that momentum and angular momentum stay what they are, and across if there is too little motion.
  /// - Parameters:
  ///   - velocity: Of the ends against each other, after all that changes it in this sub-step.
  ///   - direction: Of the spring.
  /// - Returns: How the velocity is to change.
  @inline(__always)
  mutating func settle(_ velocity: Vector, mass: Double, along direction: Vector, restores: Bool) -> Vector {
    let speed = velocity.along(direction)
    let change = speed * (settle(with: 0.5 * mass * speed * speed, restores: restores) - 1)
    guard surplus > 0 else { return direction.times(change) }
    let across = Vector(dx: -direction.dy, dy: direction.dx)
    let slip = velocity.along(across)
    let slower = slip * (settle(with: 0.5 * mass * slip * slip, restores: false) - 1)
    return Vector(
      dx: change * direction.dx + slower * across.dx, dy: change * direction.dy + slower * across.dy)
  }
}
