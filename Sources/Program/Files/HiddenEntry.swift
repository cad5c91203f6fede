import Foundation

/// A file or a folder under a hidden name while it is written. It is locked for as long as its writer lives, so that
/// others can tell what a killed writer left behind from what is still being written.
final class HiddenEntry: Sendable {
  let path: String
  let descriptor: Int32

  /// Nil if it was swept away before it was locked.
  ///
  /// - Parameter descriptor: Of the file or folder; it is closed with this.
  init?(_ path: String, locking descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    while flock(descriptor, LOCK_EX) != 0 {
      // Where nothing can be locked nothing is swept either.
      guard errno == EINTR else { return }
    }
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, lstat(path, &named) == 0, own.st_ino == named.st_ino else {
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Makes a folder that is there for as long as this process, or until it is removed or renamed.
  ///
  /// - Parameters:
  ///   - path: Another name each time that it is asked; its parent must be there.
  ///   - permissions: Before the process's mask.
  static func makeFolder(at path: () -> String, permissions: mode_t) throws(WholeFile.Problem) -> HiddenEntry
  {
    while true {
      let path = path()
      guard mkdir(path, permissions) == 0 else { throw .system(path, errno) }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // It was swept away in between.
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw .system(path, errno) }
      if let entry = HiddenEntry(path, locking: descriptor) { return entry }
    }
  }

  func remove() { Self.remove(path) }

  /// Removes it, unless its writer lives.
  static func sweep(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
