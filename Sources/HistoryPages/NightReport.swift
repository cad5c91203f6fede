import Foundation
import FrameBench
import Judging
import Markup
import Measurements
import Pages
import TextFormat

/// The verdict on the newest night: whether it failed ("is red"), and why.
extension HistoryAnalysis {
  package var measuredNothing: Bool { nights.last?.benchmarks.isEmpty ?? true }
  package var newestFailures: [BenchmarkFailure] { nights.last?.failures ?? [] }

  /// Regressions that the newest night reports and that make it red. They must have begun in the last 30 nights,
  /// because an older change point is new only after an import of old nights. Regressions are left out if the night's
  /// comparison with an earlier commit already reported them, or found that the code is not the cause.
  package var newRegressions: [Finding] {
    announced.filter { finding in
      guard finding.shift.isRegression, finding.trend.values.count - finding.shift.levelPosition <= 30 else {
        return false
      }
      return switch codeShare(of: finding) {
      case nil, .drifted: true
      case .reported, .unmoved: false
      }
    }
  }

  /// Whether the code between the two levels is the same.
  func hasSameCode(_ finding: Finding) -> Bool {
    if case .unmoved(let ratio) = codeShare(of: finding) { ratio.isOfSameCode } else { false }
  }

  /// Whether the code did not change, or too little to explain the change point.
  func isUnmoved(_ finding: Finding) -> Bool { if case .unmoved = codeShare(of: finding) { true } else { false } }

  /// Regressions of the last weeks that earlier nights reported and did not withdraw, and that the code may have
  /// caused.
  private var standingRegressions: [Finding] {
    func name(_ finding: Finding) -> String { "\(finding.shift.position) \(finding.trend.name)" }
    let reported = Set(announced.map(name))
    return recentFindings.filter { $0.shift.isRegression && !reported.contains(name($0)) && !isUnmoved($0) }
  }

  /// The kinds of checks that failed in the newest night. If there are none, the night is not red.
  package var failedKinds: Set<Check.Kind> {
    let checks = nights.last?.comparison?.checks() ?? []
    var kinds = Set(checks.filter { $0.outcome == .failed }.map(\.kind))
    if measuredNothing || !newestFailures.isEmpty || nights.last?.isJudged == false { kinds.insert(.failure) }
    if !missing.isEmpty { kinds.insert(.missing) }
    if !behaviorChanged.isEmpty { kinds.insert(.behaviorChanged) }
    if !newRegressions.isEmpty || newDrifts.contains(where: { $0.drift.ratio.change > 0 }) { kinds.insert(.regression) }
    return kinds
  }

  package var isRed: Bool { !failedKinds.isEmpty }

  /// The tone in which reports show the newest night: bad if the night is red. Nil if too little is known, if times are
  /// inconclusive, or if there are signs of a regression. Otherwise good.
  package var tone: Tone? {
    guard !isRed else { return .bad }
    let hasVerdict = nights.last?.comparison != nil || repeatsCommit || nights.last?.remarks == nil && hasEnoughNights
    let isQuiet =
      standingRegressions.isEmpty && risenCounts.isEmpty && earlyChanges.isEmpty && recentCodeRegressions.isEmpty
      && nights.last?.comparison?.uncertainty == nil
    return hasVerdict && isQuiet ? .good : nil
  }

  private var hasEnoughNights: Bool { nightsOfEnvironment >= Self.leastNights }

  /// The verdict in sentences of plain text: first on the code, then on the history, the worst news first.
  package var sentences: [String] {
    (measuredNothing ? ["Nothing was measured."] : []) + codeSentences + historySentences
  }

