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
  /// The commit in lock step with that of an earlier night, as far as it changed anything. Absent: it was not compared.
  package var comparison: ComparisonDocument?
  /// Commits since the one that it was compared with, as a line. Absent: unknown.
  package var commitCount: Int?
  /// Which commits made benchmarks worse. Absent: none did, or nobody searched.
  package var culprits: [Culprit]?
  /// The commit of an older night that it was compared with, too. Absent: none.
  package var anchor: String?
  /// What a reader has to know about the comparison, and why there is none: a sentence each. Absent: nothing.
  package var remarks: [String]?
  /// False: the comparison was cut short, and the next night answers for these commits. Absent: it was not.
  package var isJudged: Bool?

  package struct Benchmark: Codable, Sendable, Equatable {
    package var id: BenchmarkID
    /// Hash over the output of all recorded frames, as in `run.json`: 16 hexadecimal digits.
    package var checksum: String
    /// One value for each of `metrics`; nil if the benchmark has no such figure.
    package var values: [Double?]
    /// Its code against that of the commit of `comparison`. Absent: unknown.
    package var ratio: CodeRatio?
    /// Its code against that of the commit `anchor`. Absent: unknown.
    package var anchorRatio: CodeRatio?
  }

  /// The commits among which the cause of a change is.
  package struct Culprit: Codable, Sendable, Hashable {
    package var id: BenchmarkID
    /// What changed, as `bisect --metric` names it.
    package var figure: String
    /// The commits, oldest first; a single one if it was found.
    package var commits: [Commit]
    /// Probability that it is one of these.
    package var confidence: Double

    package init(id: BenchmarkID, figure: String, commits: [Commit], confidence: Double) {
      (self.id, self.figure, self.commits, self.confidence) = (id, figure, commits, confidence)
    }
  }

  package struct Commit: Codable, Sendable, Hashable {
    /// The full hash.
    package var hash: String
    package var subject: String

    package init(hash: String, subject: String) { (self.hash, self.subject) = (hash, subject) }
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
  /// Adds what a comparison found, with all of its rows.
  package mutating func add(_ comparison: ComparisonDocument) {
    self.comparison = comparison.changesAlone
    let ratios = comparison.ratios
    for index in benchmarks.indices { benchmarks[index].ratio = ratios[benchmarks[index].id] }
  }

  /// Adds the ratios of a comparison with an older commit.
  package mutating func add(anchor commit: String, _ ratios: [BenchmarkID: CodeRatio]) {
    anchor = commit
    for index in benchmarks.indices { benchmarks[index].anchorRatio = ratios[benchmarks[index].id] }
  }

  /// All benchmarks, measured or failed.
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
      for ratio in [benchmark.ratio, benchmark.anchorRatio].compactMap(\.self) where ratio.isImpossible {
        throw .inconsistent("a ratio of \(benchmark.id) is \(ratio.change), which cannot have been measured")
      }
      for (place, value) in benchmark.values.enumerated() {
        guard let value, !(least[place]...Self.largestValue).contains(value) else { continue }
        throw .inconsistent("\(metrics[place]) of \(benchmark.id) is \(value), which cannot have been measured")
      }
    }
    if let problem = comparison?.problem {
      throw .inconsistent("comparison.\(problem.path): \(problem.value) is not possible")
    }
    if let count = commitCount, !(0...10_000_000).contains(count) { throw .inconsistent("\(count) commits") }
    for culprit in culprits ?? [] where culprit.commits.isEmpty || !(0...1).contains(culprit.confidence) {
      throw .inconsistent("the culprit of \(culprit.id) is \(culprit.confidence) sure")
    }
  }
}
