import FrameBench
import Testing

@testable import FrameReport

@Suite struct FormatGoldenTests {
  /// HTML and markdown have tests of their own.
  static let formats: [ReportFormat] = [
    .csv, .junit, .githubBenchmark, .bmf, .jmh, .benchfmt, .openmetrics, .influx,
  ]

  @Test(arguments: formats, ["troubled", "hostile"])
  func formatsRenderAsTheirGoldenFiles(_ format: ReportFormat, _ name: String) throws {
    let document = name == "troubled" ? Fixtures.troubled : Fixtures.hostile
    try Golden.expect(
      try format.render(document), matches: "\(name).\(format.rawValue).\(format.fileExtension)")
  }
}
