import FrameBench
import Measurements
import TextFormat

/// A run as a page: the verdict, then every benchmark in a line, then the scenarios, then the method. The
/// same blocks for the same document.
package struct RunReport: Sendable {
  /// How much of several scenarios a page holds; a single one is always complete.
  package enum Detail: Sendable {
    /// All of it, open.
    case whole
    /// All of it; tables are folded.
    case folded
    /// A line each, and where there are pages of the scenarios, the way to them.
    case linked
  }

  private let document: RunDocument
  private let program: String?
  private let detail: Detail
  private let pictures: [Picture]
  private let pictureFolder: String
  private let anchor: @Sendable (String) -> String?
  private let page: @Sendable (String) -> String?

  /// - Parameters:
  ///   - program: How a shell calls the program that made the document; its arguments are added.
  ///     Nil: springbench, by `swift run`, in the configuration of the document.
  ///   - pictures: Those of the document that are shown, from files of their names.
  ///   - pictureFolder: The way from the page to those files, as it stands in a link, with a slash at its end;
  ///     empty: they lie beside the page.
  ///   - anchor: To the section of a scenario in this page; nil where the format has no such links.
  ///   - page: From this page to that of a scenario, percent-encoded; nil where it has none.
  package init(
    _ document: RunDocument, program: String? = nil, detail: Detail = .whole, pictures: [Picture] = [],
    pictureFolder: String = "", anchor: @escaping @Sendable (String) -> String? = { _ in nil },
    page: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.document = document
    self.program = program
    self.detail = detail
    self.pictures = pictures
    self.pictureFolder = pictureFolder
    self.anchor = anchor
    self.page = page
  }

  /// Failures and the verdict first, then the overview, scenarios, method and notes.
  package var blocks: [Block] {
    let groups = ScenarioGroup.all(in: document)
    let link = groups.count < 2 ? { _ in nil } : detail == .linked ? page : anchor
    var blocks: [Block] = [.heading(level: 1, "\(unit.title): \(document.suite)")]
    blocks += failures + verdict + OverviewTable(document, link: link).blocks
    blocks += detail == .linked && groups.count > 1 ? list(groups) : groups.flatMap(section)
    blocks += [.heading(level: 2, Self.methodTitle), method]
    if !Footnotes(blocks).notes.isEmpty { blocks += [.heading(level: 2, "Notes"), .footnotes] }
    return blocks
  }

  /// Of the section that names machine and method.
  static let methodTitle: RichText = "Machine and method"

  private var method: Block {
    .details(
      summary: "The machine, the method, and how to measure it again",
      [.table(EnvironmentSection(document).table)] + MethodSection(document, program: program).blocks)
  }

  /// The scenarios in a line each.
  private func list(_ groups: [ScenarioGroup]) -> [Block] {
    let items = groups.map { group -> RichText in
      let name = RichText.strong(group.name)
      let linked = page(group.name).map { "\(name, link: $0)" } ?? name
      return "\(linked): \(scenario(group).line)"
    }
    return [.heading(level: 2, "Scenarios"), .list(items)]
  }

  private func section(_ group: ScenarioGroup) -> [Block] {
    let section = scenario(group)
    let opening = [.heading(level: 2, "\(group.name)")] + section.words
    guard detail == .folded, ScenarioGroup.all(in: document).count > 1 else {
      return opening + section.figures
    }
    let charts = page(group.name).map { link -> [Block] in
      [.paragraph("\("The same with the charts of every \(group.unit.sample)", link: link)")]
    }
    return opening + [.details(summary: "Figures of \(group.name)", section.figures)] + (charts ?? [])
  }

  private func scenario(_ group: ScenarioGroup) -> ScenarioSection {
    ScenarioSection(group, document, pictures: pictures, pictureFolder: pictureFolder)
  }

  private var failures: [Block] {
    guard !document.failures.isEmpty else { return [] }
    let count = Format.plural(document.failures.count, "benchmark")
    let outputs = document.failures.filter { !$0.standardError.isEmpty }.flatMap { failure -> [Block] in
      [.paragraph("\(code: failure.id):"), .codeBlock(failure.standardError)]
    }
    return [
      .paragraph(.strong("\(count) could not be measured:")),
      .list(document.failures.map { "\(code: $0.id): \($0.reason)" }),
    ] + (outputs.isEmpty ? [] : [.details(summary: "What the failed benchmarks wrote to stderr", outputs)])
  }

  private var unit: WorkUnit { document.unit }

  private var verdict: [Block] {
    let verdict = Verdict(document)
    let options = document.options
    let rate = unit == .frame ? " at \(options.refreshRateHertz) Hz" : ""
    let runs: RichText =
      """
      \(options.runsPhrase(document.benchmarks)) of \(options.samplesPhrase(document.benchmarks))\(rate)
      """
    let parts = [RichText(startedAt), EnvironmentSection(document).line, runs] + warnings
    return verdict.caveats.map { .paragraph(.strong($0)) }
      + [.paragraph(.strong(verdict.summary)), .paragraph(parts.joined(separator: " · "))]
  }

  /// `2026-11-21 06:47 UTC` from ISO 8601; what is not that stays as it is.
  private var startedAt: String {
    let text = document.startedAt
    guard text.count == 20, text.hasSuffix("Z"), text.dropFirst(10).first == "T" else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  /// Marks of all warnings; those of a benchmark stand at its column too.
  private var warnings: [RichText] {
    guard !document.warnings.isEmpty else { return [] }
    return [document.warnings.reduce("\(Format.plural(document.warnings.count, "warning"))") { $0 + $1.mark }]
  }
}

extension Warning {
  /// The mark of its footnote.
  var mark: RichText {
    "\(footnote: benchmark.map { "\($0): \(message)" } ?? "\(message)")"
  }
}
