import ArgumentParser
import Execution
import FrameBench
import Measurements
import Platform
import TextFormat

struct ListCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists what would run, one id per line.",
    discussion: """
      EXAMPLES
        springbench list --filter tiled
        springbench list --long
        springbench list --sizes 50,500 --json
        springbench list --quick
      """)

  @OptionGroup var selection: BenchmarkSelection
  @OptionGroup(title: "Building") var building: BuildOptions
  @Flag(help: "List what run --quick would measure.") var quick = false
  @Flag(help: "Print what each scenario does, with its strategies and sizes, instead of the ids.") var long = false
  @Flag(help: "Print one JSON array of objects: id, scenario, strategy, size, summary.") var json = false

  func validate() throws {
    guard !(long && json) else {
      throw ValidationError("--long and --json cannot be combined; the JSON has the summaries too.")
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let catalogue = try await building.catalogue(context)
    let benchmarks = try selection.benchmarks(of: catalogue, isQuick: quick)
    if json {
      try context.console.write(try JSONText.indented(benchmarks.map(ListedBenchmark.init)))
    } else if long {
      let scenarios = catalogue.scenarios.compactMap { scenario in
        Self.description(scenario, benchmarks.map(\.id).filter { $0.scenario == scenario.name })
      }
      try context.console.write(scenarios.joined(separator: "\n"))
    } else {
      try context.console.write(benchmarks.map { "\($0.id)\n" }.joined())
    }
    return .success
  }

  /// Returns the text about a scenario. Nil if none of its benchmarks is selected.
  private static func description(_ scenario: ScenarioDescription, _ ids: [BenchmarkID]) -> String? {
    guard !ids.isEmpty else { return nil }
    let strategies = scenario.strategies.filter { name in ids.contains { $0.strategy == name } }
    let sizes = Set(ids.map(\.size)).sorted().map(Format.integer)
    var lines = [scenario.summary].compactMap(\.self)
    lines += [strategies.joined(separator: ", "), "sizes: \(sizes.joined(separator: " "))"]
    lines += scenario.parameters.map { "\($0.name): \($0.labels.joined(separator: " "))" }
    if !scenario.tags.isEmpty { lines.append("tags: \(scenario.tags.joined(separator: ", "))") }
    return "\(scenario.name)\n" + lines.map { "  \($0)\n" }.joined()
  }
}

/// A benchmark in the output of `springbench list --json`.
private struct ListedBenchmark: Encodable {
  var id: BenchmarkID
  var scenario: String
  var strategy: String
  var size: Int
  var parameters: [String: String]?
  var summary: String?
  var tags: [String]?
  /// The scenario's own frame counts. Absent means the default counts.
  var frames: RunOptions.FrameCounts?
  /// The scenario's own tolerance in percent. Absent means the default tolerance.
  var tolerance: Double?

  init(_ benchmark: PlannedBenchmark) {
    id = benchmark.id
    (scenario, strategy, size) = (id.scenario, id.strategy, id.size)
    parameters = Dictionary(id.parameters.map { ($0.name, $0.value) }) { first, _ in first }.unlessEmpty
    summary = benchmark.scenario.summary
    tags = benchmark.scenario.tags.unlessEmpty
    frames = benchmark.scenario.frames
    tolerance = benchmark.scenario.tolerancePercent
  }
}
