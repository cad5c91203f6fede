import FrameBench
import Measurements
import TextFormat

extension RunDocument {
  /// A run for the terminal, on one screen: every benchmark in a line, or those of the largest sizes, and
  /// the verdict below it, where readers look when a command ends.
  ///
  /// - Parameters:
  ///   - width: Columns of the terminal; less than 40 counts as 40. If a table does not fit, the least
  ///   important
  ///     columns are left out.
  ///   - usesColor: Whether to write ANSI escape sequences.
  ///   - isVerbose: Instead of one screen, a table for each scenario, and all sentences below them.
  package func terminalText(width: Int = 80, usesColor: Bool, isVerbose: Bool = false) -> String {
    let terminal = Terminal(width: width, usesColor: usesColor)
    return terminal.render(isVerbose ? blocksOfAll : blocksOfScreen(terminal))
  }

  // MARK: Everything

  private var blocksOfAll: [Block] {
    let verdict = Verdict(self)
    let overview = Overview(self, isBrief: true)
    var blocks = [Block.list(failures.map(\.line))]
    blocks += ScenarioGroup.all(in: self).map { .table(overview.table(of: $0)) }
    blocks.append(.list(warnings.map(\.line)))
    if benchmarks.contains(where: { $0.allocations == nil }) {
      blocks.append(
        .paragraph("allocs \(Format.absent): the allocation counter is not linked in or not active."))
    }
    blocks += verdict.caveats.map { .paragraph(.strong($0, .bad)) }
    return blocks
      + verdict.paragraphs.map { paragraph in
        let headline = RichText.strong((paragraph.scenario.map { "\($0): " } ?? "") + paragraph.headline)
        return .paragraph([headline, RichText(paragraph.details.joined(separator: " "))].lines())
      }
  }

  // MARK: One screen

  /// Lines that fit below a prompt, with one more for the command's own output.
  static let screenLineCount = 38

  private func blocksOfScreen(_ terminal: Terminal) -> [Block] {
    let overview = Overview(self, isBrief: true)
    let verdict = Verdict(self)
    var closing = verdict.caveats.map { RichText.strong($0, .bad) } + [.strong(verdict.summary)]
    if let only = verdict.paragraphs.first, verdict.paragraphs.count == 1, only.headline != verdict.summary {
      closing.append(RichText(only.headline))
    }
    let ofTheRun = warnings.filter { $0.benchmark == nil }
    let allWarnings = (ofTheRun + warnings.filter { $0.benchmark != nil }).map(\.line)
    func named(limit: Int) -> [Block] {
      [
        .list(Self.named(failures.map(\.line), "failure", limit, terminal)),
        .list(Self.named(allWarnings, "warning", limit, terminal)), .paragraph(closing.lines()),
      ]
    }
    func room(_ blocks: [Block]) -> Int {
      // With the header, a note, and blank lines above and below.
      blocks.map(terminal.lines).reduce(Self.screenLineCount - 5) { $0 - $1.count - ($1.isEmpty ? 0 : 1) } + 2
    }
    var around = named(limit: .max)
    if room(around) < overview.rows.count { around = named(limit: 2) }
    let shown = Self.chosen(overview.rows, room: max(3, room(around)))
    var table = overview.table(shown)
    let left = overview.rows.count - shown.count
    if left > 0 {
      let count = Format.plural(left, "more benchmark")
      table.caption = "\(count), mostly of smaller sizes: --verbose, or the report."
    }
    return [around[0]] + (shown.isEmpty ? [] : [.table(table)]) + around.dropFirst()
  }

  /// All if there is room; else the largest size of each scenario; else those of them with the largest
  /// share of the budget.
  private static func chosen(_ rows: [OverviewRow], room: Int) -> [OverviewRow] {
    guard rows.count > room else { return rows }
    let largest = Dictionary(rows.map { ($0.id.variant, $0.id.size) }, uniquingKeysWith: max)
    let candidates = rows.filter { $0.id.size == largest[$0.id.variant] }
    guard candidates.count > room else { return candidates }
    let limit = candidates.map { $0.budgetShare ?? 0 }.sorted(by: >)[room - 1]
    return Array(candidates.filter { ($0.budgetShare ?? 0) >= limit }.prefix(room))
  }

  /// The first of them, each in at most two lines, and how many more there are.
  private static func named(
    _ texts: [RichText], _ noun: String, _ limit: Int, _ terminal: Terminal
  ) -> [RichText] {
    let shown = texts.prefix(limit).map { text -> RichText in
      let lines = Terminal.wrapped(text.plainText, width: terminal.width, indent: 2)
      guard lines.count > 2 else { return text }
      let short = "\(lines[0]) \(lines[1].dropFirst(2).prefix(terminal.width - 3))…"
      if case .strong(_, let tone) = text.inlines.first { return .strong(short, tone) }
      return RichText(short)
    }
    guard texts.count > limit else { return shown }
    return shown + ["… \(Format.plural(texts.count - limit, "more \(noun)")): --verbose, or the report"]
  }
}
