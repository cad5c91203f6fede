import Foundation

/// A folder that is there as long as this value. The process holds the kernel's lock on it; so where it was killed,
/// the next one that looks knows that nobody needs the folder any more.
final class ScratchFolder: Sendable {
  /// Of folders in the system's temporary folder.
  static let temporaryPrefix = "springbench-scratch-"

  let path: String
  private let descriptor: Int32

  /// Makes a folder that nobody else may read.
  ///
  /// - Parameters:
  ///   - parent: Must be there.
  ///   - prefix: What the names of all such folders begin with, and of nothing else.
  init(in parent: String, prefix: String) throws(RevisionError) {
    while true {
      let path = "\(parent)/\(prefix)\(UUID().uuidString)"
      guard mkdir(path, 0o700) == 0 else { throw .file(path, errno) }
      if let descriptor = Self.lock(path) {
        // Who swept in between had the lock first.
        if access(path, F_OK) == 0 {
          (self.path, self.descriptor) = (path, descriptor)
          return
        }
        close(descriptor)
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  /// Removes the folders of processes that have ended.
  static func sweep(_ parent: String, prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }

  /// Nil where another process has the lock, or another user the folder.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }
}
