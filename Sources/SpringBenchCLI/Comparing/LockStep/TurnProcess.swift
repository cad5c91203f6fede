import CProcessControl
import Foundation
import FrameBench
import Synchronization

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
  private var known: TurnReadiness?

  /// Starts the worker and sends it the request, without waiting for it to be ready.
  init(
    program: ProgramCopy, request: WorkerRequest, timeout: Duration,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    BrokenPipe.becomesAnError()
    self.timeout = timeout
    self.isCancelled = isCancelled
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
      stackPadding: Int(truncatingIfNeeded: (request.turns?.layoutSeed ?? 0) % 4096))
    FileDescriptor(commands).write(Array(try request.line()))
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

  /// Has one turn run, and waits for its end.
  func run(_ command: TurnCommand) throws -> [Double] {
    if FileDescriptor(commands).write(command.bytes) != nil { throw deathNotice() }
    let header = try read(exactly: TurnAnswer.headerByteCount)
    guard let count = TurnAnswer.bodyByteCount(header: header) else {
      throw failure("the worker's answer cannot be read")
    }
    return TurnAnswer.values(body: try read(exactly: count))
  }

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
    return WorkerProcess.Failure(reason: Console.oneLine(reason), standardError: errorTail)
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

extension TurnProcess {
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw RunError("no pipe: \(errorText)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reading = ends[0]
      writing = ends[1]
    }
  }

  /// A worker may write as much to stderr as it likes without anybody reading.
  private static func unnamedFile() throws -> Int32 {
    var template = Array((NSTemporaryDirectory() + "springbench-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw RunError("no temporary file: \(errorText)") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return descriptor
  }

  private static func spawn(
    _ program: ProgramCopy, standardInput: Int32, standardOutput: Int32, standardError: Int32,
    stackPadding: Int
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, standardError, STDERR_FILENO)
    // A session of its own: what it starts is stopped with it, and Ctrl-C reaches only us. Linux shares a busy
    // core evenly among sessions: those that get ready do not take from those that have their turns.
    posix_spawnattr_setflags(&attributes, Int16(setsid))
    var variables = ProcessInfo.processInfo.environment
    // A backtrace would take a tenth of a second and push the message out of the tail that is kept.
    if variables["SWIFT_BACKTRACE"] == nil { variables["SWIFT_BACKTRACE"] = "enable=no" }
    // Libraries that lie beside the program are looked for beside its copy.
    let folders = [variables["LD_LIBRARY_PATH"], program.image.folder].compactMap(\.self)
      .filter { !$0.isEmpty }
    variables["LD_LIBRARY_PATH"] = folders.joined(separator: ":")
    // The stack begins below the path, the arguments and the environment: a longer path would move it.
    let length = max(0, stackPadding + 4_096 - program.path.utf8.count - program.image.folder.utf8.count)
    variables["SPRINGBENCH_STACK_PADDING"] = String(repeating: "x", count: length)
    var process: pid_t = 0
    let isAlike = process_control_randomize_layout(false)
    defer { if isAlike { _ = process_control_randomize_layout(true) } }
    let problem = withCStrings(["springbench", "worker"]) { arguments in
      withCStrings(variables.map { "\($0)=\($1)" }.sorted()) { environment in
        posix_spawn(&process, program.path, &actions, &attributes, arguments, environment)
      }
    }
    guard problem == 0 else {
      throw WorkerProcess.Failure(
        reason: "the worker could not be started: \(program.image.path):"
          + " \(String(cString: strerror(problem)))",
        standardError: "")
    }
    return process
  }
}

private var errorText: String { String(cString: strerror(errno)) }

/// Calls `body` with the strings as C wants them, ended by nil.
private func withCStrings<Value>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}

/// `POSIX_SPAWN_SETSID` of glibc and musl, which Swift does not import.
private let setsid = 0x80
