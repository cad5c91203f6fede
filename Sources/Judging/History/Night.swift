import Foundation
import FrameBench
import Measurements
import TextFormat

/// The figures of one night as the history stores them; docs/history-method.md describes the format. A night is never
/// changed after it is written. It contains statistics but no series, so two thousand nights can be read in a second.
package struct Night: Codable, Sendable, Equatable {
  /// The largest accepted value. No frame takes that long, and no counter gets that high. The limits of `run.json` are
  /// far lower.
  static let largestValue = 1e18

  /// The version of the document that was read; the current one for a new night.
  package var schemaVersion = RunDocument.currentSchemaVersion
  /// The name of the suite, as in `run.json`. Nights of different suites are never compared.
  package var suite: String
  /// When the night began: UTC, ISO 8601.
  package var startedAt: String
  /// When the night was measured, if it was added to the history afterwards; otherwise nil. If it measured a past
  /// commit, `startedAt` is the date of this commit. For an imported run, `startedAt` is the same time. No comparison
  /// judged the commits of such a night.
  package var measuredAt: String?
  /// The machine, the commit and the build, as in `run.json`.
  package var environment: Environment
  /// The options of the run; nil if the document does not contain them.
  package var options: RunOptions?
  /// The names of the figures in each benchmark's `values`, spelled as in budgets: `frameNanoseconds.solve.p50`.
  package var metrics: [String]
  /// The scenarios' declarations of their counters, by name. Nil if there are none.
  package var counterKinds: [String: CounterKind]?
  /// Measured benchmarks, in the order of the run.
  package var benchmarks: [Benchmark]
  /// Benchmarks that could not be measured, as in `run.json`.
  package var failures: [BenchmarkFailure]
  /// The change points and drifts that this night reported.
  package var announced: [Announcement] = []
  /// Earlier reports that this night withdrew. Nil if there are none.
  package var withdrawn: [Announcement]?
  /// The changes that a comparison of this night's commit with that of an earlier night found. Nil if no commits were
  /// compared.
  package var comparison: ComparisonDocument?
  /// The number of commits after the baseline of `comparison`, up to this night's commit, along first parents. Nil if
  /// it is unknown.
  package var commitCount: Int?
  /// The commits that made benchmarks worse. Nil if no benchmark became worse, or no search was made.
  package var culprits: [Culprit]?
  /// The commit of an older night with which this night was also compared. Nil if there is none.
  package var anchor: String?
  /// Remarks about the comparison, or the reason why nothing was compared: one sentence each. Nil if there are no
  /// remarks.
  package var remarks: [String]?
  /// False if the comparison was cut short, so that the next night judges this night's commits, too. Otherwise nil.
  package var isJudged: Bool?
  /// True if programs were given by their paths, so that the night judges no commit. Otherwise nil.
  package var hasGivenPrograms: Bool?
  /// Benchmarks of earlier nights that the options of this night left out. Nil if there are none.
  package var leftOut: [BenchmarkID]?

  package struct Benchmark: Codable, Sendable, Equatable {
    package var id: BenchmarkID
    /// A hash over the output of all recorded frames, as in `run.json`: 16 hexadecimal digits.
    package var checksum: String
    /// One value for each of `metrics`; nil if the benchmark has no such figure.
    package var values: [Double?]
    /// The cost of the benchmark's code relative to the commit `base`. Nil if it is unknown.
    package var ratio: CodeRatio?
    /// The commit with which the benchmark was compared. Nil if that is the baseline of `comparison`, or if nothing was
    /// compared. The commit may differ between benchmarks, because not every earlier night judged all of them.
    package var base: String?
    /// The cost of the benchmark's code relative to the commit `anchor`. Nil if it is unknown.
    package var anchorRatio: CodeRatio?
  }

  /// The commits that contain the cause of a change.
  package struct Culprit: Codable, Sendable, Hashable {
    package var id: BenchmarkID
    /// The figure that changed, as `ComparedFigure` describes it.
    package var figure: String
    /// The commits, oldest first. There is only one if the cause was found.
    package var commits: [Commit]
    /// The probability that the cause is one of `commits`.
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

  /// A reported change point or drift of the code. It is not reported again unless it is withdrawn.
  package struct Announcement: Codable, Sendable, Hashable {
    package var id: BenchmarkID
    /// The name of the figure, as in `Night.metrics`.
    package var metric: String
    /// `startedAt` of the first night after the old level or of the first night of the drift.
    package var startedAt: String
    /// The mean of the old level when the change point was reported, in the metric's unit; 1 for a drift of the code.
    package var before: Double
    package var after: Double

    package var name: String { "\(id) \(metric)" }
    var isRise: Bool { after > before }
  }

  /// Everything that all timings depend on, except the code. Nights whose keys differ do not form one series.
  package var environmentKey: [Fact] { environment.timingFacts(options) }
  /// The environment key of one benchmark, which includes its own frame counts.
  package func environmentKey(of id: BenchmarkID) -> [Fact] { environment.timingFacts(options?.of(id)) }
  /// How many frames a run of a benchmark has. Nil if it is unknown.
  func frames(of id: BenchmarkID) -> RunOptions.FrameCounts? {
    (options?.of(id)).map { RunOptions.FrameCounts(recorded: $0.frameCount, warmUp: $0.warmUpFrameCount) }
  }

  /// Adds the results of a comparison, which must still contain all rows, because ratios are computed from them.
  /// - Parameter bases: The commits with which benchmarks were compared, if these are not the baseline.
  package mutating func add(_ comparison: ComparisonDocument, bases: [BenchmarkID: String] = [:]) {
    self.comparison = comparison.changesAlone
    let ratios = comparison.ratios
    for index in benchmarks.indices {
      let id = benchmarks[index].id
      (benchmarks[index].ratio, benchmarks[index].base) = (ratios[id], bases[id])
    }
  }

  /// The commit with which a benchmark was compared. Nil if nothing was compared.
  package func base(of id: BenchmarkID) -> String? {
    benchmarks.first { $0.id == id }?.base ?? comparison?.baseline.commit
  }

  package mutating func add(anchor commit: String, _ ratios: [BenchmarkID: CodeRatio]) {
    anchor = commit
    for index in benchmarks.indices { benchmarks[index].anchorRatio = ratios[benchmarks[index].id] }
  }

  /// The benchmarks that the night measured, and that its build ran when it was compared. If only the earlier build
  /// fails, for example after an upgrade of the system, the night still serves as the next baseline.
  package var judgedIDs: Set<BenchmarkID> {
    Set(benchmarks.map(\.id)).subtracting((comparison?.failures ?? []).filter { $0.build != .baseline }.map(\.id))
  }

  /// The benchmarks that were measured or failed.
  package var allIDs: [BenchmarkID] { benchmarks.map(\.id) + failures.map(\.id) }

  /// The benchmarks to compare with an earlier commit: those that were measured, or if there are none, those that failed.
  package var comparedIDs: Set<BenchmarkID> { Set(benchmarks.isEmpty ? allIDs : benchmarks.map(\.id)) }

  /// The benchmarks that were measured, failed or were left out.
  package var knownIDs: [BenchmarkID] { allIDs + (leftOut ?? []) }

  /// A copy that contains the measurements of this benchmark only.
  package func only(_ id: BenchmarkID) -> Night {
    var night = self
    night.benchmarks.removeAll { $0.id != id }
    return night
  }

  /// For example, `2026-11-21`.
  package var day: String { String(startedAt.prefix(10)) }
  /// The full hash of the commit that was measured. Nil outside a git checkout, and for programs that were given by
  /// their paths, because they need not be those of the checkout.
  package var commit: String? { hasGivenPrograms == true ? nil : environment.commit }
  /// The first digits of `commit`, such as `a1b2c3d`.
  package var shortCommit: String? { commit.map { String($0.prefix(7)) } }
}

extension Night {
  /// Makes a night from a run. It contains the figures that docs/history-method.md lists, and no series. It announces
  /// nothing yet.
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

  /// The name under which nights store a figure; nil if they do not store it.
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

  /// The content of a file: compact JSON and a line feed.
  package func data() throws -> Data { try JSONText.file(self) }

  /// Reads the content of a file.
  /// - Throws: `RunDocumentError` if the data is not a night, has a newer schema version, or contradicts itself.
  package init(reading data: Data) throws {
    do { self = try RunDocumentError.decoded(data) } catch {
      // The fields of a newer version may be different, so its version is the better reason.
      _ = try RunDocumentError.isComparison(data)
      throw error
    }
    guard schemaVersion <= RunDocument.currentSchemaVersion else {
      throw RunDocumentError.newer(version: schemaVersion)
    }
    if let contradiction { throw RunDocumentError.invalid(path: "the night", reason: contradiction) }
  }

  /// Why this cannot be the night of a run. Nil if it can.
  private var contradiction: String? {
    guard UTCTime(iso8601: startedAt) != nil else {
      return "startedAt is \"\(startedAt.prefix(40))\", not a time such as 2026-11-21T03:00:00Z"
    }
    guard Set(metrics).count == metrics.count else { return "a metric occurs twice" }
    // Counters of scenarios may be negative, and frames may free more than they allocate.
    let least = metrics.map { name in
      let metric = Metric.named(FigureName(name)?.metric ?? name)
      return metric == nil || metric == .netBytes ? -Self.largestValue : 0
    }
    var ids: Set<BenchmarkID> = []
    for benchmark in benchmarks {
      guard benchmark.values.count == metrics.count else {
        return "\(benchmark.id) has \(benchmark.values.count) values for \(metrics.count) metrics"
      }
      guard ids.insert(benchmark.id).inserted else { return "\(benchmark.id) is there twice" }
      for ratio in [benchmark.ratio, benchmark.anchorRatio].compactMap(\.self) where ratio.isImpossible {
        return "a ratio of \(benchmark.id) is \(ratio.change), which cannot have been measured"
      }
      for (place, value) in benchmark.values.enumerated() {
        guard let value, !(least[place]...Self.largestValue).contains(value) else { continue }
        return "\(metrics[place]) of \(benchmark.id) is \(value), which cannot have been measured"
      }
    }
    if let problem = comparison?.problem { return "comparison.\(problem.path): \(problem.value) is not possible" }
    if let count = commitCount, !(0...10_000_000).contains(count) { return "\(count) commits" }
    for culprit in culprits ?? [] where culprit.commits.isEmpty || !(0...1).contains(culprit.confidence) {
      return "the culprit of \(culprit.id) is \(culprit.confidence) sure"
    }
    return nil
  }
}

extension [Night] {
  /// Returns the nights that a new night may be compared with: one for each commit, the newest first. Each comes with
  /// the benchmarks of the new night that were judged at its commit.
  ///
  /// Not every commit comes with all benchmarks, because a night may leave some out or fail to judge them. Nights that
  /// were added to the history afterwards judged nothing, so they are returned only if there are no others.
  /// - Parameter ids: The benchmarks of the new night.
  package func bases(for ids: Set<BenchmarkID>) -> [(night: Night, ids: Set<BenchmarkID>)] {
    let known = reversed().filter { night in
      night.commit != nil && night.isJudged != false && !night.judgedIDs.isDisjoint(with: ids)
    }
    let judged = known.filter { $0.measuredAt == nil }
    let usable = judged.isEmpty ? known : judged
    func judgedIDs(_ nights: some Sequence<Night>) -> Set<BenchmarkID> {
      nights.reduce(into: []) { $0.formUnion($1.judgedIDs) }
    }
    let byCommit = Dictionary(grouping: usable, by: \.commit)
    return usable.unique(by: \.commit).map { night in (night, judgedIDs(byCommit[night.commit] ?? []).intersection(ids))
    }
  }
}
