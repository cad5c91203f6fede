import Measurements
import TextFormat

/// What figures are of, in words: a frame of a loop, or a call of a function, many of which may make a sample.
enum WorkUnit {
  case frame
  case call

  /// Of several benchmarks, frames where any of them has frames.
  init(_ records: [BenchmarkRecord]) {
    self = !records.isEmpty && records.allSatisfy(\.isFunction) ? .call : .frame
  }

  /// What a time or a count is of.
  var noun: String {
    switch self {
    case .frame: "frame"
    case .call: "call"
    }
  }

  /// What has one value in each run.
  var sample: String {
    switch self {
    case .frame: "frame"
    case .call: "sample"
    }
  }

  /// Of a page.
  var title: String {
    switch self {
    case .frame: "Frame costs"
    case .call: "Costs of calls"
    }
  }
}

extension RunDocument {
  var unit: WorkUnit { WorkUnit(benchmarks) }
}
