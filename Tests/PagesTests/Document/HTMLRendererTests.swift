import Testing
import TextFormat

@testable import Markup
@testable import Pages

@Suite struct HTMLRendererTests {
  @Test(
    arguments: [
      ("a \(strong: "b") \(emphasis: "c") \(code: "d<e>")", "a <strong>b</strong> <em>c</em> <code>d&lt;e&gt;</code>"),
      ("x \(strong: "a \(emphasis: "b")")", "x <strong>a <em>b</em></strong>"),
      ("**a** [b](c) `d` &lt;", "**a** [b](c) `d` &amp;lt;"),
      ("\("a", link: "https://b.c/d?e=1&f")", "<a href=\"https://b.c/d?e=1&amp;f\">a</a>"),
      ("\("a<", link: "javascript:alert(1)")", "a&lt;"), ("\("a", link: "http://b")", "a"),
      ("\("a", link: "//b")", "a"), (.code("a|`b"), "<code>a|`b</code>"), ("é ÷ ×", "é ÷ ×"),
    ] as [(RichText, String)]) func textBecomesHTML(_ text: RichText, _ html: String)
  { #expect(HTMLRenderer([.paragraph(text)]).html == "<p>\(html)</p>") }

  @Test(arguments: [
    "a*b_c", "<script>", "x`y`z", "**", "[a](b)", "&lt;", "a|b", "\\", "~$", "'\"", "`", "![x](y)", "</code>",
    "</summary>",
  ]) func noStringBecomesMarkup(_ text: String) {
    let page: [Block] = [
      .heading(level: 2, .text(text)), .paragraph(.strong(text)), .list([.text(text)]), .codeBlock(text),
      .table(Self.table(.text(text), text)), .details(summary: text, [.paragraph("\(text)\(footnote: "\(text)")")]),
      .footnotes,
    ]
    let html = HTMLRenderer(page).html
    let empty = HTMLRenderer([
      .heading(level: 2, "x"), .paragraph(.strong("x")), .list(["x"]), .codeBlock("x"), .table(Self.table("x", "x")),
      .details(summary: "x", [.paragraph("x\(footnote: "x")")]), .footnotes,
    ]).html
    func tags(_ html: String) -> [String] {
      html.replacing(#/ id="[^"]*"/#, with: "").matches(of: #/<[^>]*>/#).map { String($0.0) }
    }
    #expect(tags(html) == tags(empty))
    #expect(html.components(separatedBy: XMLText.escape(text)).count == 10)
  }

  private static func table(_ title: RichText, _ code: String) -> Table { Table([code], [.left(title) { .code($0) }]) }

  @Test func tableKeepsItsCellsAndTheirAlignment() {
    let table = Table(["c\\|d"], [.left("") { .text($0) }, .right("a|b") { _ in .strong("1") }])
    let html = HTMLRenderer([.table(table)]).html
    #expect(html.contains("<tr><td></td><th scope=\"col\" class=\"n\">a|b</th></tr>"))
    #expect(html.contains("<tr><th scope=\"row\">c\\|d</th><td class=\"n\"><strong>1</strong></td></tr>"))
  }

  @Test func blocksBecomeTheirElements() {
    let page = HTMLRenderer(
      [
        .heading(level: 1, "A & b"), .paragraph(.strong("Lead.")), .paragraph("Two\nlines"),
        .list(["one", "two\(footnote: "Note: \(emphasis: "y").")"]),
        .details(summary: "More", [.codeBlock("<a>\n\n```", language: "sh")]), .heading(level: 2, "A & b"),
        .paragraph(RichText([.image(alternative: "x", source: "there.svg")])),
        .paragraph(RichText([.image(alternative: "x", source: "gone.svg")])), .footnotes,
      ], figures: ["there.svg": "<figure></figure>"])
    #expect(
      page.html == """
        <h1 id="s-a-b">A &amp; b</h1>
        <p class="lead"><strong>Lead.</strong></p>
        <p>Two&#10;lines</p>
        <ul>
        <li>one</li>
        <li>two<sup><a href="#note-1" aria-label="note 1">1</a></sup></li>
        </ul>
        <details>
        <summary>More</summary>
        <pre tabindex="0"><code>&lt;a&gt;

        ```</code></pre>
        </details>
        <h2 id="s-a-b--2">A &amp; b</h2>
        <figure></figure>
        <p><a href="gone.svg">x</a></p>
        <ol class="notes">
        <li id="note-1" value="1">Note: <em>y</em>.</li>
        </ol>
        """)
    #expect(page.headings.map(\.id) == ["s-a-b", "s-a-b--2"])
  }

  @Test func badAndGoodHaveTheirClasses() {
    var table = Table(["x"], [.left("a") { .text($0) }, .right("b") { _ in .strong("+1%", .bad) }])
    table.isFilterable = true
    let html = HTMLRenderer([.paragraph(.strong("Fine.", .good)), .table(table)]).html
    #expect(html.contains("<p class=\"lead good\"><strong>Fine.</strong></p>"))
    #expect(html.contains("<td class=\"n\"><strong class=\"bad\">+1%</strong></td>"))
    #expect(html.contains("<table data-filter>"))
  }

  @Test func foldedPartsNest() {
    let inner = Block.details(summary: "b", [.heading(level: 3, "c")])
    let page = HTMLRenderer([.details(summary: "a", [inner])])
    #expect(
      page.html == """
        <details>
        <summary>a</summary>
        <details>
        <summary>b</summary>
        <h3 id="s-c">c</h3>
        </details>
        </details>
        """)
    #expect(page.headings.map(\.level) == [3])
  }

  @Test func aPageOfNothingIsEmpty() {
    #expect(HTMLRenderer([]).html.isEmpty)
    #expect(HTMLRenderer([.footnotes]).html.isEmpty)
  }
}
