import FrameBench
import Testing

@testable import FrameReport

@Suite struct FormatGoldenTests {
  /// Markdown, the summary and the flat rows have golden files of their own.
  static let formats: [ReportFormat] = [
    .csv, .junit, .githubAnnotations, .githubBenchmark, .bmf, .jmh, .benchfmt, .openmetrics, .influx,
  ]

  @Test(arguments: formats, ["troubled", "hostile"])
  func formatsRenderAsTheirGoldenFiles(_ format: ReportFormat, _ name: String) throws {
    let document = name == "troubled" ? Fixtures.troubled : Fixtures.hostile
    try Golden.expect(
      try format.render(document), matches: "\(name).\(format.rawValue).\(format.fileExtension)")
  }
}
