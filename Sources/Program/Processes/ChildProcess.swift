import CProcessControl
import Foundation
import SystemPackage

/// Runs another program with its whole input, and waits for its end. Both output streams are read at once, so that no
/// pipe ever fills up.
struct ChildProcess {
  enum Executable: Sendable {
    case path(String)
    /// The name of a program, to be found on the PATH that it is given.
    case name(String)
  }

  enum TerminationStatus: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)

    /// - Parameter status: From `waitpid`.
    init(_ status: Int32) { self = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f) }
  }

  var executable: Executable
  var arguments: [String]
  /// Added to the inherited variables, overriding them; nil removes a variable.
  var environment: [String: String?] = [:]
  var timeout: Duration
  /// The folder to run in; nil: that of this process.
  var folder: String?
  var inherited = InheritedEnvironment.variables
  var role = Role.tool
  /// Bytes of stdout above which the program is stopped.
  var outputLimit = 256 << 20

  struct End {
    var status: TerminationStatus
    var output: Data
    /// The last lines of stderr, at most 4,000 bytes.
    var errorTail: String
    var stop: Stop?

    var isSuccess: Bool { status == .exited(0) && stop == nil }

    /// The output without its last line feed.
    var text: String {
      let text = String(decoding: output, as: UTF8.self)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }

  private static let errorTailLength = 4_000

  /// Reason for stopping the program.
  enum Stop: Sendable { case timeout, tooMuchOutput }

  /// From now on a pipe whose reader has gone (`springbench list | head`, or a child that ended without
  /// reading its input) is an error of the write instead of ending this process.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Throws `CancellationError` if the task was cancelled; the program is stopped then.
  ///
  /// - Parameter problem: The error if the program cannot be started, given the system's.
  func run(input: Data = Data(), orThrow problem: (any Error) -> any Error = { $0 }) async throws -> End {
    let result = await DedicatedThread.run { isCancelled in Swift.Result { try run(input, isCancelled) } }
    try Task.checkCancellation()
    do { return try result.get() } catch let error as RunError { throw error } catch { throw problem(error) }
  }

  /// The output of a program that one can do without: nil if it cannot be started, or fails.
  ///
  /// Throws `CancellationError`.
  func answer(to input: String) async throws -> String? {
    let end = try? await run(input: Data(input.utf8))
    try Task.checkCancellation()
    return end.flatMap { $0.isSuccess ? String(decoding: $0.output, as: UTF8.self) : nil }
  }

  private func launch() throws -> Launch {
    var variables = inherited
    for (name, value) in environment { variables[name] = value }
    let (path, name): (String, String)
    switch executable {
    case .path(let given): (path, name) = (given, given)
    case .name(let given):
      guard let found = SystemFiles().programs(given, path: variables["PATH"] ?? "").first else {
        throw Errno.noSuchFileOrDirectory
      }
      (path, name) = (found, given)
    }
    return Launch(path: path, arguments: [name] + arguments, environment: variables, folder: folder, role: role)
  }

  /// The program, and the ends of its streams that are this process's; the others close with it.
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
    let deadline = ContinuousClock.now + timeout
    var ending: ContinuousClock.Instant?
    while true {
      var requests = [
        output.request, errors.request, pollfd(fd: inlet?.number ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
      ]
      // Checks from time to time whether the program is still wanted, and more often where the system does not report
      // its end.
      poll(&requests, UInt(requests.count), watch < 0 ? 5 : 100)
      let hasEnded = process.hasEnded
      if let descriptor = inlet {
        let count = rest.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        // Unread input shows in how the program ends.
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
      } else if now > deadline, !hasEnded {
        stop = .timeout
      }
      if hasEnded || stop != nil || isCancelled() { break }
      guard output.descriptor == nil, errors.descriptor == nil else { continue }
      // The program will write nothing more. Some programs close their files before they end, and must not be killed on
      // the last step.
      ending = ending ?? now + .seconds(1)
      if let ending, now > ending { break }
    }
    let status = process.end(strict: stop != nil || role == .build || isCancelled())
    return End(
      status: TerminationStatus(status), output: output.bytes,
      errorTail: String(decoding: errors.bytes.suffix(Self.errorTailLength), as: UTF8.self), stop: stop)
  }

  /// What a program writes, until it closes the stream.
  private struct Stream {
    var descriptor: OwnDescriptor?
    var bytes = Data()

    var request: pollfd { pollfd(fd: descriptor?.number ?? -1, events: Int16(POLLIN), revents: 0) }

    /// Reads as much as a pipe can hold.
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
