/// The rest of a shift in a spring's displacement and velocity, by age in steps: the first column of Mᵏ, for one
/// timestep; and its maximum from then on.
final class ShiftWeights {
  /// Maximum displacement by all forgotten shifts together, points: the tolerance at which springs come to rest.
  private static let allForgettable = 1e-7
  /// The largest shift that is remembered to that precision, points: a jump over a hundred million rows.
  private static let largestShift = 1e10
  private static let longestHistory = 1 << 16

  /// Seconds.
  let timestep: Double
  /// Steps after which even the largest shift is forgotten.
  let depth: Int
  private let inverseFrequencySquared: Double
  /// Maximum displacement by a forgotten shift, points.
  private let forgettable: Double
  /// The weights of displacement, those of velocity (1/s), and the largest and the least (negated) that the first will
  /// ever be from that age on, never below 0; `depth` each, oldest first.
  private let memory: UnsafeMutablePointer<Double>

  init(_ parameters: SpringParameters, timestep: Double) throws(DynamicsError) {
    self.timestep = timestep
    let ω = parameters.angularFrequency
    let inverseSquare = ω > 0 ? 1 / (ω * ω) : 0
    // One can be forgotten each step, and those before it have faded since: a geometric series.
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
    // A forgotten shift is negligible, so the maxima may begin at the oldest remembered age.
    var (ahead, behind) = (0.0, 0.0)
    for position in 0..<depth {
      ahead = max(ahead, memory[position])
      behind = max(behind, -memory[position])
      (memory + (2 * depth + position)).initialize(to: ahead)
      (memory + (3 * depth + position)).initialize(to: behind)
    }
  }

  deinit { memory.deallocate() }

  /// Factor of a weight that is the largest of all later steps, for the largest at any later time: at its extremum a
  /// displacement is bent by ω², and a step is at most half a timestep away from it. No weight is larger than 1.
  var slackBetweenSteps: Double {
    let square = timestep * timestep / inverseFrequencySquared
    return square < 1 ? 1 + square / 4 : .greatestFiniteMagnitude
  }

  /// Twice the energy over ω², which no spring ever gains: it bounds the square of every later displacement.
  private static func energy(_ displacement: Double, _ velocity: Double, _ inverseSquare: Double) -> Double {
    displacement * displacement + velocity * velocity * inverseSquare
  }

  /// Weights of displacement and velocity of shifts whose ages are `count`, …, 2, 1.
  func last(_ count: Int) -> (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    precondition(count <= depth, "\(count) shifts of \(depth)")
    return (UnsafePointer(memory + (depth - count)), UnsafePointer(memory + (2 * depth - count)))
  }

  /// Largest displacement of a spring, ahead and behind, by a shift of age `count`, …, 2, 1 from now on.
  func lasting(_ count: Int) -> (ahead: UnsafePointer<Double>, behind: UnsafePointer<Double>) {
    precondition(count <= depth, "\(count) shifts of \(depth)")
    return (UnsafePointer(memory + (3 * depth - count)), UnsafePointer(memory + (4 * depth - count)))
  }

  /// Whether a shift of this age can be left out of every sum.
  func isForgettable(_ delta: Double, age: Int) -> Bool {
    guard delta != 0, age < depth else { return true }
    guard age > 0 else { return false }
    let energy = Self.energy(memory[depth - age], memory[2 * depth - age], inverseFrequencySquared)
    return delta * delta * energy <= forgettable * forgettable
  }
}
