import Foundation

/// Where git records the state of a checkout: in a separate index and object store, so that nothing stays in
/// the user's repository. Files that git does not know may hold secrets, or be large.
final class Snapshot: Sendable {
  private let folder: ScratchFolder

  private static let prefix = "snapshot-"

  var indexPath: String { "\(folder.path)/index" }
  /// Git's loose objects.
  var objects: String { "\(folder.path)/objects" }

  /// - Parameter store: Where all snapshots lie.
  init(in store: String) throws(RevisionError) {
    folder = try ScratchFolder(in: store, prefix: Self.prefix)
    guard mkdir("\(folder.path)/objects", 0o700) == 0 else { throw .file(folder.path, errno) }
  }

  /// Removes the snapshots of processes that have ended.
  static func sweep(_ store: String) { ScratchFolder.sweep(store, prefix: prefix) }
}
