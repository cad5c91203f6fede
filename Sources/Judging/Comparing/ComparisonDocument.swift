import Foundation
import FrameBench
import Measurements
import Statistics
import TextFormat

/// The results of a comparison of two builds, as reports show them and files store them.
package struct ComparisonDocument: Codable, Sendable, Equatable {
  /// Documents of runs and documents of comparisons share one version number.
  package var schemaVersion = RunDocument.currentSchemaVersion
  /// The start of the comparison: UTC, ISO 8601.
  package var startedAt: String
  /// The wall time of all measurements in seconds, without the time to build the programs.
  package var durationSeconds: Double
  /// The command line that made this document, without the program's path.
  package var arguments: [String]
  package var baseline: BuildName
  package var candidate: BuildName
  /// The options that both builds ran with. If two run documents were compared, these are the options of the candidate.
  package var options: RunOptions
  package var method: ComparisonMethod
  /// One row for each figure. Benchmarks are in the order of the suite. For each benchmark, the checksum comes first,
  /// then the times, then the exact figures.
  package var rows: [ComparisonRow]
  /// Benchmarks that could not be measured. If two run documents were compared, these are only the failures of the
  /// candidate.
  package var failures: [BenchmarkFailure]
  /// Conditions that make figures less certain or that prevented some comparisons.
  package var warnings: [Warning]
  /// The rules of scenarios, such as tolerances, that the candidate changes; nil if there are none.
  package var ruleChanges: [RuleChange]?
  /// Profiles of the benchmarks that became worse, the worst first. Nil if profiles were not requested.
  package var profiles: [RegressionProfile]?
  /// The cost of each frame, for charts, in the benchmarks whose time changed. Nil if no time changed, or if two run
  /// documents were compared.
  package var scrolls: [ScrollRecord]?
  /// The wall time of each benchmark, in seconds; nil if nothing was measured.
  package var benchmarkSeconds: [String: Double]?
  /// The part of the benchmarks that was compared, if several machines share the work. Nil means all selected ones.
  package var shard: ShardRecord?
  /// The number of comparisons that were merged into this one. Nil if it was not merged.
  package var partCount: Int?

  package init(
    startedAt: String, durationSeconds: Double, arguments: [String], baseline: BuildName, candidate: BuildName,
    options: RunOptions, method: ComparisonMethod, rows: [ComparisonRow], failures: [BenchmarkFailure] = [],
    warnings: [Warning] = []
  ) {
    (self.startedAt, self.durationSeconds, self.arguments) = (startedAt, durationSeconds, arguments)
    (self.baseline, self.candidate, self.options, self.method) = (baseline, candidate, options, method)
    (self.rows, self.failures, self.warnings) = (rows, failures, warnings)
  }

  /// Whether nothing was measured, because no benchmark can have changed.
  package var isUnmeasured: Bool { failures.isEmpty && !rows.isEmpty && rows.allSatisfy(\.isUnmeasured) }
}

/// The name and the identity of one of the two builds.
package struct BuildName: Codable, Sendable, Hashable {
  /// A branch, a revision or a path, as the user specified it.
  package var name: String
  /// The full hash of the commit that was built, with or without uncommitted changes. Nil if that is unknown, as for
  /// most programs that are specified by a path.
  package var commit: String?
  /// The checksum of a program that was specified by its path, or git's hash of the files if there were uncommitted
  /// changes; otherwise nil.
  package var checksum: String?

  package init(name: String, commit: String? = nil, checksum: String? = nil) {
    (self.name, self.commit, self.checksum) = (name, commit, checksum)
  }

  /// The end of the name of a build with uncommitted changes.
  package static let dirtyMark = ", with uncommitted changes"
}

