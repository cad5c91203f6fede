import FrameBench
import Measurements
import Statistics

/// One run of one benchmark.
struct RunJob: Hashable {
  /// Index of the benchmark.
  var benchmark: Int
  var pass: MeasurementPass
  /// Counts from 1, in each pass.
  var run: Int
}

/// The order of runs: in rounds, each of which runs every benchmark at most once in each pass, shuffled.
/// The runs of a pass with fewer runs than rounds are spread over all rounds, so that a machine that slows
/// down or speeds up meanwhile affects all benchmarks alike.
struct RunSchedule {
  /// Allocations are exact: a second run only shows whether they are the same each time.
  static let allocationRunCount = 2
  /// Otherwise the runs of a single benchmark would be over within a slow spell of the machine.
  static let shortestSpread = Duration.seconds(3)

  let roundCount: Int
  private let runCount: Int
  private let benchmarkCount: Int
  /// Indices of the benchmarks whose output is compared with another's.
  private let compared: Set<Int>
  private var generator: SplitMix64

  init(benchmarkCount: Int, runCount: Int, seed: UInt64, compared: Set<Int> = []) {
    self.runCount = runCount
    self.benchmarkCount = benchmarkCount
    self.compared = compared
    roundCount = max(runCount, Self.allocationRunCount)
    generator = SplitMix64(seed: seed)
  }

  /// Minimum time between the beginnings of two rounds. None for a handful of runs, which are a first look.
  var shortestRound: Duration {
    runCount >= RunOptions.leastRunCount ? Self.shortestSpread / (runCount - 1) : .zero
  }

  /// - Parameters:
  ///   - number: Counts from 1.
  ///   - progress: The number of runs that each pass has had, and needs.
  mutating func round(_ number: Int, _ progress: RunProgress) -> [RunJob] {
    var jobs: [RunJob] = []
    for benchmark in 0..<benchmarkCount {
      for pass in MeasurementPass.allCases {
        let finished = progress.runCount(benchmark, pass)
        let wanted = progress.wantedRunCount(benchmark, pass)
        // The number due by now; the first run in the first round, the last in the last.
        let due = (wanted * number + roundCount - 1) / roundCount
        if finished < due { jobs.append(RunJob(benchmark: benchmark, pass: pass, run: finished + 1)) }
      }
    }
    jobs.shuffle(using: &generator)
    return jobs
  }

  /// Maximum number of runs of a benchmark's pass, without a time limit.
  func largestRunCount(_ benchmark: Int, _ pass: MeasurementPass) -> Int {
    switch pass {
    case .frames, .phases: runCount
    case .allocations: Self.allocationRunCount
    case .output: compared.contains(benchmark) ? 1 : 0
    // They have a phase of their own after all others.
    case .instructions, .hardwareInstructions, .profile: 0
    }
  }
}

/// Progress of a run.
struct RunProgress {
  /// The benchmark and the job that run now.
  private(set) var current: (id: BenchmarkID, job: RunJob)?
  /// By benchmark.
  private var passes: [[MeasurementPass: Pass]] = []
  private var began: ContinuousClock.Instant?
  /// A timing pass ends after this many seconds; nil: it has all of its runs.
  private let secondsLimit: Double?
  private let orderCount: Int

  private struct Pass {
    var largestRunCount: Int
    var runCount = 0
    var seconds = 0.0
  }

  /// - Parameter orderCount: Link orders that the runs are spread over.
  init(schedule: RunSchedule, benchmarkCount: Int, secondsLimit: Double? = nil, orderCount: Int = 1) {
    self.secondsLimit = secondsLimit
    self.orderCount = orderCount
    passes = (0..<benchmarkCount).map { benchmark in
      MeasurementPass.allCases.reduce(into: [:]) {
        $0[$1] = Pass(largestRunCount: schedule.largestRunCount(benchmark, $1))
      }
    }
  }

  mutating func begin(_ job: RunJob, _ id: BenchmarkID) {
    current = (id, job)
    began = ContinuousClock.now
  }

  mutating func end(_ job: RunJob) {
    end(job, after: began.map { (ContinuousClock.now - $0) / .seconds(1) } ?? 0)
  }

  mutating func end(_ job: RunJob, after seconds: Double) {
    passes[job.benchmark][job.pass]?.runCount += 1
    passes[job.benchmark][job.pass]?.seconds += seconds
  }

  /// A pass that cannot run.
  mutating func skip(_ job: RunJob) { passes[job.benchmark][job.pass]?.largestRunCount = 0 }

  /// Skips the remaining runs of a benchmark.
  mutating func abandon(_ benchmark: Int) {
    for pass in MeasurementPass.allCases { skip(RunJob(benchmark: benchmark, pass: pass, run: 0)) }
  }

  /// Number of finished runs of a benchmark's pass.
  func runCount(_ benchmark: Int, _ pass: MeasurementPass) -> Int { state(benchmark, pass).runCount }

  /// Total number of runs that it should have, based on the duration of the finished ones.
  func wantedRunCount(_ benchmark: Int, _ pass: MeasurementPass) -> Int {
    let state = state(benchmark, pass)
    guard let secondsLimit, state.runCount > 0, state.seconds > 0 else { return state.largestRunCount }
    let seconds = state.seconds / Double(state.runCount)
    let isLong = seconds > RunOptions.longRunSeconds
    guard [.frames, .phases].contains(pass) else { return isLong ? state.runCount : state.largestRunCount }
    // Two in each link order, so that a disturbed run does not decide the order's figure.
    let least = max(
      isLong ? RunOptions.leastLongRunCount : RunOptions.leastRunCount, orderCount > 1 ? 2 * orderCount : 1)
    let fitting = secondsLimit / seconds
    let wanted = fitting < Double(state.largestRunCount) ? Int(fitting) + 1 : state.largestRunCount
    return min(max(wanted, least), state.largestRunCount)
  }

  private func state(_ benchmark: Int, _ pass: MeasurementPass) -> Pass {
    passes[benchmark][pass] ?? Pass(largestRunCount: 0)
  }

  private func remaining(_ benchmark: Int, _ pass: MeasurementPass) -> Int {
    max(0, wantedRunCount(benchmark, pass) - runCount(benchmark, pass))
  }

  /// Whole percent, by the number of runs.
  var percent: Int {
    let done = passes.joined().reduce(0) { $0 + $1.value.runCount }
    let all =
      done
      + passes.indices.reduce(0) { sum, benchmark in
        passes[benchmark].keys.reduce(sum) { $0 + remaining(benchmark, $1) }
      }
    return all == 0 ? 100 : done * 100 / all
  }

  /// Based on the duration of each benchmark's finished runs; nil until each has one.
  var secondsLeft: Double? {
    var left = 0.0
    for benchmark in passes.indices {
      let own = MeasurementPass.allCases.map { state(benchmark, $0) }
      let runs = own.reduce(0) { $0 + $1.runCount }
      let remaining = MeasurementPass.allCases.reduce(0) { $0 + self.remaining(benchmark, $1) }
      guard remaining > 0 else { continue }
      guard runs > 0 else { return nil }
      left += own.reduce(0) { $0 + $1.seconds } / Double(runs) * Double(remaining)
    }
    return left
  }
}

extension RunProgress {
  /// For a line that is rewritten.
  var text: String {
    let left = secondsLeft.map { ", \(ProgressLine.duration($0)) left" } ?? ""
    let name = current.map { " \($0.id) (\($0.job.pass.rawValue), run \($0.job.run))" } ?? ""
    return "\(percent)%\(left)\(name)"
  }
}
