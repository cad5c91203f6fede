import FrameBench
import Testing

@testable import Measurements
@testable import Pages

@Suite struct GoldenTests {
  @Test(arguments: Fixture.allCases)
  func documentsRenderAsTheirGoldenFiles(_ fixture: Fixture) throws {
    let document = fixture.document
    let name = fixture.rawValue
    try Golden.expect(RunReport(document).blocks.markdown(), matches: "\(name).md")
    try Golden.expect(TerminalTable(document, usesColor: false).render(), matches: "\(name).txt")
    try Golden.expect(
      TerminalOverview(document, usesColor: false).render(), matches: "\(name).overview.txt")
  }

  @Test func flatRowsRenderAsTheirGoldenFile() throws {
    try Golden.expect(FlatRows(Fixtures.oneStrategy).json(), matches: "one-strategy.json")
  }

  @Test func firstDifferingLineIsNamed() {
    #expect(Golden.firstDifference("a\nb\n", "a\nb\n") == nil)
    #expect(
      Golden.firstDifference("a\nc\n", "a\nb\n") == "line 2:\nexpected: b\nrendered: c")
    #expect(Golden.firstDifference("a", "a\nb") == "line 2:\nexpected: b\nrendered: the end")
  }
}
