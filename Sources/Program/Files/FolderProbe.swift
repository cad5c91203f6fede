import Foundation
import SystemPackage

/// Checks, before any work is done, whether a folder can be created and written to, and leaves what was
/// there.
struct FolderProbe {
  var path: String

  struct Obstacle: Error {
    /// The folder that could not be made or written to.
    var folder: String
    var problem: Errno
  }

  /// Makes the folders, writes a file, and takes away again what was not there before.
  func run() throws(Obstacle) {
    // Another process may be trying too, and take away the folders that both of them need.
    var attempt = 1
    while try !run(isLast: attempt == Self.attemptCount) { attempt += 1 }
  }

  private static let attemptCount = 50

  /// - Returns: Whether the folders were still there when they were written to.
  private func run(isLast: Bool) throws(Obstacle) -> Bool {
    let added = missingFolders
    defer { for folder in added.reversed() { rmdir(folder) } }
    for folder in added where mkdir(folder, 0o777) != 0 && errno != EEXIST {
      guard errno == ENOENT, !isLast else { throw Obstacle(folder: folder, problem: Errno(rawValue: errno)) }
      return false
    }
    do throws(Errno) {
      try Paths.tryWriting(in: path)
    } catch {
      guard error == .noSuchFileOrDirectory, !isLast else { throw Obstacle(folder: path, problem: error) }
      return false
    }
    return true
  }

  /// Those on the way to `path` that are not there, outermost first.
  private var missingFolders: [String] {
    var missing: [String] = []
    var folder = path
    while access(folder, F_OK) != 0, missing.count < 256 {
      missing.append(folder)
      folder = Paths.parent(folder)
    }
    return missing.reversed()
  }
}
