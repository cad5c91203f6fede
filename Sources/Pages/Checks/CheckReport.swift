import FrameBench
import Judging
import Markup
import Measurements
import TextFormat

package struct CheckReport: Sendable {
  /// The command that wrote the report, such as `springbench compare main`.
  package var title: String
  /// The verdict in one sentence.
  package var headline: String
  /// Sentences on the baseline and on what was judged. Nil if the checks already say this.
  package var against: String?
  /// The checks, in the order in which reports list them.
  package var checks: [Check]
  /// The comparison that the rows of the checks come from. Nil if nothing was compared.
  package var comparison: ComparisonDocument?
  /// Returns the command line that repeats the checks of these benchmarks, or all checks if `benchmarks` is empty.
  package var repeating: @Sendable (_ benchmarks: [BenchmarkID]) -> String
  /// The start in UTC, as ISO 8601.
  package var startedAt: String
  /// The wall time in seconds.
  package var durationSeconds: Double

  package init(
    title: String, headline: String, against: String? = nil, checks: [Check], startedAt: String,
    durationSeconds: Double, comparison: ComparisonDocument? = nil,
    repeating: @escaping @Sendable (_ benchmarks: [BenchmarkID]) -> String
  ) {
    (self.title, self.headline, self.against, self.checks) = (title, headline, against, checks)
    (self.startedAt, self.durationSeconds) = (startedAt, durationSeconds)
    (self.comparison, self.repeating) = (comparison, repeating)
  }

  package mutating func addRemark(_ sentence: String) { against = against.map { "\($0) \(sentence)" } ?? sentence }

  package var failed: [Check] { checks.filter { $0.outcome == .failed } }
  package var noted: [Check] { checks.filter { $0.outcome == .noted } }

  package var failedGroups: [CheckGroup] { CheckGroup.all(of: failed, in: comparison) }
  /// Groups of noted checks. Uncertain times are left out, because a busy machine has many of them.
  package var notedGroups: [CheckGroup] {
    CheckGroup.all(of: noted.filter { ![.inconclusive, .notJudged].contains($0.kind) }, in: comparison)
  }

  /// Whether nothing failed, and no figure and no rule is known to have changed.
  package var changesNothing: Bool {
    failed.isEmpty && comparison?.changes.isEmpty != false && comparison?.ruleChanges == nil
  }

  /// Sentences on figures that the comparison did not measure or did not judge, and on other uncertainties.
  package var doubts: [RichText] {
    guard let comparison else { return [] }
    let identical = headline == comparison.headline ? nil : comparison.identicalPrograms
    let sentences = [identical].compactMap(\.self) + comparison.reservations.filter { $0 != comparison.uncertainty }
    return sentences.map(RichText.text) + comparison.doubts
  }

  /// The command to run after the first failure. It includes `--profile` only after a comparison of two builds, because
  /// otherwise there are no programs to profile.
  package var next: NextStep? {
    guard let first = failedGroups.first else { return nil }
    let command = repeating(first.repeated)
    guard first.kind == .regression, let comparison, comparison.method.source == .lockStep, comparison.profiles == nil
    else { return NextStep(words: "to look at it again", command: command) }
    return NextStep(words: "to look at it again, and see which functions grew", command: command + " --profile")
  }

  /// Returns the report as a page: what became worse or better, what else failed, the next step, and other findings.
  package func blocks(link: @escaping FileLink = { _ in nil }) -> [Block] {
    var blocks: [Block] = [.paragraph(.strong(headline, failed.isEmpty ? .good : .bad))]
    if let against { blocks.append(.paragraph("\(against)")) }
    let groups = failedGroups
    if let comparison {
      if let counts = comparison.counts { blocks.append(.paragraph("\(counts)")) }
      let worse = groups.compactMap { group in group.change.map { (finding: $0, addition: group.addition) } }
      let better = comparison.changes.filter { $0.verdict == .improved }.map { (finding: $0, addition: "" as RichText) }
      blocks += comparison.changeBlocks(worse + better, link)
    }
    let others = groups.enumerated().filter { $0.element.change == nil }
    let lines = others.compactMap { $0.offset > 0 ? line($0.element) : restOfHeadline($0.element) }
    if !lines.isEmpty { blocks.append(.list(lines)) }
    if let next { blocks += next.blocks }
    let passed = checks.count { $0.outcome == .passed }
    let unsure = noted.count { $0.kind == .inconclusive }
    let counts = [
      passed > 0 ? "\(Format.plural(passed, "check")) passed" : nil,
      unsure > 0 ? "\(Format.integer(unsure)) inconclusive" : nil,
    ].compactMap(\.self)
    if !counts.isEmpty { blocks.append(.paragraph("\(counts.joined(separator: ", ")).")) }
    blocks += doubts.map(Block.paragraph)
    let groupsOfNotes = notedGroups
    let rules = groupsOfNotes.filter { $0.kind == .ruleChanged }
    if !rules.isEmpty { blocks.append(.list(rules.map(line))) }
    let notes = groupsOfNotes.filter { $0.kind != .ruleChanged }
    if !notes.isEmpty {
      blocks.append(.details(summary: "\(notes.count) noted, without failing", [.list(notes.map(line))]))
    }
    return blocks
  }

  private func line(_ group: CheckGroup) -> RichText {
    "\(strong: RichText(group.words)): \(group.text)\(place(group))"
  }

  /// The facts about the first group that the headline leaves out. Nil if there are none.
  private func restOfHeadline(_ group: CheckGroup) -> RichText? {
    let rest: RichText = "\(place(group))\(group.detail)"
    return rest.isEmpty ? nil : "\(strong: RichText(group.words))\(rest)"
  }

  private func place(_ group: CheckGroup) -> RichText { group.places.map { " (\(code: $0))" } ?? "" }

  /// Returns the page as HTML, with pictures before the folded details: the intervals of all changes and, for the
  /// benchmarks that changed most, the costs of both builds along the scroll.
  package func html(_ blocks: [Block]) -> String {
    var page = [.heading(level: 1, "\(title)")] + blocks
    var pictures: [(id: String, drawing: any Drawable)] = []
    if let plot = comparison.flatMap(IntervalPlot.init) { pictures.append(("intervals", plot)) }
    for (index, scroll) in (comparison?.shownScrolls ?? []).enumerated() {
      let charts = [scroll.ratioChart(), scroll.distributionChart()].compactMap(\.self)
      pictures += zip(["scroll", "frames"], charts).map { ("\($0)-\(index)", $1) }
    }
    let details = page.firstIndex { if case .details = $0 { true } else { false } } ?? page.endIndex
    page.insert(
      contentsOf: pictures.map { .paragraph(RichText([.image(alternative: $0.drawing.title, source: $0.id)])) },
      at: details)
    let figures = pictures.map { ($0.id, $0.drawing.figure(id: $0.id)) }
    return page.html(title: title, figures: Dictionary(uniqueKeysWithValues: figures))
  }

  /// The checks as one JSON array, one check per line. Every check has all seven keys; `file` and `line` may be null.
  package func json() -> String {
    JSONText.rows(
      checks.map { check in
        JSONText.object([
          ("subject", JSONText.string(check.subject)), ("figure", JSONText.string(check.figure)),
          ("kind", JSONText.string(check.kind.rawValue)), ("outcome", JSONText.string(check.outcome.rawValue)),
          ("sentence", JSONText.string(check.sentence)), ("file", JSONText.text(check.place?.path)),
          ("line", check.place.map { String($0.line) }),
        ])
      })
  }
}

