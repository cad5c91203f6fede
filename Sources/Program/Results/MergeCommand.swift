import ArgumentParser
import Foundation
import Measurements

struct MergeCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Combines the runs of several machines into one.",
    discussion: """
      Each machine runs a part of the suite: springbench run --shard 1/3. The documents must come from the same \
      build, measured in the same way, and no benchmark may be in two of them.

      EXAMPLES
        springbench merge shard-*/run.json --output merged/run.json
        springbench merge a.json b.json | springbench report /dev/stdin
      """)

  @Argument(help: ArgumentHelp("Documents of runs: a run.json, or the folder of a run.", valueName: "runs")) var runs:
    [String]

  @Option("The file to write (default: stdout); replaced whole.", "file") var output: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let output { try OutputFile(path: output).checkWritable() }
    var documents: [(name: String, document: RunDocument)] = []
    for argument in runs {
      let stored = try StoredRun(argument: argument, results: ResultOptions.defaultFolder)
      documents.append((stored.path, try stored.read()))
    }
    let merged = try attempt(try RunMerge.merged(documents)) { NotComparable("\($0)") }
    let data = try merged.encoded()
    if let output {
      try OutputFile(path: output).write(data)
    } else {
      try context.console.write(String(decoding: data, as: UTF8.self))
    }
    return .success
  }
}
