import Judging
import Measurements
import Statistics
import TextFormat

/// A comparison as a comment to read in ten seconds: the verdict, the changes, and the rest folded. The
/// same blocks for the same document.
package struct ComparisonReport {
  private let document: ComparisonDocument
  private let repeated: String?
  private let link: (String) -> String?
  private var summary: ComparisonSummary { ComparisonSummary(document) }

  /// - Parameters:
  ///   - repeated: The command line that repeats the regressed benchmarks; nil: it is shown elsewhere.
  ///   - link: A percent-encoded link from the page to a file of the document; nil if a reader of the page
  ///   cannot
  ///     follow it: then the page names the file.
  package init(
    _ document: ComparisonDocument, repeated: String? = nil,
    link: @escaping (String) -> String? = { _ in nil }
  ) {
    self.document = document
    self.repeated = repeated
    self.link = link
  }

  /// Verdict, failures, changes with a row for each cause, and profiles; single figures and the method are
  /// folded.
  package var blocks: [Block] {
    var blocks: [Block] = [
      .paragraph(.strong(summary.headline, document.outcome.tone)),
      .paragraph("\(name(document.candidate)) against \(name(document.baseline))"),
    ]
    if !document.failures.isEmpty {
      blocks.append(.list(document.failures.map { "\(code: $0.id): \($0.briefReason)" }))
    }
    let changes = document.changes
    if !changes.isEmpty { blocks.append(.table(causes(changes))) }
    if let repeated {
      blocks += [.paragraph("To look at it again:"), .codeBlock(repeated, language: "sh")]
    }
    if let uncertainty = summary.uncertainty { blocks.append(.paragraph("\(uncertainty)")) }
    return blocks + details
  }

  /// Details of the causes: profiles, and folded single figures and the method.
  package var details: [Block] {
    profiles + figures + [.details(summary: "How this was measured", [.list(method)])]
  }

  private func causes(_ changes: [ComparisonFinding]) -> Table {
    Table(
      changes.map { ($0, FindingText($0, in: document)) },
      [
        .left("Verdict") { RichText($0.0.words, isStrong: !$0.0.isNew) },
        .left("What") { $0.1.what },
        .left("Change") { .text($0.1.change) },
        .left("Benchmarks") { $0.1.benchmarks },
        .left("Where") { change, text in
          let notes =
            text.notes.map(RichText.text) + [change.isNew ? nil : profile(of: change)].compactMap(\.self)
          return notes.joined(separator: "; ")
        },
      ])
  }

  /// The profile's finding about the benchmark that changed most; nil if there is none.
  private func profile(of change: ComparisonFinding) -> RichText? {
    guard let member = change.members.first(where: { document.profile(of: $0.lead)?.page != nil }),
      let profile = document.profile(of: member.lead), let page = profile.page
    else { return nil }
    let findings = [member.lead, member.time].compactMap { row in
      row.flatMap { profile.finding($0, hasPlaces: false, longest: Self.longestName) }
    }
    return (findings + [linked("profile", page)]).joined(separator: ": ")
  }

  private var figures: [Block] {
    let changed = document.rows.filter(\.verdict.isChange)
    let others = document.rows.filter { !$0.verdict.isChange }
    let uncertain = others.count { $0.verdict == .inconclusive }
    let tail = uncertain > 0 ? ", \(uncertain) of them inconclusive" : ""
    return [
      changed.isEmpty
        ? nil
        : .details(
          summary: "\(Format.plural(changed.count, "figure")) changed", [table(changed, withNotes: true)]),
      others.isEmpty
        ? nil
        : .details(
          summary: "\(Format.plural(others.count, "figure")) without a change\(tail)",
          [table(others, withNotes: false)]),
    ].compactMap(\.self)
  }

  private func name(_ build: BuildName) -> RichText {
    guard let commit = build.commit else { return .code(build.name) }
    return "\(code: build.name) (\(code: commit.prefix(7)))"
  }

  private func table(_ rows: [ComparisonRow], withNotes: Bool) -> Block {
    let percent = ComparisonSummary.percent
    return .table(
      Table(
        rows,
        [
          .left("Benchmark") { .code($0.id.description) },
          .left("Figure") { .text(ComparisonSummary.figure($0)) },
          .right("Baseline") { .text(ComparisonSummary.value($0.baseline, $0)) },
          .right("Candidate") { .text(ComparisonSummary.value($0.candidate, $0)) },
          .right("Change") { .text(ComparisonSummary.change($0)) },
          rows.contains { $0.control != nil }
            ? .right("Noise") { .text($0.control.map(percent) ?? "") } : nil,
          rows.contains { $0.layout != nil }
            ? .right("Layout") { .text($0.layout.map { "±\(percent($0))" } ?? "") } : nil,
          .left("Verdict") { RichText($0.verdict.words, isStrong: $0.verdict.isChange) },
          withNotes ? .left("Where", place) : nil,
        ]))
  }

  /// The place of the difference, and whether more work is behind it.
  private func place(_ row: ComparisonRow) -> RichText {
    let same = document.takesSameInstructions(row) == true ? ComparisonSummary.sameInstructions : nil
    return .text([row.note, same].compactMap(\.self).joined(separator: "; "))
  }

  /// Characters of a function's name.
  private static let longestName = 72

  private func linked(_ title: RichText, _ path: String) -> RichText {
    link(path).map { "\(title, link: $0)" } ?? "\(title) in \(code: path)"
  }

  private var profiles: [Block] {
    guard let profiles = document.profiles, !profiles.isEmpty else { return [] }
    let found = profiles.compactMap { profile -> RichText? in
      guard let page = profile.page else { return nil }
      let frame = profile.frame.map { frame -> RichText in
        "a frame at its quickest \(TimeUnit.text(frame.baseline)) → \(TimeUnit.text(frame.candidate))"
      }
      let pages = [linked("profile", page), profile.flameGraph.map { linked("flame graph of both", $0) }]
      let parts =
        document.findings(profile, longest: Self.longestName).map { .strong($0) }
        + [pages.compactMap(\.self).joined(separator: ", ")] + [frame].compactMap(\.self)
      return "\(code: profile.id): \(parts.joined(separator: "; "))"
    }
    let problems = document.profileProblems.map { problem -> RichText in
      "\(problem.subject.prefix(1).uppercased() + problem.subject.dropFirst()) \(problem.rest)"
    }
    return [
      .paragraph("What grew, by profiles of both builds in the same frames:"), .list(found + problems),
    ]
  }

  private var method: [RichText] {
    let method = document.method
    let lines: [RichText] =
      switch method.source {
      case .documents: documentMethod
      case .identicalPrograms:
        ["Everything that is loaded from the two programs is the same: machine code, data, and addresses."]
      case .lockStep: lockStepMethod
      }
    return lines + warnings
  }

  /// A warning about several benchmarks appears only once.
  private var warnings: [RichText] {
    var benchmarks: [String: [RichText]] = [:]
    var messages: [String] = []
    for warning in document.warnings {
      if benchmarks[warning.message] == nil { messages.append(warning.message) }
      benchmarks[warning.message, default: []] += warning.benchmark.map { ["\(code: $0)"] } ?? []
    }
    return messages.map { message in
      let names = benchmarks[message] ?? []
      return names.isEmpty ? "\(message)" : "\(names.list()): \(message)"
    }
  }

  private var lockStepMethod: [RichText] {
    let method = document.method
    let confirmed =
      method.confirmingSetCounts.map {
        ", and \(Self.text($0)) more for each that looked changed; only these decide"
      } ?? "; none looked changed"
    return [
      """
      Both builds took turns on one core, in fresh processes: \(Self.text(method.screeningSetCounts ?? 0...0)) sets \
      of four for each benchmark\(confirmed).
      """,
      """
      A change counts beyond a tolerance of \(ComparisonSummary.percent(method.tolerance)) and the noise, by an \
      exact signed-rank test corrected for \(Format.plural(method.testCount, "time")) (Holm, \
      \(ComparisonSummary.percent(method.familyAlpha))); intervals are 98%. Times are means per frame; other \
      figures are exact totals over \(Format.plural(document.options.frameCount, "frame")), but for what the system grants, \
      such as memory, which is shown and never judged.
      """,
      """
      Noise: by how much the baseline differed from itself, in the same turns. Seed \(method.seed); \
      \(Format.fixed(document.durationSeconds, decimals: 0)) s.
      """,
    ] + layoutMethod
  }

  private static func text(_ counts: ClosedRange<Int>) -> String {
    counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
  }

  private var layoutMethod: [RichText] {
    guard let count = document.method.layoutCount else { return [] }
    return [
      """
      Layout: how far the places of functions in the program alone move the baseline's time (one standard \
      deviation). The sets of each benchmark ran in \(count) link orders or more, each the same for both builds, with \
      unchanged code at the same addresses.
      """
    ]
  }

  private var documentMethod: [RichText] {
    let method = document.method
    let tests =
      "\(Format.plural(method.testCount, "time")) were tested (Student's t, Holm's correction, level"
      + " \(Format.significant(method.familyAlpha)))."
    return [
      """
      Two stored runs. Allocations, counts and checksums are exact; instructions count beyond \
      \(ComparisonSummary.percent(Metric.instructionCount.tolerance)). What the system grants, such as memory, is shown \
      and never judged.
      """,
      """
      Times are means of the aligned frames. A time is judged where the baseline has at least \
      \(RepeatedTimes.leastMeasurementCount) measurements, by their spread: it changed if it lies beyond what another \
      measurement of the same program would show, beyond what another link order may explain, and beyond a step of the \
      clock. \(document.method.testCount == 0 ? "No time was judged." : tests)
      """,
    ]
  }

  // MARK: Terminals

  /// For a terminal: a line for each cause, then the verdict, and its basis.
  ///
  /// - Parameter usesColor: Whether to write ANSI escape sequences.
  package func text(width: Int = 100, usesColor: Bool) -> String {
    let failures = document.failures.map { RichText.strong("failed: \($0.id): \($0.briefReason)", .bad) }
    let warnings = document.warnings.map { warning -> RichText in
      "warning: \(warning.benchmark.map { "\($0): " } ?? "")\(warning.message)"
    }
    let doubts = [summary.uncertainty, summary.unjudged].compactMap { $0.map(RichText.text) }
    let seconds = Format.fixed(document.durationSeconds, decimals: 1)
    let tail: RichText =
      """
      \(Format.plural(document.rows.count, "figure")) in \(seconds) s, tolerance \
      \(ComparisonSummary.percent(document.method.tolerance)), seed \(document.method.seed)
      """
    let lines =
      failures + document.changes.map(lines) + doubts + profileLines + warnings
      + [.strong(summary.headline), tail]
    return Terminal(width: width, usesColor: usesColor).render([.list(lines)])
  }

  /// The change, its size, its place and its noise.
  private func lines(_ change: ComparisonFinding) -> RichText {
    let text = FindingText(change, in: document)
    let lead = change.members[0].lead
    let noise = [
      change.cause == .time ? text.change : nil,
      lead.control.map { "noise \(ComparisonSummary.percent($0))" },
      lead.layout.map { "layout ±\(ComparisonSummary.percent($0))" },
    ].compactMap(\.self).joined(separator: ", ")
    let names = change.members.count > 1 ? text.benchmarks : ""
    let notes = change.cause == .behavior ? [] : text.notes.map(RichText.text)
    let sentence = "\(change.words): \(text.sentence)"
    return ([change.tone.map { .strong(sentence, $0) } ?? .text(sentence), names, .text(noise)] + notes)
      .filter { !$0.isEmpty }.lines()
  }

  private var profileLines: [RichText] {
    let found = (document.profiles ?? []).compactMap { profile -> RichText? in
      guard let page = profile.page else { return nil }
      let findings = document.findings(profile)
      let finding = findings.isEmpty ? [] : [findings.joined(separator: "; ")]
      return "profile  \((["\(profile.id)"] + finding + ["\(page)"]).joined(separator: ": "))"
    }
    return found + document.profileProblems.map { "\($0.subject) \($0.rest)" }
  }
}
