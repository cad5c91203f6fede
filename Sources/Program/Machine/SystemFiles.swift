import Foundation

/// The files in which the kernel describes the machine, below a root that tests can choose.
struct SystemFiles: Sendable, Hashable {
  /// Without a slash at its end; empty: the machine's own.
  var root = ""

  init(root: String = "") {
    self.root = root
  }

  /// The text of a file; nil where it is not there, cannot be read or is not text.
  func read(_ path: String) -> String? {
    try? String(contentsOfFile: root + path, encoding: .utf8)
  }

  /// The same without white space at its ends, and nil where nothing remains.
  func value(_ path: String) -> String? {
    read(path).map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// Names in a folder; empty where there is none.
  func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
  }

  /// The programs of this name in the folders of a PATH, in their order.
  func programs(_ name: String, path: String) -> [String] {
    path.split(separator: ":").map { "\($0)/\(name)" }.filter { access(root + $0, X_OK) == 0 }
  }
}
