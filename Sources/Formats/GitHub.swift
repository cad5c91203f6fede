import Markup
import Measurements
import Pages
import TextFormat

// MARK: - Summaries of steps

/// Shortens a page to a size that GitHub accepts.
package struct GitHubSummary {
  /// GitHub's limit for the summary of a step, in bytes of UTF-8.
  package static let gitHubLimit = 1_048_576
  /// The limit for a comment, below GitHub's 65,536 characters. The rest is room for a mark by which a later job finds
  /// the comment.
  package static let commentLimit = 65_000

  fileprivate let renderer: MarkdownRenderer
  fileprivate let limit: Int
  fileprivate let elsewhere: String

  fileprivate func render(_ blocks: [Block]) -> String {
    let whole = blocks.map { Part([$0], renderer) }
    let unfolded = size(whole) < limit ? whole : withoutLargestFolds(whole)
    let sections = size(unfolded) < limit ? unfolded : withoutSections(unfolded)
    return (size(sections) < limit ? sections : cut(sections)).map(\.text).joined(separator: "\n")
  }

  /// Blocks that are kept or left out together, and their text.
  private struct Part {
    var blocks: [Block]
    var text: String

    init(_ blocks: [Block], _ renderer: MarkdownRenderer) {
      self.blocks = blocks
      text = renderer.render(blocks) + "\n"
    }

    /// The size in bytes, with the line feed that ends the part or separates it from the next one.
    var size: Int { text.utf8.count + 1 }

    /// The heading of the section that begins with this part. Nil if no section begins with it.
    var title: String? { if case .heading(2, let title) = blocks.first { title.plainText } else { nil } }
  }

  private func withoutLargestFolds(_ whole: [Part]) -> [Part] {
    var parts = whole
    for index in parts.indices.sorted(by: { (parts[$0].size, $1) > (parts[$1].size, $0) }) {
      guard size(parts) >= limit else { break }
      guard case .details(let summary, _) = parts[index].blocks.first else { continue }
      let placeholder = leftOut("\"\(summary)\"", parts[index])
      if placeholder.size < parts[index].size { parts[index] = placeholder }
    }
    return parts
  }

  /// Keeps the part before the first section and as many sections as fit. The short sections on notes, machine and
  /// method are kept first, then scenarios in their order.
  private func withoutSections(_ parts: [Part]) -> [Part] {
    let starts = [0] + parts.indices.dropFirst().filter { parts[$0].title != nil } + [parts.count]
    let sections = zip(starts, starts.dropFirst()).map { Part(parts[$0..<$1].flatMap(\.blocks), renderer) }
    let closing = sections.indices.filter { ["Notes", RunDocument.methodTitle.plainText].contains(sections[$0].title) }
    var chosen = sections.map { leftOut("The section \"\($0.title ?? "")\"", $0) }
    chosen[0] = sections[0]
    for index in closing.reversed() + sections.indices.filter({ $0 > 0 && !closing.contains($0) }) {
      if size(chosen) - chosen[index].size + sections[index].size < limit { chosen[index] = sections[index] }
    }
    return chosen
  }

  private func cut(_ sections: [Part]) -> [Part] {
    let note = Part([.paragraph(.emphasis("The rest does not fit here; it is in \(elsewhere)."))], renderer)
    var room = limit - note.size
    var kept: [Part] = []
    for block in sections.flatMap(\.blocks) {
      let part = Part([block], renderer)
      guard part.size < room else {
        if case .list(let items) = block { kept += beginning(of: items, room) }
        break
      }
      kept.append(part)
      room -= part.size
    }
    return kept + [note]
  }

  private func beginning(of items: [RichText], _ room: Int) -> [Part] {
    var room = room - 2
    let fitting = items.prefix { item in
      room -= Part([.list([item])], renderer).size
      return room > 0
    }
    return fitting.isEmpty ? [] : [Part([.list(Array(fitting))], renderer)]
  }

  private func leftOut(_ what: String, _ part: Part) -> Part {
    let note: RichText = """
      \(what) is left out here (\(ByteUnit.text(Double(part.text.utf8.count)))) to keep this page below \
      GitHub's limit; it is in \(elsewhere).
      """
    return Part([.paragraph(.emphasis(note))], renderer)
  }

  private func size(_ parts: [Part]) -> Int { parts.reduce(-1) { $0 + $1.size } }
}

extension [Block] {
  /// Returns the page for `$GITHUB_STEP_SUMMARY` in less than `limit` bytes of UTF-8, because GitHub silently drops
  /// larger pages. Folded parts are left out first, beginning with the largest, then sections, beginning with the last.
  /// A note in place of each says that the complete page is at `elsewhere`.
  package func gitHubSummary(limit: Int = GitHubSummary.gitHubLimit, elsewhere: String = "the run's report.md")
    -> String
  {
    precondition(limit >= 1_000, "a summary of less than \(limit) bytes holds nothing")
    let renderer = MarkdownRenderer(footnotes: Footnotes(self))
    return GitHubSummary(renderer: renderer, limit: limit, elsewhere: elsewhere).render(self)
  }
}

// MARK: - Annotations

