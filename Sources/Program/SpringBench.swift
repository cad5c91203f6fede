import ArgumentParser
import Builds
import CProcessControl
import Execution
import Foundation
import Judging
import Platform
import TextFormat

/// The command line program `springbench`.
public enum SpringBench {
  /// Runs the command that the process was started with, and exits with its status.
  @MainActor public static func main() async -> Never {
    // If the parent ignored this signal, this process could not learn the exit statuses of its child processes.
    signal(SIGCHLD, SIG_DFL)
    process_control_quit_ends()
    process_control_open_standard_descriptors()
    if let problem = ProcessLimits.problem() {
      Console().report(problem)
      exit(ExitStatus.failure.rawValue)
    }
    InheritedEnvironment.forgetOthers()
    guard process_control_guard(RunningProcess.mark) else {
      Console().report("no more processes or files; raise the limits (ulimit -u, ulimit -n), or those of the container")
      exit(ExitStatus.failure.rawValue)
    }
    ChildProcess.ignoreBrokenPipes()
    // With this signal ignored, a write beyond the limit on file sizes fails, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // Bubblewrap is started with SIGINT, SIGTERM and SIGHUP ignored, and this process inherits that from it. So the
    // default actions are restored here.
    if Sandbox.current != nil { for number in SignalWatch.numbers { signal(number, SIG_DFL) } }
    SignalWatch.listen()
    let environment = ProcessInfo.processInfo.environment
    let context = CommandContext(
      arguments: Array(CommandLine.arguments.dropFirst()), console: Console(environment: environment),
      environment: environment)
    exit(await run(in: context).rawValue)
  }

  @MainActor static func run(in context: CommandContext) async -> ExitStatus {
    do {
      try RootCommand.checkCommandName(context.arguments)
      var command = try RootCommand.parseAsRoot(context.arguments)
      if let command = command as? any ContextCommand {
        try type(of: command).refuseRepetitions(in: context.arguments)
        if let building = (command as? any BuildingCommand)?.building, building.sandbox,
          let status = try await Sandbox.run(
            context.arguments, package: building.packagePath, programs: try building.settings(context).program)
        {
          return status
        }
        if command is any BuildingCommand, !Wall.isPossible {
          context.console.warn(
            "there is no Landlock here, so the package's code can read your other processes; use Linux 5.19 or later,"
              + " and in a container a profile that allows it")
        }
        await BuildSlot.sweep()
        return try await command.run(in: context)
      }
      try command.run()
      return .success
    } catch {
      guard let status = status(of: error) else {
        return report(parserError: error, of: context.arguments, to: context.console)
      }
      context.console.report("\(error)")
      for line in (error as? RevisionError)?.lastLines ?? [] { context.console.writeError("  \(line)\n") }
      return status
    }
  }

  /// Returns the exit status for an error of a command. Nil for an error of ArgumentParser.
  private static func status(of error: any Error) -> ExitStatus? {
    switch error {
    case is UsageError, is BudgetError: .usage
    case is NotComparable: .notComparable
    case is RunError: .failure
    case let error as RevisionError: error.kind == .usage ? .usage : .failure
    default: nil
    }
  }

  /// Reports an error of ArgumentParser, which also throws the texts of `--help` and `--version`.
  private static func report(parserError error: any Error, of arguments: [String], to console: Console) -> ExitStatus {
    let code = RootCommand.exitCode(for: error)
    if code == .success {
      do {
        try console.write(RootCommand.fullMessage(for: error) + "\n")
        return .success
      } catch {
        console.report(error.description)
        return .failure
      }
    }
    let message = RootCommand.message(for: error)
    // Any other code means an error that no command expected, such as an error of the linker.
    guard code == .validationFailure else {
      console.report(message)
      return .failure
    }
    var sentence = message.prefix(1).lowercased() + message.dropFirst()
    // Numbers are the only values for which the parser gives no reason.
    sentence.replace(#/ is invalid for '[^']*'$/#) { "\($0.0): give a number" }
    // Suggests `--baseline` to users who give `gate` only the revision, as they do in `compare`.
    if arguments.first == "gate" {
      sentence.replace(#/^unexpected argument '([^-'][^']*)'$/#) { "\($0.0): did you mean --baseline \($0.1)?" }
    }
    let clause = sentence.hasSuffix("?") ? sentence : "\(sentence.dropLast(sentence.hasSuffix(".") ? 1 : 0));"
    let command = RootCommand.names.first { $0 == arguments.first }
    console.report(
      "\(clause) springbench "
        + (command.map { "help \($0) lists its options" }
          ?? "--help lists the commands, springbench help COMMAND its options"))
    return .usage
  }
}

struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "springbench",
    abstract: "Measures what frames and functions cost, headless: time by phase, allocations.",
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
      """, version: springBenchVersion,
    subcommands: [
      RunCommand.self, CompareCommand.self, GateCommand.self, NightlyCommand.self, HistoryCommand.self,
      BisectCommand.self, ProfileCommand.self, ListCommand.self, ReportCommand.self, MergeCommand.self,
      BaselineCommand.self, AcknowledgeCommand.self, DoctorCommand.self, CalibrateCommand.self, CleanCommand.self,
      InitCommand.self, BuildRevisionCommand.self, ChangePointsCommand.self,
    ])

  func run() throws { throw CleanExit.helpRequest(self) }

  /// The names of all commands, including those that `--help` does not list.
  static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// Refuses an unknown command. The parser would call it an unexpected argument, without a suggestion.
  static func checkCommandName(_ arguments: [String]) throws(UsageError) {
    let words = arguments.drop { $0 == "help" }
    guard let name = words.first, !name.hasPrefix("-"), !names.contains(name) else { return }
    let shown = configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay).compactMap(\.commandName)
    throw UsageError(
      "unknown command \"\(name)\"",
      remedy: Suggestion.remedy(for: name, among: shown + ["help"], called: "the commands are"))
  }
}
