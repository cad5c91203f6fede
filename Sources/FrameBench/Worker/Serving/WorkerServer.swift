import CProcessControl
import FoundationEssentials
import Glibc
import TextFormat

/// The worker's side of the protocol: reads one request, does the work, answers.
struct WorkerServer {
  private let suite: Suite
  private let pipes: WorkerPipes

  init(_ suite: Suite, _ pipes: WorkerPipes) {
    self.suite = suite
    self.pipes = pipes
  }

  /// - Throws: `PassError` if an answer cannot be written.
  func run() throws {
    let request: WorkerRequest
    do { request = try WorkerRequest(line: Data(try pipes.readLine())) } catch let error as WorkerProtocolError {
      return try say(.failed(reason: error.description))
    }
    if let parent = request.parentProcess, !process_control_die_with_parent(parent), getppid() != parent {
      return try say(.failed(reason: "the process that asked has ended"))
    }
    if let turns = request.turns { return try takeTurns(request, turns) }
    // A missing permission is not an error: the run is noisier, and the reply says so.
    let isPinned = request.core.map { process_control_pin(Int32(clamping: $0)) } ?? false
    var reply = Worker(suite).reply(to: request)
    if case .measured(var measurement) = reply.outcome {
      measurement.isPinned = isPinned
      reply.outcome = .measured(measurement)
    }
    try say(reply.outcome)
  }

  /// Waits for a command, runs it, answers, until the last one or the end of the stream. While it waits it
  /// sleeps in `read`, so the other processes have the core.
  private func takeTurns(_ request: WorkerRequest, _ turns: TurnOptions) throws {
    // If a turn waits for other processes, all four wait for it. Only root may ask.
    process_control_raise_priority(-10)
    if let core = turns.preparationCore ?? request.core { _ = process_control_pin(Int32(clamping: core)) }
    let worker: TurnWorker
    do { worker = try TurnWorker(suite, request, turns) } catch {
      return try say(.failed(reason: "set-up failed: \(oneLine("\(error)"))"))
    }
    try say(.ready(worker.readiness))
    var isPinned = false
    while let command = TurnCommand(bytes: try pipes.read(TurnCommand.byteCount)) {
      if !isPinned, let core = request.core {
        _ = process_control_pin(Int32(clamping: core))
        isPinned = true
      }
      try pipes.write(try worker.answer(to: command).bytes)
      if command == .finish { return }
    }
  }

  private func say(_ outcome: WorkerReply.Outcome) throws { try pipes.write(try WorkerReply(outcome).line()) }
}
