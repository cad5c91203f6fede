import Foundation
import Testing

@testable import Formats

@Suite struct ReportFormatTests {
  @Test(arguments: [
    ("springEvaluations", "spring-evaluations"), ("otherThreadCPUNanoseconds", "other-thread-cpu-nanoseconds"),
    ("usesCPU2", "uses-cpu2"), ("frame p99", "frame-p99"), ("P99", "p99"), ("…", "unnamed"),
  ]) func aNameIsSplitIntoItsWords(_ name: String, _ slug: String) { #expect(UniqueNames.slug(name) == slug) }

  @Test func everyFormatIsDescribed() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(headings.dropFirst() == ReportFormat.allCases.map { $0.rawValue[...] }[...])
    for format in ReportFormat.allCases { #expect(page.contains("| [`\(format.rawValue)`](#\(format.rawValue)) |")) }
  }
}
