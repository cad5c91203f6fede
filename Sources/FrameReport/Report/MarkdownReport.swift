import FrameBench
import Measurements
import TextFormat

/// A run as a page to read: the verdict first, then what each frame costs and where, then how that was
/// found out. GitHub-flavoured markdown; the same text for the same document.
package struct MarkdownReport: Sendable {
  private let document: RunDocument
  private let program: String?
  private let pictures: [Picture]

  /// - Parameters:
  ///   - program: How a shell calls the program that made the document; its arguments are added.
  ///     Nil: springbench, by `swift run`, in the configuration of the document.
  ///   - pictures: Those of the document that lie beside the page, under their names.
  package init(_ document: RunDocument, program: String? = nil, pictures: [Picture] = []) {
    self.document = document
    self.program = program
    self.pictures = pictures
  }

  /// Failures and the verdict first, then scenarios, environment, method and notes.
  package func render() -> String {
    var notes = Footnotes()
    var blocks = ["# Frame costs: \(Markdown.escape(document.suite))"]
    blocks += failures
    blocks += verdict(&notes)
    for group in ScenarioGroup.all(in: document) {
      blocks += scenario(group, &notes)
    }
    blocks += ["## Environment", EnvironmentSection(document).render(&notes)]
    blocks += ["## Method", MethodSection(document, program: program).render()]
    if let notes = notes.render() { blocks += ["## Notes", notes] }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var failures: [String] {
    guard !document.failures.isEmpty else { return [] }
    let count = Format.plural(document.failures.count, "benchmark")
    let lines = document.failures.map { failure in
      "- \(Markdown.code(failure.id.description)): \(Markdown.escape(failure.reason))"
    }
    let outputs = document.failures.filter { !$0.standardError.isEmpty }.map { failure in
      "\(Markdown.code(failure.id.description)):\n\n\(Markdown.fence(failure.standardError))"
    }
    let details =
      outputs.isEmpty
      ? []
      : [Markdown.folded("What the failed benchmarks wrote to stderr", outputs.joined(separator: "\n\n"))]
    return ["**\(count) could not be measured:**\n\n\(lines.joined(separator: "\n"))"] + details
  }

  private func verdict(_ notes: inout Footnotes) -> [String] {
    let verdict = Verdict(document)
    let paragraphs = verdict.paragraphs.flatMap { paragraph -> [String] in
      let details = paragraph.details.map { "- \(Markdown.escape($0))" }.joined(separator: "\n")
      return [Markdown.bold(Markdown.escape(paragraph.headline))] + (details.isEmpty ? [] : [details])
    }
    let options = document.options
    let runs =
      "\(options.runsPhrase(document.benchmarks)) of \(Format.plural(options.frameCount, "frame"))"
      + " at \(options.refreshRateHertz) Hz"
    let parts = [Markdown.escape(startedAt), EnvironmentSection(document).line, runs]
    return verdict.caveats.map { Markdown.bold(Markdown.escape($0)) } + paragraphs
      + [(parts + warnings(&notes)).joined(separator: " · ")]
  }

  /// `2026-11-21 06:47 UTC` from ISO 8601; what is not that stays as it is.
  private var startedAt: String {
    let text = document.startedAt
    guard text.count == 20, text.hasSuffix("Z"), text.dropFirst(10).first == "T" else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  /// Marks of all warnings; those of a benchmark stand at its column too.
  private func warnings(_ notes: inout Footnotes) -> [String] {
    guard !document.warnings.isEmpty else { return [] }
    let marks = document.warnings.map { notes.mark($0.note) }
    return [Format.plural(marks.count, "warning") + marks.joined()]
  }

  /// How to read the tables of a scenario.
  private func legend(_ group: ScenarioGroup) -> String {
    let options = document.options
    let basis =
      "Times are of \(Format.plural(options.frameCount, "frame")),"
      + " each the least of \(options.runsPhrase(group.strategies.flatMap(group.records(of:))))."
    guard !group.challengers.isEmpty else { return basis }
    return basis + " A ratio above 1× means that the strategy after the ÷ is the cheaper one; = is equal,"
      + " ~ is of times too short for the clock to be sure."
  }

  private func scenario(_ group: ScenarioGroup, _ notes: inout Footnotes) -> [String] {
    let growth = GrowthSection(group: group, document: document)
    let name = Markdown.escape(group.name)
    var blocks = ["## \(name)", legend(group)]
    blocks += images(group, nil, .growth)
    if let overview = growth.overview(&notes) { blocks.append(overview) }
    blocks += images(group, nil, .phases)
    for size in group.sizes {
      blocks.append("### \(name), \(Format.items(size))")
      blocks += images(group, size, .frames)
      blocks.append(SizeTable(group: group, size: size, document: document).render(&notes))
      blocks += images(group, size, .distribution)
    }
    blocks += ["### Growth and headroom", growth.growth(&notes), growth.headroom(&notes)]
    blocks.append(BudgetTable(group: group, options: document.options).render(&notes))
    if let capacity = CapacitySection(scenario: group.name, document: document)?.render(&notes) {
      blocks += ["### Capacity", capacity]
    }
    return blocks + [RawTable(group: group).render(&notes)]
  }

  private func images(_ group: ScenarioGroup, _ size: Int?, _ kind: Picture.Kind) -> [String] {
    pictures.at(group.name, size: size, kind).map { picture in
      Markdown.image(picture.name, alternative: "\(picture.title). \(picture.description)")
    }
  }
}