  private var historySentences: [String] {
    func counted(_ count: Int, _ noun: String, _ one: String, _ many: String) -> String? {
      count == 0 ? nil : "\(Format.plural(count, noun)) \(count == 1 ? one : many)."
    }
    let (regressions, standing) = (newRegressions, standingRegressions)
    let improvements = announced.filter { !$0.shift.isRegression && codeShare(of: $0) == nil }
    let unmoved = announced.filter(isUnmoved)
    let told = Set((regressions + improvements + unmoved).map { announcement(of: $0) })
    let others = announced.filter { !told.contains(announcement(of: $0)) }
    // What the comparison with an earlier commit already reports is left out.
    let rows = (nights.last?.comparison?.rows ?? []).filter { $0.metric == .checksum }
    let missing = missing.filter { id in !rows.contains { $0.id == id && $0.isLost } }
    let changed = behaviorChanged.filter { id in !rows.contains { $0.id == id && $0.verdict == .behaviorChanged } }
    let sentences = [
      counted(newestFailures.count, "benchmark", "failed", "failed"),
      counted(missing.count, "benchmark", "is missing", "are missing"),
      counted(changed.count, "benchmark", "behaves differently than before", "behave differently than before"),
      regressions.isEmpty ? nil : "New \(Words.regression)s: \(Self.summary(regressions)).",
      improvements.isEmpty ? nil : "New improvements: \(Self.summary(improvements)).",
      unmoved.isEmpty ? nil : "Times moved, and the code did not: \(Self.summary(unmoved)).",
      others.isEmpty ? nil : "Other change points: \(Self.summary(others)).",
      counted(
        newestWithdrawals.count, "change point", "of earlier nights is withdrawn", "of earlier nights are withdrawn"),
      Self.sentence(risenCounts), earlySentence,
      environmentChanges.isEmpty
        ? nil : "Other environment, so figures are not compared with earlier ones: \(Format.list(environmentChanges)).",
    ].compactMap(\.self)
    guard sentences.isEmpty, !measuredNothing else { return sentences }
    guard hasEnoughNights else {
      return [
        "Too few nights for a verdict of the history: \(nightsOfEnvironment) of \(Self.leastNights) in this environment."
      ]
    }
    guard !standing.isEmpty else { return ["No level changed."] }
    return [
      "No level changed, but earlier \(Words.regression)s are still there: \(Self.summary(standing)),"
        + " in the last \(Self.newsDays) days."
    ]
  }

  // MARK: - The code

  package var codeSentences: [String] {
    let night = nights.last
    let verdict = night?.comparison.map { comparison in
      let changes = comparison.changes.filter { !$0.isNew }
      let isQuiet = changes.isEmpty && comparison.failures.isEmpty
      guard isQuiet else {
        let named = comparison.failures.first?.id ?? changes.first?.ids.first
        return "\(comparison.headline.dropLast()), \(since(comparison, of: named))."
      }
      return [unchanged(since(comparison)), comparison.uncertainty].compactMap(\.self).joined(separator: " ")
    }
    let culprits = (night?.culprits ?? []).grouped(by: \.commits).map { "\(Night.Culprit.sentence($0.rows))." }
    return [verdict].compactMap(\.self) + culprits + newDrifts.map { "\(sentence($0))." } + (night?.remarks ?? [])
  }

  private func unchanged(_ since: String) -> String {
    let new = Set((nights.last?.comparison?.rows ?? []).filter(\.isNewBenchmark).map(\.id))
    let compared = (nights.last?.benchmarks ?? []).filter { $0.base == nil && !new.contains($0.id) }
    let same = compared.count { $0.ratio?.low == 0 && $0.ratio?.high == 0 }
    let benchmarks = Format.plural(compared.count, "benchmark")
    if same > 0, same == compared.count { return "The code of \(benchmarks) did not change \(since)." }
    let some = same > 0 ? "; \(Format.integer(same)) of them \(same == 1 ? "runs" : "run") the same code" : ""
    return "No \(Words.regression) in \(benchmarks) \(since)\(some)."
  }

