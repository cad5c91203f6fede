import Testing

@testable import Markup
@testable import Pages

@Suite struct SparklineTests {
  @Test func barsAreTheGreatestOfTheirStretch() {
    var values = Array(repeating: 1.0, count: 1_200)
    values[700] = 8
    var line = Sparkline(values, description: "")
    #expect(line.levels.count == 48)
    #expect(line.levels.count { $0 == 1 } == 1)
    #expect(line.levels[28] == 1)
    #expect(line.text == "\(String(repeating: "▂", count: 14))█\(String(repeating: "▂", count: 9))")
    line.width = 12
    #expect(line.text == "▂▂▂▂▂▂▂█▂▂▂▂")
  }

  @Test func shortSeriesHaveABarEach() {
    #expect(Sparkline([1, 2], description: "").text == "▅█")
    #expect(Sparkline([], description: "").text.isEmpty)
    #expect(Sparkline([0, 0], description: "").text.isEmpty)
  }

  @Test(arguments: [([100, 99.2], "▄▄"), ([100, 100], "▄▄"), ([0, 0], "▄▄"), ([100, 80], "█▁"), ([0, 1], "▁█")])
  func aTrendDoesNotMagnifyWhatHardlyMoves(_ values: [Double], _ text: String) {
    #expect(Sparkline(trend: values, width: 10, marks: []).text == text)
  }

  @Test func pagesShowBarsAndTextBlocks() {
    let blocks: [Block] = [.paragraph(RichText([.sparkline(Sparkline([1, 4, 2], description: "a < b"))]))]
    #expect(blocks.markdown() == "▃█▅\n")
    let html = blocks.html(title: "")
    #expect(html.contains("<svg class=\"bars\""))
    #expect(html.contains("aria-label=\"a &lt; b\""))
  }
}
