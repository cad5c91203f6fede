import FrameBench

/// A comparison as a comment that a person reads in ten seconds: the verdict, what changed, and the rest
/// folded. GitHub-flavoured markdown; the same text for the same document.
public struct ComparisonMarkdown: Sendable {
  private let document: ComparisonDocument
  private var summary: ComparisonSummary { ComparisonSummary(document) }

  public init(_ document: ComparisonDocument) {
    self.document = document
  }

  public func render() -> String {
    var blocks = [
      Markdown.bold(Markdown.escape(summary.headline)),
      "\(name(document.candidate)) against \(name(document.baseline))",
    ]
    if !document.failures.isEmpty { blocks.append(failures) }
    let changed = document.rows.filter(\.verdict.isChange)
    if !changed.isEmpty { blocks.append(table(changed, withNotes: true)) }
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
      ("Change", .right), ("Noise", .right), ("Verdict", .left),
    ]
    if withNotes { columns.append(("Where", .left)) }
    var table = MarkdownTable(columns)
    for row in rows {
      let cells = [
        Markdown.code(row.id.description), Markdown.escape(ComparisonSummary.figure(row)),
        ComparisonSummary.value(row.baseline, row), ComparisonSummary.value(row.candidate, row),
        ComparisonSummary.change(row), row.control.map(ComparisonSummary.percent) ?? "",
        row.verdict.isChange ? Markdown.bold(row.verdict.rawValue) : row.verdict.rawValue,
      ]
      table.append(withNotes ? cells + [row.note.map(Markdown.escape) ?? ""] : cells)
    }
    return table.render()
  }

  private var method: String {
    let method = document.method
    var lines =
      method.source == .documents
      ? documentMethod
      : [
        "Both builds ran on one core in turns, as fresh processes: \(method.screeningSetCount) sets of four for"
          + " each benchmark, and \(method.confirmingSetCount) fresh ones for each that looked changed, which alone decide.",
        "A change counts beyond a tolerance of \(ComparisonSummary.percent(method.tolerance)) and the noise, by an"
          + " exact signed-rank test corrected for \(Format.plural(method.testCount, "time")) (Holm,"
          + " \(ComparisonSummary.percent(method.familyAlpha))); intervals are of 98%. Times are means of a frame;"
          + " other figures are exact totals of \(Format.plural(document.options.frameCount, "frame")).",
        "Noise: what the baseline differed from itself by, in the same turns. Seed \(method.seed);"
          + " \(Format.fixed(document.durationSeconds, decimals: 0)) s.",
      ]
    lines += document.warnings.map { warning in
      (warning.benchmark.map { "\(Markdown.code($0.description)): " } ?? "")
        + Markdown.escape(warning.message)
    }
    return lines.map { "- \($0)" }.joined(separator: "\n")
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
