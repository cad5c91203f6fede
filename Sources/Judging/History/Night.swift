import Foundation
import FrameBench
import Measurements
import TextFormat

/// One night's figures, as the history keeps them: never changed once written. docs/history.md describes it. Only
/// statistics, no series: two thousand nights are read in a second.
package struct Night: Codable, Sendable, Equatable {
  /// The version that is written; a document of a newer one is refused.
  package static let currentSchemaVersion = 1
  /// More than any frame takes or any counter counts: far above the limits of `run.json`.
  static let largestValue = 1e18

  /// The version of the document that was read; the current one for a new night.
  package var schemaVersion = Night.currentSchemaVersion
  /// The name of the suite, as in `run.json`. Nights of different suites are never compared.
  package var suite: String
  /// UTC, ISO 8601.
  package var startedAt: String
  /// When a past commit was measured, whose `startedAt` is its own date. Absent for a night of its own time.
  package var measuredAt: String?
  /// The machine, the commit and the build, as in `run.json`.
  package var environment: Environment
  /// Absent in documents without them.
  package var options: RunOptions?
  /// Names of the columns of all benchmarks' values, as budgets name metrics: `frameNanoseconds.solve.p50`.
  package var metrics: [String]
  /// The scenarios' declarations of their counters, by name. Absent: there are none.
  package var counterKinds: [String: CounterKind]?
  /// Measured benchmarks, in the order of the run.
  package var benchmarks: [Benchmark]
  /// Benchmarks that could not be measured, as in `run.json`.
  package var failures: [BenchmarkFailure]
  /// The change points that this night reported.
  package var announced: [Announcement] = []
  /// Earlier reports that this night withdrew. Absent if there are none.
  package var withdrawn: [Announcement]?

  package struct Benchmark: Codable, Sendable, Equatable {
    package var id: BenchmarkID
    /// Hash over the output of all recorded frames, as in `run.json`: 16 hexadecimal digits.
    package var checksum: String
    /// One value for each of `metrics`; nil if the benchmark has no such figure.
    package var values: [Double?]
  }

  /// A change point that was reported, and is not reported again unless it is withdrawn.
  package struct Announcement: Codable, Sendable, Hashable {
    package var id: BenchmarkID
    /// The name of the metric's column in nights.
    package var metric: String
    /// Start of the first night of the new level.
    package var startedAt: String
    /// Mean of the old level as it was reported, in the metric's own unit.
    package var before: Double
    package var after: Double

    package var name: String { "\(id) \(metric)" }
    var isRise: Bool { after > before }
  }

  /// Everything that timings depend on besides the code: nights that differ in it do not form one series.
  package var environmentKey: [Fact] { environment.timingFacts(options) }
  /// Measured or failed.
  var allIDs: [BenchmarkID] { benchmarks.map(\.id) + failures.map(\.id) }

  /// A copy without all other benchmarks.
  package func only(_ id: BenchmarkID) -> Night {
    var night = self
    night.benchmarks.removeAll { $0.id != id }
    return night
  }

  /// `2026-11-21`.
  package var day: String { String(startedAt.prefix(10)) }
  /// `a1b2c3d`; nil outside a git checkout.
  package var shortCommit: String? { environment.commit.map { String($0.prefix(7)) } }
}

extension Night {
  /// Keeps the figures that docs/history.md names, and no series. Announces nothing yet.
  package init(_ document: RunDocument) {
    (suite, startedAt, environment) = (document.suite, document.startedAt, document.environment)
    (options, failures) = (document.options, document.failures)
    var values: [BenchmarkID: [String: Double]] = [:]
    var names: [String] = []
    for row in FlatRows(document).rows {
      guard let value = row.value.number, let name = Self.column(of: row) else { continue }
      names.append(name)
      values[row.id, default: [:]][name] = value
    }
    metrics = names.unique
    counterKinds =
      document.benchmarks.reduce(into: [:]) { $0.merge($1.counterKinds ?? [:]) { first, _ in first } }.unlessEmpty
    benchmarks = document.benchmarks.map { [metrics, values] record in
      Benchmark(id: record.id, checksum: record.checksum, values: metrics.map { values[record.id]?[$0] })
    }
  }

