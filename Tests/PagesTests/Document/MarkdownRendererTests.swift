import FrameBench
import Testing

@testable import Markup
@testable import Pages

@Suite struct MarkdownRendererTests {
  private func paragraph(_ text: RichText) -> String { String([Block.paragraph(text)].markdown().dropLast()) }

  @Test(arguments: [
    (#"*a* [b](c) <d> `e` \ ~f~"#, #"\*a\* \[b\](c) \<d\> \`e\` \\ \~f\~"#),
    ("x86_64 _x_ a & b &lt;", #"x86_64 \_x\_ a & b \&lt;"#), ("two\nlines", "two lines"),
    ("<0.01%, 1 < 2 > 1, ~3, a ~ b", "<0.01%, 1 < 2 > 1, ~3, a ~ b"), ("<1@x.org>", #"\<1@​x.org\>"#), ("# a", "\\# a"),
    ("- a", #"\- a"#), ("> a", #"\> a"#), ("---", #"\---"#), ("12. a", #"12\. a"#), ("-1.5", "-1.5"),
    ("1.5 a", "1.5 a"), ("", ""),
  ]) func plainTextReadsTheSame(_ text: String, _ markdown: String) { #expect(paragraph(.text(text)) == markdown) }

  @Test func markupNests() {
    #expect(paragraph("a \(strong: "b \(emphasis: "c") \(code: "d")") *") == #"a **b *c* `d`** \*"#)
    #expect(paragraph("\("a]b", link: "c.html") \("d")") == #"[a\]b](c.html) d"#)
    #expect(paragraph(RichText([.image(alternative: "a*", source: "b.svg")])) == #"![a\*](b.svg)"#)
  }

  @Test func pipesAreEscapedInCellsOnly() {
    let table = Table([#"c\|d"#], [.left("a|b") { .text($0) }, .right("n") { _ in "1" }])
    #expect(
      [Block.table(table), .paragraph("a|b")].markdown() == #"""
        | a\|b   |   n |
        | ------ | --: |
        | c\\\|d |   1 |

        a|b

        """#)
  }

  /// GitHub's page is 948 points wide. A character takes 8 points, and the padding of a cell takes 27.
  @Test(arguments: [
    (62, "| name | middle | low |"), (63, "| name | middle |"), (105, "| name | middle |"), (106, "| name |"),
    (200, "| name |"),
  ]) func tablesLeaveOutTheColumnsOfTheLowestRanksThatGitHubHasNoRoomFor(_ length: Int, _ header: String) {
    let table = Table(
      [String(repeating: "x", count: length)],
      [
        .left("name") { "\($0)" }, .right("middle", rank: 2) { _ in "1" },
        .right("low", rank: 1) { "\($0.prefix(40))" },
      ])
    let shown = [Block.table(table)].markdown().split(separator: "\n")[0]
    #expect(shown.replacing(#/ +/#, with: " ") == header)
  }

  @Test func codeThatACodeSpanCannotHoldBecomesAnElement() {
    #expect(paragraph(.code("solve")) == "`solve`")
    #expect(paragraph(.code("re|play")) == "<code>re&#124;play</code>")
    #expect(paragraph(.code("a`b<c>")) == "<code>a&#96;b&lt;c&gt;</code>")
  }

  @Test func fenceIsLongerThanAnyFenceInside() {
    #expect([Block.codeBlock("a")].markdown() == "```\na\n```\n")
    #expect([Block.codeBlock("x\n````\ny", language: "sh")].markdown().hasPrefix("`````sh\n"))
  }

  @Test func foldedPartsNest() {
    let page: [Block] = [.details(summary: "a <b>", [.details(summary: "c", [.paragraph("d")]), .list(["e", "- f"])])]
    #expect(
      page.markdown() == #"""
        <details>
        <summary>a &lt;b></summary>

        <details>
        <summary>c</summary>

        d

        </details>

        - e
        - \- f

        </details>

        """#)
  }

  @Test func sameNoteHasOneNumberAndNotesOfFoldedPartsCount() {
    let page: [Block] = [
      .paragraph("x\(footnote: "a")"), .details(summary: "s", [.list(["y\(footnote: "*b*")"])]),
      .heading(level: 2, "z\(footnote: "a")"), .footnotes,
    ]
    let text = page.markdown()
    #expect(text.hasPrefix("x[^1]\n") && text.contains("- y[^2]\n") && text.contains("## z[^1]\n"))
    #expect(text.hasSuffix("\n[^1]: a\n[^2]: \\*b\\*\n"))
  }

  @Test func aPageOfNothingIsEmpty() {
    #expect([Block]().markdown().isEmpty)
    #expect([Block.footnotes].markdown().isEmpty)
  }

  @Test(arguments: Fixture.allCases) func everyRowOfATableHasAsManyCellsAsItsHeader(_ fixture: Fixture) {
    var columns: Int?
    var compared = 0
    for line in fixture.document.report().markdown().split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        columns = nil
        continue
      }
      let cells = cellCount(line)
      if let columns {
        #expect(cells == columns, "\(line)")
        compared += 1
      }
      columns = cells
    }
    #expect(compared > 20)
  }

  @Test(arguments: Fixture.allCases) func everyMarkHasItsNoteAndEveryNoteItsMark(_ fixture: Fixture) {
    let text = fixture.document.report().markdown()
    let notes = text.matches(of: #/(?m)^\[\^(\d+)\]: /#).map { String($0.1) }
    let marks = text.matches(of: #/\[\^(\d+)\](?!: )/#).map { String($0.1) }
    #expect(Set(notes) == Set(marks))
    #expect(notes == (0..<notes.count).map { String($0 + 1) })
  }

  /// Returns the number of cells of a row by the rule of GFM: a pipe separates cells unless an unescaped backslash
  /// precedes it.
  private func cellCount(_ line: Substring) -> Int {
    var isEscaped = false
    var pipes = 0
    for character in line {
      if character == "|" && !isEscaped { pipes += 1 }
      isEscaped = character == "\\" && !isEscaped
    }
    return pipes - 1
  }
}
