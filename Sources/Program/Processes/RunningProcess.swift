import CProcessControl
import Foundation
import Synchronization
import SystemPackage

/// A program to start. Whatever springbench starts, for whatever purpose, goes through here.
struct Launch: Sendable {
  var path: String
  /// The arguments; the first is the name of the program.
  var arguments: [String]
  var environment: [String: String]
  /// The folder to run in; nil: that of this process.
  var folder: String?
  var role = Role.tool
  /// Whether the program's address space has the same layout every time, if the system allows that.
  var isAlike = false
  /// Whether the thread that starts it traces it.
  var isTraced = false
  /// Whether the program ignores SIGINT and SIGTERM.
  var ignoresInterruptions = false
  /// Seconds after which the system ends the program, whatever this process does; nil: never.
  var secondsLimit: Int?
}

/// A program that runs, in a session of its own: its children are stopped with it, and Ctrl-C reaches only this
/// process. Use it from one thread, which must live as long as the program: Linux ends a program with the thread that
/// started it.
final class RunningProcess {
  let id: pid_t
  /// A text that is only in the environment of this process and of those that it starts.
  private let mark: String
  private var status: Int32?

  /// Throws the system's reason, or a `RunError` if that is a limit of the machine, and not the program's.
  ///
  /// - Parameter descriptors: Become its stdin, stdout and stderr; a fourth has the number 3.
  init(_ launch: Launch, _ descriptors: [OwnDescriptor]) throws {
    let wall = try Wall(for: launch.role)
    mark = Self.mark + Self.number.add(1, ordering: .relaxed).newValue.padded(8)
    var environment = launch.environment.filter { $0.key != Self.variable }
    if launch.role.isForeign, Sandbox.current != nil { environment["TMPDIR"] = Sandbox.home }
    // The mark comes first, and is as long in every process.
    let variables = [mark] + environment.map { "\($0)=\($1)" }.sorted()
    var program = process_control_program()
    program.wall = wall?.descriptor.number ?? -1
    program.seconds = launch.secondsLimit.map { UInt32(clamping: max(1, $0)) } ?? 0
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

  /// Whether the process has ended by itself.
  var hasEnded: Bool {
    var information = siginfo_t()
    return status != nil || waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo != 0
  }

  /// Waits until it ends by itself.
  func wait() -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return end()
  }

  /// Ends the program, and does not wait until it has ended.
  func stop() { if status == nil { kill(-id, SIGKILL) } }

  /// Ends the program and its children, if they still run.
  /// - Parameter strict: Whether to end children that left its session, too.
  /// - Returns: Its status from `waitpid`.
  @discardableResult func end(strict: Bool = false) -> Int32 {
    if let status { return status }
    stop()
    // Until it is waited for, nothing else has its id.
    Self.running.withLock { _ = $0.remove(id) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    self.status = status
    if strict { for _ in 1...100 where process_control_end_marked(mark) > 0 { usleep(20_000) } }
    return status
  }

  private static let shortages: [Errno] = [
    .resourceTemporarilyUnavailable, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
  ]

  private static let running = Mutex<Set<pid_t>>([])

  /// Ends all programs that run now. Whoever waits for one notices, and gives up.
  static func endAll() { running.withLock { for id in $0 { kill(-id, SIGKILL) } } }

  private static let number = Atomic(0)
  private static let variable = "SPRINGBENCH_PROCESS"

  /// Beginning of the mark of every process that this one starts.
  static let mark = "\(variable)=" + Int(getpid()).padded(8) + Int.random(in: 0...Int(UInt32.max)).padded(8)
}

extension Int {
  /// The number in hexadecimal digits, with zeros in front.
  fileprivate func padded(_ count: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}

/// A file that is closed with this, and that no other program inherits.
final class OwnDescriptor: Sendable {
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
    var ends: [Int32] = [-1, -1]
    guard process_control_pipe(&ends) else { throw RunError("no pipe: \(Errno.last)") }
    return (OwnDescriptor(ends[0]), OwnDescriptor(ends[1]))
  }

  /// Another number of the same file.
  static func copy(of number: Int32) throws -> OwnDescriptor {
    let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw RunError("no more files can be opened: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// An input without bytes.
  static func empty() throws -> OwnDescriptor {
    let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw RunError("/dev/null cannot be opened: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// A file in memory that a worker can fill without a reader: nothing stays behind of a process that is killed.
  static func unnamedFile() throws -> OwnDescriptor {
    let descriptor = process_control_memory_file(false)
    guard descriptor >= 0 else { throw RunError("no file in memory: \(Errno.last)") }
    return OwnDescriptor(descriptor)
  }

  /// Bytes of the file; none if they cannot be read.
  func bytes(from offset: Int64, atMost count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = (try? file.read(fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }

  /// Reading and writing return at once from now on.
  func waitsNoMore() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

/// Calls `body` with the strings as a null-terminated array of C.
func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value) -> Value {
  var copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return body(&copies)
}
