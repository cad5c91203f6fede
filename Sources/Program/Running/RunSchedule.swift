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

/// In which order runs happen: in rounds, each of which runs every benchmark at most once in each pass, shuffled. A
/// pass that needs fewer runs than there are rounds has them spread over all rounds, so that a machine that grows
/// slower or faster meanwhile affects all benchmarks alike.
struct RunSchedule {
  /// Allocations are exact: a second run only shows whether they are the same each time.
  static let allocationRunCount = 2
  /// The runs of a single benchmark would otherwise be over within a slow spell of the machine.
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

  /// Between the beginnings of two rounds, at least. None for a handful of runs, which are a first look.
  var shortestRound: Duration {
    runCount >= RunOptions.leastRunCount ? Self.shortestSpread / (runCount - 1) : .zero
  }

  /// - Parameters:
  ///   - number: Counts from 1.
  ///   - progress: Says how many runs a pass has had, and how many it needs.
  mutating func round(_ number: Int, _ progress: RunProgress) -> [RunJob] {
    var jobs: [RunJob] = []
    for benchmark in 0..<benchmarkCount {
      for pass in MeasurementPass.allCases {
        let finished = progress.runCount(benchmark, pass)
        let wanted = progress.wantedRunCount(benchmark, pass)
        // By now; the first in the first round, the last in the last.
        let due = (wanted * number + roundCount - 1) / roundCount
        if finished < due { jobs.append(RunJob(benchmark: benchmark, pass: pass, run: finished + 1)) }
      }
    }
    jobs.shuffle(using: &generator)
    return jobs
  }

  /// Runs of a pass of a benchmark, if time does not limit them.
  func largestRunCount(_ benchmark: Int, _ pass: MeasurementPass) -> Int {
    switch pass {
    case .frames, .phases: runCount
    case .allocations: Self.allocationRunCount
    case .output: compared.contains(benchmark) ? 1 : 0
    // They run by themselves, after all others.
    case .instructions, .hardwareInstructions, .profile: 0
    }
  }
}
