import FrameBench

/// One of the runs that a merged document consists of.
public struct RunPart: Codable, Sendable, Equatable {
  /// UTC, ISO 8601.
  public var startedAt: String
  /// Wall time of the measuring part, seconds.
  public var durationSeconds: Double
  /// Where this part ran.
  public var environment: Environment
  /// What was measured, or failed, in this part.
  public var benchmarks: [BenchmarkID]

  public init(
    startedAt: String, durationSeconds: Double, environment: Environment, benchmarks: [BenchmarkID]
  ) {
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.environment = environment
    self.benchmarks = benchmarks
  }
}

extension RunDocument {
  /// Where a benchmark was measured.
  public func environment(of id: BenchmarkID) -> Environment {
    parts?.first { $0.benchmarks.contains(id) }?.environment ?? environment
  }

  /// The runs that the document consists of: itself, if it was not merged.
  var allParts: [RunPart] {
    parts ?? [
      RunPart(
        startedAt: startedAt, durationSeconds: durationSeconds, environment: environment,
        benchmarks: allIDs)
    ]
  }

  /// What was measured, then what failed; each once, although a benchmark that failed in a later run is both.
  package var allIDs: [BenchmarkID] {
    var seen = Set<BenchmarkID>()
    return (benchmarks.map(\.id) + failures.map(\.id)).filter { seen.insert($0).inserted }
  }
}
