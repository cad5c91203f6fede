import FrameReport
import Measurements

/// How a run document becomes text; all that the commands know of reports.
enum ReportWriting {
  /// The files of a report, to lie in one folder: a page of markdown, the pictures that it shows, and a page of
  /// HTML that needs neither.
  static func files(_ document: RunDocument) -> [(name: String, text: String)] {
    let pictures = Pictures(document).all
    let page = RunReport(document, pictures: pictures).blocks.markdown()
    return [("report.md", page), ("report.html", HTMLReport(document).render())]
      + pictures.map { ($0.name, $0.svg) }
  }

  static func terminalTable(_ document: RunDocument, width: Int, usesColor: Bool) -> String {
    TerminalTable(document, width: width, usesColor: usesColor).render()
  }

  /// One JSON array.
  static func flatRows(_ document: RunDocument) -> String {
    FlatRows(document).json()
  }
}
