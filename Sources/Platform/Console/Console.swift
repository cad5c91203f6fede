import Foundation
import Measurements
import SystemPackage
import TextFormat

/// The output streams of the process.
package struct Console: Sendable {
  package var standardError = FileDescriptor.standardError
  /// Whether the streams go to the log of a GitHub job, which interprets some lines as commands.
  private let isWorkflow: Bool

  package init(environment: [String: String] = [:]) { isWorkflow = environment["GITHUB_ACTIONS"] == "true" }

  /// Writes text to stdout, without sequences that control a terminal or a GitHub job. A closed pipe is no error.
  package func write(_ text: String) throws(RunError) {
    try writeUnchanged(TerminalText.safe(text, keepsColor: isOutputTerminal, isWorkflow: isWorkflow))
  }

  /// Writes text to stdout as it is, with the commands for a GitHub job that it contains, such as annotations.
  package func writeUnchanged(_ text: String) throws(RunError) {
    do { try FileDescriptor.standardOutput.writeAll(text.utf8) } catch Errno.brokenPipe { return } catch {
      throw RunError("stdout cannot be written: \(error)")
    }
  }

  /// Writes an error as one line to stderr, even if the message contains line feeds. `warn`, `note` and `tell` also
  /// write one line.
  package func report(_ message: String) { tell("error: \(message)") }

  /// Writes a line to stderr for each benchmark that could not be measured.
  package func report(_ failures: [BenchmarkFailure]) {
    for failure in failures {
      let line = lastLine(ofStandardError: failure.standardError)
      report("\(failure.id): \(failure.reason)\(failure.reason.contains(line) ? "" : line)")
    }
  }

  /// Reports a problem that does not stop the command.
  package func warn(_ message: String) { tell("warning: \(message)") }

  /// Writes a note that explains what the command does.
  package func note(_ message: String) { tell("note: \(message)") }

  package func tell(_ message: String) { writeError("springbench: \(oneLine(message))\n") }

  package func writeError(_ text: String) {
    writeErrorUnchanged(TerminalText.safe(text, keepsColor: false, isWorkflow: isWorkflow))
  }

  /// Writes text to stderr as it is, with the sequences that control a terminal or a GitHub job.
  package func writeErrorUnchanged(_ text: String) { _ = try? standardError.writeAll(text.utf8) }

  /// The width of stdout in columns. It is the terminal's width, but from 40 to 160, or 80 if stdout is not a terminal.
  package var outputWidth: Int { terminalWidth ?? 80 }

  /// The width of the terminal to which stdout goes, but from 40 to 160; nil if stdout is not a terminal.
  package var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return min(max(Int(size.ws_col), 40), 160)
  }

  package var showsProgress: Bool { isatty(standardError.rawValue) == 1 }
  package var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// Returns `; last line of stderr: …`, or nothing if there is no line. Prefers the line of a fatal error, because a
/// crash in Swift prints the reason before the stack.
package func lastLine(ofStandardError text: String) -> String {
  let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
  let line = lines.last { $0.contains("Fatal error") } ?? lines.last
  return line.map { "; last line of stderr: \($0.prefix(200))" } ?? ""
}
