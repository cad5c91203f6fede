import Judging
import Markup
import Measurements
import Statistics
import TextFormat

/// A command to run after a failure, with its purpose.
package struct NextStep: Sendable {
  /// The purpose of the command, such as `to look at it again`. It precedes a colon and is not capitalized.
  package var words: String
  package var command: String

  package init(words: String, command: String) { (self.words, self.command) = (words, command) }

  package var line: String { "\(words): \(command)" }

  package var blocks: [Block] {
    [.paragraph("\(words.prefix(1).uppercased() + words.dropFirst()):"), .codeBlock(command, language: "sh")]
  }
}

/// A comparison as a page to read in ten seconds, such as a comment on GitHub. The blocks depend only on the document.
extension ComparisonDocument {
  /// Returns the page: verdict, failures, a table of changes with a row for each cause, next step, and folded details.
  package func blocks(next: NextStep? = nil, link: @escaping FileLink = { _ in nil }) -> [Block] {
    [.paragraph(.strong(headline, tone)), .paragraph("\(name(candidate)) against \(name(baseline))")]
      + (counts.map { [.paragraph("\($0)")] } ?? []) + findings(next: next, link: link)
  }

  /// The blocks that follow the verdict and the counts.
  package func findings(next: NextStep? = nil, link: @escaping FileLink = { _ in nil }) -> [Block] {
    var blocks: [Block] = []
    if !failures.isEmpty { blocks.append(.list(failures.map { "\(code: $0.id): \($0.briefReason)" })) }
    blocks += changeBlocks(changes.map { ($0, "") }, link)
    if let ruleChanges { blocks.append(.list(ruleChanges.map { .text($0.line) })) }
    if let next { blocks += next.blocks }
    return blocks + reservations.map { .paragraph(RichText($0)) } + details(link: link)
  }

  /// The details: first profiles of what regressed, then single figures and the method, which are folded.
  package func details(link: FileLink = { _ in nil }) -> [Block] {
    profileBlocks(link) + figureBlocks + [.details(summary: "How this was measured", [.list(methodLines + doubts)])]
  }

  /// The scrolls (times of all frames) to draw, at most four. For each change of times, this is the scroll of the
  /// benchmark that changed most.
  package var shownScrolls: [ScrollRecord] {
    let ids = changes.filter { $0.cause == .time }.map { $0.members[0].lead.id }.unique
    return ids.prefix(4).compactMap { id in scrolls?.first { $0.id == id } }
  }

  /// A change, and a note from outside the comparison, such as an acknowledgement. The note may be empty.
  package typealias Change = (finding: ComparisonFinding, addition: RichText)

  /// A table with a row for each cause (a group of figures that changed together). If there are many causes, it shows
  /// only the first regressions and improvements, and a second, folded table contains the rest.
  package func changeBlocks(_ changes: [Change], _ link: @escaping FileLink) -> [Block] {
    guard !changes.isEmpty else { return [] }
    let worse = changes.filter { $0.finding.verdict != .improved }
    let better = changes.filter { $0.finding.verdict == .improved }
    let rest = Array(worse.dropFirst(8) + better.dropFirst(4))
    let shown = Block.table(table(of: Array(worse.prefix(8) + better.prefix(4)), link))
    guard !rest.isEmpty else { return [shown] }
    return [shown, .details(summary: Format.plural(rest.count, "more change"), [.table(table(of: rest, link))])]
  }

