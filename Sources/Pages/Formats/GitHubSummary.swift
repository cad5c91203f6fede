import Measurements
import TextFormat

/// Leaves out what does not fit into a page on GitHub.
package struct GitHubSummary {
  /// GitHub's limit for the summary of a step, bytes of UTF-8.
  package static let gitHubLimit = 1_048_576
  /// GitHub's limit for a comment is 65,536 characters; this leaves room for a mark that finds it again.
  package static let commentLimit = 65_000

  fileprivate let renderer: MarkdownRenderer
  fileprivate let limit: Int
  fileprivate let elsewhere: String

  fileprivate func render(_ blocks: [Block]) -> String {
    let whole = blocks.map { Part([$0], renderer) }
    let unfolded = size(whole) < limit ? whole : withoutLargestFolds(whole)
    let sections = size(unfolded) < limit ? unfolded : withoutSections(unfolded)
    return (size(sections) < limit ? sections : cut(sections)).map(\.text).joined(separator: "\n")
  }

  /// Blocks that stay or leave together, and their text.
  private struct Part {
    var blocks: [Block]
    var text: String

    init(_ blocks: [Block], _ renderer: MarkdownRenderer) {
      self.blocks = blocks
      text = renderer.render(blocks) + "\n"
    }

    /// Size with the line feed that ends it or separates it from the next part.
    var size: Int { text.utf8.count + 1 }

    /// The text of a section's heading; nil for the part before the first.
    var title: String? { if case .heading(2, let title) = blocks.first { title.plainText } else { nil } }
  }

  private func withoutLargestFolds(_ whole: [Part]) -> [Part] {
    var parts = whole
    for index in parts.indices.sorted(by: { (parts[$0].size, $1) > (parts[$1].size, $0) }) {
      guard size(parts) >= limit else { break }
      guard case .details(let summary, _) = parts[index].blocks.first else { continue }
      let placeholder = leftOut("\"\(summary)\"", parts[index])
      if placeholder.size < parts[index].size { parts[index] = placeholder }
    }
    return parts
  }

  /// Keeps the head, then notes, machine and method, which are short, then as many scenarios in their order as fit.
  private func withoutSections(_ parts: [Part]) -> [Part] {
    let starts = [0] + parts.indices.dropFirst().filter { parts[$0].title != nil } + [parts.count]
    let sections = zip(starts, starts.dropFirst()).map { Part(parts[$0..<$1].flatMap(\.blocks), renderer) }
    let closing = sections.indices.filter { ["Notes", RunDocument.methodTitle.plainText].contains(sections[$0].title) }
    var chosen = sections.map { leftOut("The section \"\($0.title ?? "")\"", $0) }
    chosen[0] = sections[0]
    for index in closing.reversed() + sections.indices.filter({ $0 > 0 && !closing.contains($0) }) {
      if size(chosen) - chosen[index].size + sections[index].size < limit { chosen[index] = sections[index] }
    }
    return chosen
  }

  private func cut(_ sections: [Part]) -> [Part] {
    let note = Part([.paragraph(.emphasis("The rest does not fit here; it is in \(elsewhere)."))], renderer)
    var room = limit - note.size
    var kept: [Part] = []
    for block in sections.flatMap(\.blocks) {
      let part = Part([block], renderer)
      guard part.size < room else {
        if case .list(let items) = block { kept += beginning(of: items, room) }
        break
      }
      kept.append(part)
      room -= part.size
    }
    return kept + [note]
  }

  private func beginning(of items: [RichText], _ room: Int) -> [Part] {
    var room = room - 2
    let fitting = items.prefix { item in
      room -= Part([.list([item])], renderer).size
      return room > 0
    }
    return fitting.isEmpty ? [] : [Part([.list(Array(fitting))], renderer)]
  }

  private func leftOut(_ what: String, _ part: Part) -> Part {
    let note: RichText = """
      \(what) is left out here (\(ByteUnit.text(Double(part.text.utf8.count)))) to keep this page below \
      GitHub's limit; it is in \(elsewhere).
      """
    return Part([.paragraph(.emphasis(note))], renderer)
  }

  private func size(_ parts: [Part]) -> Int { parts.reduce(-1) { $0 + $1.size } }
}

extension [Block] {
  /// As a page for `$GITHUB_STEP_SUMMARY`, of less than `limit` bytes of UTF-8: a larger one is dropped silently. What
  /// does not fit is left out and named with its place: folded parts, the largest first, then sections, the last first.
  package func gitHubSummary(limit: Int = GitHubSummary.gitHubLimit, elsewhere: String = "the run's report.md")
    -> String
  {
    precondition(limit >= 1_000, "a summary of less than \(limit) bytes holds nothing")
    let renderer = MarkdownRenderer(footnotes: Footnotes(self))
    return GitHubSummary(renderer: renderer, limit: limit, elsewhere: elsewhere).render(self)
  }
}
