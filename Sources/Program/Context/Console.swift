import Foundation
import Measurements
import SystemPackage
import TextFormat

/// The streams of the process.
struct Console: Sendable {
  var standardOutput = FileDescriptor.standardOutput
  var standardError = FileDescriptor.standardError

  /// Whether both go to the log of a GitHub job, which takes some lines for commands.
  private let isWorkflow: Bool

  /// - Parameter environment: Of the process; GitHub's runner sets GITHUB_ACTIONS.
  init(environment: [String: String] = [:]) {
    isWorkflow = environment["GITHUB_ACTIONS"] == "true"
  }

  /// Writes text to stdout, without what would steer a terminal or a job in it. A reader that has closed the
  /// pipe is not an error: it has seen enough.
  func write(_ text: String) throws(RunError) {
    try writeUnchanged(
      TerminalText.safe(text, keepsColor: isOutputTerminal, isWorkflow: isWorkflow))
  }

  /// Writes commands to stdout that a job is meant to obey.
  func writeUnchanged(_ text: String) throws(RunError) {
    do {
      try standardOutput.writeAll(text.utf8)
    } catch Errno.brokenPipe {
      return
    } catch {
      throw RunError("stdout cannot be written: \(error)")
    }
  }

  /// One line on stderr, whatever line feeds a value brought in.
  func report(_ message: String) { writeError("springbench: error: \(oneLine(message))\n") }

  /// A line on stderr for each benchmark that could not be measured.
  func report(_ failures: [BenchmarkFailure]) {
    for failure in failures {
      report("\(failure.id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
  }

  /// One line on stderr about what does not stop the command.
  func warn(_ message: String) { writeError("springbench: warning: \(oneLine(message))\n") }

  /// One line on stderr that explains what is done.
  func note(_ message: String) { writeError("springbench: note: \(oneLine(message))\n") }

  func writeError(_ text: String) {
    writeErrorUnchanged(TerminalText.safe(text, keepsColor: false, isWorkflow: isWorkflow))
  }

  /// Writes commands to stderr that a terminal or a job is meant to obey.
  func writeErrorUnchanged(_ text: String) { _ = try? standardError.writeAll(text.utf8) }

  /// Characters that fit a line of stdout: those of the terminal, and 80 where it is none.
  var outputWidth: Int {
    var size = winsize()
    guard ioctl(standardOutput.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(Int(size.ws_col), 160)
  }

  var showsProgress: Bool { isatty(standardError.rawValue) == 1 }
  var isOutputTerminal: Bool { isatty(standardOutput.rawValue) == 1 }
}

/// `; last line of stderr: …`, or nothing where there is none. A crash of Swift says why first, and lists its
/// stack after that.
func lastLine(ofStandardError text: String) -> String {
  let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
  let line = lines.last { $0.contains("Fatal error") } ?? lines.last
  return line.map { "; last line of stderr: \($0.prefix(200))" } ?? ""
}
