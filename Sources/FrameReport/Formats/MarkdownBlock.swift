/// A part of a page, with its line ends: something folded, or what stands between two folds.
struct MarkdownBlock {
  var text: String
  /// The line that shows while it is folded; nil for what is not folded.
  var foldedSummary: String?

  /// The words of a section's heading; empty for what stands before the first.
  var title: String {
    text.hasPrefix("## ") ? String(text.dropFirst(3).prefix { !$0.isNewline }) : ""
  }

  /// A page in parts that together are the page. `<details>` in a fenced block is text.
  static func blocks(of page: String) -> [MarkdownBlock] {
    var blocks = [MarkdownBlock(text: "")]
    var fence = Fence()
    var isFolded = false
    for line in page.lines {
      let isCode = fence.read(line)
      if !isCode && !isFolded && line == "<details>\n" {
        blocks.append(MarkdownBlock(text: "", foldedSummary: ""))
        isFolded = true
      }
      if isFolded && !isCode, let summary = line.wholeMatch(of: #/<summary>(.*)</summary>\n/#)?.1 {
        blocks[blocks.count - 1].foldedSummary = String(summary)
      }
      blocks[blocks.count - 1].text += line
      if isFolded && !isCode && line == "</details>\n" {
        blocks.append(MarkdownBlock(text: ""))
        isFolded = false
      }
    }
    return blocks.filter { !$0.text.isEmpty }
  }

  /// The same page, divided before each heading of the second level; the first part is never missing.
  static func sections(_ blocks: [MarkdownBlock]) -> [MarkdownBlock] {
    var sections = [MarkdownBlock(text: "")]
    var fence = Fence()
    for line in blocks.map(\.text).joined().lines {
      if !fence.read(line) && line.hasPrefix("## ") { sections.append(MarkdownBlock(text: "")) }
      sections[sections.count - 1].text += line
    }
    return sections
  }

  /// Tells code from what is markup.
  private struct Fence {
    private var opening = 0

    /// Whether the line stands in a fenced block or bounds one.
    mutating func read(_ line: Substring) -> Bool {
      let length = line.prefix { $0 == "`" }.count
      if opening == 0 {
        if length >= 3 { opening = length }
        return length >= 3
      }
      if length >= opening && line.dropFirst(length).allSatisfy(\.isWhitespace) { opening = 0 }
      return true
    }
  }
}

extension String {
  /// With their line ends. A line that ends in CR LF stays as it is: only LF ends one here.
  fileprivate var lines: [Substring] {
    var lines: [Substring] = []
    var start = startIndex
    while start < endIndex {
      let end = utf8[start...].firstIndex(of: UInt8(ascii: "\n")).map { utf8.index(after: $0) } ?? endIndex
      lines.append(self[start..<end])
      start = end
    }
    return lines
  }
}
