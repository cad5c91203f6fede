/// Keeps springs from giving bodies more energy than they have lost, and undamped springs from keeping any.
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
}
