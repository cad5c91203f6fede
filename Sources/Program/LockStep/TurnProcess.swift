import CProcessControl
import Foundation
import FrameBench
import Synchronization
import SystemPackage
import TextFormat

/// A worker process that takes turns. To be used from one thread, which must live as long as the process:
/// Linux ends a worker with the thread that started it.
final class TurnProcess {
  private let process: pid_t
  private let commands: OwnDescriptor
  private let answers: OwnDescriptor
  private let errors: OwnDescriptor
  private let timeout: Duration
  private let isCancelled: @Sendable () -> Bool
  private let frameCount: Int
  private var isRunning = true
  private var known: TurnReadiness?

  /// Starts the worker and sends it the request, without waiting for it to be ready.
  init(program: ProgramImage, request: WorkerRequest, timeout: Duration, isCancelled: @escaping @Sendable () -> Bool)
    throws
  {
    ChildProcess.ignoreBrokenPipes()
    self.timeout = timeout
    self.isCancelled = isCancelled
    frameCount = request.options.frameCount
    let (input, output) = (try OwnDescriptor.pipe(), try OwnDescriptor.pipe())
    errors = try .unnamedFile()
    commands = input.writing
    answers = output.reading
    process = try Self.spawn(
      program, [input.reading, output.writing, errors], layoutSeed: request.turns?.layoutSeed ?? 0)
    // If it has ended already, waiting for its answer reports that.
    _ = try? commands.file.writeAll(try request.line())
  }

  deinit { stop() }

  /// Lets it set up on any core, until its first turn.
  func shareCores() { _ = process_control_share_cores(process) }

  /// Waits until the worker has set up.
  func readiness() throws -> TurnReadiness {
    if let known { return known }
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") { line += try read(atMost: 4_096) }
    do {
      switch try WorkerReply(line: Data(line)).outcome {
      case .ready(let readiness):
        guard readiness.answerLayout == TurnAnswer.currentLayout else {
          throw failure("the worker takes turns as another version of springbench does")
        }
        known = readiness
        return readiness
      case .failed(let reason): throw failure(reason)
      case .measured: throw failure("the worker measured a run instead of waiting for turns")
      }
    } catch let error as WorkerProtocolError { throw failure("the worker's reply cannot be read: \(error)") }
  }

  /// Times `count` whole frames, and waits for the end: nanoseconds by frame.
  func timeFrames(_ count: Int) throws -> [Double] {
    guard case .frames(let times) = try run(.frames(count)) else { throw unreadable }
    return times
  }

  /// Times `count` frames and, behind them, their phases.
  func timePhases(_ count: Int) throws -> [[TurnAnswer.Span]] {
    guard case .phases(let spans) = try run(.phases(count)) else { throw unreadable }
    return spans
  }

  func observe(_ count: Int) throws -> [TurnAnswer.ShownItem] {
    guard case .shown(let items) = try run(.observe(count)) else { throw unreadable }
    return items
  }

  private func run(_ command: TurnCommand) throws -> TurnAnswer {
    do { _ = try commands.file.writeAll(command.bytes) } catch { throw deathNotice() }
    guard let count = TurnAnswer.bodyByteCount(header: try read(exactly: TurnAnswer.headerByteCount)),
      let values = TurnAnswer.values(body: try read(exactly: count)), let answer = TurnAnswer(values, to: command)
    else { throw unreadable }
    return answer
  }

  private var unreadable: WorkerProcess.Failure { failure("the worker's answer cannot be read") }

  /// Ends workers all at once, as each takes a millisecond.
  static func stop(_ processes: [TurnProcess]) {
    for process in processes where process.isRunning { kill(-process.process, SIGKILL) }
    for process in processes { process.stop() }
  }

  /// Ends the worker, and processes that it may have started, if it still runs.
  func stop() { if isRunning { _ = end() } }

  /// - Returns: Its status from `waitpid`.
  private func end() -> Int32 {
    isRunning = false
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private func read(exactly count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += try read(atMost: count - bytes.count) }
    return bytes
  }