/// Checks with the same cause: figures that changed together, or benchmarks that exceed one limit.
package struct CheckGroup: Sendable {
  package let kind: Check.Kind
  /// The checks of the group, at least one.
  package let checks: [Check]
  /// The result in one sentence without a full stop, such as `0 → 1,200 allocations in solve of 9 benchmarks`. It is
  /// short enough for a headline.
  package let sentence: String
  /// The text that continues the sentence: place, benchmarks and remarks.
  package let detail: RichText
  /// The change that the checks of the group report. Nil for limits, failures and inconclusive times.
  package var change: ComparisonFinding?
  /// A note on the change from outside the comparison, such as an acknowledgement or an exceeded limit.
  package var addition: RichText = ""

  package var text: RichText { "\(sentence)\(detail)" }
  /// The words that reports put before `sentence`, such as `regression`. They are `new` if only the candidate has the
  /// figure.
  package var words: String { kind == .missing ? checks[0].row?.words ?? kind.words : kind.words }
  package var place: (path: String, line: Int)? { checks.lazy.compactMap(\.place).first }
  /// The places of all exceeded limits in the budget file, such as `springbench.yml:8, 9`.
  package var places: String? {
    let all = checks.compactMap(\.place)
    return all.first.map { "\($0.path):\(all.map { "\($0.line)" }.unique.joined(separator: ", "))" }
  }
  /// The benchmarks to run to repeat the first check, which has the largest change.
  package var repeated: [BenchmarkID] { checks[0].benchmarks }

  /// Returns the groups of these checks, the most serious first. Exit codes have the same order of precedence.
  package static func all(of checks: [Check], in comparison: ComparisonDocument?) -> [CheckGroup] {
    var groups = ofRows(checks, comparison)
    for limit in ofLimits(checks.filter { $0.row == nil || comparison == nil }) {
      // If a regression is the reason why a limit is exceeded, both checks are in one group.
      if let index = groups.firstIndex(where: { $0.explains(limit) }) {
        let cause = groups[index]
        let excess: RichText = "over budget: \(limit.text)"
        let additions = [cause.addition, excess].filter { !$0.isEmpty }
        groups[index] = CheckGroup(
          kind: cause.kind, checks: cause.checks + limit.checks, sentence: cause.sentence,
          detail: "\(cause.detail); \(excess)", change: cause.change, addition: additions.joined(separator: "; "))
      } else {
        groups.append(limit)
      }
    }
    return groups.sorted { $0.rank < $1.rank }
  }

  private var rank: Int {
    let order: [Set<Check.Kind>] = [
      [.failure], [.behaviorChanged, .missing], [.regression], [.budget], [.notInBaseline],
    ]
    return order.firstIndex { $0.contains(kind) } ?? order.count
  }

  /// Whether this regression explains the exceeded limit: the same figures of the same benchmarks regressed.
  private func explains(_ limit: CheckGroup) -> Bool {
    guard kind == .regression, limit.kind == .budget, limit.checks[0].remark == nil, limit.checks[0].isMeasured,
      let metric = FigureName(limit.checks[0].figure)?.metric
    else { return false }
    let regressed = Set(checks.filter { $0.row?.metric.name == metric }.flatMap(\.benchmarks))
    return limit.checks.allSatisfy { !$0.benchmarks.isEmpty && regressed.isSuperset(of: $0.benchmarks) }
  }

  // MARK: Comparisons

  private static func ofRows(_ checks: [Check], _ comparison: ComparisonDocument?) -> [CheckGroup] {
    guard let comparison else { return [] }
    return checks.filter { $0.row != nil }.grouped { [$0.kind.rawValue, $0.remark] }.flatMap { _, own in
      guard own[0].kind == .inconclusive else {
        let checks = Dictionary(grouping: own) { $0.row?.id }
        return ComparisonFinding.all(of: own.compactMap(\.row)).map { CheckGroup($0, checks, comparison) }
      }
      guard own.count > 1 else { return [CheckGroup(single: own[0])] }
      let ids = own.compactMap { $0.row?.id }.unique
      let sentence = "\(Format.plural(own.count, "time")) may differ, in \(Format.plural(ids.count, "benchmark"))"
      return [CheckGroup(kind: .inconclusive, checks: own, sentence: sentence, detail: ": \(ids.shortList)")]
    }
  }

  // MARK: Limits and failures

  private static func ofLimits(_ checks: [Check]) -> [CheckGroup] {
    let groups = checks.enumerated().grouped { index, check in
      let place = check.place.map { "\($0.path):\($0.line)" } ?? "\(index)"
      return [check.kind.rawValue, check.remark, place, check.isMeasured ? nil : ""]
    }
    return groups.map { _, group in
      let sorted = group.map(\.element).sorted { ($0.excess ?? 0) > ($1.excess ?? 0) }
      guard sorted.count > 1 else { return CheckGroup(single: sorted[0]) }
      let others = sorted.dropFirst()
      let tail = sorted[0].remark.map { "; \($0)" } ?? ""
      let first = sorted[0].sentence.dropLast(tail.count)
      let beyond = sorted[0].kind == .budget && sorted[0].isMeasured ? " beyond the same limit" : ""
      let sentence = "\(first), and \(others.count) more\(beyond)"
      let ids = others.compactMap { BenchmarkID($0.subject) }
      let names: RichText = ": \(ids.count == others.count ? ids.shortList : others.map { .code($0.subject) }.list())"
      return CheckGroup(kind: sorted[0].kind, checks: sorted, sentence: sentence, detail: "\(names)\(tail)")
    }
  }
}

