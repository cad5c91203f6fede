import ArgumentParser
import Execution
import Foundation
import FrameBench
import HistoryPages
import Judging
import Platform
import TextFormat

/// Shows or exports a history, with a subcommand for each, because showing and exporting share almost no options.
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
      """, subcommands: [HistoryShowCommand.self, HistoryExportCommand.self], defaultSubcommand: HistoryShowCommand.self
  )
}

struct HistoryShowCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows trends over the nights, and where they changed.",
    discussion: """
      Without an id, prints a line per benchmark: its median frame over the nights, its level now, and the change since \
      a week ago. With an id, a line per figure. Below a line, ^ marks a change point and | a new environment: a \
      machine, a toolchain, other options. Before the first night, it shows the runs below results.

      EXAMPLES
        springbench history
        springbench history springs/tiled/10000
        springbench history --json | jq '.[] | .changePoints'
        springbench history --csv > nights.csv
        springbench history --import elsewhere/*.json   nights of other machines
        springbench history --site public               write only the pages
      """)

  @Argument(
    help: ArgumentHelp("Only this benchmark, all of its figures.", valueName: "id"), transform: OptionValue.benchmark)
  var id: BenchmarkID?
  @OptionGroup(title: "History") var options: HistoryOptions
  @Option("Only this machine (default: all that have a history).", "name") var machine: String?
  @Option(
    name: .customLong("import"), parsing: .upToNextOption,
    help: ArgumentHelp("Append these documents to the histories of their machines.", valueName: "file")) var imports:
    [String] = []
  @Flag(help: "Print one JSON array, an object per trend, and nothing else.") var json = false
  @Flag(help: "Print CSV, a line per night and figure, and nothing else.") var csv = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let root = try options.historyFolder(output: ResultOptions.defaultFolder)
    guard !(json && csv) else { throw UsageError("--json, --csv", "both were given", remedy: "choose one") }
    if options.site == nil {
      try refuse(options.given.filter { $0 == "--budgets" }, because: "only pages show limits", remedy: "add --site")
    }
    let shows = (imports.isEmpty && options.site == nil) || json || csv || id != nil
    guard shows || machine == nil else {
      throw UsageError("--machine", "pages and imports are of all machines", remedy: "leave it out")
    }
    if !imports.isEmpty { try await HistoryFolder.importing(imports, root: root, context) }
    if options.site != nil {
      let site = try options.siteFolder(output: ResultOptions.defaultFolder)
      try site.check(apartFrom: [root])
      // Throws if there are no nights, because empty pages would otherwise replace the existing ones.
      _ = try Self.machines(root, nil)
      let lock = try await HistoryFolder.lock(root)
      defer { withExtendedLifetime(lock) {} }
      for problem in try site.write(root: root) { context.console.warn(problem) }
      try context.console.write("\(site.path)/index.html\n")
    }
    guard shows else { return .success }
    let analyses = try analyses(root, context)
    if json || csv {
      try context.console.write(json ? analyses.json(id: id) : analyses.csv(id: id))
      return .success
    }
    let tables = analyses.map { analysis in
      id.map { analysis.page(of: $0, usesColor: context.usesColor) } ?? analysis.overview(usesColor: context.usesColor)
    }
    try context.console.write(tables.joined(separator: "\n"))
    return .success
  }

  /// Returns the requested machine, or all machines that have a history if `wanted` is nil.
  static func machines(_ root: String, _ wanted: String?) throws -> [String] {
    let machines = try HistoryFolder.machines(in: root)
    guard !machines.isEmpty else {
      throw UsageError("--history", "\"\(root)\" has no nights", remedy: "record one with springbench nightly")
    }
    guard let wanted else { return machines }
    guard machines.contains(wanted) else {
      throw UsageError(
        "--machine", "\"\(wanted)\" has no history in \"\(root)\"",
        remedy: Suggestion.remedy(for: wanted, among: machines, called: "there are"))
    }
    return [wanted]
  }

  /// Returns an array of nights, oldest first, for each machine and suite.
  private func series(_ root: String, _ context: CommandContext) throws -> [[Night]] {
    if options.history == nil, try HistoryFolder.machines(in: root).isEmpty {
      let runs = runs(context)
      if !runs.isEmpty { return runs.grouped { [$0.environment.machine, $0.suite] }.map(\.rows) }
    }
    return try Self.machines(root, machine).flatMap { name in
      let content = try HistoryFolder(root: root, machine: name).load()
      for problem in content.problems { context.console.warn(problem) }
      return content.suites.map(content.nights)
    }
  }

  /// Returns the runs that `springbench run` wrote, as nights. They are shown if there is no history yet.
  private func runs(_ context: CommandContext) -> [Night] {
    let results = OutputFolder(path: ResultOptions.defaultFolder)
    let paths = results.machines.filter { machine == nil || $0 == machine }.flatMap { name in
      results.runs(of: name, having: "run.json").reversed().map { "\(results.path)/\(name)/\($0)/run.json" }
    }
    let runs = paths.compactMap { path -> Night? in
      do throws(RunError) { return Night(try StoredRun(path: path).read()) } catch {
        context.console.warn(error.description)
        return nil
      }
    }
    if !runs.isEmpty {
      context.console.note(
        "no night is recorded, so these are the runs below \(results.path); springbench nightly records one")
    }
    return runs
  }

  private func analyses(_ root: String, _ context: CommandContext) throws -> [HistoryAnalysis] {
    var analyses: [HistoryAnalysis] = []
    var known: [BenchmarkID] = []
    for nights in try series(root, context) {
      if id != nil { known += nights.flatMap { $0.benchmarks.map(\.id) }.unique }
      analyses.append(HistoryAnalysis(id.map { id in nights.map { $0.only(id) } } ?? nights))
    }
    guard let id else { return analyses }
    let having = analyses.filter { !$0.trends(of: id).isEmpty }
    guard !having.isEmpty else { throw UsageError.neverMeasured(id, among: known.map(\.description)) }
    return having
  }
}

struct HistoryExportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes all nights as rows for a database.",
    discussion: """
      Writes a row for each figure of each benchmark and night: docs/history-method.md describes the columns, and \
      shows how DuckDB, PostgreSQL, InfluxDB and Prometheus load them. Nights are read one at a time.

      EXAMPLES
        springbench history export > nights.csv
        springbench history export --format jsonl --output nights.jsonl
        springbench history export springs/tiled/10000 --machine build-server-1
      """)

  @Argument(help: ArgumentHelp("Only this benchmark.", valueName: "id"), transform: OptionValue.benchmark) var id:
    BenchmarkID?
  @Option("csv, with a header, or jsonl: one object per line.", "format") var format: HistoryExport = .csv
  @Option("The file to write (default: stdout); replaced whole.", "file") var output: String?
  @Option("Folder of the histories of all machines (default: results/history).", "dir") var history = "results/history"
  @Option("Only this machine (default: all that have a history).", "name") var machine: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let folders = try HistoryShowCommand.machines(history, machine).map { HistoryFolder(root: history, machine: $0) }
    guard let output else {
      try write(folders, context) { try context.console.write($0) }
      return .success
    }
    let file = OutputFile(path: output)
    try file.checkWritable()
    try file.stream { take in try write(folders, context) { try take(Data($0.utf8)) } }
    return .success
  }

  private func write(_ folders: [HistoryFolder], _ context: CommandContext, _ take: (String) throws -> Void) throws {
    try take(format.header)
    var known: Set<BenchmarkID> = []
    for folder in folders {
      let problems = try folder.forEachNight { night in
        if id != nil { known.formUnion(night.benchmarks.map(\.id)) }
        try take(format.rows(night, id: id))
      }
      for problem in problems { context.console.warn(problem) }
    }
    if let id, !known.contains(id) { throw UsageError.neverMeasured(id, among: known.map(\.description).sorted()) }
  }
}

extension HistoryExport: ExpressibleByArgument {}

extension UsageError {
  fileprivate static func neverMeasured(_ id: BenchmarkID, among known: [String]) -> UsageError {
    UsageError(
      "no night has measured \"\(id)\"",
      remedy: Suggestion.remedy(for: id.description, among: known, called: "there are"))
  }
}

/// The options of `nightly` and `history` for the folders of the histories and their pages.
struct HistoryOptions: ParsableArguments {
  @Option("Folder of the histories of all machines (default: results/history).", "dir") var history: String?

  @Option("Folder of the pages (default: results/site).", "dir") var site: String?
  @Option("Budgets that the pages show as lines (default: springbench.yml, if there is one).", "file") var budgets:
    String?

  func historyFolder(output: String) throws(UsageError) -> String {
    try Self.folder(history, "--history") ?? "\(output)/history"
  }

  func siteFolder(output: String, package: String? = nil) throws -> SiteFolder {
    SiteFolder(
      path: try Self.folder(site, "--site") ?? "\(output)/site", budgets: try BudgetFile.find(budgets, package: package)
    )
  }

  private static func folder(_ path: String?, _ flag: String) throws(UsageError) -> String? {
    guard let path else { return nil }
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard !trimmed.isEmpty, !trimmed.contains("\0"), trimmed != "/", trimmed != ".", trimmed != ".." else {
      throw UsageError(
        flag, "\"\(path)\" is not a separate folder", remedy: "give one as in \(flag) results/\(flag.dropFirst(2))")
    }
    return trimmed
  }
}

/// Finds the change points in series of numbers from stdin. scripts/change-point-rates measures error rates with it.
struct ChangePointsCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-points", abstract: "Reads a JSON array of series, and writes an array of their change points.",
    shouldDisplay: false)

  @Flag(help: "Also print what nightly runs would have reported, night by night.") var replay = false

  private struct Found: Encodable {
    /// The positions of the change points: the first value after each change.
    var points: [Int]
    var reports: [Report]?
  }

  private struct Report: Encodable {
    /// The position of the first night after the change. `before` and `after` are the levels of the figure around it.
    /// All three values are as they were known on the night of the report.
    var position: Int
    var before: Double
    var after: Double
    /// The position of the night that withdrew the report. Nil if it was not withdrawn.
    var withdrawnAt: Int?
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let series = try? JSONDecoder().decode([[Double]].self, from: data), series.joined().allSatisfy(\.isFinite)
    else { throw UsageError("stdin is not a JSON array of arrays of numbers; give one as in [[1, 2, 3]]") }
    let found = series.concurrentMap { values in
      Found(
        points: ChangePointDetection().changePoints(in: values).map(\.index),
        reports: replay
          ? Trend.replay(values).map { _, shift, withdrawnAt in
            Report(position: shift.position, before: shift.before, after: shift.after, withdrawnAt: withdrawnAt)
          } : nil)
    }
    try context.console.write(try JSONText.line(found) + "\n")
    return .success
  }
}
