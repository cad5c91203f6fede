import FrameBench
import Testing

@testable import FrameReport

@Suite struct MarkdownHTMLTests {
  @Test(arguments: [
    ("a **b** *c* `d<e>`", "a <strong>b</strong> <em>c</em> <code>d&lt;e&gt;</code>"),
    ("**a *b* `c`**", "<strong>a <em>b</em> <code>c</code></strong>"),
    ("2 * 3 * 4 and **", "2 * 3 * 4 and **"),
    (#"\*a\* \<b\> \[c\](d) \`e\` \\"#, "*a* &lt;b&gt; [c](d) `e` \\"),
    ("<b>x</b> & &lt; &amp; &copy;", "&lt;b&gt;x&lt;/b&gt; &amp; &lt; &amp; &amp;copy;"),
    ("<code>re&#124;play</code>", "<code>re&#124;play</code>"),
    ("<code>open", "&lt;code&gt;open"),
    ("1[^12]", "1<sup><a href=\"#note-12\" aria-label=\"note 12\">12</a></sup>"),
    ("[^x] [^]", "[^x] [^]"),
    ("[a](https://b.c/d?e=1)", "<a href=\"https://b.c/d?e=1\">a</a>"),
    ("[a](javascript:alert(1))", "[a](javascript:alert(1))"),
    ("[a](data:text/html,x) [b](http://c)", "[a](data:text/html,x) [b](http://c)"),
    ("`open", "`open"), ("", ""), ("\\", "\\"), ("é ÷ ×", "é ÷ ×"),
  ])
  func lineOfMarkdownBecomesHTML(_ markdown: String, _ html: String) {
    #expect(MarkdownInline.html(markdown) == html)
  }

  @Test(arguments: [
    "a*b_c", "<script>", "x`y`z", "**", "[a](b)", "&lt;", "a|b", "\\", "~$", "'\"", "`", "a``b|c", "![x](y)",
    "</code>",
  ])
  func whatMarkdownEscapesReadsTheSameInHTML(_ text: String) {
    #expect(MarkdownInline.plain(Markdown.escape(text)) == text)
    #expect(MarkdownInline.plain(Markdown.code(text)) == text)
    #expect(MarkdownInline.html(Markdown.code(text)).hasPrefix("<code>"))
  }

  @Test func tableKeepsItsCellsAndTheirAlignment() {
    var table = MarkdownTable([("", .left), ("a|b", .right)])
    table.append([Markdown.escape("c\\|d"), "**1**"])
    let html = MarkdownHTML(table.render()).html
    #expect(html.contains("<tr><td></td><th scope=\"col\" class=\"n\">a|b</th></tr>"))
    #expect(html.contains("<tr><th scope=\"row\">c\\|d</th><td class=\"n\"><strong>1</strong></td></tr>"))
  }

  @Test func blocksBecomeTheirElements() {
    let page = MarkdownHTML(
      """
      # A & b

      **Lead.**

      Two
      lines
      - one
      - two

      <details>
      <summary>More *x*</summary>

      ````sh
      <a>

      ```
      ````

      </details>

      ## A & b

      ![x](there.svg)

      ![x](gone.svg)

      [^1]: Note: *y*.
      """, figures: ["there.svg": "<figure></figure>"])
    #expect(
      page.html == """
        <h1 id="s-a-b">A &amp; b</h1>
        <p class="lead"><strong>Lead.</strong></p>
        <p>Two lines</p>
        <ul>
        <li>one</li>
        <li>two</li>
        </ul>
        <details>
        <summary>More <em>x</em></summary>
        <pre tabindex="0"><code>&lt;a&gt;

        ```</code></pre>
        </details>
        <h2 id="s-a-b--2">A &amp; b</h2>
        <figure></figure>
        <p>!<a href="gone.svg">x</a></p>
        <ol class="notes">
        <li id="note-1" value="1">Note: <em>y</em>.</li>
        </ol>
        """)
    #expect(page.headings.map(\.id) == ["s-a-b", "s-a-b--2"])
  }

  @Test(arguments: [
    "```", "|", "| a", "- ", "[^", "<details>", "<summary>", "# ", "####### x", "![", "\n\n", "**",
  ])
  func brokenMarkdownEnds(_ markdown: String) {
    #expect(MarkdownHTML(markdown).html.count < 300)
  }
}

@Suite struct SHA256Tests {
  /// The examples of NIST and the lengths around a block's end, by sha256sum.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
  ])
  func digestsAreThoseOfTheStandard(_ message: String, _ digest: String) {
    let hexadecimal = SHA256.digest(Array(message.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(hexadecimal.joined() == digest)
  }
}
