import FrameBench
import Measurements
import TextFormat

/// Everything that a report says about one scenario: in words, then size by size, then against the budgets.
struct ScenarioSection {
  private let group: ScenarioGroup
  private let document: RunDocument
  private let pictures: [Picture]
  private let pictureFolder: String

  /// - Parameters: As for `RunReport`.
  init(_ group: ScenarioGroup, _ document: RunDocument, pictures: [Picture], pictureFolder: String) {
    self.group = group
    self.document = document
    self.pictures = pictures
    self.pictureFolder = pictureFolder
  }

  /// What its frames do; empty where it does not say.
  var summary: RichText { document.summaries?[group.scenario].map(RichText.text) ?? "" }

  private var paragraph: Verdict.Paragraph { Verdict.paragraph(group, document) }

  /// What its frames do and how its strategies compare, in a line.
  var line: RichText {
    let parts: [RichText] = [summary, RichText(paragraph.headline)]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What the report says about it in words.
  var words: [Block] {
    let paragraph = paragraph
    return (summary.isEmpty ? [] : [.paragraph(summary)])
      + [.paragraph(.strong(paragraph.headline))]
      + (paragraph.details.isEmpty ? [] : [.list(paragraph.details.map(RichText.text))])
  }

  /// Charts and tables.
  var figures: [Block] {
    let growth = GrowthSection(group: group, document: document)
    var blocks = images(nil, .growth) + images(nil, .phases)
    for size in group.sizes {
      blocks.append(.heading(level: 3, "\(group.name), \(Format.items(size))"))
      blocks += images(size, .frames)
      blocks += SizeTable(group: group, size: size, document: document).blocks
      blocks += images(size, .distribution)
    }
    if group.unit == .frame {
      blocks += [.heading(level: 3, "Growth and headroom")] + growth.growth + growth.headroom
      blocks += BudgetTable(group: group, options: document.options).blocks
    } else if group.sizes.count > 1 {
      blocks += [.heading(level: 3, "Growth")] + growth.growth
    }
    if let capacity = CapacitySection(scenario: group.name, document: document) {
      blocks += [.heading(level: 3, "Capacity")] + capacity.blocks
    }
    return blocks + [RawTable(group: group).block]
  }

  /// How to read the figures, for a page without an overview.
  var legend: RichText {
    let runs = document.options.runsPhrase(group.strategies.flatMap(group.records(of:)))
    let basis = "Each \(group.unit.sample)'s time is the minimum of \(runs)."
    guard let reference = group.reference, !group.challengers.isEmpty else { return "\(basis)" }
    return "\(basis) Ratios are cost ÷ \(reference)'s: below 1× is cheaper, = is equal, ~ is rounded."
  }

  private func images(_ size: Int?, _ kind: Picture.Kind) -> [Block] {
    pictures.at(group.name, size: size, kind).map { picture in
      .paragraph(
        RichText([
          .image(
            alternative: "\(picture.title). \(picture.description)", source: pictureFolder + picture.name)
        ]))
    }
  }
}