  /// The name under which a figure is kept; nil if it is not.
  private static func column(of row: FlatRow) -> String? {
    let metric = Metric.named(row.metric, declared: nil)
    let kept =
      switch row.statistic {
      case .p50: metric == .frameTime
      case .p99: metric == .frameTime && row.phase == nil
      case .mean:
        !metric.isTimed && !metric.isOfOtherThreads && metric != .freeCount && metric != .freedBytes
          && (metric != .netBytes || row.phase == nil)
      case .max: metric == .allocationCount && row.phase == nil
      case .total: Metric.ofRuns.contains(metric)
      case .p90: false
      }
    return kept ? row.figure.description : nil
  }

  /// Why a file is not a usable night.
  package enum ReadingError: Error, Equatable, CustomStringConvertible {
    case notJSON
    /// Valid JSON, but not a night.
    case foreign(String)
    case newer(Int)
    case inconsistent(String)

    /// One line, without the file's name.
    package var description: String {
      switch self {
      case .notJSON: "is not JSON, perhaps cut off; restore it from a copy"
      case .foreign(let problem): "is not a night of a history: \(problem)"
      case .newer(let version):
        "has schema version \(version), and this springbench reads \(Night.currentSchemaVersion): use a newer one"
      case .inconsistent(let problem): "contradicts itself: \(problem); restore it from a copy"
      }
    }
  }

  /// Compact JSON and a line feed.
  package func data() throws -> Data { try JSONText.file(self) }

  /// Throws if the data is not a night, is of a newer schema version, or contradicts itself.
  package init(reading data: Data) throws(ReadingError) {
    do { self = try JSONDecoder().decode(Night.self, from: data) } catch { throw Self.reason(data, error) }
    guard schemaVersion <= Self.currentSchemaVersion else { throw .newer(schemaVersion) }
    try check()
  }

  private struct Version: Decodable { var schemaVersion: Int? }

  private static func reason(_ data: Data, _ error: any Error) -> ReadingError {
    guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
      let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
      return isJSON ? .foreign("it has no schemaVersion") : .notJSON
    }
    if let number = version.schemaVersion, number > currentSchemaVersion { return .newer(number) }
    guard let error = error as? DecodingError else { return .notJSON }
    return switch RunDocumentError(error, decoding: Night.self, from: data) {
    case .missing(let path): .foreign("\(path) is missing")
    case .invalid(let path, let reason): .foreign("\(path): \(reason)")
    default: .notJSON
    }
  }

  private func check() throws(ReadingError) {
    guard UTCTime(iso8601: startedAt) != nil else {
      throw .inconsistent("startedAt is \"\(startedAt.prefix(40))\", not a time such as 2026-11-21T03:00:00Z")
    }
    guard Set(metrics).count == metrics.count else { throw .inconsistent("a metric occurs twice") }
    // A scenario's counters may be below zero.
    let least = metrics.map { Metric.named(FigureName($0)?.metric ?? $0) != nil ? 0 : -Self.largestValue }
    var ids: Set<BenchmarkID> = []
    for benchmark in benchmarks {
      guard benchmark.values.count == metrics.count else {
        throw .inconsistent("\(benchmark.id) has \(benchmark.values.count) values for \(metrics.count) metrics")
      }
      guard ids.insert(benchmark.id).inserted else { throw .inconsistent("\(benchmark.id) is there twice") }
      for (place, value) in benchmark.values.enumerated() {
        guard let value, !(least[place]...Self.largestValue).contains(value) else { continue }
        throw .inconsistent("\(metrics[place]) of \(benchmark.id) is \(value), which cannot have been measured")
      }
    }
  }
}
