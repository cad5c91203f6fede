import Foundation
import Testing

@testable import Formats

@Suite struct ReportFormatTests {
  @Test func everyFormatIsDescribed() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(headings.dropFirst() == ReportFormat.allCases.map { $0.rawValue[...] }[...])
    for format in ReportFormat.allCases { #expect(page.contains("| [`\(format.rawValue)`](#\(format.rawValue)) |")) }
  }
}
