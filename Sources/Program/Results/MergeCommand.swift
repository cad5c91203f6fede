import ArgumentParser
import Execution
import Judging
import Measurements
import Platform
import TextFormat

struct MergeCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Combines the runs or the comparisons of several machines into one.",
    discussion: """
      Each machine measures a part of the suite: springbench run --shard 1/3, or springbench compare main \
      --shard 1/3 --report document=part.json. The documents must come from the same builds, measured in the same \
      way; no benchmark may be in two of them, and no part may be missing. The times of merged comparisons are \
      judged again, as one family of tests.

      EXAMPLES
        springbench merge shard-*/run.json --output merged/run.json
        springbench merge a.json b.json | springbench report /dev/stdin
        springbench merge comparison-*.json --output comparison.json

      EXIT STATUS
        0  merged
        1  a part is missing, or a document is damaged
        4  they do not belong together
      """)

  @Argument(help: ArgumentHelp("Documents: a run.json, the folder of a run; or comparisons.", valueName: "documents"))
  var documents: [String]
  @Option("The file to write (default: stdout); replaced whole.", "file") var output: String?

  func run(in context: CommandContext) async throws -> ExitStatus {
    if let output { try OutputFile(path: output).checkWritable() }
    var runs: [(name: String, document: RunDocument)] = []
    var comparisons: [(name: String, document: ComparisonDocument)] = []
    for argument in documents {
      let path = try StoredRun(argument: argument, results: ResultOptions.defaultFolder).path
      switch try MeasuredDocument(path) {
      case .run(let run): runs.append((path, run))
      case .comparison(let comparison): comparisons.append((path, comparison))
      }
    }
    if let run = runs.first, let comparison = comparisons.first {
      throw UsageError(
        "\(run.name) is a run, and \(comparison.name) is a comparison", remedy: "merge one kind at a time")
    }
    let data = try comparisons.isEmpty ? Self.whole(runs).encoded() : Self.whole(comparisons).encoded()
    try context.console.write(String(decoding: data, as: UTF8.self), to: output)
    return .success
  }

  private static func whole<Part: MergeableDocument>(_ documents: [(name: String, document: Part)]) throws -> Part {
    let merged = try attempt(try DocumentMerge.merged(documents)) { NotComparable("\($0)") }
    guard merged.missing.isEmpty else { throw RunError(merged.missing.missingParts(of: "whole")) }
    return merged.document
  }
}

extension [String] {
  /// Returns a sentence about the missing parts, without a period at the end.
  func missingParts(of whole: String) -> String {
    "\(count == 1 ? "part" : "parts") \(Format.list(self)) of the \(whole) \(count == 1 ? "is" : "are") missing;"
      + " measure with --shard \(self[0]), or name the document"
  }
}
