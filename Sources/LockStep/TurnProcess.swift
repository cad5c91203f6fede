import Builds
import CProcessControl
import Foundation
import FrameBench
import Linking
import Measurements
import Platform
import SystemPackage
import TextFormat

/// A worker process that runs some frames whenever it is its turn. Must be used from one thread at a time. Linux ends
/// the process together with the thread that started it.
package final class TurnProcess: @unchecked Sendable {
  private let process: RunningProcess
  private let build: Build
  private let commands: OwnDescriptor
  private let answers: OwnDescriptor
  let errors: OwnDescriptor
  private let timeout: Duration
  private let isCancelled: @Sendable () -> Bool
  private var known: TurnReadiness?

  /// Starts the worker and sends it the request, without waiting for it to be ready.
  package init(
    _ build: Build, program: ProgramImage, request: WorkerRequest, timeout: Duration,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    ChildProcess.ignoreBrokenPipes()
    self.build = build
    self.timeout = timeout
    self.isCancelled = isCancelled
    let (input, output) = (try OwnDescriptor.pipe(), try OwnDescriptor.pipe())
    errors = try .unnamedFile()
    commands = input.writing
    answers = output.reading
    let copy = program.copy()
    do {
      process = try RunningProcess(
        program.launch(from: copy, layoutSeed: request.turns?.layoutSeed ?? 0), [input.reading, output.writing, errors])
    } catch let error as Errno {
      throw WorkerProcess.Failure(reason: "the worker could not be started: \(program.path): \(error)").of(build)
    }
    withExtendedLifetime(copy) {}
    // An error is ignored, because `readiness` reports a worker that has already ended.
    _ = try? commands.file.writeAll(try request.line())
  }

  deinit { stop() }

  /// Lets the worker use any core for its set-up, until its first turn.
  package func shareCores() { _ = process_control_share_cores(process.id) }

  /// Waits until the worker is ready for its first turn.
  package func readiness() throws -> TurnReadiness {
    if let known { return known }
    var line: [UInt8] = []
    var limit = TimeLimit(timeout)
    while line.last != UInt8(ascii: "\n") {
      line += try read(atMost: 65_536, &limit)
      guard line.count <= Self.lineLimit else { throw failure("the worker's reply has no end, and it was stopped") }
    }
    do {
      switch try WorkerReply(line: Data(line)).outcome {
      case .ready(let readiness):
        known = readiness
        return readiness
      case .failed(let reason): throw failure(reason)
      case .measured: throw failure("the worker measured a run instead of waiting for turns")
      }
    } catch let error as WorkerProtocolError { throw failure("the worker's reply cannot be read: \(error)") }
  }

  /// Times `count` whole frames and waits for them. Returns the nanoseconds of each frame.
  package func timeFrames(_ count: Int) throws -> [Double] {
    guard case .frames(let times) = try run(.frames(count)) else { throw unreadable }
    return times
  }

  /// Times `count` frames and their phases. The first element contains the times of whole frames, and each other
  /// element contains those of a phase.
  package func timePhases(_ count: Int) throws -> [[TurnAnswer.Span]] {
    guard case .phases(let spans) = try run(.phases(count)) else { throw unreadable }
    return spans
  }

  package func observe(_ count: Int) throws -> [TurnAnswer.ShownItem] {
    guard case .shown(let items) = try run(.observe(count)) else { throw unreadable }
    return items
  }

  private func run(_ command: TurnCommand) throws -> TurnAnswer {
    do { _ = try commands.file.writeAll(command.bytes) } catch { throw deathNotice() }
    var limit = TimeLimit(timeout)
    let header = try read(exactly: TurnAnswer.headerByteCount, &limit)
    guard let count = TurnAnswer.bodyByteCount(header: header),
      let values = TurnAnswer.values(body: try read(exactly: count, &limit)),
      let answer = TurnAnswer(values, to: command)
    else { throw unreadable }
    return answer
  }

  private var unreadable: WorkerProcess.Failure { failure("the worker's answer cannot be read") }

  /// Ends several workers at the same time, because each takes a millisecond to end.
  package static func stop(_ processes: [TurnProcess]) {
    for process in processes { process.process.stop() }
    for process in processes { process.stop() }
  }

  /// Ends the worker and its child processes if they still run.
  package func stop() { process.end() }

  /// The maximum number of bytes in the line in which a worker says that it is ready.
  private static let lineLimit = 16 << 20
  /// If stderr has more bytes, all except its end is freed, because the file is in memory.
  static let errorLimit = 16 << 20
  /// The number of bytes at the end of stderr that a failure quotes.
  private static let quotedLength = 4_000

  /// - Parameter limit: The time limit of the whole answer.
  private func read(exactly count: Int, _ limit: inout TimeLimit) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += try read(atMost: count - bytes.count, &limit) }
    return bytes
  }

  private func read(atMost count: Int, _ limit: inout TimeLimit) throws -> [UInt8] {
    shortenErrors()
    var descriptor = pollfd(fd: answers.number, events: Int16(POLLIN), revents: 0)
    // Wakes up from time to time to check for a cancellation.
    while poll(&descriptor, 1, 100) <= 0 {
      if isCancelled() { throw CancellationError() }
      shortenErrors()
      // A worker that has ended may have left a child process that keeps its pipe open.
      if process.hasEnded, poll(&descriptor, 1, 0) <= 0 { throw deathNotice() }
      try check(&limit)
    }
    // If a worker keeps sending single bytes, the loop above never checks the limit.
    try check(&limit)
    let chunk = [UInt8](unsafeUninitializedCapacity: min(count, 65_536)) { buffer, length in
      length = (try? answers.file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    guard !chunk.isEmpty else { throw deathNotice() }
    return chunk
  }

  private func check(_ limit: inout TimeLimit) throws {
    guard limit.isExceeded() else { return }
    throw failure("the worker did not answer within \(timeout.components.seconds) s and was stopped")
  }

  /// If the worker has printed much, frees the memory of all its output except the end. The file keeps its length,
  /// because a worker that is printing would leave a hole at the start of a shorter file.
  private func shortenErrors() {
    var status = stat()
    guard fstat(errors.number, &status) == 0, status.st_blocks * 512 > Self.errorLimit else { return }
    process_control_free_start(errors.number, Int64(status.st_size - Self.quotedLength))
  }

  /// - Parameter quotes: Whether the reason ends with the last line of the worker's stderr.
  private func failure(_ reason: String, quotes: Bool = false) -> WorkerProcess.Failure {
    stop()
    let length = (try? errors.file.seek(offset: 0, from: .end)) ?? 0
    let bytes = errors.bytes(from: max(0, length - Int64(Self.quotedLength)), atMost: Self.quotedLength)
    let tail = String(decoding: bytes, as: UTF8.self)
    let quote = quotes ? lastLine(ofStandardError: tail) : ""
    return WorkerProcess.Failure(reason: oneLine("\(reason)\(quote)"), standardError: tail).of(build)
  }

  /// Returns the error for a worker that has ended. If a cancellation ended it, this is `CancellationError`.
  private func deathNotice() -> any Error {
    let status = ChildProcess.TerminationStatus(process.end())
    if isCancelled() { return CancellationError() }
    return switch status {
    case .exited: failure("the worker ended with \(status) before its last turn", quotes: true)
    case .signaled: failure("the worker crashed: \(status)", quotes: true)
    }
  }
}

extension WorkerProcess.Failure {
  /// A copy that names the build of a comparison whose worker failed.
  package func of(_ build: Build) -> Self {
    var failure = self
    (failure.reason, failure.build) = ("in the \(build), \(reason)", build == .baseline ? .baseline : .candidate)
    return failure
  }
}

/// The part of a program's file that is needed to run it as a worker.
package struct ProgramImage: Sendable {
  package let path: String
  private let folder: String
  /// The number of bytes up to the end of the file's loaded part. The symbols and debug information after it are three
  /// quarters of the file. Nil for a program that must be run from its file, such as a script, whose interpreter cannot
  /// open a copy without a name.
  package let loadedLength: Int?

  package init(of path: String) {
    self.path = path
    folder = Paths.parent(Paths.real(path) ?? path)
    let file = FileHandle(forReadingAtPath: path)
    if let start = try? file?.read(upToCount: 4_096), let size = try? file?.seekToEnd() {
      loadedLength = ELFImage.loadedEnd(start: [UInt8](start), fileSize: Int(size))
    } else {
      loadedLength = nil
    }
  }

  /// Copies the program to a file without a name, in fresh pages of memory. The copy is in the program's folder, where
  /// it finds its libraries and resources. Returns nil if the program must be run from its own file, or if there is no
  /// room.
  ///
  /// A file that is run repeatedly stays in the same physical pages, and their place in the caches affects times. The
  /// times of two copies of one program differed by more than a percent in every run, until the program was copied
  /// again. So each process runs from its own copy.
  package func copy() -> OwnDescriptor? {
    guard let loadedLength else { return nil }
    let isAlone = BuildStore.companions(in: folder).isEmpty
    let descriptor = process_control_private_copy(path, folder, isAlone, loadedLength)
    return descriptor < 0 ? nil : OwnDescriptor(descriptor)
  }

  /// - Parameter copy: The copy to run. Nil means the program's own file.
  package func launch(from copy: OwnDescriptor?, layoutSeed: UInt64) -> Launch {
    let file = copy?.path ?? path
    // The path is absolute, as in other runs, because the program may look for files next to itself after it has
    // changed its working directory.
    let name = Paths.absolute(path)
    var environment = InheritedEnvironment.ofWorkers
    // The stack begins below the path, the arguments and the environment, so longer paths would move it. Padding gives
    // all processes with the same seed the same stack address. The worker does the same for its heap (`HeapLayout`).
    let length = Int(layoutSeed % 4_096) + 8_192 - file.utf8.count - name.utf8.count
    environment["SPRINGBENCH_STACK_PADDING"] = String(repeating: "x", count: max(0, length))
    var launch = Launch(
      path: file, arguments: [name, "worker"], environment: environment, role: .worker(files: [path]))
    launch.isAlike = true
    return launch
  }
}
