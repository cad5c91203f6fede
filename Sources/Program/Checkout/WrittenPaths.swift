import Foundation

/// Files and folders that a command writes, or an earlier one wrote. They are not source code: the working
/// tree does not have to be rebuilt or marked dirty because of them.
struct WrittenPaths: Sendable {
  /// Absolute, or relative to the current folder.
  var paths: [String]

  init(_ paths: [String] = []) {
    self.paths = paths
  }

  /// Those within a folder, relative to it.
  func within(_ root: String) -> [String] {
    paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
      .filter { $0.hasPrefix(root + "/") }.map { String($0.dropFirst(root.count + 1)) }
  }
}
