import Glibc

/// How much of a shift is left in a spring's displacement and velocity, by age in steps: the first column of
/// Mᵏ, for one timestep.
final class ShiftWeights {
  /// What a forgotten shift may still be worth, points; hundreds of them stay below a billionth.
  private static let forgettable = 1e-12
  /// The largest shift that is remembered to that precision, points: a jump over a hundred million rows.
  private static let largestShift = 1e10
  private static let longestHistory = 1 << 16

  /// Seconds.
  let timestep: Double
  /// Steps after which even the largest shift is forgotten.
  let depth: Int
  private let inverseFrequencySquared: Double
  /// The weights of displacement, then those of velocity (1/s), `depth` each, oldest first.
  private let memory: UnsafeMutablePointer<Double>

  init(_ parameters: SpringParameters, timestep: Double) throws(DynamicsError) {
    self.timestep = timestep
    let ω = parameters.angularFrequency
    inverseFrequencySquared = ω > 0 ? 1 / (ω * ω) : 0
    depth = try Self.depth(parameters, timestep, inverseFrequencySquared)
    memory = .allocate(capacity: 2 * depth)
    for age in 1...depth {
      let transition = SpringTransition(parameters, duration: Double(age) * timestep)
      (memory + (depth - age)).initialize(to: transition.m00)
      (memory + (2 * depth - age)).initialize(to: transition.m10)
    }
  }

  deinit { memory.deallocate() }

  private static func depth(
    _ parameters: SpringParameters, _ timestep: Double, _ inverseFrequencySquared: Double
  ) throws(DynamicsError) -> Int {
    func isForgotten(_ age: Int) -> Bool {
      let transition = SpringTransition(parameters, duration: Double(age) * timestep)
      return largestShift * largestShift * energy(transition.m00, transition.m10, inverseFrequencySquared)
        < forgettable * forgettable
    }
    guard timestep > 0, isForgotten(longestHistory) else {
      throw .endlessHistory(damping: parameters.damping)
    }
    var (known, forgotten) = (0, longestHistory)
    while forgotten - known > 1 {
      let middle = (known + forgotten) / 2
      if isForgotten(middle) { forgotten = middle } else { known = middle }
    }
    return forgotten
  }

  /// Twice the energy over ω², which no spring ever gains: it bounds every later displacement, squared.
  private static func energy(_ displacement: Double, _ velocity: Double, _ inverseSquare: Double) -> Double {
    displacement * displacement + velocity * velocity * inverseSquare
  }

  /// Weights of displacement and velocity of shifts whose ages are `count`, …, 2, 1.
  func last(_ count: Int) -> (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    precondition(count <= depth, "\(count) shifts of \(depth)")
    return (UnsafePointer(memory + (depth - count)), UnsafePointer(memory + (2 * depth - count)))
  }

  /// Whether a shift of this age can be left out of every sum.
  func isForgettable(_ delta: Double, age: Int) -> Bool {
    guard delta != 0, age < depth else { return true }
    guard age > 0 else { return false }
    let energy = Self.energy(
      memory[depth - age], memory[2 * depth - age], inverseFrequencySquared)
    return delta * delta * energy < Self.forgettable * Self.forgettable
  }
}
