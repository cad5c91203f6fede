import Foundation

/// A folder that exists as long as this value. If the process is killed, the next one that sweeps removes it.
final class ScratchFolder: Sendable {
  /// Of folders in the system's temporary folder.
  static let temporaryPrefix = "springbench-scratch-"

  var path: String { entry.path }
  private let entry: HiddenEntry

  /// Makes a folder that only this user may read.
  ///
  /// - Parameters:
  ///   - parent: Must be there.
  ///   - prefix: What the names of all such folders begin with, and of nothing else.
  init(in parent: String, prefix: String) throws(RevisionError) {
    do throws(WholeFile.Problem) {
      entry = try HiddenEntry.makeFolder(
        at: { "\(parent)/\(prefix)\(UUID().uuidString)" }, permissions: 0o700)
    } catch {
      guard case .system(let path, let problem) = error else { throw .files("\(parent): \(error)") }
      throw .file(path, problem)
    }
  }

  deinit { entry.remove() }

  /// Removes the folders of processes that have ended.
  static func sweep(_ parent: String, prefix: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) { HiddenEntry.sweep("\(parent)/\(name)") }
  }
}
