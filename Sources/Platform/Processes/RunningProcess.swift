import CProcessControl
import Foundation
import Synchronization
import SystemPackage

/// A program to start. Springbench starts every program in this way.
package struct Launch: Sendable {
  package var path: String
  /// The arguments; the first is the name of the program.
  package var arguments: [String]
  package var environment: [String: String]
  /// The working directory. Nil means that of this process.
  package var folder: String?
  package var role: Role
  /// Whether the program's address space has the same layout every time, if the system allows that.
  package var isAlike = false
  /// Whether the thread that starts the program traces it.
  package var isTraced = false
  /// Whether the program ignores SIGINT, SIGTERM and SIGHUP.
  package var ignoresInterruptions = false

  package init(
    path: String, arguments: [String], environment: [String: String], folder: String? = nil, role: Role = .tool
  ) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
    (self.folder, self.role) = (folder, role)
  }
}

/// A running program, in a session of its own. So its children are stopped together with it, and Ctrl-C reaches only
/// springbench. Must be used from one thread, which must live as long as the program: Linux is told to kill the program
/// when the thread that started it ends (`PR_SET_PDEATHSIG`).
package final class RunningProcess {
  package let id: pid_t
  /// A unique environment variable of the program and its children. It identifies children that have left the session.
  private let mark: String
  private let role: Role
  /// The program's own home folder in the sandbox, which is removed when the program ends.
  private let home: String?
  private var status: Int32?
  /// CPU time of the program, and of the children that it waited for, in nanoseconds. Nil before it has ended.
  package private(set) var nanoseconds: Int?

  /// - Parameter descriptors: The stdin, stdout and stderr of the program. A fourth descriptor gets the number 3.
  /// - Throws: A `RunError` if memory, processes or open files have run out. Otherwise the system's `Errno`.
  package init(_ launch: Launch, _ descriptors: [OwnDescriptor]) throws {
    role = launch.role
    let number = String(format: "%08lx", Self.number.add(1, ordering: .relaxed).newValue)
    mark = Self.mark + number
    var environment = launch.environment.filter { $0.key != Self.variable }
    var shared = role.home
    // All folder names are equally long, because a longer environment moves the stack, which changes measured times.
    home = Sandbox.current != nil && role.isForeign && shared == nil ? "\(Sandbox.home)/\(number)" : nil
    if Sandbox.current != nil {
      if let home { try Paths.makeFolder(home) }
      shared = shared ?? home
      // A tool has no home folder, because it would read settings there, for example a configuration of git.
      environment["HOME"] = shared ?? "/nonexistent"
      if let shared { environment["TMPDIR"] = shared }
    }
    let wall = try Wall(for: role, home: shared)
    // The mark comes first, because a search for it reads only the beginning of a long environment. The mark's length
    // is constant, because a longer environment moves the stack, which changes measured times.
    let variables = [mark] + environment.map { "\($0)=\($1)" }.sorted()
    var program = process_control_program()
    program.is_foreign = role.isForeign
    program.wall = wall?.descriptor.number ?? -1
    program.is_sandboxed = Sandbox.current != nil
    program.is_alike = launch.isAlike
    program.is_traced = launch.isTraced
    program.ignores_interruptions = launch.ignoresInterruptions
    let numbers = descriptors.map(\.number) + [-1, -1, -1, -1]
    program.descriptors = (numbers[0], numbers[1], numbers[2], numbers[3])
    let result = launch.path.withCString { path in
      withCStrings([launch.folder].compactMap(\.self)) { folder in
        withCStrings(launch.arguments) { arguments in
          withCStrings(variables) { environment in
            program.path = path
            program.folder = UnsafePointer(folder[0])
            (program.arguments, program.environment) = (arguments, environment)
            return process_control_start(&program)
          }
        }
      }
    }
    withExtendedLifetime((wall, descriptors)) {}
    guard result > 0 else {
      let problem = Errno(rawValue: -result)
      throw Self.shortages.contains(problem) ? RunError("\(launch.path) cannot be started: \(problem)") : problem
    }
    id = result
    Self.running.withLock { _ = $0.insert(result) }
  }

  deinit { end() }

  package var hasEnded: Bool {
    var information = siginfo_t()
    return status != nil || waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo != 0
  }

  /// Waits until the program ends by itself. Returns its status from `waitpid`.
  package func wait() -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return end()
  }

  /// Kills the program and its children, and does not wait for them.
  package func stop() { if status == nil { kill(-id, SIGKILL) } }

  /// Ends the program and its children if they still run, and waits for the program.
  /// - Parameter strict: Whether to also end children that have left the program's session.
  /// - Returns: The program's status from `waitpid`.
  @discardableResult package func end(strict: Bool = false) -> Int32 {
    if let status { return status }
    stop()
    // The id is removed before `wait4`, because another process can get the same id afterwards.
    Self.running.withLock { _ = $0.remove(id) }
    // If another part of this process has waited for the program, its status is unknown, and must not be a success.
    var status: Int32 = 255 << 8
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    self.status = status
    nanoseconds = usage.ru_utime.nanoseconds + usage.ru_stime.nanoseconds
    if strict {
      for _ in 1...100 {
        guard process_control_end("environ", mark) > 0 else { break }
        usleep(20_000)
      }
      // Code that runs during a build may leave processes behind, which could change files of later builds.
      if role.isBuild { Sandbox.endStrays() }
    }
    if let home { try? Paths.remove(home) }
    return status
  }

  /// Follows the program, which must be traced, until it ends or reaches one of the addresses, and then ends it and its
  /// children. Returns the result of `process_control_follow`.
  /// - Parameters:
  ///   - entry: The address of the program's entry point, from its ELF header.
  ///   - timeout: The time after which the program is ended.
  package func follow(_ entry: UInt64, to addresses: [UInt64], for timeout: Duration) -> Int32 {
    let watchdog = DispatchWorkItem { [id] in kill(-id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1), execute: watchdog)
    defer { watchdog.cancel() }
    return process_control_follow(id, entry, addresses, addresses.count)
  }

  private static let shortages: [Errno] = [
    .resourceTemporarilyUnavailable, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
  ]

  private static let running = Mutex<Set<pid_t>>([])

  /// Ends all running programs. Code that waits for a program notices this and gives up.
  package static func endAll() { running.withLock { for id in $0 { kill(-id, SIGKILL) } } }

  private static let number = Atomic(0)
  private static let variable = "SPRINGBENCH_PROCESS"

  /// The prefix that the marks of all programs started by this process share. A mark is an environment variable that
  /// identifies a program and its children.
  package static let mark = variable + String(format: "=%08x%08x", getpid(), UInt32.random(in: 0 ... .max))
}

