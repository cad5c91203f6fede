import ArgumentParser
import Foundation
import Judging

/// The program: parses the command line, runs the command, ends the process.
public enum SpringBench {
  /// What `springbench --version` prints; profiles name it as their exporter's.
  public static let version = springBenchVersion

  /// Runs the command that the process was started with, and exits with its status; never returns.
  ///
  @MainActor
  public static func main() async -> Never {
    BrokenPipe.becomesAnError()
    // A file that grows past a limit is an error of that file.
    signal(SIGXFSZ, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    let context = CommandContext(
      arguments: Array(CommandLine.arguments.dropFirst()),
      console: Console(environment: environment), environment: environment)
    exit(await run(in: context).rawValue)
  }

  @MainActor
  static func run(in context: CommandContext) async -> ExitStatus {
    do {
      try RootCommand.checkCommandName(context.arguments)
      var command = try RootCommand.parseAsRoot(context.arguments)
      if let command = command as? any ContextCommand {
        await Leftovers.sweep()
        return try await command.run(in: context)
      }
      try command.run()
      return .success
    } catch let error as UsageError {
      context.console.report(error.description)
      return .usage
    } catch let error as BudgetError {
      context.console.report(error.description)
      return .usage
    } catch let error as NotComparable {
      context.console.report(error.description)
      return .notComparable
    } catch let error as RunError {
      context.console.report(error.description)
      return .failure
    } catch let error as RevisionError {
      context.console.report(error.description)
      for line in error.lastLines { context.console.writeError("  \(line)\n") }
      return error.exitStatus
    } catch {
      return report(parserError: error, to: context.console)
    }
  }

  /// The parser throws its help and version texts too.
  private static func report(parserError error: any Error, to console: Console) -> ExitStatus {
    if RootCommand.exitCode(for: error) == .success {
      do {
        try console.write(RootCommand.fullMessage(for: error) + "\n")
        return .success
      } catch {
        console.report(error.description)
        return .failure
      }
    }
    let message = RootCommand.message(for: error)
    let sentence = message.prefix(1).lowercased() + message.dropFirst()
    let mark = sentence.hasSuffix("?") ? "" : ";"
    console.report(
      "\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)\(mark) "
        + "springbench --help lists the commands and their options")
    return RootCommand.exitCode(for: error) == .validationFailure ? .usage : .failure
  }
}
