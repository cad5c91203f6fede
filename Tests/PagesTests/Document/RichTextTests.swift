import Testing

@testable import Markup

@Suite struct RichTextTests {
  @Test func piecesOfPlainTextAreOne() {
    let size = 3
    let text: RichText = "a \(size) \("b" as RichText)\("")" + "c"
    #expect(text == .text("a 3 bc"))
    #expect(("" as RichText).isEmpty)
  }

  @Test func plainTextIsWhatIsLeftWithoutMarkup() {
    let text: RichText = "\(strong: "a \(code: "b")") \(emphasis: "c") \("d", link: "e.html")\(footnote: "f")"
    #expect(text.plainText == "a b c d")
  }

  @Test func listsAreJoinedAsSentencesAre() {
    let parts: [RichText] = [.code("a"), "b", "c"]
    #expect(parts.list() == "\(code: "a"), b and c")
    #expect(parts.prefix(1).list() == .code("a"))
    #expect([RichText]().list().isEmpty)
    #expect(parts.joined(separator: "; ").plainText == "a; b; c")
  }
}