  private func table(of changes: [Change], _ link: @escaping FileLink) -> Table {
    func place(_ change: Change) -> RichText {
      let profile = change.finding.isNew ? nil : self.profile(of: change.finding, link)
      let parts = change.finding.notes(in: self).map(RichText.text) + [profile, change.addition].compactMap(\.self)
      return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
    let hasPlaces = changes.contains { !place($0).isEmpty }
    return Table(
      changes, .left("Verdict") { RichText($0.finding.words, isStrong: !$0.finding.isNew) },
      .left("What") { $0.finding.what }, .left("Base → head") { $0.finding.ends },
      .left("Change") { .text($0.finding.extent) }, .left("Benchmarks") { $0.finding.ids.shortList },
      hasPlaces ? .left("Where", place) : nil)
  }

  private func profile(of change: ComparisonFinding, _ link: FileLink) -> RichText? {
    let found = (profiles ?? []).filter { $0.folder != nil }
    guard let member = change.members.first(where: { member in found.contains { $0.id == member.lead.id } }),
      let profile = profile(of: member.lead), let page = profile.page
    else { return nil }
    let findings = [member.lead, member.time].compactMap { row in
      row.flatMap { profile.finding($0, hasPlaces: false, isCut: true) }
    }
    let graph = profile.flameGraph.map { linked("flame graph", $0, link) }
    let files = [graph, linked("profile", page, link)].compactMap(\.self).joined(separator: ", ")
    return (findings + [files]).joined(separator: ": ")
  }

  private var figureBlocks: [Block] {
    let changed = rows.filter(\.verdict.isChange).withoutEchoes
    let instructions = InstructionVerdicts(self)
    func place(_ row: ComparisonRow) -> RichText { self.place(row, instructions) }
    let shown = Set(changed)
    let others = rows.filter { !shown.contains($0) }
    let uncertain = others.count { $0.verdict == .inconclusive && $0.isMean }
    let tail = uncertain > 0 ? ", \(uncertain) of them inconclusive" : ""
    // If all changes share one note, the table of causes already contains it, so the column is left out here.
    let withNotes = Set(changed.map(place)).count > 1
    let figures = Format.plural(others.count, changed.isEmpty ? "figure" : "other figure")
    let folds: [(rows: [ComparisonRow], summary: String, place: ((ComparisonRow) -> RichText)?)] = [
      (changed, "\(Format.plural(changed.count, "figure")) changed", withNotes ? place : nil),
      (others, figures + tail, nil),
    ]
    return folds.filter { !$0.rows.isEmpty }.map { .details(summary: $0.summary, [table($0.rows, place: $0.place)]) }
  }

  private func name(_ build: BuildName) -> RichText {
    guard let commit = build.commit else { return .code(build.name) }
    return "\(code: build.name) (\(code: commit.prefix(7)))"
  }

  private func table(_ rows: [ComparisonRow], place: ((ComparisonRow) -> RichText)?) -> Block {
    let percent = Words.percent
    return .table(
      Table(
        rows, .left("Benchmark") { .code($0.id.description) }, .left("Figure") { .text($0.figureText) },
        .right("Baseline") { .text($0.baselineText) }, .right("Candidate") { .text($0.candidateText) },
        .right("Change") { .text($0.changeText) },
        rows.contains { $0.control != nil } ? .right("Noise") { .text($0.control.map(percent) ?? "") } : nil,
        rows.contains { $0.layout != nil }
          ? .right("Layout") { .text($0.layout.map { "±\(percent($0))" } ?? "") } : nil,
        .left("Verdict") { RichText($0.words, isStrong: $0.verdict.isChange) },
        place.map { TableColumn.left("Where", $0) }))
  }

  /// Returns the row's note on where the difference is, and a note if both builds execute equally many instructions.
  private func place(_ row: ComparisonRow, _ instructions: InstructionVerdicts) -> RichText {
    let same = instructions.areSame(row) == true ? Words.sameInstructions : nil
    return .text([row.note, same].compactMap(\.self).joined(separator: "; "))
  }

  private func linked(_ title: RichText, _ path: String, _ link: FileLink) -> RichText {
    link(path).map { "\(title, link: $0)" } ?? "\(title) in \(code: path)"
  }

  private func profileBlocks(_ link: FileLink) -> [Block] {
    guard let profiles = profiles, !profiles.isEmpty else { return [] }
    let found = profiles.compactMap { profile -> RichText? in
      guard let page = profile.page else { return nil }
      let frame = profile.frame.map { frame -> RichText in
        let place = profile.frames.map { " (\($0.words))" } ?? ""
        return "a frame at its quickest \(TimeUnit.text(frame.baseline)) → \(TimeUnit.text(frame.candidate))\(place)"
      }
      let pages = [linked("profile", page, link), profile.flameGraph.map { linked("flame graph of both", $0, link) }]
      let parts =
        findings(profile, isCut: true).map { .strong($0) }
        + [pages.compactMap(\.self).joined(separator: ", "), frame].compactMap(\.self)
      return "\(code: profile.id): \(parts.joined(separator: "; "))"
    }
    let problems = profileProblems.map { problem -> RichText in
      "\(problem.subject.prefix(1).uppercased() + problem.subject.dropFirst()) \(problem.rest)"
    }
    return [.paragraph("What grew, by profiles of both builds in the same frames:"), .list(found + problems)]
  }

  private var methodLines: [RichText] {
    switch method.source {
    case .documents: documentMethod
    case .identicalPrograms:
      ["Everything that is loaded from the two programs is the same: machine code, data, and addresses."]
    case .lockStep:
      (sameCode == nil ? [] : [Self.sameCodeMethod]) + (method.screeningSetCounts == nil ? [] : lockStepMethod)
    }
  }

  private static let sameCodeMethod: RichText = """
    A benchmark runs the same code if, in all its frames, it enters only functions that both programs have, with the \
    same instructions and references; if both load the same libraries; and if a play of each takes \
    about as long.
    """

  private var lockStepMethod: [RichText] {
    func text(_ counts: ClosedRange<Int>) -> String {
      counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    }
    let confirmed =
      method.confirmingSetCounts.map { ", and \(text($0)) more for each that looked changed; only these decide" }
      ?? "; none looked changed"
    // If several machines shared the comparison, each part has its own seed, so no seed is shown.
    let parts = partCount.map { "\(Format.plural($0, "part")), each within itself, and judged together" }
    let layouts = method.layoutCount.map { count -> RichText in
      """
      Layout: how far the places of functions in the program alone move the baseline's time (one standard \
      deviation). The sets of each benchmark ran in \(count) link orders or more, each the same for both builds, with \
      unchanged code at the same addresses.
      """
    }
    return [
      """
      Both builds played the whole scroll in turns on the same cores, in fresh processes: \
      \(text(method.screeningSetCounts ?? 0...0)) sets of each benchmark\(confirmed).
      """,
      """
      A change counts beyond a tolerance of \(Words.percent(method.tolerance)) (more for few frames: ten times for a \
      single one) and the noise, by a signed-rank test, or Student's t for fewer than \
      \(PairedTimes.leastRankedCount) sets, corrected for \(Format.plural(method.testCount, "suspect")) (Holm, \
      \(Words.percent(method.familyAlpha))); intervals are 98%. Times are means per frame unless they say otherwise; other \
      figures are exact totals over all recorded frames, but for what the system grants, \
      such as resident memory, which is shown and never judged.
      """,
      """
      Noise: by how much the baseline differed from itself, in the same turns. \(parts ?? "Seed \(method.seed)"); \
      \(Format.fixed(durationSeconds, decimals: 0)) s.
      """,
    ] + [layouts].compactMap(\.self)
  }

  private var documentMethod: [RichText] {
    let tests =
      "\(Format.plural(method.testCount, "time")) were tested (Student's t, Holm's correction, level"
      + " \(Format.significant(method.familyAlpha)))."
    return [
      """
      Two stored runs. Allocations, counts and checksums are exact; instructions count beyond \
      \(Words.percent(Metric.instructionCount.tolerance)). What the system grants, such as resident memory, is shown \
      and never judged.
      """,
      """
      Times are means of the aligned frames. A time is judged where the baseline has at least \
      \(ComparisonRule.leastMeasurementCount) measurements, by their spread: it changed if it lies beyond what another \
      measurement of the same program would show, beyond what another link order may explain, and beyond a step of the \
      clock. \(method.testCount == 0 ? "No time was judged." : tests)
      """,
    ]
  }

  // MARK: Terminals

  /// The comparison for a terminal: a line for each cause, then the verdict and how it was measured.
  package func text(width: Int = 80, usesColor: Bool, next: NextStep? = nil) -> String {
    let sentences = ((ruleChanges ?? []).map(\.line) + reservations).map { RichText.text($0) }
    let tail: RichText = """
      \(Format.plural(rows.count, "figure")) in \(Format.fixed(durationSeconds, decimals: 1)) s, tolerance \
      \(Words.percent(method.tolerance)), seed \(method.seed)
      """
    let lines =
      failures.map(\.line) + changes.map(lines) + sentences + profileLines + warnings.map(\.line)
      + [next?.line].compactMap { $0.map(RichText.text) } + [.strong(headline), tail]
    return Terminal(width: width, usesColor: usesColor).render([.list(lines)])
  }

  private func lines(_ change: ComparisonFinding) -> RichText {
    let lead = change.members[0].lead
    let noise = [
      change.cause == .time ? change.size : nil, lead.control.map { "noise \(Words.percent($0))" },
      lead.layout.map { "layout ±\(Words.percent($0))" },
    ].compactMap(\.self).joined(separator: ", ")
    let names = change.members.count > 1 ? change.ids.shortList : ""
    let scroll = change.cause == .time ? scrolls?.first { $0.id == lead.id } : nil
    let line = scroll.map { $0.sparkline() } ?? ""
    let notes =
      (line.isEmpty ? [] : ["along the scroll \(line)"])
      + (change.cause == .behavior ? [] : change.notes(in: self).map(RichText.text))
    let sentence = "\(change.words): \(change.sentence)"
    return ([change.tone.map { .strong(sentence, $0) } ?? .text(sentence), names, .text(noise)] + notes).filter {
      !$0.isEmpty
    }.lines()
  }

  private var profileLines: [RichText] {
    let found = (profiles ?? []).compactMap { profile -> RichText? in
      guard let page = profile.page else { return nil }
      let findings = findings(profile)
      let finding = findings.isEmpty ? [] : [findings.joined(separator: "; ")]
      return "profile  \((["\(profile.id)"] + finding + ["\(page)"]).joined(separator: ": "))"
    }
    return found + profileProblems.map { "\($0.subject) \($0.rest)" }
  }

  /// The functions that made the figures of a benchmark worse, in words: one text for times, one for allocations.
  private func findings(_ profile: RegressionProfile, isCut: Bool = false) -> [RichText] {
    let profiled = profiledRows
    return rows.filter { $0.id == profile.id && profiled.contains($0) }.compactMap { profile.finding($0, isCut: isCut) }
  }

  /// The problems of profiles as sentences without a full stop. Each names the benchmarks that it concerns.
  private var profileProblems: [(subject: String, rest: RichText)] {
    let problems = (profiles ?? []).filter { $0.problem != nil }
    return problems.grouped { [$0.folder == nil ? "no profile of" : "not in the profile of", $0.problem ?? ""] }.map {
      key, profiles in
      (key[0], "\(profiles.map { RichText.code($0.id.description) }.shortened(to: 3).list()): \(key[1])")
    }
  }

  /// The rows as one JSON array, one row per line. Each row has all thirteen keys. A regressed row has four more keys
  /// if its benchmark was profiled.
  package func flatRowsJSON() -> String {
    let profiles = Dictionary((profiles ?? []).map { ($0.id, $0) }) { first, _ in first }
    return JSONText.rows(rows.map { $0.json(profile: $0.verdict == .regressed ? profiles[$0.id] : nil) })
  }
}

extension RegressionProfile {
  package var page: String? { folder.map { "\($0)/\(ProfileFile.summary.rawValue)" } }
  /// The path of the flame graph in red and blue. Nil if time was not profiled.
  package var flameGraph: String? { frame == nil ? nil : folder.map { "\($0)/\(ProfileFile.difference.rawValue)" } }

