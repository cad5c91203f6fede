import Measurements
import TextFormat

extension RunOptions {
  /// How many runs figures are the minimum of: `20 runs`, or `6 to 20 runs` where the expensive ones had fewer.
  func runsPhrase(_ records: [BenchmarkRecord]) -> String {
    let counts = records.map(runCount(of:))
    guard let least = counts.min(), let most = counts.max(), least < most else {
      return Format.plural(counts.first ?? runCount, "run")
    }
    return "\(least) to \(Format.plural(most, "run"))"
  }

  private func runCount(of record: BenchmarkRecord) -> Int {
    let frames = record.frame.alignedNanoseconds.count
    return passSecondsLimit == nil || frames == 0 ? runCount : record.frame.pooled.sampleCount / frames
  }
}
