import CProcessControl
import Foundation
import FrameBench

extension TurnProcess {
  struct Pipe {
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
  static func unnamedFile() throws -> Int32 {
    var template = Array((NSTemporaryDirectory() + "springbench-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw RunError("no temporary file: \(errorText)") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return descriptor
  }

  static func spawn(
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
    var variables = WorkerProcess.variables.merging(InheritedEnvironment.variables) { $1 }
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

extension WorkerRequest {
  /// Differs from set to set: where the stack lies is luck of the same kind as where the heap does.
  var stackPadding: Int {
    guard case .turns(let options) = work else { return 0 }
    return Int(options.layoutSeed % 4_096)
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
