import Measurements
import TextFormat

/// The markdown report for `$GITHUB_STEP_SUMMARY`, which drops a summary of more than 1 MiB without a word.
///
/// What does not fit is left out and named where it was: first what is folded, the largest first, then
/// whole sections, the last scenario first. The verdict is the last to go.
package struct GitHubSummary: Sendable {
  /// GitHub's limit for the summary of a step, bytes of UTF-8.
  package static let gitHubLimit = 1_048_576

  private let markdown: String
  private let limit: Int

  /// - Parameter limit: The text stays below this, bytes of UTF-8; smaller where a step writes more than
  ///   this to its summary.
  package init(_ document: RunDocument, limit: Int = GitHubSummary.gitHubLimit) {
    self.init(markdown: MarkdownReport(document).render(), limit: limit)
  }

  package init(markdown: String, limit: Int = GitHubSummary.gitHubLimit) {
    precondition(limit >= 1_000, "a summary of less than \(limit) bytes holds nothing")
    self.markdown = markdown
    self.limit = limit
  }

  /// The whole report where it is below the limit.
  package func render() -> String {
    guard markdown.utf8.count >= limit else { return markdown }
    let unfolded = withoutLargestFolds()
    guard size(unfolded) >= limit else { return Self.text(unfolded) }
    let whole = withoutSections(MarkdownBlock.sections(unfolded))
    guard size(whole) >= limit else { return Self.text(whole) }
    return cut(Self.text(whole))
  }

  /// Folds leave, the largest first, until the rest fits.
  private func withoutLargestFolds() -> [MarkdownBlock] {
    var blocks = MarkdownBlock.blocks(of: markdown)
    var excess = size(blocks) - limit + 1
    let folds = blocks.indices.filter { blocks[$0].foldedSummary != nil }
      .sorted { (blocks[$0].text.utf8.count, $1) > (blocks[$1].text.utf8.count, $0) }
    for index in folds where excess > 0 {
      let placeholder = Self.leftOut("\"\(blocks[index].foldedSummary ?? "")\"", blocks[index].text)
      guard placeholder.utf8.count < blocks[index].text.utf8.count else { continue }
      excess -= blocks[index].text.utf8.count - placeholder.utf8.count
      blocks[index] = MarkdownBlock(text: placeholder, foldedSummary: nil)
    }
    return blocks
  }

  /// The head stays, then notes, environment and method, which come last but are short, then scenarios in
  /// their order, as many as fit.
  private func withoutSections(_ sections: [MarkdownBlock]) -> [MarkdownBlock] {
    let placeholders = sections.map { section in
      MarkdownBlock(text: Self.leftOut("The section \"\(section.title)\"", section.text), foldedSummary: nil)
    }
    let closing = sections.indices.filter { ["Notes", "Environment", "Method"].contains(sections[$0].title) }
    let order = [0] + closing.reversed() + sections.indices.filter { $0 > 0 && !closing.contains($0) }
    var chosen = placeholders
    chosen[0] = sections[0]
    var total = size(chosen)
    for index in order.dropFirst() {
      let growth = sections[index].text.utf8.count - placeholders[index].text.utf8.count
      guard total + growth < limit else { continue }
      total += growth
      chosen[index] = sections[index]
    }
    return chosen
  }

  /// Whole lines from the start, as many as fit.
  private func cut(_ text: String) -> String {
    let note = "\n*The rest does not fit into a step summary; it is in the run's report.md.*\n"
    var kept = ""
    var count = note.utf8.count
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      count += line.utf8.count + 1
      guard count < limit else { break }
      kept += line + "\n"
    }
    return kept + note
  }

  private static func leftOut(_ what: String, _ text: String) -> String {
    "*\(what) is left out (\(ByteUnit.text(Double(text.utf8.count)))), so that the summary stays below"
      + " GitHub's limit; it is in the run's report.md.*\n"
  }

  private func size(_ blocks: [MarkdownBlock]) -> Int { blocks.reduce(0) { $0 + $1.text.utf8.count } }

  private static func text(_ blocks: [MarkdownBlock]) -> String { blocks.map(\.text).joined() }
}