package struct ComparisonMethod: Codable, Sendable, Hashable {
  package enum Source: String, Codable, Sendable {
    /// Two builds took turns on one core.
    case lockStep
    /// Two stored runs were compared.
    case documents
    /// Both builds load the same code and data, so nothing was measured.
    case identicalPrograms
  }

  /// Where the figures come from. Times of identical programs are not tested. Times of stored runs are tested only if
  /// the baseline consists of enough runs.
  package var source = Source.lockStep
  /// Changes within ± this fraction are ignored, except in scenarios with their own tolerance.
  package var tolerance: Double
  /// The accepted probability of at least one false alarm among all tests.
  package var familyAlpha: Double
  package var testCount: Int
  /// The smallest and largest number of sets that a benchmark had in the first measurement; nil if no set ran. A set is
  /// four fresh processes, or two if one pass through the frames takes long. A busy machine has time for fewer sets.
  package var screeningSetCounts: ClosedRange<Int>?
  /// The smallest and largest number of sets in the second measurement, which repeats only times that looked changed.
  /// Nil if no set ran.
  package var confirmingSetCounts: ClosedRange<Int>?
  /// The seed for the random order of benchmarks, processes and turns.
  package var seed: UInt64
  /// Each benchmark ran in at least this many link orders (orders of functions). Nil means only in the original order.
  package var layoutCount: Int?
  /// Tolerances of times as fractions, by the name of the scenario that has one. Nil if no scenario has one.
  package var scenarioTolerances: [String: Double]?
  /// Tolerances of allocations, by the name of the scenario that has one. Nil if no scenario has one.
  package var allocationTolerances: [String: AllocationTolerance]?
}

extension ComparisonMethod {
  /// Creates the method of a comparison that has measured nothing yet. The numbers of tests, sets and link orders are
  /// set later.
  package init(source: Source, _ rule: ComparisonRule, seed: UInt64) {
    self.init(source: source, tolerance: rule.tolerance, familyAlpha: rule.familyAlpha, testCount: 0, seed: seed)
    scenarioTolerances = rule.scenarioTolerances.unlessEmpty
    allocationTolerances = rule.allocationTolerances.unlessEmpty
  }

  /// The tolerance for times of a benchmark, as a fraction.
  package func tolerance(of id: BenchmarkID) -> Double { scenarioTolerances?[id.scenario] ?? tolerance }
}

extension [ComparisonRow] {
  /// Withdraws changes of times that are not significant after Holm's correction. Before the call, each row is judged
  /// by its own p-value.
  ///
  /// Only suspects (times that looked changed) count as tests, because they are tested with other measurements than
  /// those that selected them. A suspect without a row counts with a p-value of 1.
  /// - Parameter isMember: Whether a row belongs to the family of tests. The other rows do not change.
  package mutating func correct(
    testCount: Int, familyAlpha: Double, where isMember: (ComparisonRow) -> Bool = { _ in true }
  ) {
    let suspects = indices.filter { self[$0].suspicionPValue != nil && isMember(self[$0]) }
    let padding = Array<Double>(repeating: 1, count: Swift.max(0, testCount - suspects.count))
    for (index, adjusted) in zip(suspects, Holm.adjusted(suspects.compactMap { self[$0].suspicionPValue } + padding))
    where adjusted > familyAlpha && [.regressed, .improved].contains(self[index].verdict) {
      // The verdict is not `unchanged`, because the whole confidence interval lies beyond the tolerance.
      (self[index].verdict, self[index].note) = (.inconclusive, nil)
    }
  }
}

extension ComparisonDocument {
  /// Corrects the verdicts for the number of tests (see `[ComparisonRow].correct`). If stored runs are compared, all
  /// times are tests, so the statistics of a slowdown would make each other harder to find. The means are therefore a
  /// family of their own, and each of the two families gets half of the error probability.
  package mutating func correct() {
    guard method.source == .documents else {
      return rows.correct(testCount: method.testCount, familyAlpha: method.familyAlpha)
    }
    for isMean in [true, false] {
      rows.correct(testCount: 0, familyAlpha: method.familyAlpha / 2) { $0.isMean == isMean }
    }
  }
}

