import Testing

@testable import Markup
@testable import Pages
@testable import TextFormat

@Suite struct TerminalTests {
  private func text(_ blocks: [Block], width: Int = 40, usesColor: Bool = false) -> String {
    Terminal(width: width, usesColor: usesColor).render(blocks)
  }

  @Test func blocksHaveABlankLineBetweenThem() {
    #expect(text([.heading(level: 1, "a"), .list(["b", "c"]), .paragraph("d")]) == "a\n\nb\nc\n\nd\n")
    #expect(text([.list([]), .paragraph("a"), .footnotes]) == "a\n")
  }

  @Test func itemsAreIndentedBelowTheirFirstLine() {
    let words = "twelve words of which the first line of forty characters holds only seven"
    #expect(
      text([.list([words.rich])]) == "twelve words of which the first line of\n  forty characters holds only seven\n")
    #expect(text([.list([["a", "b"].lines()])]) == "a\n    b\n")
    #expect(text([.paragraph(["a", "b"].lines())]) == "a\nb\n")
  }

  @Test func toneIsShownInColor() {
    #expect(text([.paragraph(.strong("a"))], usesColor: true) == "\u{1B}[1ma\u{1B}[0m\n")
    #expect(text([.list([.strong("a", .bad)])], usesColor: true) == "\u{1B}[31ma\u{1B}[0m\n")
    #expect(text([.paragraph("\(strong: "a") b")], usesColor: true) == "a b\n")
  }

  private func table(_ rows: [(String, String)]) -> Table {
    Table(rows, [.left("name") { .text($0.0) }, .right("n", rank: 4) { .text($0.1) }, .left("") { _ in "" }])
  }

  @Test func columnsLineUpAndEmptyOnesAreAbsent() {
    #expect(text([.table(table([("a", "1"), ("bc", "200")]))]) == "name    n\na       1\nbc    200\n")
  }

  @Test func whatDoesNotFitIsLeftOutByRankAndThenCut() {
    let long = String(repeating: "x", count: 37)
    #expect(text([.table(table([(long, "10")]))]).split(separator: "\n")[1] == "\(long) 10")
    let longer = String(repeating: "x", count: 41)
    #expect(text([.table(table([(longer, "10")]))]).split(separator: "\n")[1] == "\(longer.prefix(39))…")
  }

  @Test(arguments: [("ab", 2), ("漢字", 4), ("か\u{3099}", 2), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("✔️", 2), ("µ÷–", 3)])
  func wideCharactersTakeTwoColumns(_ text: String, _ columns: Int) {
    #expect(TerminalText.width(text) == columns)
    let lines = self.text([.table(table([(text, "1"), ("abcdefgh", "2")]))]).split(separator: "\n")
    #expect(lines[1].hasSuffix(String(repeating: " ", count: 8 - columns + 2) + "1"))
  }

  @Test func wideWordsAreCutAtTheWidth() {
    let word = String(repeating: "漢", count: 31)
    let lines = Terminal.wrapped(word, width: 41, indent: 2)
    #expect(lines.map { TerminalText.width($0) } == [40, 24])
    #expect(text([.table(table([(word, "10")]))]).split(separator: "\n")[1] == "\(word.prefix(19))…")
  }

  @Test func rowsHaveTonesAndNotes() {
    var table = table([("a", "1")])
    table.title = "above"
    table.caption = "below"
    table.tones[0] = .good
    table.notes[0] = ["note"]
    #expect(
      text([.table(table)], usesColor: true)
        == "above\n\u{1B}[2mname  n\u{1B}[0m\n\u{1B}[32ma     1\u{1B}[0m\n    note\nbelow\n")
  }
}

extension String { fileprivate var rich: RichText { RichText(self) } }
