import CProcessControl
import Foundation
import FrameBench

/// The worker's side of turns: waits for a command on stdin, runs it, answers, until the last one or the
/// end of the stream. While it waits it sleeps in `read`, so the other processes have the core.
struct TurnServer {
  var suite: Suite
  var request: WorkerRequest
  var turns: TurnOptions
  var output: Int32

  func run() throws {
    if let parent = request.parentProcess, !process_control_die_with_parent(parent), getppid() != parent {
      return try say(.failed(reason: "the process that asked has ended"))
    }
    // A turn that waits for others takes as long as they like, and all four wait for it. Root alone may ask.
    process_control_raise_priority(-10)
    if let core = turns.preparationCore ?? request.core { _ = process_control_pin(Int32(clamping: core)) }
    let worker: TurnWorker
    do {
      worker = try TurnWorker(suite, request, turns)
    } catch {
      return try say(.failed(reason: "set-up failed: \(Console.oneLine("\(error)"))"))
    }
    try say(.ready(worker.readiness))
    var isPinned = false
    while let command = TurnCommand(bytes: readCommand()) {
      if !isPinned, let core = request.core {
        _ = process_control_pin(Int32(clamping: core))
        isPinned = true
      }
      try write(TurnAnswer.bytes(try worker.answer(to: command)))
      if command == .finish { return }
    }
  }

  /// Empty at the end of the stream.
  private func readCommand() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: TurnCommand.byteCount)
    while bytes.count < TurnCommand.byteCount {
      let count = read(STDIN_FILENO, &chunk, TurnCommand.byteCount - bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return [] }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private func say(_ outcome: WorkerReply.Outcome) throws {
    try write(Array(try WorkerReply(outcome).line()))
  }

  private func write(_ bytes: [UInt8]) throws {
    if let problem = FileDescriptor(output).write(bytes) {
      throw RunError("worker: the answer cannot be written: \(String(cString: strerror(problem)))")
    }
  }
}