/// One figure of one benchmark, compared between two builds.
package struct ComparisonRow: Codable, Sendable, Hashable {
  package var id: BenchmarkID
  /// The metric, named as in the rows of a run: `frameNanoseconds`, `allocationCount`, `checksum`, …
  package var metric: Metric
  /// The phase; nil for the whole frame.
  package var phase: String?
  /// The statistic of a time. Nil for other figures, if the row compares the mean of some frames (`frames`), and for the
  /// mean if stored runs are compared.
  package var statistic: FlatRow.Statistic?
  /// The frames whose mean time the row compares. Nil means all frames.
  package var frames: FrameSet?
  /// The value in each build; nil if the build lacks it. A time is in nanoseconds per frame. It is computed from the
  /// shortest time of each frame, as `run` does, if these times are known. A count is the total of a run.
  package var baseline: FlatRow.Value?
  package var candidate: FlatRow.Value?
  /// Candidate ÷ baseline − 1: 0.012 is 1.2% more. Nil if there is no ratio.
  package var change: Double?
  /// The ends of the 98% confidence interval of the change; nil for an exact figure.
  package var low: Double?
  package var high: Double?
  /// The two-sided p-value from the same measurements as the interval, without a correction for multiple comparisons.
  /// The verdict is based on `suspicionPValue` instead. Nil for an exact figure.
  package var pValue: Double?
  /// The one-sided p-value of the second test of a suspect (a time that looked changed), before the correction for
  /// multiple comparisons. Nil if the time was not a suspect.
  package var suspicionPValue: Double?
  package var verdict: ChangeVerdict
  /// The difference between two processes of the baseline in the same measurement, as a fraction. Nil if it was not
  /// measured.
  package var control: Double?
  /// How much another link order (order of functions) alone changes the baseline's time, as a fraction: about two of
  /// three orders stay within ± this. Nil for an exact figure, or if too few orders were measured.
  package var layout: Double?
  /// Where the difference is, or a remark about it: one sentence without a period.
  package var note: String?

  /// For example, `springs/naive/1000 solve`.
  package var subject: String { phase.map { "\(id) \($0)" } ?? "\(id)" }
  /// Whether the baseline has the figure and the candidate does not.
  package var isLost: Bool { verdict == .missing && candidate == nil && baseline != nil }
  /// Whether the candidate has a benchmark that the baseline lacks.
  package var isNewBenchmark: Bool { verdict == .missing && baseline == nil && metric == .checksum }
  /// Whether the row counts for the outcome of the comparison: its metric is always judged, or its figure changed. The
  /// heap's growth is always judged for whole frames, but not for phases.
  package var isJudged: Bool { metric.isJudged && (metric != .netBytes || phase == nil) || verdict.isChange }
  /// Whether nothing was measured because the figure cannot differ.
  package var isUnmeasured: Bool { verdict == .unchanged && baseline == nil && candidate == nil }
}

extension ComparisonRow {
  /// The row of a benchmark that only one build has. Its metric is the checksum.
  /// - Parameter isNew: Whether that build is the candidate.
  package static func missing(_ id: BenchmarkID, isNew: Bool) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: .checksum, baseline: isNew ? nil : .text("present"), candidate: isNew ? .text("present") : nil,
      verdict: .missing)
  }

  /// The note on benchmarks of programs that were not measured because they are identical.
  package static let identicalProgram = "identical program"

  /// The row of a benchmark that was not measured because it cannot have become slower. The note gives the reason.
  package static func unmeasured(_ id: BenchmarkID, _ note: String) -> ComparisonRow {
    ComparisonRow(id: id, metric: .frameTime, change: 0, low: 0, high: 0, verdict: .unchanged, note: note)
  }

  /// Makes the row for a time of whole frames or of a phase in two builds that took turns.
  init(_ id: BenchmarkID, _ probe: FrameProbe, _ times: PairedTimes, _ rule: ComparisonRule) {
    let interval = times.interval(rule.confidence)
    let median = Quantile.median(times.baseline)
    // The candidate's time is the baseline's median multiplied by the measured ratio, not the candidate's own median.
    // If the speed of the machine varies, the two medians may come from different sets and contradict the measured
    // ratio.
    let candidate = times.change.map { median * (1 + $0) } ?? Quantile.median(times.candidate)
    self.init(
      id: id, metric: .frameTime, phase: probe.phase, baseline: .number(median), candidate: .number(candidate),
      change: times.change, low: interval?.lowerBound, high: interval?.upperBound, pValue: times.twoSidedPValue,
      verdict: rule.verdict(times), control: times.controls.isEmpty ? nil : times.controlSpread)
    switch probe.statistic {
    case .mean: statistic = .mean
    case .raw: (metric, statistic) = (.rawFrameTime, .mean)
    case .p50: statistic = .p50
    case .p99: statistic = .p99
    case .max: statistic = .max
    case .frames(let set): frames = set
    }
  }

  /// Whether the row covers all frames: their mean time, or a figure that is not a time. A time of only some frames,
  /// such as a quantile, is often inconclusive if nothing changed. Then the mean shows whether a closer look is needed.
  package var isMean: Bool { frames == nil && [nil, .mean].contains(statistic) }

  /// Whether the row is the mean time of whole frames.
  package var isMeanFrame: Bool { metric == .frameTime && phase == nil && isMean }
}