/// A file descriptor that is closed with this object, and that no other program inherits.
package final class OwnDescriptor: Sendable {
  package let file: FileDescriptor
  package var number: Int32 { file.rawValue }
  /// A path by which this process can open the file.
  package var path: String { "/proc/self/fd/\(number)" }

  package init(_ number: Int32) {
    file = FileDescriptor(rawValue: number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { try? file.close() }

  package static func pipe() throws -> (reading: OwnDescriptor, writing: OwnDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard process_control_pipe(&ends) else { throw RunError("no pipe: \(Errno.last)") }
    return (OwnDescriptor(ends[0]), OwnDescriptor(ends[1]))
  }

  /// Returns another descriptor of the same open file.
  package static func copy(of number: Int32) throws -> OwnDescriptor {
    let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw RunError("no more files can be opened: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// Returns an input that contains no bytes.
  package static func empty() throws -> OwnDescriptor {
    let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw RunError("/dev/null cannot be opened: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// Creates a file in memory. A program can write to it before anything reads it. The file disappears when no process
  /// has it open.
  package static func unnamedFile() throws -> OwnDescriptor {
    let descriptor = process_control_memory_file(false)
    guard descriptor >= 0 else { throw RunError("no file in memory: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// Returns bytes of the file. Empty if they cannot be read.
  package func bytes(from offset: Int64, atMost count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = (try? file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }

  /// Makes reading and writing return immediately from now on, instead of waiting.
  package func waitsNoMore() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

/// Calls `body` with the strings as a null-terminated array of C.
package func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value)
  -> Value
{
  var copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return body(&copies)
}
