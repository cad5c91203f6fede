import ArgumentParser
import Execution
import Judging
import Measurements
import Platform
import TextFormat

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Keeps runs as baselines to compare later ones with.",
    discussion: """
      Baselines are kept below results/baselines/<machine>/, a small document per benchmark. Commit them.

      EXAMPLES
        springbench baseline save main                from the newest run
        springbench baseline save main --run run.json
        springbench baseline save main --add          keep earlier measurements, too
        springbench baseline list
        springbench baseline show main
        springbench baseline remove main
      """, subcommands: [Save.self, List.self, Show.self, Remove.self])

  func run() throws { throw CleanExit.helpRequest(self) }
}

extension ResultOptions {
  func baselines(_ context: CommandContext) throws(UsageError) -> BaselineStore {
    BaselineStore(results: output, machine: try MachineName.resolve(flag: machine, context))
  }
}

extension BaselineCommand {
  struct Save: ContextCommand {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Keeps a run as a baseline; benchmarks that the run lacks stay as they were.")

    @Argument(help: "Name of the baseline, as in main.") var name: String
    @Option("A run.json, the folder of a run, or \"latest\".", "run") var run = StoredRun.latest
    @Flag(
      help:
        "Keep the earlier measurements: times are judged by their spread once there are \(ComparisonRule.leastMeasurementCount)."
    ) var add = false
    @OptionGroup var results: ResultOptions

    func run(in context: CommandContext) async throws -> ExitStatus {
      let store = try results.baselines(context)
      let document = try StoredRun(argument: run, results: results.output).read()
      let machine = document.environment.machine
      guard machine == store.machine else {
        throw NotComparable(
          "the run is from \(machine), not \(store.machine); use --machine \(machine) to save it there")
      }
      let saved = try store.save(document, as: name, adding: add)
      let count = Format.plural(document.benchmarks.count, "benchmark")
      let measurements = Format.plural(saved.measurementCount, "measurement")
      let what =
        add
        ? "\(measurements)\(saved.measurementCount == 1 ? "" : " of each at least")"
        : "\(saved.replacedCount) of them replaced"
      try context.console.write("\(store.folder)/\(name): \(count), \(what)\n")
      let missing = ComparisonRule.leastMeasurementCount - saved.measurementCount
      if missing > 0 {
        context.console.note(
          "times are judged by a baseline of \(ComparisonRule.leastMeasurementCount) measurements; for"
            + " \(missing) more: springbench run, then springbench baseline save \(name) --add")
      }
      return .success
    }
  }

  struct List: ContextCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the baselines of this machine, one per line.")

    @OptionGroup var results: ResultOptions

    func run(in context: CommandContext) async throws -> ExitStatus {
      try context.console.write(results.baselines(context).names().map { "\($0)\n" }.joined())
      return .success
    }
  }

  struct Show: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows what a baseline holds.")

    @Argument(help: "Name of the baseline.") var name: String
    @Flag(help: "Print one JSON array of flat rows to stdout.") var json = false
    @OptionGroup var results: ResultOptions

    func run(in context: CommandContext) async throws -> ExitStatus {
      let baseline = try results.baselines(context).load(name)
      let newest = baseline.ids.compactMap { baseline[$0]?.last }
      if json {
        try context.console.write(FlatRows(newest).json())
        return .success
      }
      for document in newest {
        guard let record = document.benchmarks.first else { continue }
        let environment = document.environment
        let commit = environment.commit.map { String($0.prefix(7)) } ?? "no commit"
        let allocations = record.allocations.map { "\($0.frameThread.count.total) allocations" } ?? "–"
        try context.console.write(
          "\(record.id)  p50 \(record.medianFrameText)  \(allocations)  \(document.startedAt)  \(commit)  "
            + "\(environment.toolchain)  \(Format.plural(baseline[record.id]?.count ?? 0, "measurement"))\n")
      }
      return .success
    }
  }

  struct Remove: ContextCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes a baseline.")

    @Argument(help: "Name of the baseline.") var name: String
    @OptionGroup var results: ResultOptions

    func run(in context: CommandContext) async throws -> ExitStatus {
      try results.baselines(context).remove(name)
      return .success
    }
  }
}
