import CProcessControl
import Foundation
import FrameBench

/// All files below a folder, including files unknown to git. The tree can also be a single file.
package struct FileTree {
  /// The path of the folder or the file, without symbolic links.
  package var path: String
  /// Whether repositories (`.git`) and build folders (`.build`) are left out.
  package var isOfSources: Bool

  package init(path: String, isOfSources: Bool = true) { (self.path, self.isOfSources) = (path, isOfSources) }

  /// The limits of a checksum. Trees with more files or bytes have no checksum.
  private var maximumCount: Int { isOfSources ? 200_000 : 1_000_000 }
  private var maximumBytes: Int { isOfSources ? 1 << 30 : 4 << 30 }

  /// Returns a checksum of the names, permissions and bytes of all files, and of files outside of the tree to which its
  /// symbolic links lead. Nil if nothing exists at the path, a file cannot be read, or there are too many files or
  /// bytes.
  package func checksum() -> String? {
    var sum = Checksum()
    var bytes = 0
    var open = [path]
    var seen: Set<String> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      let tree = FileTree(path: next, isOfSources: isOfSources)
      guard let files = tree.files(atMost: maximumCount) else { return nil }
      for (path, mode) in files {
        sum.combine(Checksum(path.dropFirst(next.count).utf8).value)
        sum.combine(UInt64(mode))
        let content: Data? =
          switch mode & S_IFMT {
          case S_IFLNK: (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { Data($0.utf8) }
          case S_IFREG: FileManager.default.contents(atPath: path)
          default: Data()
          }
        guard let content else { return nil }
        bytes += content.count
        guard bytes <= maximumBytes else { return nil }
        sum.combine(content.withUnsafeBytes { process_control_checksum($0.baseAddress, $0.count) })
      }
      open += tree.exits().compactMap(\.self)
    }
    return sum.hexadecimal
  }

  /// Whether the tree has only folders, regular files and symbolic links. Copying a pipe would wait for its writer.
  package var isCopyable: Bool { files()?.allSatisfy { [S_IFREG, S_IFLNK].contains($0.mode & S_IFMT) } ?? false }

  /// Returns the targets of the symbolic links that lead out of the tree. An element is nil if its target is missing.
  package func exits() -> [String?] {
    (files() ?? []).filter { $0.mode & S_IFMT == S_IFLNK }.map { Paths.real($0.path) }.filter { target in
      target.map { $0 != path && !$0.hasPrefix(path + "/") } ?? true
    }
  }

  /// Returns the files and symbolic links, sorted by path. Links are not followed. Nil if nothing exists at the path,
  /// if a folder cannot be read, or if there are too many files.
  private func files(atMost maximum: Int = .max) -> [(path: String, mode: mode_t)]? {
    guard Paths.mode(path) != nil else { return nil }
    var found: [(path: String, mode: mode_t)] = []
    var open = [path]
    while let next = open.popLast() {
      // The file or folder may have been removed in the meantime.
      guard let mode = Paths.mode(next) else { continue }
      if mode & S_IFMT == S_IFDIR {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: next) else { return nil }
        open += names.filter { !isOfSources || $0 != ".git" && !$0.hasPrefix(".build") }.map { "\(next)/\($0)" }
      } else {
        found.append((next, mode))
      }
      guard found.count + open.count <= maximum else { return nil }
    }
    return found.sorted { $0.path < $1.path }
  }
}