extension CheckGroup {
  /// - Parameter checks: The checks of each benchmark.
  private init(_ change: ComparisonFinding, _ checks: [BenchmarkID?: [Check]], _ comparison: ComparisonDocument) {
    // The checks are in the order of the change's benchmarks, the worst first.
    let own = change.members.flatMap { member in
      (checks[member.lead.id] ?? []).filter { check in check.row.map(member.rows.contains) ?? false }
    }
    let isNamed = change.members.count == 1
    let numbers = change.cause == .time && isNamed ? change.size : ""
    let notes = change.cause == .behavior ? [] : change.notes(in: comparison)
    let finding = change.members.lazy.compactMap { comparison.finding($0.lead) }.first
    let parts = [numbers] + notes + [finding, own[0].remark].compactMap(\.self)
    let names: [RichText] = isNamed ? [] : [" (\(change.ids.shortList))"]
    self.init(
      kind: own[0].kind, checks: own, sentence: change.sentence,
      detail: (names + parts.filter { !$0.isEmpty }.map { "; \($0)" }).joined(separator: ""), change: change,
      addition: own[0].remark.map(RichText.text) ?? "")
  }

  private init(single check: Check) {
    self.init(kind: check.kind, checks: [check], sentence: check.sentence, detail: "")
  }
}
