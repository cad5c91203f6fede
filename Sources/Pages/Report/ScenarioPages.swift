import Measurements
import TextFormat

/// The pages of the scenarios of a run, one each, beside its report. A run of a single scenario has none: all is in
/// its report.
package struct ScenarioPages: Sendable {
  let document: RunDocument
  /// Of the scenarios in their order.
  let stems: [(scenario: String, stem: String)]

  package init(_ document: RunDocument) {
    self.document = document
    let names = ScenarioGroup.all(in: document).map(\.name)
    var files = FileNames()
    stems = names.count > 1 ? names.map { ($0, files.next($0)) } : []
  }

  package var isEmpty: Bool { stems.isEmpty }

  /// The file of a scenario's page without its folder: `springs.md`; nil where it has none.
  package func fileName(_ scenario: String, _ suffix: String) -> String? {
    stems.first { $0.scenario == scenario }.map { "\($0.stem).\(suffix)" }
  }

  /// The pages as markdown, by file name.
  ///
  /// - Parameters:
  ///   - report: From a page to the report, percent-encoded.
  ///   - pictures: Those of the document that are shown.
  ///   - pictureFolder: From a page to their files, as for `RunReport`.
  package func markdown(
    report: String, pictures: [Picture], pictureFolder: String
  ) -> [(name: String, text: String)] {
    stems.map { scenario, stem in
      ("\(stem).md", blocks(scenario, report, pictures, pictureFolder).markdown())
    }
  }

  func title(_ scenario: String) -> String {
    "\(WorkUnit(document.benchmarks.filter { $0.id.variant == scenario }).title): \(scenario)"
  }

  /// - Parameters: As for `markdown`.
  func blocks(
    _ scenario: String, _ report: String, _ pictures: [Picture], _ pictureFolder: String
  ) -> [Block] {
    guard let group = ScenarioGroup.all(in: document).first(where: { $0.name == scenario }) else { return [] }
    let section = ScenarioSection(group, document, pictures: pictures, pictureFolder: pictureFolder)
    var blocks: [Block] = [.heading(level: 1, RichText(title(scenario)))]
    blocks += section.words
    blocks.append(
      .paragraph("\("All scenarios, the machine and the method: the report of the run", link: report)"))
    blocks += [.paragraph(section.legend)] + section.figures
    if !Footnotes(blocks).notes.isEmpty { blocks += [.heading(level: 2, "Notes"), .footnotes] }
    return blocks
  }
}
