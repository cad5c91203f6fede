import ArgumentParser
import Foundation
import FrameBench
import Judging
import Pages
import TextFormat

struct HistoryExportCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes all nights as rows for a database.",
    discussion: """
      Writes a row for each figure of each benchmark and night: docs/history.md describes the columns, and shows \
      how DuckDB, PostgreSQL, InfluxDB and Prometheus load them. Nights are read one at a time.

      EXAMPLES
        springbench history export > nights.csv
        springbench history export --format jsonl --output nights.jsonl
        springbench history export springs/tiled/10000 --machine build-server-1
      """)

  @Argument(
    help: ArgumentHelp("Only this benchmark.", valueName: "id"), transform: OptionValue.benchmark)
  var id: BenchmarkID?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("csv, with a header, or jsonl: one object per line.", valueName: "format"))
  var format: HistoryExport.Format = .csv

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The file to write (default: stdout); replaced whole.", valueName: "file"))
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Folder of the histories of all machines (default: results/history).", valueName: "dir"))
  var history = "results/history"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only this machine (default: all that have a history).", valueName: "name"))
  var machine: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    let folders = try HistoryShowCommand.machines(history, machine).map {
      HistoryFolder(root: history, machine: $0)
    }
    guard let output else {
      try write(folders, context) { try context.console.write($0) }
      return .success
    }
    let file = OutputFile(path: output)
    try file.checkWritable()
    try file.stream { take in try write(folders, context, take) }
    return .success
  }

  private func write(
    _ folders: [HistoryFolder], _ context: CommandContext, _ take: (String) throws -> Void
  ) throws {
    let export = HistoryExport(format)
    try take(export.header)
    for folder in folders {
      let problems = try folder.forEachNight { try take(export.rows($0, id: id)) }
      for problem in problems { context.console.warn(problem) }
    }
  }
}

extension HistoryExport.Format: ExpressibleByArgument {}
