import ArgumentParser
import Foundation
import FrameBench
import Judging
import Pages
import TextFormat

/// Shows a history, unless told to export it. Both are commands, since almost no option of one is of use for the
/// other.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Shows trends over the nights, and where they changed.",
    discussion: """
      `springbench history` alone is `springbench history show`.

      EXAMPLES
        springbench history
        springbench history springs/tiled/10000
        springbench history --json
        springbench history export --output nights.csv    rows for a database
      """,
    subcommands: [HistoryShowCommand.self, HistoryExportCommand.self],
    defaultSubcommand: HistoryShowCommand.self)
}

struct HistoryShowCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows trends over the nights, and where they changed.",
    discussion: """
      Without an id, prints a line per benchmark: its median frame over the nights, its level now, and the change since \
      a week ago. With an id, a line per figure. Below a line, ^ marks a change point and | a new environment: a \
      machine, a toolchain, other options.

      EXAMPLES
        springbench history
        springbench history springs/tiled/10000
        springbench history --json | jq '.[] | .changePoints'
        springbench history --csv > nights.csv
        springbench history --import elsewhere/*.json   nights of other machines
        springbench history --site public               write only the pages
      """)

  @Argument(
    help: ArgumentHelp("Only this benchmark, all of its figures.", valueName: "id"),
    transform: OptionValue.benchmark)
  var id: BenchmarkID?

  @OptionGroup(title: "History") var options: HistoryOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only this machine (default: all that have a history).", valueName: "name"))
  var machine: String?

  @Option(
    name: .customLong("import"), parsing: .upToNextOption,
    help: ArgumentHelp("Append these documents to the histories of their machines.", valueName: "file"))
  var imports: [String] = []

  @Flag(help: "Print one JSON array, an object per trend, and nothing else.") var json = false
  @Flag(help: "Print CSV, a line per night and figure, and nothing else.") var csv = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let root = try options.historyFolder(output: RunSettings.defaultResults)
    let wanted = id
    guard !(json && csv) else { throw UsageError("--json, --csv", "both were given", remedy: "choose one") }
    if !imports.isEmpty { try await HistoryImport(root: root).run(imports, context) }
    if options.site != nil { try await writeSite(root, context) }
    guard (imports.isEmpty && options.site == nil) || json || csv || wanted != nil else { return .success }
    let analyses = try analyses(root, wanted, context)
    if json || csv {
      let rows = HistoryRows(analyses, id: wanted)
      try context.console.write(json ? try rows.json() : rows.csv())
      return .success
    }
    let usesColor = context.usesColor
    let tables = analyses.map { analysis in
      let table = HistoryTable(analysis, usesColor: usesColor)
      return wanted.map(table.page) ?? table.overview()
    }
    try context.console.write(tables.joined(separator: "\n"))
    return .success
  }

  private func writeSite(_ root: String, _ context: CommandContext) async throws {
    let site = SiteFolder(
      path: try options.siteFolder(output: RunSettings.defaultResults), budgets: try options.budgetFile())
    try site.check()
    let lock = try await HistoryLocks(root: root, machine: "").writing()
    defer { withExtendedLifetime(lock) {} }
    for problem in try site.write(root: root) { context.console.warn(problem) }
    try context.console.write("\(site.path)/index.html\n")
  }

  /// The wanted one or, without one, all that have a history.
  static func machines(_ root: String, _ wanted: String?) throws -> [String] {
    let machines = try HistoryFolder.machines(in: root)
    guard !machines.isEmpty else {
      throw UsageError(
        "--history", "\"\(root)\" has no nights", remedy: "record one with springbench nightly")
    }
    guard let wanted else { return machines }
    guard machines.contains(wanted) else {
      throw UsageError(
        "--machine", "\"\(wanted)\" has no history in \"\(root)\"",
        remedy: Suggestion.remedy(for: wanted, among: machines, called: "there are"))
    }
    return [wanted]
  }

  private func analyses(
    _ root: String, _ wanted: BenchmarkID?, _ context: CommandContext
  ) throws -> [HistoryAnalysis] {
    let machines = try Self.machines(root, machine)
    var analyses: [HistoryAnalysis] = []
    for name in machines {
      let content = try HistoryFolder(root: root, machine: name).load()
      for problem in content.problems { context.console.warn(problem) }
      analyses += content.suites.map { HistoryAnalysis(content.nights(of: $0)) }
    }
    guard let wanted else { return analyses }
    let having = analyses.filter { !$0.trends(of: wanted).isEmpty }
    guard !having.isEmpty else {
      let known = analyses.flatMap(\.benchmarks).map(\.description)
      throw UsageError(
        "no night has measured \"\(wanted)\"",
        remedy: Suggestion.remedy(for: wanted.description, among: known, called: "there are"))
    }
    return having
  }
}
