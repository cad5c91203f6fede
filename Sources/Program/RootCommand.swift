import ArgumentParser
import TextFormat

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "springbench",
    abstract: "Measures what a frame of a layout engine costs, headless: time by phase, allocations.",
    discussion: """
      EXAMPLES
        springbench list                         what can be run
        springbench run                          everything, with a report
        springbench run --quick --sizes 1000     a first look
        springbench run --json | jq .            figures for a script
        springbench compare main                 is this branch slower?
        springbench gate --baseline origin/main  the same for CI, with budgets
        springbench nightly                      run, and append to the history
        springbench history                      the trends over the nights
        springbench bisect ID --good v1 --bad v2 the commit that changed a figure
        springbench profile ID                   where time and allocations go
        springbench doctor                       is this machine fit to measure?
        springbench report latest --format csv   a run in another format

      EXIT STATUS
        0   success
        1   the run failed
        2   regression
        3   a budget is exceeded
        4   the baseline is missing or not comparable
        5   behavior changed, or something is missing
        6   inconclusive, with --strict
        64  the command line is wrong
      """,
    version: SpringBench.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, GateCommand.self, NightlyCommand.self, HistoryCommand.self,
      BisectCommand.self, ProfileCommand.self, ListCommand.self, ReportCommand.self, MergeCommand.self,
      BaselineCommand.self, AcknowledgeCommand.self, DoctorCommand.self, CalibrateCommand.self,
      CleanCommand.self, InitCommand.self,
      BuildRevisionCommand.self, ChangePointsCommand.self,
    ])

  func run() throws { throw CleanExit.helpRequest(self) }

  /// The parser would call a mistyped command an unexpected argument, and suggest nothing.
  static func checkCommandName(_ arguments: [String]) throws(UsageError) {
    guard let name = arguments.first, !name.hasPrefix("-") else { return }
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    let shown =
      configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName } + ["help"]
    guard !names.contains(name), name != "help" else { return }
    throw UsageError(
      "unknown command \"\(name)\"",
      remedy: Suggestion.remedy(for: name, among: shown, called: "the commands are"))
  }
}
