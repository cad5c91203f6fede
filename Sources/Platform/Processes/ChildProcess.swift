import CProcessControl
import Foundation
import SystemPackage

/// Runs another program with an input, and waits until it ends. Stdout and stderr are read at the same time, so that no
/// pipe ever fills up.
package struct ChildProcess {
  package enum TerminationStatus: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signaled(Int32)

    package var description: String {
      switch self {
      case .exited(let code): "status \(code)"
      case .signaled(let signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
      }
    }

    /// - Parameter status: The status from `waitpid`.
    package init(_ status: Int32) { self = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f) }
  }

  /// The path of the program, or a name without a slash, which is looked up in the `PATH` that the program gets.
  package var executable: String
  package var arguments: [String]
  /// Variables that are added to the inherited ones or replace them. A nil value removes the variable.
  package var environment: [String: String?]
  package var timeout: Duration
  /// The working directory. Nil means that of this process.
  package var folder: String?
  package var inherited: [String: String]
  package var role: Role
  /// The maximum bytes of stdout. A program that writes more is stopped.
  package var outputLimit = 256 << 20

  package init(
    executable: String, arguments: [String], environment: [String: String?] = [:], timeout: Duration,
    folder: String? = nil, inherited: [String: String] = InheritedEnvironment.variables, role: Role = .tool
  ) {
    (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
    (self.timeout, self.folder, self.inherited, self.role) = (timeout, folder, inherited, role)
  }

  package struct End {
    package var status: TerminationStatus
    package var output: Data
    /// The last lines of stderr, at most 4,000 bytes.
    package var errorTail: String
    package var stop: Stop?
    /// CPU time of the program, and of the children that it waited for, in nanoseconds.
    package var nanoseconds: Int?

    package var isSuccess: Bool { status == .exited(0) && stop == nil }

    /// The output without its last line feed.
    package var text: String {
      let text = String(decoding: output, as: UTF8.self)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }

  private static let errorTailLength = 4_000

  package enum Stop: Sendable { case timeout, tooMuchOutput }

  /// Makes writing to a pipe that has no reader fail, instead of ending this process. A reader may be gone in
  /// `springbench list | head`, or if a child ends without reading its input.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Runs the program and waits until it ends. Stops the program if the task is cancelled.
  ///
  /// - Parameter problem: Converts the system's error into the error to throw if the program cannot be started.
  /// - Throws: `CancellationError` if the task was cancelled.
  package func run(input: Data = Data(), orThrow problem: (any Error) -> any Error = { $0 }) async throws -> End {
    let result = await DedicatedThread.run { isCancelled in Swift.Result { try run(input, isCancelled) } }
    try Task.checkCancellation()
    do { return try result.get() } catch let error as RunError { throw error } catch { throw problem(error) }
  }

  /// Returns the output of a program that may be missing. Nil if the program cannot be started, or if it fails.
  ///
  /// - Throws: `CancellationError` if the task was cancelled.
  package func answer(to input: String) async throws -> String? {
    let end = try? await run(input: Data(input.utf8))
    try Task.checkCancellation()
    return end.flatMap { $0.isSuccess ? String(decoding: $0.output, as: UTF8.self) : nil }
  }

  private func launch() throws -> Launch {
    var variables = inherited
    for (name, value) in environment { variables[name] = value }
    let isPath = executable.contains("/")
    let found = isPath ? executable : SystemFiles().programs(executable, path: variables["PATH"] ?? "").first
    guard let found else { throw Errno.noSuchFileOrDirectory }
    return Launch(path: found, arguments: [executable] + arguments, environment: variables, folder: folder, role: role)
  }

  /// Starts the program. Returns it together with this process's ends of its pipes.
  private func start(hasInput: Bool) throws -> (RunningProcess, input: OwnDescriptor?, output: Stream, errors: Stream) {
    let (output, errors) = (try OwnDescriptor.pipe(), try OwnDescriptor.pipe())
    let input = hasInput ? try OwnDescriptor.pipe() : nil
    let process = try RunningProcess(try launch(), [try input?.reading ?? .empty(), output.writing, errors.writing])
    for end in [input?.writing, output.reading, errors.reading] { end?.waitsNoMore() }
    return (process, input?.writing, Stream(descriptor: output.reading), Stream(descriptor: errors.reading))
  }

  private func run(_ input: Data, _ isCancelled: () -> Bool) throws -> End {
    Self.ignoreBrokenPipes()
    var (process, inlet, output, errors) = try start(hasInput: !input.isEmpty)
    let watch = process_control_watch(process.id)
    defer { close(watch) }
    var rest = input[...]
    var stop: Stop?
    var limit = TimeLimit(timeout)
    var ending: ContinuousClock.Instant?
    while true {
      var requests = [
        output.request, errors.request, pollfd(fd: inlet?.number ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
      ]
      // Wakes up regularly to check for a cancellation, and more often if the system does not report the program's end.
      poll(&requests, UInt(requests.count), watch < 0 ? 5 : 100)
      let hasEnded = process.hasEnded
      if let descriptor = inlet {
        let count = rest.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        // A failed write is no error here. If the program needs its input, its exit status will be a failure.
        if rest.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR { inlet = nil }
      }
      output.read()
      errors.read()
      if errors.bytes.count > 4 * Self.errorTailLength {
        errors.bytes = Data(errors.bytes.suffix(Self.errorTailLength))
      }
      let now = ContinuousClock.now
      if output.bytes.count > outputLimit {
        stop = .tooMuchOutput
      } else if limit.isExceeded(at: now), !hasEnded {
        stop = .timeout
      }
      if hasEnded || stop != nil || isCancelled() { break }
      guard output.descriptor == nil, errors.descriptor == nil else { continue }
      // Both streams are closed, so the program will write nothing more. The program gets another second to end,
      // because some programs close their streams shortly before they end.
      ending = ending ?? now + .seconds(1)
      if let ending, now > ending { break }
    }
    let status = process.end(strict: stop != nil || role.isBuild || isCancelled())
    return End(
      status: TerminationStatus(status), output: output.bytes,
      errorTail: String(decoding: errors.bytes.suffix(Self.errorTailLength), as: UTF8.self), stop: stop,
      nanoseconds: process.nanoseconds)
  }

  /// An output stream of a program. The descriptor is nil once the program has closed the stream.
  private struct Stream {
    var descriptor: OwnDescriptor?
    var bytes = Data()

    var request: pollfd { pollfd(fd: descriptor?.number ?? -1, events: Int16(POLLIN), revents: 0) }

    /// Reads what is available, at most as much as a pipe can hold.
    mutating func read() {
      for _ in 0..<16 {
        guard let descriptor else { return }
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
          count = Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
          if count < 0, errno != EAGAIN, errno != EINTR { self.descriptor = nil }
          if count == 0 { self.descriptor = nil }
          count = max(0, count)
        }
        if chunk.isEmpty { return }
        bytes += chunk
      }
    }
  }
}

/// A limit for the time in which another program works. Time in which this process was stopped (Ctrl-Z), or in which
/// the machine slept, does not count.
package struct TimeLimit {
  private var rest: Duration
  private var last: ContinuousClock.Instant

  package init(_ limit: Duration, from start: ContinuousClock.Instant = .now) { (rest, last) = (limit, start) }

  /// Whether the program has taken too long. At most 200 ms count between two calls, so call this method more often
  /// than that.
  package mutating func isExceeded(at now: ContinuousClock.Instant = .now) -> Bool {
    rest -= min(now - last, .milliseconds(200))
    last = now
    return rest < .zero
  }
}
