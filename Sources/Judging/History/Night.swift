import Foundation
import FrameBench
import Measurements

/// One night's figures, as the history keeps them: never changed once written. docs/history.md describes it.
///
/// Only statistics, no series: reading two thousand nights should take a second.
package struct Night: Codable, Sendable, Equatable {
  /// What is written; a document of a newer one is refused.
  package static let currentSchemaVersion = 1
  /// More than any frame takes or anyone counts: far above the limits of `run.json`.
  static let largestValue = 1e18

  /// As in the document that was read; the current one where a night is made.
  package var schemaVersion = Night.currentSchemaVersion
  /// As in `run.json`. Nights of different suites are never compared.
  package var suite: String
  /// UTC, ISO 8601.
  package var startedAt: String
  /// The machine, the commit and the build, as in `run.json`.
  package var environment: Environment
  /// Absent in documents that do not tell.
  package var options: RunOptions?
  /// Names of the columns of all benchmarks' values, as budgets name metrics: `frameNanoseconds.solve.p50`.
  package var metrics: [String]
  /// What scenarios declared of their counters, by name. Absent where they declared nothing.
  package var counterKinds: [String: CounterKind]?
  /// Those that were measured, in the order of the run.
  package var benchmarks: [Benchmark]
  /// Those that could not be measured, as in `run.json`.
  package var failures: [BenchmarkFailure]
  /// The change points that this night reported.
  package var announced: [Announcement] = []
  /// Those that earlier nights reported and that this one withdrew. Absent if there are none.
  package var withdrawn: [Announcement]?

  /// The figures of one benchmark.
  package struct Benchmark: Codable, Sendable, Equatable {
    package var id: BenchmarkID
    /// Of what all recorded frames showed, as in `run.json`: 16 hexadecimal digits.
    package var checksum: String
    /// One for each of `metrics`; nil where the benchmark has no such figure.
    package var values: [Double?]

    package init(id: BenchmarkID, checksum: String, values: [Double?]) {
      self.id = id
      self.checksum = checksum
      self.values = values
    }
  }

  /// A change point that was reported, and is not reported again unless it is withdrawn.
  package struct Announcement: Codable, Sendable, Hashable {
    package var id: BenchmarkID
    /// As columns of nights are named.
    package var metric: String
    /// Start of the first night of the new level.
    package var startedAt: String
    /// Mean of the old level as it was reported, in the metric's own unit; absent in older documents.
    package var before: Double?
    /// Likewise of the new level.
    package var after: Double?

    package init(
      id: BenchmarkID, metric: String, startedAt: String, before: Double? = nil, after: Double? = nil
    ) {
      self.id = id
      self.metric = metric
      self.startedAt = startedAt
      self.before = before
      self.after = after
    }

    /// Nil in older documents.
    var isRise: Bool? {
      guard let before, let after else { return nil }
      return after > before
    }

    /// Whether both are the same change point, whatever their reported levels.
    func isSame(as other: Announcement) -> Bool {
      id == other.id && metric == other.metric && startedAt == other.startedAt
    }
  }

  package init(
    suite: String, startedAt: String, environment: Environment, options: RunOptions? = nil, metrics: [String],
    benchmarks: [Benchmark], failures: [BenchmarkFailure], announced: [Announcement] = []
  ) {
    self.suite = suite
    self.startedAt = startedAt
    self.environment = environment
    self.options = options
    self.metrics = metrics
    self.benchmarks = benchmarks
    self.failures = failures
    self.announced = announced
  }

  /// What timings depend on besides the code: figures of nights that differ in it do not form one series.
  package var environmentKey: EnvironmentKey {
    EnvironmentKey(environment, options: options)
  }

  /// Nil where it did not run that night.
  package func benchmark(_ id: BenchmarkID) -> Benchmark? { benchmarks.first { $0.id == id } }

  /// `2026-11-21`.
  package var day: String { String(startedAt.prefix(10)) }

  /// `a1b2c3d`; nil outside a git checkout.
  package var shortCommit: String? { environment.commit.map { String($0.prefix(7)) } }
}

extension Night {
  /// Keeps the figures that docs/history.md names, and no series. Announces nothing yet.
  package init(_ document: RunDocument) {
    suite = document.suite
    startedAt = document.startedAt
    environment = document.environment
    options = document.options
    failures = document.failures
    var names: [String] = []
    var position: [String: Int] = [:]
    var rows: [BenchmarkID: [Int: Double]] = [:]
    for row in FlatRows(document).rows {
      guard case .number(let value) = row.value, let name = Self.column(of: row) else { continue }
      if position[name] == nil {
        position[name] = names.count
        names.append(name)
      }
      rows[row.id, default: [:]][position[name] ?? 0] = value
    }
    metrics = names
    let kinds = document.benchmarks.reduce(into: [:]) { kinds, record in
      kinds.merge(record.counterKinds ?? [:]) { first, _ in first }
    }
    counterKinds = kinds.isEmpty ? nil : kinds
    benchmarks = document.benchmarks.map { record in
      Benchmark(
        id: record.id, checksum: record.checksum, values: names.indices.map { rows[record.id]?[$0] })
    }
  }

  /// The name under which a figure is kept; nil for those that are not.
  private static func column(of row: FlatRow) -> String? {
    let metric = Metric.named(row.metric, declared: nil)
    let kept =
      switch row.statistic {
      case .p50: metric == .frameTime
      case .p99: metric == .frameTime && row.phase == nil
      case .mean: !metric.isTimed && !metric.isOfOtherThreads
      case .max: metric == .allocationCount && row.phase == nil
      case .total: metric == .peakResidentBytes || metric == .liveHeapBytes
      case .p90: false
      }
    guard kept else { return nil }
    return row.figure.description
  }
}
