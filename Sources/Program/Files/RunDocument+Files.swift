import Foundation
import Measurements
import Pages

extension RunDocument {
  /// The folder of a run in which the pages of its scenarios lie.
  static let scenarioFolder = "scenarios"

  /// How a shell calls this program, which a suite of somebody else's gives another name.
  private var programCall: String {
    ".build/\(environment.buildConfiguration)/\(Paths.name(CommandLine.arguments[0]))"
  }

  /// The files of a run's folder: the document; a page of markdown and the pictures; a page of HTML that needs no
  /// other file; and where there are several scenarios, a page of each in both formats.
  func files() throws -> [(name: String, data: Data)] {
    let pictures = Pictures(self).all
    let pages = ScenarioPages(self)
    let folder = Self.scenarioFolder
    let report = RunReport(
      self, program: programCall, detail: .linked, pictures: pictures,
      page: { pages.fileName($0, "md").map { "\(folder)/\($0)" } })
    let html = htmlReport(program: programCall) { pages.fileName($0, "html").map { "\(folder)/\($0)" } }
    var texts = [("report.md", report.blocks.markdown()), ("report.html", html)]
    texts += pictures.map { ($0.name, $0.svg) }
    let ofScenarios =
      pages.markdown(report: "../report.md", pictures: pictures, pictureFolder: "../")
      + pages.html(report: "../report.html")
    texts += ofScenarios.map { ("\(folder)/\($0.name)", $0.text) }
    return [("run.json", try encoded())] + texts.map { ($0.0, Data($0.1.utf8)) }
  }
}
