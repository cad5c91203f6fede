import FrameBench
import Testing

@testable import FrameReport

@Suite struct MarkdownTests {
  @Test func textIsEscapedWhereMarkdownWouldReadIt() {
    #expect(Markdown.escape("*a* [b](c) <d> `e` \\ ~f~") == "\\*a\\* \\[b\\](c) \\<d\\> \\`e\\` \\\\ \\~f\\~")
    #expect(Markdown.escape("x86_64 _x_ a & b &lt;") == "x86_64 \\_x\\_ a & b \\&lt;")
    #expect(Markdown.escape("two\nlines") == "two lines")
  }

  @Test func pipesInCellsAreEscaped() {
    var table = MarkdownTable([("a|b", .left), ("n", .right)])
    table.append([Markdown.escape("c\\|d"), "1"])
    #expect(
      table.render() == """
        | a\\|b   |   n |
        | ------ | --: |
        | c\\\\\\|d |   1 |
        """)
  }

  @Test func codeThatACodeSpanCannotHoldBecomesAnElement() {
    #expect(Markdown.code("solve") == "`solve`")
    #expect(Markdown.code("re|play") == "<code>re&#124;play</code>")
    #expect(Markdown.code("a`b<c>") == "<code>a&#96;b&lt;c&gt;</code>")
  }

  @Test func fenceIsLongerThanAnyFenceInside() {
    #expect(Markdown.fence("a") == "```\na\n```")
    #expect(Markdown.fence("x\n````\ny").hasPrefix("`````\n"))
  }

  @Test func sameNoteHasOneNumber() {
    var notes = Footnotes()
    #expect([notes.mark("a"), notes.mark("b"), notes.mark("a")] == ["[^1]", "[^2]", "[^1]"])
    #expect(notes.render() == "[^1]: a\n[^2]: b")
  }

  @Test(arguments: Fixture.allCases)
  func everyRowOfATableHasAsManyCellsAsItsHeader(_ fixture: Fixture) {
    var columns: Int?
    var compared = 0
    for line in MarkdownReport(fixture.document).render().split(
      separator: "\n", omittingEmptySubsequences: false)
    {
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

  @Test(arguments: Fixture.allCases)
  func everyMarkHasItsNoteAndEveryNoteItsMark(_ fixture: Fixture) {
    let text = MarkdownReport(fixture.document).render()
    let notes = text.matches(of: #/(?m)^\[\^(\d+)\]: /#).map { String($0.1) }
    let marks = text.matches(of: #/\[\^(\d+)\](?!: )/#).map { String($0.1) }
    #expect(Set(notes) == Set(marks))
    #expect(notes == (0..<notes.count).map { String($0 + 1) })
  }

  /// Cells of a row by GFM's rule: a pipe after a backslash that is not itself escaped splits nothing.
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
