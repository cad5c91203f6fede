import Foundation
import FrameBench
import Synchronization
import SystemPackage
import TextFormat

/// A worker process that takes turns. To be used from one thread, which must live as long as the process:
/// Linux ends a worker with the thread that started it.
final class TurnProcess {
  private let process: pid_t
  private let commands: Int32
  private let answers: Int32
  private let errors: Int32
  private let timeout: Duration
  private let isCancelled: @Sendable () -> Bool
  private var isRunning = true
  private let frameCount: Int
  private var known: TurnReadiness?
  /// Known from the first times of a worker of an earlier build.
  private var earlierLayout = TurnAnswer.EarlierLayout.pieces

  /// Starts the worker and sends it the request, without waiting for it to be ready.
  init(
    program: ProgramCopy, request: WorkerRequest, timeout: Duration,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    BrokenPipe.becomesAnError()
    self.timeout = timeout
    self.isCancelled = isCancelled
    frameCount = request.options.frameCount
    let (input, output) = (try Pipe(), try Pipe())
    errors = try Self.unnamedFile()
    commands = input.writing
    answers = output.reading
    defer {
      close(input.reading)
      close(output.writing)
    }
    process = try Self.spawn(
      program, standardInput: input.reading, standardOutput: output.writing, standardError: errors,
      stackPadding: request.stackPadding)
    // One that has ended already says so where its answer is waited for.
    _ = try? FileDescriptor(rawValue: commands).writeAll(try request.line())
  }

  deinit {
    stop()
    for descriptor in [commands, answers, errors] { close(descriptor) }
  }

  /// Waits until the worker has set up.
  func readiness() throws -> TurnReadiness {
    if let known { return known }
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") { line += try read(atMost: 4_096) }
    do {
      switch try WorkerReply(line: Data(line)).outcome {
      case .ready(let readiness):
        known = readiness
        return readiness
      case .failed(let reason): throw failure(reason)
      case .measured: throw failure("the worker measured a run instead of waiting for turns")
      }
    } catch let error as WorkerProtocolError {
      throw failure("the worker's reply cannot be read: \(error)")
    }
  }

  /// Has `count` frames timed whole, and waits for the end: nanoseconds by piece of the turn.
  func timeFrames(_ count: Int) throws -> [Double] {
    guard case .frames(let pieces) = try run(.frames(count)) else { throw unreadable }
    return pieces
  }

  /// Has the phases of `count` frames timed.
  func timePhases(_ count: Int) throws -> [[TurnAnswer.PhasePiece]] {
    guard case .phases(let phases) = try run(.phases(count)) else { throw unreadable }
    return phases
  }

  func observe(_ count: Int) throws -> [TurnAnswer.ShownItem] {
    guard case .shown(let items) = try run(.observe(count)) else { throw unreadable }
    return items
  }

  /// What each frame of the scroll cost; the worker ends.
  func finish() throws -> [[Double]] {
    guard case .frameCosts(let costs) = try run(.finish) else { throw unreadable }
    return costs
  }

  private func run(_ command: TurnCommand) throws -> TurnAnswer {
    do {
      _ = try FileDescriptor(rawValue: commands).writeAll(command.bytes)
    } catch {
      throw deathNotice()
    }
    guard let count = TurnAnswer.bodyByteCount(header: try read(exactly: TurnAnswer.headerByteCount)),
      let values = TurnAnswer.values(body: try read(exactly: count)),
      let answer = try answer(values, to: command)
    else { throw unreadable }
    return answer
  }

  private func answer(_ values: [Double], to command: TurnCommand) throws -> TurnAnswer? {
    if try readiness().answerLayout != nil { return TurnAnswer(values, to: command) }
    if case .frames = command { earlierLayout = TurnAnswer.EarlierLayout(frames: values) }
    return TurnAnswer(values, to: command, earlierLayout, frameCount: frameCount)
  }

  private var unreadable: WorkerProcess.Failure { failure("the worker's answer cannot be read") }

  /// Ends the worker, and what it may have started, if it still runs.
  func stop() {
    guard isRunning else { return }
    isRunning = false
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

extension TurnProcess {
  private func read(exactly count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += try read(atMost: count - bytes.count) }
    return bytes
  }

  private func read(atMost count: Int) throws -> [UInt8] {
    try waitForAnswer()
    var chunk = [UInt8](repeating: 0, count: min(count, 65_536))
    while true {
      let length = Foundation.read(answers, &chunk, chunk.count)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { throw deathNotice() }
      return Array(chunk[..<length])
    }
  }

  /// Looks up from time to time whether anybody still wants the answer.
  private func waitForAnswer() throws {
    let start = ContinuousClock.now
    while true {
      var descriptor = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      let count = poll(&descriptor, 1, 100)
      if count > 0 { return }
      if isCancelled() { throw CancellationError() }
      if ContinuousClock.now - start > timeout {
        throw failure("the worker did not answer within \(timeout.components.seconds) s and was stopped")
      }
    }
  }

  private func failure(_ reason: String) -> WorkerProcess.Failure {
    stop()
    return WorkerProcess.Failure(reason: oneLine(reason), standardError: errorTail)
  }

  /// Says how the worker ended.
  private func deathNotice() -> WorkerProcess.Failure {
    isRunning = false
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let number = status & 0x7f
    let reason =
      number == 0
      ? "the worker ended with status \((status >> 8) & 0xff) before its last turn"
      : "the worker crashed: signal \(number) (\(String(cString: strsignal(number))))"
    return WorkerProcess.Failure(reason: reason, standardError: errorTail)
  }

  private var errorTail: String {
    let length = lseek(errors, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: 4_000)
    let count = pread(errors, &bytes, bytes.count, max(0, length - off_t(bytes.count)))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
