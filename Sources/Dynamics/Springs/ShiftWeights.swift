/// A table that tells, for each k, how much of a shift remains after k steps: the displacement and the velocity of a
/// spring that the shift displaced by 1. These two are the first column of Mᵏ, where M is the transition matrix of a
/// step. For each k, the table also contains the largest displacement after k or more steps.
final class ShiftWeights {
  /// A shift is forgotten when its effect is negligible. All forgotten shifts together displace a spring by at most
  /// this distance, points. It equals the default rest tolerance of an animator.
  private static let allForgettable = 1e-7
  /// The largest shift for which `allForgettable` holds, points: a jump over a hundred million rows.
  private static let largestShift = 1e10
  private static let longestHistory = 1 << 16

  /// The length of a step, seconds.
  let timestep: Double
  /// The number of steps after which even the largest shift is forgotten.
  let depth: Int
  private let inverseFrequencySquared: Double
  /// The largest displacement that one forgotten shift can cause, points.
  private let forgettable: Double
  /// Four columns of `depth` values each, the oldest age first. Columns 1 and 2 are the weights of displacement and of
  /// velocity (1/s). Column 3 is the largest weight of displacement at that age or later. Column 4 is the same for the
  /// negated weight. Columns 3 and 4 are at least 0.
  private let memory: UnsafeMutablePointer<Double>

  init(_ parameters: SpringParameters, timestep: Double) throws(DynamicsError) {
    self.timestep = timestep
    let ω = parameters.angularFrequency
    let inverseSquare = ω > 0 ? 1 / (ω * ω) : 0
    // Each step can forget a shift, and the effects of forgotten shifts keep fading. Their sum is a geometric series,
    // which must not exceed `allForgettable`.
    let forgettable = min(1e-9, -Self.allForgettable * PortableMath.expm1(-parameters.decayRate * timestep))
    func isForgotten(_ age: Int) -> Bool {
      let transition = SpringTransition(parameters, duration: Double(age) * timestep)
      let energy = Self.energy(transition.m00, transition.m10, inverseSquare)
      return Self.largestShift * Self.largestShift * energy <= forgettable * forgettable
    }
    guard timestep > 0, isForgotten(Self.longestHistory) else { throw .endlessHistory(damping: parameters.damping) }
    depth = (1..<Self.longestHistory).partitioningIndex(where: isForgotten)
    (inverseFrequencySquared, self.forgettable) = (inverseSquare, forgettable)
    memory = .allocate(capacity: 4 * depth)
    for age in 1...depth {
      let transition = SpringTransition(parameters, duration: Double(age) * timestep)
      (memory + (depth - age)).initialize(to: transition.m00)
      (memory + (2 * depth - age)).initialize(to: transition.m10)
    }
    // The effect of forgotten shifts is negligible, so the search for the maxima starts at the oldest remembered age.
    var (ahead, behind) = (0.0, 0.0)
    for position in 0..<depth {
      ahead = max(ahead, memory[position])
      behind = max(behind, -memory[position])
      (memory + (2 * depth + position)).initialize(to: ahead)
      (memory + (3 * depth + position)).initialize(to: behind)
    }
  }

  deinit { memory.deallocate() }

  /// The largest weight at any later step, times this factor, is a bound for any later time, including times between
  /// steps. At an extremum, the curvature is ω² times the displacement, and the nearest step is at most half a timestep
  /// away. Callers limit the bound to 1, because no weight is larger.
  var slackBetweenSteps: Double {
    let square = timestep * timestep / inverseFrequencySquared
    return square < 1 ? 1 + square / 4 : .greatestFiniteMagnitude
  }

  /// Returns twice the energy divided by ω². No spring gains energy, so this bounds the square of every later
  /// displacement.
  private static func energy(_ displacement: Double, _ velocity: Double, _ inverseSquare: Double) -> Double {
    displacement * displacement + velocity * velocity * inverseSquare
  }

  /// Returns the weights (remaining displacements and velocities) of shifts whose ages are `count`, …, 2, 1 steps.
  func last(_ count: Int) -> (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    precondition(count <= depth, "\(count) shifts of \(depth)")
    return (UnsafePointer(memory + (depth - count)), UnsafePointer(memory + (2 * depth - count)))
  }

  /// Returns the largest present or later weights of shifts whose ages are `count`, …, 2, 1 steps. `ahead` is in the
  /// direction of the shift, `behind` on the other side of the anchor.
  func lasting(_ count: Int) -> (ahead: UnsafePointer<Double>, behind: UnsafePointer<Double>) {
    precondition(count <= depth, "\(count) shifts of \(depth)")
    return (UnsafePointer(memory + (3 * depth - count)), UnsafePointer(memory + (4 * depth - count)))
  }

  /// Returns whether the remaining effect of a shift of this age is negligible.
  func isForgettable(_ delta: Double, age: Int) -> Bool {
    guard delta != 0, age < depth else { return true }
    guard age > 0 else { return false }
    let energy = Self.energy(memory[depth - age], memory[2 * depth - age], inverseFrequencySquared)
    return delta * delta * energy <= forgettable * forgettable
  }
}