/// A line of a job's log that GitHub shows as an annotation: `::error file=…,line=…,title=…::message`. It is escaped as
/// in GitHub's toolkit for actions.
package struct WorkflowCommand {
  package var title: String
  package var message: String
  package var path: String?
  package var line: Int?

  /// The maximum number of annotations per level that GitHub shows for a step. It silently drops the rest.
  private static let limit = 10

  /// Returns one command per line, errors before warnings. If a level has too many commands, its last command says how
  /// many more there are.
  package static func render(
    errors: [WorkflowCommand], warnings: [WorkflowCommand], rest: (_ count: Int) -> WorkflowCommand
  ) -> String {
    [("error", errors), ("warning", warnings)].flatMap { level, commands in
      let left = commands.count - limit
      let shown = left > 0 ? commands.prefix(limit - 1) + [rest(left + 1)] : commands
      return shown.map { $0.text(level) + "\n" }
    }.joined()
  }

  private func text(_ level: String) -> String {
    let properties = [("file", path), ("line", line.map(String.init)), ("title", title)].compactMap { name, value in
      value.map { "\(name)=\(Self.escape($0).escaped([":": "%3A", ",": "%2C"]))" }
    }
    return "::\(level) \(properties.joined(separator: ","))::\(Self.escape(message))"
  }

  private static func escape(_ text: String) -> String {
    text.escaped(["%": "%25", "\r": "%0D", "\n": "%0A", "\t": "\t"]) {
      $0.properties.generalCategory == .control ? " " : String($0)
    }
  }
}

extension CheckReport {
  /// Returns annotations for GitHub, one for each group of findings with the same cause: failures as errors, then notes
  /// as warnings. Uncertain times are left out. The annotation of an exceeded limit is at the limit's line in the
  /// budget file.
  /// - Parameter path: Converts the path of the budget file. GitHub reads a relative path from the root of the
  ///   repository, which may not be the current folder.
  package func githubAnnotations(path: (String) -> String = { $0 }) -> String {
    func command(_ group: CheckGroup) -> WorkflowCommand { self.command(group, path) }
    return WorkflowCommand.render(errors: failedGroups.map(command), warnings: notedGroups.map(command)) { count in
      WorkflowCommand(title: title, message: "\(count) more; the report has all of them")
    }
  }

  private func command(_ group: CheckGroup, _ path: (String) -> String) -> WorkflowCommand {
    let others = Set(group.checks.map(\.subject)).count - 1
    return WorkflowCommand(
      title: "\(group.words): \(group.checks[0].subject)" + (others > 0 ? " and \(others) more" : ""),
      message: "\(group.text.plainText); to repeat it: \(repeating(group.repeated))",
      path: (group.place?.path).map(path), line: group.place?.line)
  }
}

// MARK: - Formats of a run

extension RunDocument {
  /// Returns annotations for GitHub: an error for each benchmark that could not be measured, and a warning for each
  /// caveat and each warning of the run.
  package func githubAnnotations() -> String {
    WorkflowCommand.render(
      errors: failures.map { WorkflowCommand(title: "\($0.id) could not be measured", message: $0.briefReason) },
      warnings: caveats.map { WorkflowCommand(title: suite, message: $0) }
        + warnings.map { WorkflowCommand(title: $0.benchmark?.description ?? suite, message: $0.message) }
    ) { count in
      WorkflowCommand(title: suite, message: "\(Format.integer(count)) more; all of them are in the run's report.md")
    }
  }

  /// Returns JSON for github-action-benchmark with the setting `tool: customSmallerIsBetter`, which alerts if a value
  /// grows. It contains the p50 and p99 of frame times, the mean of counts, and figures of the whole run. Phases are
  /// left out, and so are figures for which smaller is not better.
  package func githubBenchmark() -> String {
    JSONTree.array(
      benchmarks.flatMap { record in
        record.figures(in: self).filter { $0.phase == nil && $0.metric.direction == .lowerIsBetter }.flatMap {
          entries(record, $0)
        }
      }
    ).render()
  }

  private func entries(_ record: BenchmarkRecord, _ figure: RecordedFigure) -> [JSONTree] {
    let unit = figure.metric.unit.rawValue
    if case .times(let time) = figure.values {
      return [FlatRow.Statistic.p50, .p99].compactMap { statistic in
        time.timing(statistic).flatMap {
          entry(record, "frame \(statistic.rawValue)", $0.nanoseconds, unit, halfWidth: $0.halfWidth)
        }
      }
    }
    let isCount = if case .counts = figure.values { true } else { false }
    let unitOfEntry = isCount ? "\(unit)/frame" : unit
    return [figure.single.flatMap { entry(record, figure.metric.title, $0, unitOfEntry) }].compactMap(\.self)
  }

  private func entry(
    _ record: BenchmarkRecord, _ name: String, _ value: Double, _ unit: String, halfWidth: Double? = nil
  ) -> JSONTree? {
    guard value.isFinite else { return nil }
    return .object(
      [("name", .string("\(record.id) \(name)")), ("unit", .string(unit)), ("value", .number(value))]
        + (halfWidth.map { [("range", .string("± \(JSONText.number($0))"))] } ?? []) + [
          ("extra", .string(extra(record)))
        ])
  }

  /// Returns the tooltip of a point in github-action-benchmark's chart. It names the conditions that must be equal for
  /// two points to be comparable.
  private func extra(_ record: BenchmarkRecord) -> String {
    [
      "\(record.frame.alignedNanoseconds.count) frames, each the minimum of \(options.runsPhrase([record]))",
      "\(environment.machine), \(environment.toolchain), \(environment.buildConfiguration)",
      "checksum \(record.checksum)",
    ].joined(separator: "\n")
  }
}
