import Foundation
import SystemPackage

/// Paths that the user typed. Foundation traps on some of them, such as a one-character name that does not
/// exist.
enum Paths {
  /// The folder that a path lies in; `.` for a name alone.
  static func parent(_ path: String) -> String {
    let parent = FilePath(path).removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }

  /// The last component; what has none, as `/`, is its own name.
  static func name(_ path: String) -> String { FilePath(path).lastComponent?.string ?? path }

  static func joined(_ folder: String, _ name: String) -> String {
    FilePath(folder).appending(name).string
  }

  /// What a path leads to, symbolic links followed, whether or not it is there.
  static func target(_ path: String) -> String {
    // Without the slash at its end, which would lead through a symbolic link.
    var target = FilePath(path).string
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
      target = next.hasPrefix("/") ? next : joined(parent(target), next)
    }
    return target
  }

  /// Makes a folder, and those on the way to it. One that is there already is not an error.
  static func makeFolder(_ path: String) throws(Errno) {
    // Another process may take an empty folder away, which it made to try whether it can be written to.
    var attempts = 0
    while true {
      if mkdir(path, 0o777) == 0 { return }
      let problem = Errno(rawValue: errno)
      if problem == .fileExists {
        guard isFolder(path) else { throw .notDirectory }
        return
      }
      attempts += 1
      let parent = parent(path)
      guard problem == .noSuchFileOrDirectory, parent != path, attempts <= 50 else { throw problem }
      try makeFolder(parent)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Tries to write below a folder that is there: a disk that is full says so only then.
  static func tryWriting(in folder: String) throws(Errno) {
    do throws(WholeFile.Problem) {
      try WholeFile(folder: folder).tryWriting()
    } catch {
      guard case .system(_, let problem) = error else { return }
      throw Errno(rawValue: problem)
    }
  }
}
