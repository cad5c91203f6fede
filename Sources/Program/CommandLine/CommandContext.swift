import ArgumentParser
import Foundation
import Measurements
import SystemPackage
import TextFormat

struct CommandContext: Sendable {
  /// The command line without the program's path.
  var arguments: [String]
  var console: Console
  var environment: [String: String]

  /// Whether stdout is a terminal whose user has not asked for plain text: https://no-color.org.
  var usesColor: Bool { console.isOutputTerminal && environment["NO_COLOR"].map(\.isEmpty) ?? true }
}

/// The streams of the process.
struct Console: Sendable {
  var standardError = FileDescriptor.standardError
  /// Whether both streams go to the log of a GitHub job, which takes some lines for commands.
  private let isWorkflow: Bool

  init(environment: [String: String] = [:]) { isWorkflow = environment["GITHUB_ACTIONS"] == "true" }

  /// Writes text to stdout, without what would control a terminal or a job. A closed pipe is not an error.
  func write(_ text: String) throws(RunError) {
    try writeUnchanged(TerminalText.safe(text, keepsColor: isOutputTerminal, isWorkflow: isWorkflow))
  }

  /// Writes commands for a job to stdout.
  func writeUnchanged(_ text: String) throws(RunError) {
    do { try FileDescriptor.standardOutput.writeAll(text.utf8) } catch Errno.brokenPipe { return } catch {
      throw RunError("stdout cannot be written: \(error)")
    }
  }

  /// One line on stderr, even if a value contains line feeds; the same holds for the methods that follow.
  func report(_ message: String) { tell("error: \(message)") }

  /// A line on stderr for each benchmark that could not be measured.
  func report(_ failures: [BenchmarkFailure]) {
    for failure in failures {
      let line = lastLine(ofStandardError: failure.standardError)
      report("\(failure.id): \(failure.reason)\(failure.reason.contains(line) ? "" : line)")
    }
  }

  /// Reports a problem that does not stop the command.
  func warn(_ message: String) { tell("warning: \(message)") }

  /// Explains an action.
  func note(_ message: String) { tell("note: \(message)") }

  func tell(_ message: String) { writeError("springbench: \(oneLine(message))\n") }

  func writeError(_ text: String) {
    writeErrorUnchanged(TerminalText.safe(text, keepsColor: false, isWorkflow: isWorkflow))
  }

  /// Writes commands for a terminal or a job to stderr.
  func writeErrorUnchanged(_ text: String) { _ = try? standardError.writeAll(text.utf8) }

  /// Characters per line of stdout: those of the terminal, or 80.
  var outputWidth: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(Int(size.ws_col), 160)
  }

  var showsProgress: Bool { isatty(standardError.rawValue) == 1 }
  var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// `; last line of stderr: …`, or nothing. A crash of Swift gives the reason first, followed by the stack.
func lastLine(ofStandardError text: String) -> String {
  let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
  let line = lines.last { $0.contains("Fatal error") } ?? lines.last
  return line.map { "; last line of stderr: \($0.prefix(200))" } ?? ""
}

/// The exit statuses, which mean the same in every command, so that a job can tell a slower branch from a broken
/// machine.
enum ExitStatus: Int32, Sendable {
  case success = 0
  case failure = 1
  case regression = 2
  case budgetExceeded = 3
  case notComparable = 4
  case behaviorChanged = 5
  case inconclusive = 6
  case usage = 64
}

/// The version that files and `--version` name.
let springBenchVersion = "0.1.0"

/// A command that needs the suite.
protocol ContextCommand: ParsableCommand { @MainActor func run(in context: CommandContext) async throws -> ExitStatus }
