import Measurements
import Statistics

/// A frame that stands for all of a benchmark.
enum FrameStatistic: CaseIterable {
  case p99, p50, worst

  /// As a sentence begins: `p99 frame`.
  func title(_ unit: WorkUnit) -> String {
    switch self {
    case .p50: "Median \(unit.noun)"
    case .p99: "p99 \(unit.noun)"
    case .worst: "Worst \(unit.noun)"
    }
  }

  /// Smaller differences are ignored, as a fraction; statistics of few frames are less certain.
  private var tolerance: Double {
    switch self {
    case .p50: 0.05
    case .p99, .worst: 0.1
    }
  }

  /// Nil where no frame was recorded.
  func timing(_ record: BenchmarkRecord) -> Timing? {
    switch self {
    case .p50: record.frame.timing(.p50)
    case .p99: record.frame.timing(.p99)
    case .worst: record.frame.timing(.max)
    }
  }

  /// Nil where one of the two recorded no frame.
  func comparison(
    _ challenger: BenchmarkRecord, with reference: BenchmarkRecord, _ resolution: Resolution
  ) -> Comparison? {
    guard let one = timing(reference), let other = timing(challenger) else { return nil }
    let calls = [challenger, reference].map { $0.callsPerFrame ?? 1 }.min()
    return Comparison(
      reference: one, challenger: other, resolution: resolution.repeated(calls), tolerance: tolerance)
  }
}
