import FrameBench
import Testing

@testable import HistoryPages
@testable import Measurements
@testable import Pages

@Suite struct GoldenTests {
  /// The document has failures, warnings, missing figures and names to escape, so the page has every kind of sentence.
  @Test func aReportRendersAsItsGoldenFile() throws {
    try Golden.expect(Fixtures.troubled.report().markdown(), matches: "troubled.md")
  }

  @Test(arguments: [Fixture.twoStrategies, .troubled]) func terminalsRenderAsTheirGoldenFiles(_ fixture: Fixture) throws
  {
    let (document, name) = (fixture.document, fixture.rawValue)
    try Golden.expect(document.terminalText(usesColor: false, isVerbose: true), matches: "\(name).txt")
    try Golden.expect(document.terminalText(usesColor: false), matches: "\(name).overview.txt")
  }

  @Test func flatRowsRenderAsTheirGoldenFile() throws {
    try Golden.expect(FlatRows(Fixtures.oneStrategy).json(), matches: "one-strategy.json")
  }

  @Test func firstDifferingLineIsNamed() {
    #expect(Golden.firstDifference("a\nb\n", "a\nb\n") == nil)
    #expect(Golden.firstDifference("a\nc\n", "a\nb\n") == "line 2:\nexpected: b\nrendered: c")
    #expect(Golden.firstDifference("a", "a\nb") == "line 2:\nexpected: b\nrendered: the end")
  }
}
