import ArgumentParser
import Execution
import Foundation
import FrameBench
import Judging
import Platform
import TextFormat

struct AcknowledgeCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge", abstract: "Accepts a regression until a given day.",
    discussion: """
      Adds an entry to the budget file, to be reviewed and committed with the change that needs it. After that \
      day the gate fails again and says why.

      EXAMPLES
        springbench acknowledge springs/tiled/10000 --metric frameNanoseconds.p99 \\
          --reason "the shadow is worth it" --until 2027-01-31
        springbench acknowledge 'springs/naive/*' --metric allocationCount \\
          --reason "…" --until 2027-01-31
      """)

  @Argument(help: ArgumentHelp("The benchmark, or a pattern as in budgets.", valueName: "id")) var id: String
  @Option("As in a limit: frameNanoseconds.solve.p99; or frameNanoseconds for all of them.", "metric") var metric:
    String
  @Option("Why this is accepted.", "text") var reason: String
  @Option("The last day on which it is accepted, UTC: 2027-01-31.", "day") var until: String
  @Option("The budget file (default: springbench.yml).", "file") var budgets: String?
  @OptionGroup(title: "Building") var building: BuildOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let today = Date().day
    guard UTCTime.isDay(until), until >= today else {
      throw UsageError("--until", "\"\(until)\" is not a day from \(today) on", remedy: "write one as in 2027-01-31")
    }
    guard reason.contains(where: { !$0.isWhitespace }), !reason.contains(where: \.isNewline) else {
      throw UsageError("--reason", "\"\(reason)\" is empty or has several lines", remedy: "say why in one line")
    }
    let catalogue = try await building.catalogue(context)
    let known = catalogue.benchmarks().map(\.id)
    guard known.contains(where: IDPattern(id).matches) else {
      throw UsageError(
        "\"\(id)\" matches no benchmark",
        remedy: Suggestion.remedy(for: id, among: known.map(\.description), called: "there are"))
    }
    try await checkMetric(known.filter(IDPattern(id).matches), catalogue)
    let path = budgets ?? BudgetFile.defaultPath(package: building.packagePath)
    try BudgetFile.change(path, isNamed: budgets != nil) { text, path in
      try BudgetFile.acknowledging(id: id, metric: metric, reason: reason, until: until, to: text, path: path)
    }
    try context.console.write("\(path): \(id) \(metric) is acknowledged until \(until)\n")
    return .success
  }

  /// Refuses a figure that nothing measures, because the next `springbench gate` would refuse the acknowledgement.
  private func checkMetric(_ ids: [BenchmarkID], _ catalogue: Catalogue) async throws {
    let strategies = catalogue.strategies
    for name in Acknowledgement.strategies(metric) where !strategies.contains(name) {
      throw UsageError(
        "--metric", "no strategy \"\(name)\"",
        remedy: Suggestion.remedy(for: name, among: strategies.sorted(), called: "there are"))
    }
    guard let figure = Acknowledgement.figure(metric) else { return }
    if let problem = try await FigureProbe(catalogue).problem(figure, of: ids) {
      throw UsageError("--metric: \(problem)")
    }
  }
}