/// The verdict of a comparison on one figure. The raw values are an interface: scripts read them.
package enum ChangeVerdict: String, Codable, Sendable, Hashable, CaseIterable {
  case improved
  case unchanged
  case regressed
  /// It is uncertain whether the figure changed.
  case inconclusive
  /// Both builds have the figure, but it is only shown, for example because it varies between runs of one build.
  case notJudged
  /// Only one of the builds has the figure.
  case missing
  /// The two builds have different output, so their costs cannot be compared.
  case behaviorChanged

  /// Whether a reader needs to know about the verdict.
  package var isChange: Bool {
    switch self {
    case .improved, .regressed, .missing, .behaviorChanged: true
    case .unchanged, .inconclusive, .notJudged: false
    }
  }
}

extension ComparisonDocument: MergeableDocument {
  package var allIDs: [BenchmarkID] { (rows.map(\.id) + failures.map(\.id)).unique }

  package var factsOfMerge: [Fact] {
    let builds = [("baseline", baseline), ("candidate", candidate)]
    return builds.map { name, build in
      let words = [build.name, build.commit, build.checksum.map { "(files \($0))" }]
      // A program that was specified by its path is identified by its checksum alone.
      let program = build.name.hasSuffix(BuildName.dirtyMark) ? nil : build.checksum
      return Fact(name, program ?? words.compactMap(\.self).joined(separator: " "))
    } + [
      Fact("compared", method.source == .documents ? "run documents" : "builds"),
      Fact("tolerance", "\(method.tolerance)"),
    ] + options.factsOfWork
  }

  /// Joins comparisons of different benchmarks, made on several machines. All their tests together are corrected for
  /// multiple comparisons. The method is that of the first comparison that was measured.
  package init(joining parts: [ComparisonDocument]) {
    self = parts.first { $0.method.source != .identicalPrograms } ?? parts[0]
    let measured = parts.map(\.method).filter { $0.source != .identicalPrograms }
    startedAt = parts[0].startedAt
    durationSeconds = parts.reduce(0) { $0 + $1.durationSeconds }
    rows = DocumentMerge.inOrder(parts.flatMap(\.rows).grouped(by: \.id), by: \.key).flatMap(\.rows)
    failures = parts.flatMap(\.failures)
    warnings = parts.flatMap(\.warnings).unique
    ruleChanges = DocumentMerge.joined(parts.map(\.ruleChanges))?.unique
    method.scenarioTolerances = DocumentMerge.joined(measured.map(\.scenarioTolerances))
    method.allocationTolerances = DocumentMerge.joined(measured.map(\.allocationTolerances))
    method.testCount = measured.reduce(0) { $0 + $1.testCount }
    method.screeningSetCounts = Self.hull(measured.compactMap(\.screeningSetCounts))
    method.confirmingSetCounts = Self.hull(measured.compactMap(\.confirmingSetCounts))
    method.layoutCount = measured.compactMap(\.layoutCount).min()
    options.scenarioFrames = DocumentMerge.joined(parts.map(\.options.scenarioFrames))
    benchmarkSeconds = DocumentMerge.joined(parts.map(\.benchmarkSeconds))
    if parts[0].shard != nil { partCount = parts.count }
    correct()
    let worse = Set(regressedBenchmarks)
    let profiles = parts.compactMap(\.profiles).flatMap(\.self).filter { worse.contains($0.id) }
    scrolls = DocumentMerge.joined(parts.map(\.scrolls))
    self.profiles = parts.allSatisfy { $0.profiles == nil } ? nil : profiles
  }