  /// The functions that made a figure worse, in words. Nil if they are unknown.
  /// - Parameter isCut: Whether names are cut to 72 characters.
  package func finding(_ row: ComparisonRow, hasPlaces: Bool = true, isCut: Bool = false) -> RichText? {
    let isAllocation = Self.isAllocation(row)
    let movers = isAllocation ? allocators : movers
    guard let first = movers.first else {
      return frame == nil || isAllocation ? nil : "no function grew by more than chance explains"
    }
    // The second function is mentioned if it grew at least a third as much as the first.
    let shown = movers.prefix(2).filter { $0.unit == first.unit && 3 * $0.growth >= first.growth }
    func code(_ name: String) -> RichText { .code(isCut && name.count > 72 ? name.prefix(71) + "…" : name) }
    return shown.map { mover -> RichText in
      let caller = mover.caller.map { "in \(code($0)) " as RichText } ?? ""
      let place = hasPlaces ? mover.position.map { " (\($0))" } : nil
      return "\(code(mover.function)) \(caller)\(mover.text)\(place ?? "")"
    }.joined(separator: ", ")
  }
}

extension RegressionProfile.Mover {
  /// The growth in words: `+120 ns`, `0 → 9 allocations`.
  package var text: String {
    switch unit {
    case .nanoseconds: "+\(TimeUnit.text(growth))"
    case .bytes: "\(ByteUnit.text(baseline)) → \(ByteUnit.text(candidate)) allocated"
    default: "\(Format.count(baseline)) → \(Format.count(candidate)) allocations"
    }
  }
}

extension FrameSet {
  /// The frames as JSON: `[[780, 879, 1]]` contains the first frame, the last frame, and the step between frames.
  fileprivate var json: String {
    "[\(strides.map { "[\($0.first), \($0.last), \($0.step)]" }.joined(separator: ", "))]"
  }
}

extension ComparisonRow {
  /// The row as one line of JSON, with all thirteen keys in the documented order. A profile adds four keys.
  fileprivate func json(profile: RegressionProfile?) -> String {
    let text = JSONText.text
    let own = [
      ("id", text(id.description)), ("metric", text(metric.name)), ("phase", text(phase)),
      ("statistic", text(statistic?.rawValue)), ("frames", frames.map(\.json)), ("baseline", baseline?.json),
      ("candidate", candidate?.json), ("change", change.map(JSONText.number)), ("low", low.map(JSONText.number)),
      ("high", high.map(JSONText.number)), ("pValue", pValue.map(JSONText.number)), ("verdict", text(verdict.rawValue)),
      ("layout", layout.map(JSONText.number)),
    ]
    let ofProfile = profile.map { profile in
      [
        ("profile", text(profile.page)), ("largestMover", text(profile.largest(self)?.function)),
        ("largestMoverCaller", text(profile.largest(self)?.caller)), ("profileProblem", text(profile.problem)),
      ]
    }
    return JSONText.object(own + (ofProfile ?? []))
  }
}

extension [ComparisonRow] {
  /// The rows without those of sets of frames that changed as much as all frames did: their change is within a tenth of
  /// the change of the mean.
  fileprivate var withoutEchoes: [ComparisonRow] {
    let means = Dictionary(filter(\.isMeanFrame).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return filter { row in
      guard row.frames != nil, let mean = means[row.id], row.verdict == mean.verdict, let change = row.change,
        let whole = mean.change
      else { return true }
      return abs(change - whole) > abs(whole) / 10
    }
  }
}
