import Foundation
import Subprocess
import Synchronization

/// Runs another program with its whole input, and waits for its end. Both output streams are read at once, so that no
/// pipe ever fills up.
struct ChildProcess {
  var executable: Executable
  var arguments: [String]
  /// Added to the inherited variables, overriding them; nil removes a variable.
  var environment: [String: String?] = [:]
  var timeout: Duration
  /// Its folder; nil: that of this process.
  var folder: String?
  var inherited = InheritedEnvironment.variables
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

  /// Reason for stopping it.
  enum Stop: Sendable { case timeout, tooMuchOutput }

  /// From now on a pipe whose reader has gone (`springbench list | head`, or a child that ended without
  /// reading its input) is an error of the write instead of ending this process.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Throws `CancellationError` if the task was cancelled; the program is stopped then.
  ///
  /// - Parameter problem: The error if the program cannot be started, given the system's.
  func run(input: Data = Data(), orThrow problem: (any Error) -> any Error = { $0 }) async throws -> End {
    ChildProcess.ignoreBrokenPipes()
    var options = PlatformOptions()
    // Its own process group: its children are stopped with it, and Ctrl-C reaches only this process.
    options.processGroupID = 0
    var variables = inherited
    for (name, value) in environment { variables[name] = value }
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(arguments),
        environment: .custom(Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })),
        workingDirectory: folder.map { .init($0) }, platformOptions: options, input: PatientInput(bytes: Array(input)),
        output: .sequence, error: .sequence, body: read)
      try Task.checkCancellation()
      let (output, errorTail, stop) = result.closureResult
      return End(
        status: result.terminationStatus, output: output, errorTail: String(decoding: errorTail, as: UTF8.self),
        stop: stop)
    } catch {
      // A program that is being started while the task is cancelled fails with another error.
      try Task.checkCancellation()
      throw problem(error)
    }
  }

  /// The output of a program that one can do without: nil if it cannot be started, or fails.
  ///
  /// Throws `CancellationError`.
  func answer(to input: String) async throws -> String? {
    let end = try? await run(input: Data(input.utf8))
    try Task.checkCancellation()
    return end.flatMap { $0.isSuccess ? String(decoding: $0.output, as: UTF8.self) : nil }
  }

  private typealias Running = Execution<PatientInput, SequenceOutput, SequenceOutput>

  private func read(_ execution: Running) async -> (output: Data, errorTail: Data, stop: Stop?) {
    var streams: (output: Data, errorTail: Data)?
    var stop: Stop?
    await withTaskGroup(of: (output: Data, errorTail: Data)?.self) { group in
      group.addTask { await readStreams(execution) }
      group.addTask {
        try? await Task.sleep(for: timeout)
        return nil
      }
      for await found in group {
        if let found {
          streams = found
        } else if streams == nil {
          if !Task.isCancelled { stop = .timeout }
          Self.kill(execution)
        }
        // A grandchild in another group may hold the pipes open forever.
        group.cancelAll()
      }
    }
    let (output, errorTail) = streams ?? (Data(), Data())
    if stop == nil, output.count > outputLimit { stop = .tooMuchOutput }
    // Both streams are closed: it is ending, or has nothing more to say. Some programs close their files
    // before they end, and must not be killed on the last step.
    if stop == nil { await Self.waitForEnd(execution.processIdentifier.value) }
    Self.kill(execution)
    return (output, errorTail, stop)
  }

  private func readStreams(_ execution: Running) async -> (output: Data, errorTail: Data) {
    async let errors = Self.collect(execution.standardError) { data in
      if data.count > 4 * Self.errorTailLength { data = Data(data.suffix(Self.errorTailLength)) }
      return false
    }
    let output = await Self.collect(execution.standardOutput) { $0.count > outputLimit }
    if output.count > outputLimit { Self.kill(execution) }
    return (output, Data(await errors.suffix(Self.errorTailLength)))
  }

  /// Waits up to a second, without reaping the process, which is up to `Subprocess`.
  private static func waitForEnd(_ process: pid_t) async {
    for _ in 0..<500 where !Task.isCancelled {
      var information = siginfo_t()
      let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
      if result != 0 || information.si_signo != 0 { return }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private static func kill(_ execution: Running) { try? execution.send(signal: .kill, toProcessGroup: true) }

  /// - Parameter isEnough: May shorten what was read; true ends the reading.
  private static func collect(_ stream: SubprocessOutputSequence, until isEnough: (inout Data) -> Bool) async -> Data {
    var data = Data()
    do {
      for try await chunk in stream {
        chunk.withUnsafeBytes { data.append(contentsOf: $0) }
        if isEnough(&data) { break }
      }
    } catch {
      // Cancelled, or the pipe broke: the output so far shows how far it got.
    }
    return data
  }
}

/// Bytes for a program that need not read them. If it ends first, Subprocess' own input of bytes throws
/// before it has closed the pipe, which stops this process.
private struct PatientInput: InputProtocol {
  var bytes: [UInt8]

  func write(with writer: StandardInputWriter) async throws {
    // Unread input shows in how the program ends.
    _ = try? await writer.write(bytes)
  }
}

/// The environment variables that child programs get.
enum InheritedEnvironment {
  /// A comma-separated list of further names that reduced programs get, too.
  static let passVariable = "SPRINGBENCH_PASS_ENVIRONMENT"

  private static let isReduced = Mutex(false)

  private static let names = Set([
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES",
  ]).union(compilerVariables)
  static let compilerVariables = [
    "CC", "CXX", "CFLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SDKROOT", "SWIFT_EXEC", "TOOLCHAINS",
  ]
  private static let prefixes = ["LC_", "MALLOC_", "SPRINGBENCH_", "SWIFT_"]

  /// What git reads: whose checkouts it trusts under sudo, its configuration, and how it reaches a remote, from which a
  /// partial clone takes what it lacks.
  private static let gitNames: Set = [
    "SUDO_UID", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL",
    "GIT_NO_LAZY_FETCH", "GIT_ASKPASS", "SSH_ASKPASS", "SSH_AUTH_SOCK", "ALL_PROXY", "all_proxy", "CURL_CA_BUNDLE",
  ]
  private static let gitPrefixes = ["GIT_CONFIG_", "GIT_SSH", "GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_"]

  /// From now on, programs get only the variables for building and measuring, and those that the user lists: other
  /// people's revisions run with the rights of this process, and should not get its secrets as well.
  static func reduce() { isReduced.withLock { $0 = true } }

  static var variables: [String: String] {
    let all = ProcessInfo.processInfo.environment
    return isReduced.withLock(\.self) ? reduced(all) : all
  }

  /// The variables of git, always the same: it answers as it answers the user. Neither builds nor programs get them.
  static func ofGit(_ all: [String: String] = ProcessInfo.processInfo.environment) -> [String: String] {
    let own = all.filter { name, _ in gitNames.contains(name) || gitPrefixes.contains { name.hasPrefix($0) } }
    return reduced(all).merging(own) { $1 }
  }

  static func reduced(_ all: [String: String]) -> [String: String] {
    let passed = (all[passVariable] ?? "").split(separator: ",").map(\.trimmed)
    return all.filter { name, _ in
      names.contains(name) || passed.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// Variables that a manifest seems to read and does not get, in order.
  static func withheld(_ all: [String: String], from manifest: String) -> [String] {
    let words = Set(manifest.matches(of: /[A-Za-z_][A-Za-z0-9_]+/).map { String($0.output) })
    return Set(all.keys).subtracting(reduced(all).keys).intersection(words).sorted()
  }
}
