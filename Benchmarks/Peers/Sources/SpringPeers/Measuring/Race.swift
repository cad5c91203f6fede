import Scenarios
import Statistics

/// Measures the contestants alternately, and records the cost of each contestant in each round.
///
/// Every contestant has one turn per round, in a new random order. A disturbance of the machine therefore affects all
/// contestants, and hardly changes the ratio of two turns in the same round.
struct Race {
  struct Options: Sendable {
    /// The number of springs in each list.
    var sizes = [100, 1_000, 10_000, 100_000]
    var roundCount = 41
    /// The minimum length of a turn, nanoseconds. A turn is longer if a single step takes longer.
    var turnNanoseconds = 2_000_000.0
    var seed: UInt64 = 2013
    var contestants = Contestant.allCases
    var works = Work.allCases
  }

  struct Heat: Equatable {
    var size: Int
    var work: Work
    /// Nanoseconds per spring and step, round by round.
    var costs: [Contestant: [Double]]
  }

  enum Failure: Error, Equatable {
    case stoodStill(Contestant, size: Int)
    case skippedSprings(Contestant, size: Int, count: Int)
  }

  let options: Options
  let clockCost: UInt64

  init(_ options: Options) {
    precondition(options.roundCount > 0, "\(options.roundCount) rounds")
    self.options = options
    clockCost = Clock.pairCost()
  }

  /// - Parameter progress: Called with the name of the next list.
  func run(progress: (String) -> Void) throws -> [Heat] {
    try options.sizes.flatMap { size in
      progress("\(size) springs")
      let list = SpringList(count: size)
      return try options.works.map { try heat($0, list) }
    }
  }

  private func heat(_ work: Work, _ list: SpringList) throws -> Heat {
    let runners = try options.contestants.map { try Runner($0, list, seed: options.seed, clockCost: clockCost) }
    let steps = try runners.map { try stepsOfTurn($0, work) }
    var costs: [Contestant: [Double]] = [:]
    var order = Array(runners.indices)
    var random = SplitMix64(seed: options.seed)
    for _ in 0..<options.roundCount {
      random.shuffle(&order)
      for index in order {
        // Loads the data back into the caches after the turns of the other contestants.
        _ = try runners[index].run(work, steps: 1)
        // The time is at least one nanosecond, so that every ratio is a number.
        let elapsed = max(1, try runners[index].run(work, steps: steps[index]))
        costs[runners[index].contestant, default: []].append(
          Double(elapsed) / (Double(steps[index]) * Double(list.count)))
      }
    }
    for runner in runners { try Self.check(runner) }
    return Heat(size: list.count, work: work, costs: costs)
  }

  /// Returns the number of steps that together take about `turnNanoseconds`, from 1 to 2²⁰.
  private func stepsOfTurn(_ runner: Runner, _ work: Work) throws -> Int {
    var steps = 1
    while true {
      let elapsed = Double(try runner.run(work, steps: steps))
      if elapsed >= options.turnNanoseconds / 4 || steps >= 1 << 20 {
        let perStep = max(elapsed / Double(steps), 0.1)
        return min(max(1, Int((options.turnNanoseconds / perStep).rounded(.up))), 1 << 20)
      }
      steps *= 2
    }
  }

  /// Throws if the springs did not move, or if the engine skipped springs.
  private static func check(_ runner: Runner) throws {
    if let skipped = runner.skippedCount, skipped != 0 {
      throw Failure.skippedSprings(runner.contestant, size: runner.list.count, count: skipped)
    }
    guard runner.moves else { throw Failure.stoodStill(runner.contestant, size: runner.list.count) }
  }
}

extension Race.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .stoodStill(let contestant, let size):
      "\(contestant.name) with \(size) springs: nothing moved at the end of what was measured"
    case .skippedSprings(let contestant, let size, let count):
      "\(contestant.name) with \(size) springs: \(count) of the evaluations asked for were left out"
    }
  }
}
