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

/// In which order runs happen: run r of every benchmark before run r + 1 of any, shuffled within the
/// round, so that a machine that grows slower or faster meanwhile hits all alike.
struct RunSchedule {
  /// Allocations are exact: a second run only shows whether they are the same each time.
  static let allocationRunCount = 2

  var jobs: [RunJob] = []

  /// - Parameter compared: Indices of the benchmarks whose output is compared with another's.
  init(benchmarkCount: Int, runCount: Int, seed: UInt64, compared: Set<Int> = []) {
    var generator = SplitMix64(seed: seed)
    for run in 1...max(runCount, Self.allocationRunCount) {
      var round: [RunJob] = []
      for benchmark in 0..<benchmarkCount {
        for pass in MeasurementPass.allCases where run <= Self.runCount(of: pass, timing: runCount) {
          guard pass != .output || compared.contains(benchmark) else { continue }
          round.append(RunJob(benchmark: benchmark, pass: pass, run: run))
        }
      }
      round.shuffle(using: &generator)
      jobs += round
    }
  }

  private static func runCount(of pass: MeasurementPass, timing runCount: Int) -> Int {
    switch pass {
    case .frames, .phases: runCount
    case .allocations: allocationRunCount
    case .output: 1
    // They run by themselves, after all others.
    case .instructions, .hardwareInstructions, .profile: 0
    }
  }
}
