import Foundation
import SystemPackage

/// A lock on a file. The kernel releases the lock when the process ends, even if it crashes. An exclusive holder may
/// remove the file. The next process notices that, and locks a new file.
package final class FileLock: Sendable {
  package enum Kind: Sendable { case shared, exclusive }

  package let descriptor: Int32

  /// - Parameter descriptor: The open file or folder. This object closes it when it is deinitialized.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  private convenience init(opening path: String, _ flags: Int32) throws(Errno) {
    let descriptor = open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .last }
    self.init(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// Takes the lock without waiting. Nil if another process holds it.
  package static func tryTaking(_ path: String, _ kind: Kind) throws(RevisionError) -> FileLock? {
    try RevisionError.naming(path) {
      while true {
        let lock = try FileLock(opening: path, O_RDWR | O_CREAT)
        do throws(Errno) { try lock.hold((kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) } catch .wouldBlock {
          return nil
        }
        if lock.isNamed(path) { return lock }
      }
    }
  }

  /// Locks a folder, without leaving a file in it; waits if another process holds the lock.
  package static func holding(folder: String) throws(Errno) -> FileLock {
    let lock = try FileLock(opening: folder, O_RDONLY | O_DIRECTORY)
    try lock.hold(LOCK_EX)
    return lock
  }

  package func hold(_ operation: Int32) throws(Errno) {
    while flock(descriptor, operation) != 0 { guard Errno.last == .interrupted else { throw .last } }
  }

  /// Whether a path still refers to the open file.
  package func isNamed(_ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  /// Waits for the lock.
  /// - Parameter whileWaiting: Called once if another process holds the lock.
  /// - Throws: `CancellationError` if the task is cancelled in the meantime.
  package static func take(_ path: String, _ kind: Kind, whileWaiting: () -> Void = {}) async throws -> FileLock {
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
  /// Returns an error with the path and, for an error of Foundation, the system's reason if that is known.
  package static func file(_ path: String, _ error: any Error) -> RevisionError {
    if let error = error as? RevisionError { return error }
    guard let problem = Errno(of: error) else {
      // `localizedDescription` is useful only for errors of Foundation. For others it contains only a number.
      return RevisionError(.failure, "\(path): \(error is CocoaError ? error.localizedDescription : "\(error)")")
    }
    let isFull = [.noSpace, .diskQuotaExceeded].contains(problem)
    return isFull ? .diskFull(folder: path) : RevisionError(.failure, "\(path): \(problem)")
  }

  package static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(RevisionError) -> Value {
    try attempt(try body()) { RevisionError.file(path, $0) }
  }
}
