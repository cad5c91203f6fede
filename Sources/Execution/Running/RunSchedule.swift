import FrameBench
import Platform
import Statistics

package struct RunJob: Hashable {
  package var benchmark: Int
  package var pass: MeasurementPass
  /// The number of this run among the benchmark's runs of the same pass, from 1.
  package var run: Int
}

/// The order of runs. A round runs every benchmark at most once in each pass (to time frames or phases, or to count
/// allocations), in random order. If a pass has fewer runs than there are rounds, its runs are spread over all rounds,
/// so that a machine that slows down affects all benchmarks alike.
package struct RunSchedule {
  /// The number of runs that count allocations. The counts are exact, and a second run only shows whether they are the
  /// same each time.
  package static let allocationRunCount = 2
  /// The minimum time over which the runs of a benchmark are spread. In a shorter time, the machine could be slow
  /// during all runs of a single benchmark.
  package static let shortestSpread = Duration.seconds(3)

  package let roundCount: Int
  private let runCount: Int
  private let secondsLimit: Double?
  private let orderCount: Int
  private let references: [Int: Int]
  private var generator: SplitMix64
  private var passes: [[MeasurementPass: Pass]]
  package var current: (id: BenchmarkID, job: RunJob)?

  private struct Pass {
    /// The number of runs if there were no time limit.
    var largestRunCount: Int
    var runCount = 0
    var seconds = 0.0
  }

  /// - Parameter references: For a benchmark's index, the index of the benchmark with which its output is compared.
  package init(
    benchmarkCount: Int, runCount: Int, seed: UInt64, references: [Int: Int] = [:], secondsLimit: Double? = nil,
    orderCount: Int = 1, otherCounts: [MeasurementPass: Int] = [:]
  ) {
    (self.runCount, self.secondsLimit, self.orderCount) = (runCount, secondsLimit, orderCount)
    self.references = references
    roundCount = max(runCount, Self.allocationRunCount)
    generator = SplitMix64(seed: seed)
    passes = (0..<benchmarkCount).map { benchmark in
      let counts: [MeasurementPass: Int] = [
        .frames: runCount, .phases: runCount, .allocations: Self.allocationRunCount,
        .output: references[benchmark] == nil ? 0 : 1,
      ]
      return counts.merging(otherCounts) { min($0, $1) }.mapValues { Pass(largestRunCount: $0) }
    }
  }

  /// The minimum time between the starts of two rounds. Zero below `leastRunCount` runs, because so few runs are only a
  /// first look.
  package var shortestRound: Duration {
    runCount >= RunOptions.leastRunCount ? Self.shortestSpread / (runCount - 1) : .zero
  }

  /// - Parameter number: The number of the round, from 1.
  package mutating func round(_ number: Int) -> [RunJob] {
    var jobs: [RunJob] = []
    for benchmark in passes.indices {
      for pass in MeasurementPass.allCases {
        guard let state = passes[benchmark][pass] else { continue }
        // The number of runs that should be started by the end of this round. The first run is in the first round, and
        // the last run in the last round.
        let due = (wantedRunCount(state, pass) * number + roundCount - 1) / roundCount
        if state.runCount < due { jobs.append(nextJob(benchmark, pass)) }
      }
    }
    jobs.shuffle(using: &generator)
    guard number == 1 else { return jobs }
    // The first round runs one benchmark after the other, each next to its reference, so that first results can be
    // shown. Allocations are counted before phases are timed, because that run shows whether there are phases.
    let passes: [MeasurementPass: Int] = [.frames: 0, .allocations: 1, .phases: 2, .output: 3]
    return jobs.grouped { references[$0.benchmark] ?? $0.benchmark }.flatMap { group in
      group.rows.sorted { ($0.benchmark, passes[$0.pass] ?? 0) < ($1.benchmark, passes[$1.pass] ?? 0) }
    }
  }

  package func nextJob(_ benchmark: Int, _ pass: MeasurementPass) -> RunJob {
    RunJob(benchmark: benchmark, pass: pass, run: (passes[benchmark][pass]?.runCount ?? 0) + 1)
  }

  package mutating func end(_ job: RunJob, after seconds: Double) {
    passes[job.benchmark][job.pass]?.runCount += 1
    passes[job.benchmark][job.pass]?.seconds += seconds
  }

  /// Skips the remaining runs of some passes of a benchmark.
  package mutating func skip(_ skipped: [MeasurementPass] = MeasurementPass.allCases, of benchmark: Int) {
    for pass in skipped { passes[benchmark][pass]?.largestRunCount = 0 }
  }

  /// Returns how many runs a pass should have, according to the duration of its finished runs.
  private func wantedRunCount(_ state: Pass, _ pass: MeasurementPass) -> Int {
    guard let secondsLimit, state.runCount > 0, state.seconds > 0 else { return state.largestRunCount }
    let seconds = state.seconds / Double(state.runCount)
    let isLong = seconds > RunOptions.longRunSeconds
    guard [.frames, .phases].contains(pass) else { return isLong ? state.runCount : state.largestRunCount }
    // Each link order has two runs, so that a disturbed run does not decide the figure of its order.
    let leastInOneOrder = isLong ? RunOptions.leastLongRunCount : RunOptions.leastRunCount
    let least = runCount < RunOptions.leastRunCount ? 1 : max(leastInOneOrder, orderCount > 1 ? 2 * orderCount : 1)
    let fitting = secondsLimit / seconds
    let wanted = fitting < Double(state.largestRunCount) ? Int(fitting) + 1 : state.largestRunCount
    return min(max(wanted, least), state.largestRunCount)
  }

  /// The numbers of finished and remaining runs of each benchmark, and the seconds of the finished runs.
  private var totals: [(done: Int, left: Int, seconds: Double)] {
    passes.map { own in
      own.reduce(into: (0, 0, 0)) { sum, pass in
        sum.0 += pass.value.runCount
        sum.1 += max(0, wantedRunCount(pass.value, pass.key) - pass.value.runCount)
        sum.2 += pass.value.seconds
      }
    }
  }

  /// The percentage of all runs that are finished.
  package var percent: Int {
    let done = totals.reduce(0) { $0 + $1.done }
    let all = totals.reduce(done) { $0 + $1.left }
    return all == 0 ? 100 : done * 100 / all
  }

  /// The estimated seconds until the end, from the duration of each benchmark's finished runs. Nil until each has a
  /// finished run.
  package var secondsLeft: Double? {
    let unfinished = totals.filter { $0.left > 0 }
    guard unfinished.allSatisfy({ $0.done > 0 }) else { return nil }
    return unfinished.reduce(0) { $0 + $1.seconds / Double($1.done) * Double($1.left) }
  }

  package var progressText: String {
    let left = secondsLeft.map { ", \(ProgressLine.duration($0)) left" } ?? ""
    let name = current.map { " \($0.id) (\($0.job.pass.rawValue), run \($0.job.run))" } ?? ""
    return "\(percent)%\(left)\(name)"
  }
}
