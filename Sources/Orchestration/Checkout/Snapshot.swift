import Foundation

/// Where git writes down what lies in a checkout: an index and objects of its own, so that neither stays in the
/// user's repository. Files that git does not know may hold secrets, or be large. The folder goes with this value,
/// and where the process was killed, with the next one.
final class Snapshot: Sendable {
  private let folder: String
  /// Shared by all that have a snapshot: who gets it alone may clear what is there.
  private let lock: FileLock

  var indexPath: String { "\(folder)/index" }
  /// Git's loose objects.
  var objects: String { "\(folder)/objects" }

  /// - Parameter store: Where the folders of all snapshots lie.
  init(in store: String) async throws {
    folder = "\(store)/snapshot-\(UUID().uuidString)"
    lock = try await FileLock.take(Self.lockPath(store), .shared)
    do {
      try FileManager.default.createDirectory(atPath: "\(folder)/objects", withIntermediateDirectories: true)
    } catch {
      throw RevisionError.file(folder, error)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Removes what processes left that were killed, unless another one is at work.
  static func sweep(_ store: String) throws {
    guard let lock = try FileLock.tryTaking(lockPath(store), .exclusive) else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []
    for name in names where name.hasPrefix("snapshot-") {
      try? FileManager.default.removeItem(atPath: "\(store)/\(name)")
    }
    withExtendedLifetime(lock) {}
  }

  private static func lockPath(_ store: String) -> String { "\(store)/snapshots.lock" }
}
