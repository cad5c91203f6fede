import Foundation
import FrameBench
import Testing
import TextFormat

@testable import Markup
@testable import Pages

@Suite(.serialized) struct HTMLReportTests {
  /// Returns the page without its pictures, because regular expressions take seconds on pictures.
  private func withoutFigures(_ html: String) -> String {
    var parts = html.components(separatedBy: "<figure")
    for index in parts.indices.dropFirst() {
      parts[index] = parts[index].components(separatedBy: "</figure>").last ?? ""
    }
    return parts.joined()
  }

  private func words(ofHTML html: some StringProtocol) -> String {
    String(html).replacing(#/<[^>]*>/#, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
      "&quot;", with: "\""
    ).replacing("&#124;", with: "|").replacing("&amp;", with: "&").replacing("\u{A0}", with: " ")
  }

  private func words(ofMarkdown cell: Substring) -> String {
    let text = String(cell).replacing(#/\[\^(\d+)\]/#) { String($0.1) }.replacing(#/\*\*|`/#, with: "")
    // HTML pages draw these small charts as pictures, so they are not compared.
    return words(ofHTML: text.replacing(#/[▁▂▃▄▅▆▇█]+/#, with: "")).replacing(#/\\(.)/#) { String($0.1) }
      .trimmingCharacters(in: .whitespaces)
  }

  @Test(arguments: Fixture.allCases) func tablesSayWhatTheMarkdownSays(_ fixture: Fixture) {
    let markdown = fixture.document.report().markdown().split(separator: "\n")
    let expected = markdown.filter { $0.hasPrefix("|") && !$0.hasPrefix("| --") }.map { line in
      line.replacing("\\|", with: "&#124;").split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .dropLast().map { words(ofMarkdown: $0) }
    }
    let html = withoutFigures(fixture.document.htmlReport(isVerbose: true))
    let found = html.matches(of: #/<tr>(.*?)</tr>/#).map { row in
      row.1.matches(of: #/<t[hd][^>]*>(.*?)</t[hd]>/#).map { words(ofHTML: $0.1) }
    }
    #expect(found.count == expected.count)
    for (row, markdownRow) in zip(found, expected) {
      // The markdown leaves out columns for which GitHub has no room.
      var remaining = row[...]
      for cell in markdownRow {
        guard let place = remaining.firstIndex(of: cell) else {
          Issue.record("\(cell) of \(markdownRow) is not in \(row)")
          break
        }
        remaining = remaining[(place + 1)...]
      }
    }
  }

  @Test(arguments: [Fixture.troubled, .oneStrategy]) func everyPictureStandsInThePageTwiceWideAndNarrow(
    _ fixture: Fixture
  ) {
    let html = fixture.document.htmlReport(isVerbose: true)
    let pictures = fixture.document.pictures
    #expect(!pictures.isEmpty)
    for picture in pictures {
      let title = XMLText.escape(picture.drawing.title)
      #expect(html.components(separatedBy: ">\(title)</title>").count == 3, "\(picture.name)")
    }
    #expect(html.components(separatedBy: "<svg xmlns=").count == 2 * pictures.count + 1)
    #expect(!html.contains("!["))
  }

  @Test(arguments: [PictureFixture.troubled, .hostile, .noFrames]) func idsAreUniqueAndEveryReferenceHasItsTarget(
    _ fixture: PictureFixture
  ) {
    let html = fixture.document.htmlReport()
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(!ids.isEmpty)
    #expect(Set(ids).count == ids.count)
    for reference in html.matches(of: #/href="#([^"]*)"/#) { #expect(ids.contains(String(reference.1))) }
    for references in html.matches(of: #/aria-labelledby="([^"]*)"/#) {
      for id in references.1.split(separator: " ") { #expect(ids.contains(String(id))) }
    }
  }

  @Test(arguments: [PictureFixture.troubled, .hostile, .noFrames, .oneFrame]) func everyElementIsClosedInOrder(
    _ fixture: PictureFixture
  ) {
    let html = fixture.document.htmlReport().replacing(#/(?s)<script.*?</script>/#, with: "")
    var open: [Substring] = []
    var closed = 0
    for tag in html.matches(of: #/<(/?)([a-z0-9]+)[^>]*?(/?)>/#) {
      if ["meta", "wbr"].contains(tag.2) || !tag.3.isEmpty { continue }
      if tag.1.isEmpty {
        open.append(tag.2)
      } else {
        #expect(open.popLast() == tag.2)
        closed += 1
      }
    }
    #expect(open.isEmpty && closed > 50)
  }

  @Test func namesInADocumentAreNeverMarkup() {
    let html = PictureFixtures.hostile.htmlReport()
    let elements = Set(html.matches(of: #/<([a-zA-Z0-9]+)/#).map { String($0.1) })
    #expect(elements.isDisjoint(with: ["iframe", "img", "object", "embed", "link", "base", "form"]))
    #expect(html.ranges(of: "<script>").count == 1)
    #expect(html.ranges(of: "</script>").count == html.ranges(of: "<script").count)
    #expect(!html.contains("javascript:alert(6)\""))
    #expect(html.contains("&lt;script&gt;alert(3)&lt;/script&gt;"))
  }

  @Test func onlyTheScriptWhoseHashIsNamedMayRun() throws {
    let html = Fixtures.oneStrategy.htmlReport()
    let policy = try #require(html.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)).1
    #expect(policy.hasPrefix("default-src 'none';"))
    #expect(!policy.contains("script-src 'unsafe"))
    let script = try #require(withoutFigures(html).firstMatch(of: #/(?s)<script>(.*?)</script>/#)).1
    let hash = try Self.sha256(String(script))
    #expect(policy.contains("script-src 'sha256-\(hash)'"))
  }

  /// Returns the SHA-256 in base 64, computed by sha256sum.
  private static func sha256(_ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let digits = Array(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    process.waitUntilExit()
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    return Data(bytes).base64EncodedString()
  }

  @Test func verdictStandsBeforeAllFigures() throws {
    let html = Fixtures.twoStrategies.htmlReport()
    let verdict = try #require(html.range(of: "Every frame fits the budget"))
    let figure = try #require(html.range(of: "<figure"))
    let table = try #require(html.range(of: "<table>"))
    #expect(verdict.lowerBound < figure.lowerBound && verdict.lowerBound < table.lowerBound)
  }

  @Test func readoutHoldsTheFiguresOfTheDocument() throws {
    let growth = try #require(Fixtures.twoStrategies.pictures.first?.drawing.data)
    let object = try JSONSerialization.jsonObject(with: Data(growth.utf8)) as? [String: Any]
    let series = try #require(object?["series"] as? [[String: Any]])
    let costs = try #require(series.first?["ns"] as? [[Double]])
    let summary = try #require(Fixtures.twoStrategies.benchmarks[0].frame.aligned)
    #expect(abs(costs[0][0] - summary.p50) <= 0.05)
    #expect(abs(costs[1][0] - summary.p99) <= 0.05)
    #expect(object?["labels"] as? [String] == ["100 items", "1,000 items", "10,000 items"])
  }

  @Test func sameDocumentRendersTheSamePage() {
    #expect(Fixtures.troubled.htmlReport() == Fixtures.troubled.htmlReport())
  }
}
