import FrameBench
import FrameReport

/// How a run document becomes text; all that the commands know of reports.
enum ReportWriting {
  static func markdown(_ document: RunDocument) -> String {
    MarkdownReport(document).render()
  }

  static func terminalTable(_ document: RunDocument, width: Int, usesColor: Bool) -> String {
    TerminalTable(document, width: width, usesColor: usesColor).render()
  }

  /// One JSON array.
  static func flatRows(_ document: RunDocument) -> String {
    FlatRows(document).json()
  }
}
