import ArgumentParser
import FrameBench
import Orchestration
import TextFormat

struct ListCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists what would run, one id a line.",
    discussion: """
      EXAMPLES
        springbench list --filter tiled
        springbench list --sizes 50,500 --json
        springbench list --quick
      """)

  @OptionGroup var selection: SelectionOptions
  @Flag(help: "List what run --quick would measure.") var quick = false
  @Flag(help: "Print one JSON array of objects: id, scenario, strategy, size.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let benchmarks = try selection.selection.benchmarks(of: context.suite, isQuick: quick)
    if json {
      try context.console.write(try JSONText.indented(benchmarks.map(Listed.init)))
    } else {
      try context.console.write(benchmarks.map { "\($0.id)\n" }.joined())
    }
    return .success
  }

  private struct Listed: Encodable {
    var id: BenchmarkID
    var scenario: String
    var strategy: String
    var size: Int

    init(_ benchmark: PlannedBenchmark) {
      id = benchmark.id
      scenario = id.scenario
      strategy = id.strategy
      size = id.size
    }
  }
}
