import Foundation
import FrameReport
import Measurements

extension RunDocument {
  /// The files of a run's folder: the document, a page of markdown, the pictures that it shows, and a page of HTML
  /// that needs neither.
  func files() throws -> [(name: String, data: Data)] {
    let pictures = Pictures(self).all
    let page = RunReport(self, pictures: pictures).blocks.markdown()
    let texts =
      [("report.md", page), ("report.html", HTMLReport(self).render())]
      + pictures.map { ($0.name, $0.svg) }
    return [("run.json", try encoded())] + texts.map { ($0.0, Data($0.1.utf8)) }
  }
}
