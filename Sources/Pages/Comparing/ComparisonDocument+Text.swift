import Judging
import Measurements
import Statistics
import TextFormat

/// A comparison as a comment to read in ten seconds. The same blocks for the same document.
extension ComparisonDocument {
  /// Verdict, failures, changes with a row for each cause, how to repeat the regressed ones, and folded details.
  package func blocks(repeated: String? = nil, link: @escaping FileLink = { _ in nil }) -> [Block] {
    [.paragraph(.strong(headline, tone)), .paragraph("\(name(candidate)) against \(name(baseline))")]
      + findings(repeated: repeated, link: link)
  }

  /// All but the verdict.
  func findings(repeated: String? = nil, link: @escaping FileLink = { _ in nil }) -> [Block] {
    var blocks: [Block] = []
    if !failures.isEmpty { blocks.append(.list(failures.map { "\(code: $0.id): \($0.briefReason)" })) }
    let changes = changes
    if !changes.isEmpty { blocks.append(.table(causes(changes, link))) }
    if let ruleChanges { blocks.append(.list(ruleChanges.map { .text($0.line) })) }
    if let repeated { blocks += [.paragraph("To look at it again:"), .codeBlock(repeated, language: "sh")] }
    let sentences = [sameCode, uncertainty, disagreement, tolerances].compactMap(\.self)
    return blocks + sentences.map { .paragraph(RichText($0)) } + details(link: link)
  }

  /// Details of the causes: profiles, and folded single figures and the method.
  package func details(link: FileLink = { _ in nil }) -> [Block] {
    profileBlocks(link) + figureBlocks + [.details(summary: "How this was measured", [.list(methodLines + doubts)])]
  }

  /// The scrolls of the benchmarks that lead a cause by their time, at most four.
  var shownScrolls: [ScrollRecord] {
    let ids = changes.filter { $0.cause == .time }.map { $0.members[0].lead.id }.unique
    return ids.prefix(4).compactMap { id in scrolls?.first { $0.id == id } }
  }

  private func causes(_ changes: [ComparisonFinding], _ link: @escaping FileLink) -> Table {
    Table(
      changes, .left("Verdict") { RichText($0.words, isStrong: !$0.isNew) }, .left("What") { $0.what },
      .left("Change") { .text($0.size) }, .left("Benchmarks") { $0.ids.shortList },
      .left("Where") { change in
        let profile = change.isNew ? nil : self.profile(of: change, link)
        return (change.notes(in: self).map(RichText.text) + [profile].compactMap(\.self)).joined(separator: "; ")
      })
  }

  private func profile(of change: ComparisonFinding, _ link: FileLink) -> RichText? {
    guard let member = change.members.first(where: { profile(of: $0.lead)?.page != nil }),
      let found = profile(of: member.lead), let page = found.page
    else { return nil }
    let findings = [member.lead, member.time].compactMap { row in
      row.flatMap { found.finding($0, hasPlaces: false, isCut: true) }
    }
    return (findings + [linked("profile", page, link)]).joined(separator: ": ")
  }

  private var figureBlocks: [Block] {
    let changed = rows.filter(\.verdict.isChange)
    let others = rows.filter { !$0.verdict.isChange }
    let uncertain = others.count { $0.verdict == .inconclusive && !$0.isOfSomeFrames }
    let tail = uncertain > 0 ? ", \(uncertain) of them inconclusive" : ""
    // A note that all changes share stands with the causes.
    let withNotes = Set(changed.map(place)).count > 1
    let figures = Format.plural(others.count, changed.isEmpty ? "figure" : "other figure")
    return [(changed, "\(Format.plural(changed.count, "figure")) changed", withNotes), (others, figures + tail, false)]
      .filter { !$0.0.isEmpty }.map { .details(summary: $1, [table($0, withNotes: $2)]) }
  }

  private func name(_ build: BuildName) -> RichText {
    guard let commit = build.commit else { return .code(build.name) }
    return "\(code: build.name) (\(code: commit.prefix(7)))"
  }

  private func table(_ rows: [ComparisonRow], withNotes: Bool) -> Block {
    let percent = Words.percent
    return .table(
      Table(
        rows, .left("Benchmark") { .code($0.id.description) }, .left("Figure") { .text($0.figureText) },
        .right("Baseline") { .text($0.baselineText) }, .right("Candidate") { .text($0.candidateText) },
        .right("Change") { .text($0.changeText) },
        rows.contains { $0.control != nil } ? .right("Noise") { .text($0.control.map(percent) ?? "") } : nil,
        rows.contains { $0.layout != nil }
          ? .right("Layout") { .text($0.layout.map { "±\(percent($0))" } ?? "") } : nil,
        .left("Verdict") { RichText($0.words, isStrong: $0.verdict.isChange) }, withNotes ? .left("Where", place) : nil)
    )
  }

