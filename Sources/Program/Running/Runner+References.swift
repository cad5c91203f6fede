import FrameBench
import Measurements
import TextFormat

/// If a reference strategy crashes, the others are still measured, without a deviation.
extension Runner {
  func referenceID(of benchmark: PlannedBenchmark) -> BenchmarkID? {
    benchmark.referenceID.flatMap { id in benchmarks.contains { $0.id == id } ? id : nil }
  }

  func isBroken(
    _ reference: BenchmarkID, _ failures: [BenchmarkFailure?], _ broken: [BenchmarkID: String]
  ) -> Bool {
    broken[reference] != nil || failures.contains { $0?.id == reference }
  }

  /// Why the reference strategy cannot show its frames even beside itself; nil where it can.
  /// - Throws: `CancellationError`.
  func failureAlone(of reference: BenchmarkID, like benchmark: PlannedBenchmark) async throws -> String? {
    let request = WorkerRequest(
      benchmark: reference, work: .output(reference: reference.strategy), options: options, core: core,
      parentProcess: parentProcess)
    do {
      _ = try await worker(for: reference, run: 1).measure(request)
      return nil
    } catch let failure as WorkerProcess.Failure {
      return failure.reason
    }
  }

  /// A warning for each record that has no deviation because its reference failed.
  func undeviated(
    _ records: [BenchmarkRecord], _ failures: [BenchmarkFailure?], _ broken: [BenchmarkID: String]
  ) -> [Warning] {
    benchmarks.compactMap { benchmark in
      guard let reference = referenceID(of: benchmark),
        let reason = broken[reference] ?? failures.first(where: { $0?.id == reference })??.reason,
        let record = records.first(where: { $0.id == benchmark.id }), record.deviation == nil
      else { return nil }
      return MissingDeviation.warning(benchmark.id, reference: reference, reason: reason)
    }
  }

  /// What a benchmark's figures are made of that failed in a later run.
  func partial(_ runs: BenchmarkRuns) -> Warning {
    let counts = [MeasurementPass.frames, .phases, .allocations].map { pass in
      "\(Format.integer(runs.runs[pass, default: []].count)) of \(pass.rawValue)"
    }
    return Warning(
      "A later run failed; the figures come from the runs before it: \(Format.list(counts)).",
      benchmark: runs.id
    )
  }
}

/// What a report says of a strategy that could not be compared with the reference strategy.
enum MissingDeviation {
  static func warning(_ id: BenchmarkID, reference: BenchmarkID, reason: String) -> Warning {
    Warning("\(opening)\(reference.strategy), which failed: \(reason).", benchmark: id)
  }

  static func isSaid(by warning: Warning, of id: BenchmarkID) -> Bool {
    warning.benchmark == id && warning.message.hasPrefix(opening)
  }

  private static let opening = "Not compared with "
}
