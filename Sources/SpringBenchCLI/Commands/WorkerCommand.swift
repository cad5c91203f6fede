import ArgumentParser
import CProcessControl
import Foundation
import FrameBench

/// One run in a process of its own: reads one request from stdin, writes one reply to stdout.
///
/// It never suspends, and neither does the program on the way to it: valgrind up to 3.19 crashes where the
/// main task is taken up again.
struct WorkerCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Executes one run, as another process asks it to.",
    shouldDisplay: false)

  func run(in context: CommandContext) async throws -> ExitStatus {
    let replyDescriptor = try Self.takeStandardOutput()
    let line = FileDescriptor(STDIN_FILENO).readLine()
    if let request = try? WorkerRequest(line: Data(line)), let turns = request.turns {
      try TurnServer(suite: context.suite, request: request, turns: turns, output: replyDescriptor).run()
      return .success
    }
    let reply = Self.reply(to: Data(line), suite: context.suite)
    if let problem = FileDescriptor(replyDescriptor).write(Array(try reply.line())) {
      throw RunError("worker: the reply cannot be written: \(String(cString: strerror(problem)))")
    }
    return .success
  }

  /// The protocol keeps a copy of stdout for itself and lets stdout lead to stderr, so that a scenario
  /// that prints does no harm.
  private static func takeStandardOutput() throws -> Int32 {
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw RunError("worker: stdout cannot be set aside: \(String(cString: strerror(errno)))")
    }
    return copy
  }

  private static func reply(to line: Data, suite: Suite) -> WorkerReply {
    let request: WorkerRequest
    do {
      request = try WorkerRequest(line: line)
    } catch {
      return WorkerReply(.failed(reason: error.description))
    }
    if let parent = request.parentProcess, !process_control_die_with_parent(parent), getppid() != parent {
      return WorkerReply(.failed(reason: "the process that asked has ended"))
    }
    // Not being allowed to is no error: the run is noisier, and the reply says so.
    let isPinned = request.core.map { process_control_pin(Int32(clamping: $0)) } ?? false
    var reply = Worker(suite).reply(to: request)
    if case .measured(var measurement) = reply.outcome {
      measurement.isPinned = isPinned
      reply.outcome = .measured(measurement)
    }
    return reply
  }
}