  private func read(atMost count: Int) throws -> [UInt8] {
    let deadline = ContinuousClock.now + timeout
    var descriptor = pollfd(fd: answers.number, events: Int16(POLLIN), revents: 0)
    // Checks from time to time whether the answer is still wanted.
    while poll(&descriptor, 1, 100) <= 0 {
      if isCancelled() { throw CancellationError() }
      if ContinuousClock.now > deadline {
        throw failure("the worker did not answer within \(timeout.components.seconds) s and was stopped")
      }
    }
    let chunk = [UInt8](unsafeUninitializedCapacity: min(count, 65_536)) { buffer, length in
      length = (try? answers.file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    guard !chunk.isEmpty else { throw deathNotice() }
    return chunk
  }

  private func failure(_ reason: String) -> WorkerProcess.Failure {
    stop()
    let length = (try? errors.file.seek(offset: 0, from: .end)) ?? 0
    let tail = errors.bytes(from: max(0, length - 4_000), atMost: 4_000)
    return WorkerProcess.Failure(reason: oneLine(reason), standardError: String(decoding: tail, as: UTF8.self))
  }

  private func deathNotice() -> WorkerProcess.Failure {
    let status = end()
    let number = status & 0x7f
    return failure(
      number == 0
        ? "the worker ended with status \((status >> 8) & 0xff) before its last turn"
        : "the worker crashed: signal \(number) (\(String(cString: strsignal(number))))")
  }

  /// - Parameter descriptors: Become its stdin, stdout and stderr.
  private static func spawn(_ program: ProgramImage, _ descriptors: [OwnDescriptor], layoutSeed: UInt64) throws -> pid_t
  {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(number))
    }
    // A session of its own: its children are stopped with it, and Ctrl-C reaches only us. Linux shares a
    // busy core evenly among sessions: those that prepare do not slow down those that take turns.
    posix_spawnattr_setflags(&attributes, Int16(setsid))
    let copy = program.copy()
    let path = copy?.path ?? program.path
    // The stack begins below the path, the arguments and the environment: a longer path would move it. Its place
    // differs from set to set, as that of the heap.
    let length = Int(layoutSeed % 4_096) + 4_096 - path.utf8.count - program.folder.utf8.count
    let padding = ["SPRINGBENCH_STACK_PADDING": String(repeating: "x", count: max(0, length))]
    var process: pid_t = 0
    let isAlike = process_control_randomize_layout(false)
    defer { if isAlike { _ = process_control_randomize_layout(true) } }
    let problem = withCStrings(ProgramImage.arguments) { arguments in
      withCStrings(program.environment(adding: padding)) { environment in
        withExtendedLifetime(copy) { posix_spawn(&process, path, &actions, &attributes, arguments, environment) }
      }
    }
    guard problem == 0 else {
      throw WorkerProcess.Failure(
        reason: "the worker could not be started: \(program.path): \(Errno(rawValue: problem))")
    }
    return process
  }
}

/// A file that is closed with this, and that no other program inherits.
final class OwnDescriptor {
  let file: FileDescriptor
  var number: Int32 { file.rawValue }
  /// Another name of the file, within this process.
  var path: String { "/proc/self/fd/\(number)" }

  init(_ number: Int32) {
    file = FileDescriptor(rawValue: number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { try? file.close() }

  static func pipe() throws -> (reading: OwnDescriptor, writing: OwnDescriptor) {
    let ends = try attempt(try FileDescriptor.pipe()) { RunError("no pipe: \(systemReason($0))") }
    return (OwnDescriptor(ends.readEnd.rawValue), OwnDescriptor(ends.writeEnd.rawValue))
  }

  /// A file in memory that a worker can fill without a reader: nothing stays behind of a process that is killed.
  static func unnamedFile() throws -> OwnDescriptor {
    let descriptor = process_control_memory_file()
    guard descriptor >= 0 else { throw RunError("no file in memory: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// None if they cannot be read.
  func bytes(from offset: Int64, atMost count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = (try? file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }
}

/// Calls `body` with the strings as a null-terminated array of C.
func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value) -> Value {
  var copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return body(&copies)
}

/// `POSIX_SPAWN_SETSID` of glibc and musl, which Swift does not import.
private let setsid = 0x80

/// The part of a program's file that is needed to run it as a worker.
struct ProgramImage {
  static let arguments = ["springbench", "worker"]

  let path: String
  let folder: String
  /// Bytes of the file up to the end of the loaded part; behind that lie symbols and debug information,
  /// three quarters of the file. Nil for a program that must be run from its file: a script is read by
  /// another program, which cannot find a file without a name.
  let loadedLength: Int?

  init(of path: String) {
    self.path = path
    // A file without a name has no folder: Foundation would look for resources in the folder of the newest build.
    folder = Paths.parent(Paths.real(path) ?? path)
    let hasResources = Paths.names(in: folder).contains { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
    let file = hasResources ? nil : FileHandle(forReadingAtPath: path)
    if let start = try? file?.read(upToCount: 4_096), let size = try? file?.seekToEnd() {
      loadedLength = ELFImage.loadedEnd(start: [UInt8](start), fileSize: Int(size))
    } else {
      loadedLength = nil
    }
  }

  /// A nameless copy in fresh pages of memory; nil for a program that must be run from its file, and if there is no
  /// room.
  ///
  /// A file that is run repeatedly stays in the same physical pages, and its luck with the cache sets looks like a
  /// property of the build: two copies of one program at two paths differed by more than a percent, again and again,
  /// until they were copied again. So each process runs from its own copy.
  func copy() -> OwnDescriptor? {
    guard let loadedLength else { return nil }
    let descriptor = process_control_memory_copy(path, loadedLength)
    return descriptor < 0 ? nil : OwnDescriptor(descriptor)
  }

  /// `NAME=value`
  func environment(adding others: [String: String] = [:]) -> [String] {
    var variables = WorkerProcess.environment.merging(others) { $1 }
    // A copy looks for libraries in the original's folder.
    let folders = [variables["LD_LIBRARY_PATH"] ?? "", folder].filter { !$0.isEmpty }
    variables["LD_LIBRARY_PATH"] = folders.joined(separator: ":")
    return variables.map { "\($0)=\($1)" }.sorted()
  }
}
