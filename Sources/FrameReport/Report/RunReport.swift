import FrameBench
import Measurements
import TextFormat

/// A run as a page to read: the verdict first, then what each frame costs and where, then how that was
/// found out. The same blocks for the same document.
package struct RunReport: Sendable {
  private let document: RunDocument
  private let program: String?
  private let pictures: [Picture]
  private let pictureFolder: String

  /// - Parameters:
  ///   - program: How a shell calls the program that made the document; its arguments are added.
  ///     Nil: springbench, by `swift run`, in the configuration of the document.
  ///   - pictures: Those of the document that are shown, from files of their names.
  ///   - pictureFolder: The way from the page to those files, as it stands in a link, with a slash at its end;
  ///     empty: they lie beside the page.
  package init(
    _ document: RunDocument, program: String? = nil, pictures: [Picture] = [], pictureFolder: String = ""
  ) {
    self.document = document
    self.program = program
    self.pictures = pictures
    self.pictureFolder = pictureFolder
  }

  /// Failures and the verdict first, then scenarios, environment, method and notes.
  package var blocks: [Block] {
    var blocks: [Block] = [.heading(level: 1, "Frame costs: \(document.suite)")]
    blocks += failures + verdict
    blocks += ScenarioGroup.all(in: document).flatMap(scenario)
    blocks += [.heading(level: 2, "Environment"), .table(EnvironmentSection(document).table)]
    blocks += [.heading(level: 2, "Method")] + MethodSection(document, program: program).blocks
    if !Footnotes(blocks).notes.isEmpty { blocks += [.heading(level: 2, "Notes"), .footnotes] }
    return blocks
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

  private var verdict: [Block] {
    let verdict = Verdict(document)
    let paragraphs = verdict.paragraphs.flatMap { paragraph -> [Block] in
      [.paragraph(.strong(paragraph.headline))]
        + (paragraph.details.isEmpty ? [] : [.list(paragraph.details.map(RichText.text))])
    }
    let options = document.options
    let runs: RichText =
      """
      \(options.runsPhrase(document.benchmarks)) of \(Format.plural(options.frameCount, "frame")) at \
      \(options.refreshRateHertz) Hz
      """
    let parts = [RichText(startedAt), EnvironmentSection(document).line, runs] + warnings
    return verdict.caveats.map { .paragraph(.strong($0)) } + paragraphs
      + [.paragraph(parts.joined(separator: " · "))]
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

  /// How to read the tables of a scenario.
  private func legend(_ group: ScenarioGroup) -> RichText {
    let options = document.options
    let basis =
      "Times are of \(Format.plural(options.frameCount, "frame")),"
      + " each the minimum of \(options.runsPhrase(group.strategies.flatMap(group.records(of:))))."
    guard !group.challengers.isEmpty else { return "\(basis)" }
    return """
      \(basis) A ratio above 1× means that the strategy after the ÷ is the cheaper one; = is equal, ~ is of times \
      too short for the clock to be sure.
      """
  }

  private func scenario(_ group: ScenarioGroup) -> [Block] {
    let growth = GrowthSection(group: group, document: document)
    var blocks: [Block] = [.heading(level: 2, "\(group.name)"), .paragraph(legend(group))]
    blocks += images(group, nil, .growth) + growth.overview + images(group, nil, .phases)
    for size in group.sizes {
      blocks.append(.heading(level: 3, "\(group.name), \(Format.items(size))"))
      blocks += images(group, size, .frames)
      blocks += SizeTable(group: group, size: size, document: document).blocks
      blocks += images(group, size, .distribution)
    }
    blocks += [.heading(level: 3, "Growth and headroom")] + growth.growth + growth.headroom
    blocks += BudgetTable(group: group, options: document.options).blocks
    if let capacity = CapacitySection(scenario: group.name, document: document) {
      blocks += [.heading(level: 3, "Capacity")] + capacity.blocks
    }
    return blocks + [RawTable(group: group).block]
  }

  private func images(_ group: ScenarioGroup, _ size: Int?, _ kind: Picture.Kind) -> [Block] {
    pictures.at(group.name, size: size, kind).map { picture in
      .paragraph(
        RichText([
          .image(
            alternative: "\(picture.title). \(picture.description)", source: pictureFolder + picture.name)
        ]))
    }
  }
}

extension Warning {
  /// The mark of its footnote.
  var mark: RichText {
    "\(footnote: benchmark.map { "\($0): \(message)" } ?? "\(message)")"
  }
}
