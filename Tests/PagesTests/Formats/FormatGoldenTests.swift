import Foundation
import FrameBench
import Testing

@testable import Formats
@testable import Markup

@Suite struct FormatGoldenTests {
  /// Markdown, the summary and the flat rows have golden files of their own.
  static let formats: [ReportFormat] = [
    .csv, .junit, .githubAnnotations, .githubBenchmark, .googleBenchmark, .bmf, .jmh, .benchfmt, .openmetrics, .influx,
  ]

  @Test(arguments: formats, ["troubled", "hostile"]) func formatsRenderAsTheirGoldenFiles(
    _ format: ReportFormat, _ name: String
  ) throws {
    let document = name == "troubled" ? Fixtures.troubled : Fixtures.hostile
    try Golden.expect(try format.render(document), matches: "\(name).\(format.rawValue).\(format.fileExtension)")
  }

  @Test func everyFormatIsDescribed() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(headings.dropFirst() == ReportFormat.allCases.map { $0.rawValue[...] }[...])
    for format in ReportFormat.allCases { #expect(page.contains("| [`\(format.rawValue)`](#\(format.rawValue)) |")) }
  }
}

extension ReportFormat {
  /// The usual file extension of this format, without the dot.
  fileprivate var fileExtension: String {
    switch self {
    case .markdown, .github: "md"
    case .html: "html"
    case .json, .githubBenchmark, .googleBenchmark, .bmf, .jmh: "json"
    case .csv: "csv"
    case .junit: "xml"
    case .githubAnnotations, .benchfmt, .openmetrics: "txt"
    case .influx: "lp"
    }
  }
}