  /// The words for the baseline: `since the night of 2026-11-20 (a1b2c3d, 3 commits ago)`.
  /// - Parameter id: The benchmark whose baseline is named. Nil means the baseline of the comparison.
  private func since(_ comparison: ComparisonDocument, of id: BenchmarkID? = nil) -> String {
    if let base = id.flatMap({ nights.last?.base(of: $0) }), base != comparison.baseline.commit,
      let night = nights.last(where: { $0.commit == base })
    {
      return "since the night of \(night.day) (\(base.prefix(7)))"
    }
    let commits = nights.last?.commitCount.map { ", \(Format.plural($0, "commit")) ago" } ?? ""
    return "since \(comparison.baseline.name) (\(comparison.baseline.commit?.prefix(7) ?? "")\(commits))"
  }

  private func sentence(_ drift: Drift) -> String {
    let links = drift.drift.links
    let names = links.prefix(3).compactMap { nights[$0.night].shortCommit }
    return
      "Drift: the code of \(drift.id) \(drift.drift.ratio.text) since the night of \(nights[links[0].base].day), in"
      + " \(links.count) changes too small for one night; the first commits are \(Format.list(names))"
  }

  private var earlySentence: String? {
    guard let first = earlyChanges.max(by: { abs(log($0.after / $0.before)) < abs(log($1.after / $1.before)) }) else {
      return nil
    }
    let others = earlyChanges.count - 1
    let rest = others == 0 ? "" : ", and \(Format.plural(others, "other benchmark"))"
    let unit = first.trend.unit
    let code: String
    switch first.codeShare {
    case .unmoved?: code = "its code did not change"
    case .drifted?, .reported?: code = "so did its code"
    case nil: code = "its code was not compared"
    }
    let count = first.trend.values.count - first.position
    return
      "Unconfirmed until \(Trend.requiredSupport) nights have it (\(Format.integer(count)) so far): \(first.trend.id),"
      + " \(first.trend.title) \(FigureText.change(first.before, first.after, unit)) (\(unit.text(first.before)) to"
      + " \(unit.text(first.after))), far beyond the nights before; \(code)\(rest)."
  }

  private static func sentence(_ risen: [Trend]) -> String? {
    guard let first = risen.first, let value = first.values.last else { return nil }
    let before = first.values.dropLast().last ?? 0
    let (verb, comparative) = value > before ? ("rose", "more") : ("fell", "less")
    let others = Set(risen.map(\.id)).count - 1
    let rest = others == 0 ? "" : " Counts of \(Format.plural(others, "other benchmark")) became worse, too."
    let (old, new) = (first.unit.text(before, besides: value), first.unit.text(value, besides: before))
    return "\(first.id): \(first.title) \(verb) from \(old) to \(new), \(comparative) than in any earlier night of this"
      + " environment.\(rest)"
  }

  private static func summary(_ findings: [Finding]) -> String {
    let ids = Set(findings.map(\.trend.id))
    let text = "\(Format.plural(findings.count, "figure")) of \(Format.plural(ids.count, "benchmark"))"
    func size(_ finding: Finding) -> Double { abs(finding.shift.relativeChange ?? .infinity) }
    guard let largest = findings.max(by: { size($0) < size($1) }) else { return text }
    return "\(text), at most \(largest.trend.text(largest.shift)) (\(largest.trend.id), \(largest.trend.title))"
  }

  // MARK: - The report