  /// The place of the difference, and whether more work is behind it.
  private func place(_ row: ComparisonRow) -> RichText {
    let same = takesSameInstructions(row) == true ? Words.sameInstructions : nil
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
    case .lockStep: (sameCode == nil ? [] : [Self.sameCodeMethod]) + (method.testCount == 0 ? [] : lockStepMethod)
    }
  }

  private static let sameCodeMethod: RichText = """
    A benchmark runs the same code if, in all its frames, it enters only functions that are in both programs, with the \
    same instructions, and refer to the same things; if both load the same libraries; and if a play of each takes \
    about as long.
    """

  private var lockStepMethod: [RichText] {
    func text(_ counts: ClosedRange<Int>) -> String {
      counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    }
    let confirmed =
      method.confirmingSetCounts.map { ", and \(text($0)) more for each that looked changed; only these decide" }
      ?? "; none looked changed"
    // Each part drew a seed of its own.
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
      figures are exact totals over \(Format.plural(options.frameCount, "frame")), but for what the system grants, \
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

  /// For a terminal: a line for each cause, then the verdict, and its basis.
  package func text(width: Int = 100, usesColor: Bool) -> String {
    let uncertain = [sameCode, uncertainty, unjudged, disagreement, tolerances].compactMap { $0.map(RichText.text) }
    let rules = (ruleChanges ?? []).map { RichText.text($0.line) }
    let tail: RichText = """
      \(Format.plural(rows.count, "figure")) in \(Format.fixed(durationSeconds, decimals: 1)) s, tolerance \
      \(Words.percent(method.tolerance)), seed \(method.seed)
      """
    let lines =
      failures.map(\.line) + changes.map(lines) + rules + uncertain + profileLines + warnings.map(\.line) + [
        .strong(headline), tail,
      ]
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

  /// The functions that made the figures of a benchmark worse, in words, each kind once.
  private func findings(_ profile: RegressionProfile, isCut: Bool = false) -> [RichText] {
    rows.filter { $0.id == profile.id && $0.verdict == .regressed && leads($0) }.compactMap {
      profile.finding($0, isCut: isCut)
    }
  }

  /// Problems of profiles, each with the benchmarks that it concerns: sentences without a full stop.
  private var profileProblems: [(subject: String, rest: RichText)] {
    let problems = (profiles ?? []).filter { $0.problem != nil }
    return problems.grouped { [$0.folder == nil ? "no profile of" : "not in the profile of", $0.problem ?? ""] }.map {
      key, profiles in
      let shown = profiles.prefix(3).map { RichText.code($0.id.description) }
      let more: [RichText] = profiles.count > 3 ? ["\(profiles.count - 3) more"] : []
      return (key[0], "\((shown + more).list()): \(key[1])")
    }
  }

  /// One JSON array, one row per line, each with all thirteen keys; four more for regressed ones if they were profiled.
  package func flatRowsJSON() -> String { JSONText.rows(rows.map { $0.json(profile: profile(of: $0)) }) }
}

extension RegressionProfile {
  package var page: String? { folder.map { "\($0)/\(ProfileFile.summary.rawValue)" } }
  /// Red and blue; exists if time was profiled.
  package var flameGraph: String? { frame == nil ? nil : folder.map { "\($0)/\(ProfileFile.difference.rawValue)" } }

  /// The functions that made a figure worse, in words; nil if unknown. Names may be cut to 72 characters.
  func finding(_ row: ComparisonRow, hasPlaces: Bool = true, isCut: Bool = false) -> RichText? {
    let isAllocation = Self.isAllocation(row)
    let movers = isAllocation ? allocators : movers
    guard let first = movers.first else {
      return frame == nil || isAllocation ? nil : "no function grew by more than chance explains"
    }
    // The second is mentioned if it is not much smaller.
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
  /// `+120 ns`, `0 → 9 allocations`
  var text: String {
    switch unit {
    case .nanoseconds: "+\(TimeUnit.text(growth))"
    case .bytes: "\(ByteUnit.text(baseline)) → \(ByteUnit.text(candidate)) allocated"
    default: "\(Format.count(baseline)) → \(Format.count(candidate)) allocations"
    }
  }
}

extension FrameSet {
  /// `[[780, 879, 1]]`: first and last frame, and the step between them.
  fileprivate var json: String {
    "[\(strides.map { "[\($0.first), \($0.last), \($0.step)]" }.joined(separator: ", "))]"
  }
}

extension ComparisonRow {
  /// One line of JSON: all thirteen keys in the documented order; a profile adds four.
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
