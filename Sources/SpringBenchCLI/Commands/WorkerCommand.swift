import ArgumentParser
import Foundation
import FrameWorker
import Orchestration
import SystemPackage

/// One run in a process of its own: reads one request from stdin, writes one reply to stdout.
///
/// It never suspends, and neither does the program on the way to it: valgrind up to 3.19 crashes where the
/// main task is taken up again.
struct WorkerCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Executes one run for another process.",
    shouldDisplay: false)

  func run(in context: CommandContext) async throws -> ExitStatus {
    do {
      let output = try Self.takeStandardOutput()
      try WorkerServer(context.suite, input: .standardInput, output: output).run()
    } catch let error as Errno {
      throw RunError("worker: the answer cannot be written: \(error)")
    }
    return .success
  }

  /// The protocol keeps a copy of stdout for itself and lets stdout lead to stderr, so that a scenario
  /// that prints does no harm.
  private static func takeStandardOutput() throws -> FileDescriptor {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: copy)
  }
}