  /// The report of the newest night, compared with the nights before it. The history must have at least one night.
  package var report: [Block] {
    guard let night = nights.last else { preconditionFailure("a report of no night") }
    let environment = night.environment
    let commit = night.commit.map { "\(code: $0.prefix(12))" as RichText } ?? "no commit"
    let about: RichText = """
      \(night.startedAt) · \(commit)\(environment.isDirty == true ? " with changes that are not committed" : "") · \
      \(environment.toolchain) · \(Format.plural(night.benchmarks.count, "benchmark")) · \
      \(Format.plural(nights.count, "night")) of history, \(Format.plural(commitCount, "commit"))
      """
    let changePoints: [Block] =
      announced.isEmpty ? [.paragraph("None.")] : tables(of: announced) { .code($0.trend.id.description) }
    return [.heading(level: 1, "The night of \(night.day): \(night.suite) on \(environment.machine)")]
      + sentences.map { .paragraph(.strong($0, tone)) } + [.paragraph(about)] + codeBlocks
      + Block.section("Failed", night.failures.map { "\(code: $0.id): \($0.briefReason)" })
      + Block.section(
        "Missing", missing.map { "\(code: $0)" },
        "An earlier night had them, this one does not. If that is intended, nothing needs to be done.")
      + Block.section(
        "Behavior changed", behaviorChanged.map { "\(code: $0)" },
        "These show something different than before, so their costs are for different work.")
      + Block.section(
        "Other environment", environmentChanges.map(RichText.text),
        "From this night on, figures form a new segment and are not compared with earlier ones.")
      + Block.section("Machines that differ", machineSentences.map(RichText.text)) + [
        .heading(level: 2, "Change points")
      ] + changePoints
      + Block.section(
        "Withdrawn", newestWithdrawals.map { "\(code: $0.announcement.id), \(text($0))" },
        "Earlier nights reported these. With the nights since then, both sides have the same level.")
      + moves("Since the night before", \.sinceYesterday) + moves("Since a week ago") { $0.sinceLastWeek(days: days) }
      + Block.section("New", appeared.map { "\(code: $0)" }) + [
        .heading(level: 2, "How this is measured"), .paragraph(Self.method),
      ]
  }

  /// The findings of the comparison with an earlier commit, and how to repeat it. Empty if nothing was compared.
  private var codeBlocks: [Block] {
    guard let comparison = nights.last?.comparison else { return [] }
    let changed = comparison.rows.first { $0.verdict == .behaviorChanged || $0.isLost }?.id
    let next = (comparison.regressedBenchmarks.first ?? changed).map { id in
      let commits = [nights.last?.base(of: id), comparison.candidate.commit].compactMap(\.self)
      return NextStep(
        words: "to look at it again",
        command: ShellWord.quoted(["springbench", "compare"] + commits + ["--filter", RegexText.whole("\(id)")]))
    }
    return [.heading(level: 2, "The code \(since(comparison))")] + comparison.findings(next: next)
  }

  private func moves(_ title: RichText, _ move: (Trend) -> Trend.Move?) -> [Block] {
    let heading = Block.heading(level: 2, title)
    let compared = currentTrends.compactMap { trend in move(trend).map { (trend, $0) } }
    guard !compared.isEmpty else { return [heading, .paragraph("There is no such night to compare with.")] }
    let judged = compared.filter { $0.1.noise != nil }
    guard !judged.isEmpty else {
      let least = Trend.leastNightsForNoise
      return [heading, .paragraph("Too few nights to estimate the noise: \(least) are needed.")]
    }
    let moved = judged.filter(\.1.isBeyondNoise)
    let among = "of \(Format.plural(judged.count, "figure"))"
    guard !moved.isEmpty else { return [heading, .paragraph("Nothing moved beyond its noise, \(among).")] }
    let table = Table(
      moved, .left("benchmark") { .code($0.0.id.description) },
      .right("change") { .text(FigureText.change($0.1.before, $0.1.after, $0.0.unit)) },
      .left("figure") { .text($0.0.title) },
      .right("before") { .text($0.0.unit.text($0.1.before, besides: $0.1.after)) },
      .right("this night") { .text($0.0.unit.text($0.1.after, besides: $0.1.before)) },
      .right("noise") { "± \($0.0.unit.text($0.1.noise ?? 0))" })
    return [heading, .paragraph("\(moved.count) \(among) moved beyond their noise."), .table(table)]
  }

  private static let method: RichText = """
    Noise is four standard deviations of the difference, estimated from the nights before. A change point is \
    reported once, after \(Trend.requiredSupport) nights of the new level, or after one for a count without noise; \
    it is withdrawn, once, if later nights contradict it. \
    Times are the minimum of the runs, frame by frame.
    """

