import Comparing
import Statistics
import TextFormat

/// A comparison as a comment that a person reads in ten seconds: the verdict, what changed, and the rest
/// folded. GitHub-flavoured markdown; the same text for the same document.
package struct ComparisonMarkdown {
  private let document: ComparisonDocument
  private let link: (String) -> String?
  private var summary: ComparisonSummary { ComparisonSummary(document) }

  /// - Parameter link: From the page to a file of the document, percent-encoded; nil where a reader of the
  ///   page cannot follow it: then the page names the file.
  package init(_ document: ComparisonDocument, link: @escaping (String) -> String? = { _ in nil }) {
    self.document = document
    self.link = link
  }

  /// Verdict, failures, what changed and profiles; the other figures and the method are folded.
  package func render() -> String {
    var blocks = [
      Markdown.bold(Markdown.escape(summary.headline)),
      "\(name(document.candidate)) against \(name(document.baseline))",
    ]
    if !document.failures.isEmpty { blocks.append(failures) }
    let changed = document.rows.filter(\.verdict.isChange)
    if !changed.isEmpty { blocks.append(table(changed, withNotes: true)) }
    if let profiles { blocks.append(profiles) }
    let others = document.rows.filter { !$0.verdict.isChange }
    if !others.isEmpty {
      let uncertain = others.filter { $0.verdict == .inconclusive }.count
      let title =
        "\(Format.plural(others.count, "figure")) without a change"
        + (uncertain > 0 ? ", \(uncertain) of them inconclusive" : "")
      blocks.append(Markdown.folded(title, table(others, withNotes: false)))
    }
    blocks.append(Markdown.folded("How this was measured", method))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func name(_ build: BuildName) -> String {
    let commit = build.commit.map { " (\(Markdown.code(String($0.prefix(7)))))" } ?? ""
    return Markdown.code(build.name) + commit
  }

  private var failures: String {
    document.failures.map { failure in
      "- \(Markdown.code(failure.id.description)): \(Markdown.escape(failure.reason))"
    }.joined(separator: "\n")
  }

  private func table(_ rows: [ComparisonRow], withNotes: Bool) -> String {
    var columns: [(title: String, alignment: MarkdownTable.Alignment)] = [
      ("Benchmark", .left), ("Figure", .left), ("Baseline", .right), ("Candidate", .right),
      ("Change", .right), ("Noise", .right), ("Layout", .right), ("Verdict", .left),
    ]
    if withNotes { columns.append(("Where", .left)) }
    var table = MarkdownTable(columns)
    for row in rows {
      let cells = [
        Markdown.code(row.id.description), Markdown.escape(ComparisonSummary.figure(row)),
        ComparisonSummary.value(row.baseline, row), ComparisonSummary.value(row.candidate, row),
        ComparisonSummary.change(row), row.control.map(ComparisonSummary.percent) ?? "",
        row.layout.map { "±\(ComparisonSummary.percent($0))" } ?? "",
        row.verdict.isChange ? Markdown.bold(row.verdict.rawValue) : row.verdict.rawValue,
      ]
      table.append(withNotes ? cells + [place(row)] : cells)
    }
    return table.render()
  }

  /// Where the difference lies, and what a profile says of it.
  private func place(_ row: ComparisonRow) -> String {
    let note = row.note.map(Markdown.escape)
    guard let profile = document.profile(of: row), let page = profile.page else { return note ?? "" }
    let finding = document.leads(row) ? profile.finding(row, hasPlaces: false, name: Self.function) : nil
    let words = [finding, linked("profile", page)].compactMap(\.self).joined(separator: ": ")
    return [note, words].compactMap(\.self).joined(separator: "; ")
  }

  private static func function(_ name: String) -> String {
    Markdown.code(name.count <= 72 ? name : name.prefix(71) + "…")
  }

  private func linked(_ title: String, _ path: String) -> String {
    link(path).map { "[\(title)](\($0))" } ?? "\(title) in \(Markdown.code(path))"
  }

  private var profiles: String? {
    guard let profiles = document.profiles, !profiles.isEmpty else { return nil }
    let found = profiles.compactMap { profile -> String? in
      guard let page = profile.page else { return nil }
      let frame = profile.frame.map { frame in
        "a frame at its quickest \(TimeUnit.text(frame.baseline)) → \(TimeUnit.text(frame.candidate))"
      }
      let pages = [linked("profile", page), profile.flameGraph.map { linked("flame graph of both", $0) }]
      let parts =
        document.findings(profile, name: Self.function).map(Markdown.bold)
        + [pages.compactMap(\.self).joined(separator: ", ")] + [frame].compactMap(\.self)
      return "- \(Markdown.code(profile.id.description)): \(parts.joined(separator: "; "))"
    }
    let problems = document.profileProblems(name: Markdown.code, escape: Markdown.escape).map {
      "- \($0.prefix(1).uppercased())\($0.dropFirst())"
    }
    return "What grew, by profiles of both builds in the same frames:\n\n"
      + (found + problems).joined(separator: "\n")
  }

  private var method: String {
    let method = document.method
    var lines =
      switch method.source {
      case .documents: documentMethod
      case .identicalPrograms:
        ["All that is loaded of the two programs is the same: machine code, data, and where they lie."]
      case .lockStep: lockStepMethod
      }
    lines += document.warnings.map { warning in
      (warning.benchmark.map { "\(Markdown.code($0.description)): " } ?? "")
        + Markdown.escape(warning.message)
    }
    return lines.map { "- \($0)" }.joined(separator: "\n")
  }

  private var lockStepMethod: [String] {
    let method = document.method
    return [
      "Both builds ran on one core in turns, as fresh processes: \(method.screeningSetCount) sets of four for"
        + " each benchmark, and up to \(method.confirmingSetCount) fresh ones for each that looked changed, which alone decide.",
      "A change counts beyond a tolerance of \(ComparisonSummary.percent(method.tolerance)) and the noise, by an"
        + " exact signed-rank test corrected for \(Format.plural(method.testCount, "time")) (Holm,"
        + " \(ComparisonSummary.percent(method.familyAlpha))); intervals are of 98%. Times are means of a frame;"
        + " other figures are exact totals of \(Format.plural(document.options.frameCount, "frame")).",
      "Noise: what the baseline differed from itself by, in the same turns. Seed \(method.seed);"
        + " \(Format.fixed(document.durationSeconds, decimals: 0)) s.",
    ] + layoutMethod
  }

  private var layoutMethod: [String] {
    guard let count = document.method.layoutCount, count > 1 else { return [] }
    return [
      "Layout: how far another order of the same functions in the program alone moves the baseline's time (one"
        + " standard deviation). The sets ran in \(count) orders and more, each the same for both builds, with unchanged"
        + " code at the same addresses."
    ]
  }

  private var documentMethod: [String] {
    [
      "Two runs that were measured before. Allocations, counts and checksums are exact; instructions count"
        + " beyond \(ComparisonSummary.percent(DocumentComparison.instructionTolerance)).",
      "Times are means of the aligned frames. Two sessions differ though no code changed: a change counts"
        + " beyond \(ComparisonSummary.percent(max(document.method.tolerance, DocumentComparison.timeTolerance)))"
        + " only, and within \(ComparisonSummary.percent(document.method.tolerance)) it is none.",
    ]
  }
}