  private static func hull(_ ranges: [ClosedRange<Int>]) -> ClosedRange<Int>? {
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max() else { return nil }
    return low...high
  }

  /// The content of a file: one line of JSON with sorted keys.
  package func encoded() throws -> Data { try JSONText.file(self) }

  /// Reads the content of a file.
  /// - Throws: `RunDocumentError` if it is not a comparison, or contains impossible values.
  package init(contentsOf data: Data) throws {
    self = try RunDocumentError.decoding(data)
    if let problem { throw RunDocumentError.invalid(path: problem.path, reason: "\(problem.value) is not possible") }
  }

  /// The first impossible number or row; nil if there is none. Code that reads a document relies on this check.
  var problem: (path: String, value: String)? {
    let figures = rows.map { row in
      let statistic = row.statistic == .mean ? nil : row.statistic
      return ComparisonRow(
        id: row.id, metric: row.metric, phase: row.phase, statistic: statistic, frames: row.frames, verdict: .notJudged)
    }
    if let twice = figures.grouped(by: \.self).first(where: { $0.rows.count > 1 })?.key {
      let parts = [twice.phase, twice.statistic?.rawValue, twice.frames?.words, "\(twice.metric.name) of \(twice.id)"]
      return ("rows", "\(parts.compactMap(\.self).joined(separator: " ")) twice")
    }
    if let row = rows.firstIndex(where: { $0.frames?.isImpossible == true }) { return ("rows[\(row)].frames", "a set") }
    if let scroll = scrolls?.firstIndex(where: \.isImpossible) { return ("scrolls[\(scroll)]", "a cost") }
    if let shard, shard.index < 1 || shard.index > shard.count { return ("shard", "\(shard.index)/\(shard.count)") }
    var numbers: [(path: String, value: Double?, range: ClosedRange<Double>)] = [
      ("durationSeconds", durationSeconds, 0...1e12), ("method.tolerance", method.tolerance, 0...1),
      ("method.familyAlpha", method.familyAlpha, 0...1),
    ]
    let sets = [method.screeningSetCounts, method.confirmingSetCounts]
    let counts = [
      ("method.testCount", method.testCount), ("partCount", partCount), ("method.layoutCount", method.layoutCount),
      ("options.frameCount", options.frameCount), ("shard.count", shard?.count),
      ("method.screeningSetCounts", sets[0]?.lowerBound), ("method.screeningSetCounts", sets[0]?.upperBound),
      ("method.confirmingSetCounts", sets[1]?.lowerBound), ("method.confirmingSetCounts", sets[1]?.upperBound),
    ]
    numbers += counts.map { ($0, $1.map(Double.init), 0...1e7) }
    numbers += (method.scenarioTolerances ?? [:]).values.map { ("method.scenarioTolerances", $0, 0...10) }
    for tolerance in (method.allocationTolerances ?? [:]).values {
      numbers.append(("method.allocationTolerances", tolerance.count, 0...1e9))
      numbers.append(("method.allocationTolerances", tolerance.percent, 0...1_000))
    }
    for (index, row) in rows.enumerated() {
      let values = [
        ("baseline", row.baseline?.number), ("candidate", row.candidate?.number), ("change", row.change),
        ("low", row.low), ("high", row.high), ("control", row.control), ("layout", row.layout), ("pValue", row.pValue),
      ]
      numbers.append(("rows[\(index)].suspicionPValue", row.suspicionPValue, 0...1))
      numbers += values.map { ("rows[\(index)].\($0)", $1, -1e16...1e16) }
    }
    numbers += (benchmarkSeconds ?? [:]).values.map { ("benchmarkSeconds", $0, 0...1e12) }
    return numbers.lazy.compactMap { path, value, range -> (path: String, value: String)? in
      value.flatMap { range.contains($0) ? nil : (path, "\($0)") }
    }.first
  }
}