  /// Tables of change points, the latest first. Change points of the same nights share a table, because one commit
  /// often moves several figures.
  /// - Parameters:
  ///   - name: The name of a finding's benchmark. Nil on the page of a single benchmark.
  ///   - commits: Words for a range of commits, by the hash of its last commit. If the closure returns nil, the hashes
  ///     are shown.
  package func tables(
    of findings: [Finding], name: ((Finding) -> RichText)? = nil, commits: (String) -> String? = { _ in nil }
  ) -> [Block] {
    let byNights = Dictionary(grouping: findings) { finding in
      [finding.shift.position, finding.shift.levelPosition].map { finding.trend.nights[$0] }
    }
    let figure = TableColumn<Finding>.left("figure") { .text($0.trend.title) }
    let code = TableColumn<Finding>.left("its code") { .text(codeShare(of: $0)?.words ?? "") }
    return byNights.sorted { $1.key.lexicographicallyPrecedes($0.key) }.flatMap { _, group -> [Block] in
      let table = Table(
        group, name.map { .left("benchmark", $0) } ?? figure,
        .right("change") { .strong($0.trend.text($0.shift), $0.shift.tone) }, name == nil ? nil : figure,
        .right("before") { .text($0.trend.unit.text($0.shift.before, besides: $0.shift.after)) },
        .right("after") { .text($0.trend.unit.text($0.shift.after, besides: $0.shift.before)) },
        .right("confidence") { .text($0.shift.confidenceText) },
        .right("nights") { .text(Format.integer($0.shift.support)) },
        group.contains { codeShare(of: $0) != nil } ? code : nil)
      // The range of commits of the first figure stands for the whole group. The range of another figure may be wider,
      // if a night did not measure that figure.
      return [.paragraph(heading(group[0], commits)), .table(table)]
    }
  }

  private func heading(_ finding: Finding, _ words: (String) -> String?) -> RichText {
    let isDrift = finding.shift.position != finding.shift.levelPosition
    let days = dayText(of: finding)
    let nights: RichText = isDrift ? "Drift in the nights of \(days)" : "From the night of \(days) on"
    guard let range = commitRange(of: finding) else { return "\(nights), commits unknown:" }
    guard range.good != range.bad else {
      let cause = isUnmoved(finding) ? ", so the code is not the cause" : ""
      return "\(nights), both at commit \(code: range.bad.prefix(12))\(cause):"
    }
    if let words = words(range.bad) { return "\(nights), \(words):" }
    return "\(nights), commits \(code: commits(of: finding, digits: 12) ?? ""):"
  }
}

extension HistoryAnalysis.CodeShare {
  fileprivate var words: String {
    switch self {
    case .reported: "changed, as reported then"
    case .drifted(let ratio): "drifted by \(ratio.text)"
    case .unmoved(let ratio):
      ratio.low > 0 || ratio.high < 0 ? "changed by only \(ratio.text)" : "did not change (\(ratio.interval))"
    }
  }
}

extension Night.Culprit {
  /// A sentence on the commit that caused a change, without a full stop.
  var sentence: String { Self.sentence([self]) }

  /// Returns a sentence on the commit that caused these changes. It states the least of their confidences.
  fileprivate static func sentence(_ changes: [Self]) -> String {
    let commits = changes[0].commits
    let last = commits[commits.count - 1]
    let name = "\(last.hash.prefix(10)) \(last.subject)"
    let commit = commits.count == 1 ? name : "one of \(commits.count) commits up to \(name)"
    let figures = changes.prefix(3).map { "\($0.id) \($0.figure)" }
    let others = changes.count > 3 ? [Format.plural(changes.count - 3, "other figure")] : []
    let least = changes.map(\.confidence).min() ?? 0
    return "\(Format.list(figures + others)): by \(commit) (\(Words.certainty(least)) sure)"
  }
}
