import Foundation

/// A folder that is there as long as this value. Where the process was killed, the next one that sweeps removes it.
final class ScratchFolder: Sendable {
  /// Of folders in the system's temporary folder.
  static let temporaryPrefix = "springbench-scratch-"

  let path: String
  private let entry: HiddenEntry

  /// Makes a folder that nobody else may read.
  ///
  /// - Parameters:
  ///   - parent: Must be there.
  ///   - prefix: What the names of all such folders begin with, and of nothing else.
  init(in parent: String, prefix: String) throws(RevisionError) {
    while true {
      let path = "\(parent)/\(prefix)\(UUID().uuidString)"
      guard mkdir(path, 0o700) == 0 else { throw .file(path, errno) }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Who swept in between took it away.
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw .file(path, errno) }
      if let entry = HiddenEntry(path, locking: descriptor) {
        (self.path, self.entry) = (path, entry)
        return
      }
    }
  }

  deinit { entry.remove() }

  /// Removes the folders of processes that have ended.
  static func sweep(_ parent: String, prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) { HiddenEntry.sweep("\(parent)/\(name)") }
  }
}
