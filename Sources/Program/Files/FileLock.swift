import Foundation
import SystemPackage

/// A lock on a file, which the kernel gives back when the process ends, however it ends.
///
/// Whoever holds it alone may remove the file: the next one notices, and locks a new one.
final class FileLock: Sendable {
  enum Kind: Sendable {
    case shared
    case exclusive
  }

  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Nil where another process holds it.
  static func tryTaking(_ path: String, _ kind: Kind) throws(RevisionError) -> FileLock? {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw .file(path, errno) }
      while flock(descriptor, operation | LOCK_NB) != 0 {
        let problem = errno
        if problem == EINTR { continue }
        close(descriptor)
        guard problem == EWOULDBLOCK else { throw .file(path, problem) }
        return nil
      }
      var (own, named) = (stat(), stat())
      if fstat(descriptor, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino {
        return FileLock(descriptor: descriptor)
      }
      close(descriptor)
    }
  }

  /// Locks a folder, for a moment in which nobody else may change what is in it; waits where another process
  /// does. It leaves no file.
  static func holding(folder: String) throws(Errno) -> FileLock {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    while flock(descriptor, LOCK_EX) != 0 {
      let problem = errno
      if problem == EINTR { continue }
      close(descriptor)
      throw Errno(rawValue: problem)
    }
    return FileLock(descriptor: descriptor)
  }

  /// Waits for it. Throws `CancellationError` where the task is cancelled meanwhile.
  ///
  /// - Parameter whileWaiting: Called once, where another process holds it.
  static func take(_ path: String, _ kind: Kind, whileWaiting: () -> Void = {}) async throws -> FileLock {
    var isWaiting = false
    while true {
      if let lock = try tryTaking(path, kind) { return lock }
      if !isWaiting { whileWaiting() }
      isWaiting = true
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

extension RevisionError {
  static func file(_ path: String, _ problem: Int32) -> RevisionError {
    problem == ENOSPC || problem == EDQUOT
      ? .diskFull(folder: path) : .files("\(path): \(String(cString: strerror(problem)))")
  }

  /// Of Foundation's errors, what the system said.
  static func file(_ path: String, _ error: any Error) -> RevisionError {
    if let error = error as? RevisionError { return error }
    guard let number = SystemReason.number(error) else {
      return .files("\(path): \(error.localizedDescription)")
    }
    return .file(path, number)
  }
}
