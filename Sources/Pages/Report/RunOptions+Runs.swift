import FrameBench
import Measurements
import TextFormat

extension RunOptions {
  /// What intervals come from the spread of.
  var unitsOfSpread: String { layoutCount == nil ? "runs" : "link orders" }

  /// How many runs figures are the minimum of: `20 runs`, or `6 to 20 runs` where the expensive ones had fewer.
  func runsPhrase(_ records: [BenchmarkRecord]) -> String {
    let counts = records.map(runCount(of:))
    guard let least = counts.min(), let most = counts.max(), least < most else {
      return Format.plural(counts.first ?? runCount, "run")
    }
    return "\(least) to \(Format.plural(most, "run"))"
  }

  /// How many frames a run had, or of functions, samples: `1,200 frames`, `20 to 1,200 samples`.
  func samplesPhrase(_ records: [BenchmarkRecord]) -> String {
    phrase(records, \.frameCount, WorkUnit(records).sample)
  }

  /// The same of what comes before: `120 warm-up frames`.
  func warmUpPhrase(_ records: [BenchmarkRecord]) -> String {
    phrase(records, \.warmUpFrameCount, "warm-up \(WorkUnit(records).sample)")
  }

  private func phrase(
    _ records: [BenchmarkRecord], _ count: KeyPath<RunOptions, Int>, _ noun: String
  ) -> String {
    let counts = records.map { of(scenario: $0.id.scenario)[keyPath: count] }
    guard let least = counts.min(), let most = counts.max(), least < most else {
      return Format.plural(counts.first ?? self[keyPath: count], noun)
    }
    return "\(Format.integer(least)) to \(Format.plural(most, noun))"
  }

  private func runCount(of record: BenchmarkRecord) -> Int {
    let frames = record.frame.alignedNanoseconds.count
    return passSecondsLimit == nil || frames == 0 ? runCount : record.frame.pooled.sampleCount / frames
  }
}
