import Judging
import Markup
import Measurements
import TextFormat

extension RunDocument {
  /// Returns the run as text for one screen of a terminal with at least 40 columns. It has a line for each benchmark or
  /// strategy, and ends with the verdict, where readers look. If `isVerbose` is true, the text may be longer: it has a
  /// table for each scenario, all warnings, and each scenario's headline with its details.
  package func terminalText(width: Int = 80, usesColor: Bool, isVerbose: Bool = false) -> String {
    let terminal = Terminal(width: width, usesColor: usesColor)
    return terminal.render(isVerbose ? blocksOfAll : blocksOfScreen(terminal))
  }

  private var blocksOfAll: [Block] {
    let groups = ScenarioGroup.all(in: self)
    let overview = Overview(self, isBrief: true)
    var blocks = [Block.list(failures.map(\.line))]
    blocks += groups.map { .table(overview.table(of: $0)) }
    blocks.append(.list(warnings.map(\.line)))
    if benchmarks.contains(where: { $0.allocations == nil }) {
      blocks.append(.paragraph("allocs \(Format.absent): the allocation counter is not linked in or not active."))
    }
    blocks += caveats.map { .paragraph(.strong($0, .bad)) }
    guard !groups.isEmpty else { return blocks + [.paragraph(.strong(verdict))] }
    return blocks
      + groups.map { group in
        let headline = (groups.count > 1 ? "\(group.name): " : "") + group.headline
        return .paragraph([.strong(headline), RichText(group.details.joined(separator: " "))].lines())
      }
  }

  private func blocksOfScreen(_ terminal: Terminal) -> [Block] {
    let overview = Overview(self, isBrief: true)
    let groups = ScenarioGroup.all(in: self)
    var closing = caveats.map { RichText.strong($0, .bad) } + [.strong(verdict)]
    if groups.count == 1 { closing.append(RichText(groups[0].headline)) }
    for group in groups { closing += group.capacitySentences.map { "\(group.name): \($0)" } }
    let ofTheRun = warnings.filter { $0.benchmark == nil }
    let allWarnings = (ofTheRun + warnings.filter { $0.benchmark != nil }).map(\.line)
    func named(limit: Int) -> [Block] {
      [
        .list(Self.named(failures.map(\.line), "failure", limit, terminal)),
        .list(Self.named(allWarnings, "warning", limit, terminal)), .paragraph(closing.lines()),
      ]
    }
    func room(_ blocks: [Block]) -> Int {
      // The text may have 41 lines, to fit on a screen. Five of them are the table's header, a note, and blank lines.
      blocks.map(terminal.lines).reduce(41 - 5) { $0 - $1.count - ($1.isEmpty ? 0 : 1) } + 2
    }
    var around = named(limit: .max)
    if room(around) < overview.rows.count { around = named(limit: 2) }
    guard !overview.rows.isEmpty else { return around }
    return [around[0], .table(Self.table(overview, terminal.width, room: max(3, room(around))))] + around.dropFirst()
  }

  /// A table with a line for each benchmark. If there is no room, it has a line for each strategy, or only for the
  /// strategies of the scenarios that fit.
  private static func table(_ overview: Overview, _ width: Int, room: Int) -> Table {
    guard overview.rows.count > room else { return overview.table(overview.rows) }
    let all = overview.rows.grouped(by: \.id.series).map(\.rows)
    // Wider terminals have room for three sizes side by side.
    let isNarrow = width < 72
    func table(_ lines: [[OverviewRow]]) -> Table {
      isNarrow ? overview.table(lines.compactMap(\.last)) : overview.matrix(lines)
    }
    guard all.count > room else { return table(all) }
    var shown: [[OverviewRow]] = []
    for (_, lines) in all.grouped(by: { $0[0].id.scenario }) where shown.count + lines.count <= room { shown += lines }
    if shown.isEmpty { shown = Array(all.prefix(room)) }
    var part = table(shown)
    let sizes = shown.map { isNarrow ? 1 : min($0.count, Overview.ordinals.count) }
    let left = overview.rows.count - sizes.reduce(0, +)
    part.caption = "\(Format.plural(left, "more benchmark")): --verbose, or the report."
    return part
  }

  /// Returns the first `limit` texts, each cut to four lines, and a line that says how many more there are.
  private static func named(_ texts: [RichText], _ noun: String, _ limit: Int, _ terminal: Terminal) -> [RichText] {
    let shown = texts.prefix(limit).map { text -> RichText in
      let lines = Terminal.wrapped(text.plainText, width: terminal.width, indent: 2)
      guard lines.count > 4 else { return text }
      let last = TerminalText.prefix(lines[3].dropFirst(2), width: terminal.width - 3)
      return text.replaced(by: "\(lines[..<3].joined(separator: " ")) \(last)…")
    }
    guard texts.count > limit else { return shown }
    return shown + ["… \(Format.plural(texts.count - limit, "more \(noun)")): --verbose, or the report"]
  }
}
