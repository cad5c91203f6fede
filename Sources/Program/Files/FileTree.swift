import Foundation
import FrameBench

/// All files below a folder, whether git knows them or not, except repositories and build folders; or a single file.
struct FileTree {
  /// The path of the folder, without symbolic links.
  var path: String

  /// Trees with more files or bytes are not read.
  private static let maximumCount = 200_000
  private static let maximumBytes = 1 << 30

  /// A checksum of the names, permissions and bytes below it, including what symbolic links lead to outside of the
  /// tree; nil if there is nothing, if something cannot be read, or if there is too much.
  func checksum() -> String? {
    var sum = Checksum()
    var bytes = 0
    var open = [path]
    var seen: Set<String> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      let tree = FileTree(path: next)
      guard let files = tree.files(atMost: Self.maximumCount) else { return nil }
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
        guard bytes <= Self.maximumBytes else { return nil }
        sum.combine(Checksum(words: content).value)
      }
      open += tree.exits().compactMap(\.self)
    }
    return sum.hexadecimal
  }

  /// Where the links of the tree lead that leave it; nil for one that leads nowhere.
  func exits() -> [String?] {
    (files() ?? []).filter { $0.mode & S_IFMT == S_IFLNK }.map { Paths.real($0.path) }.filter { target in
      target.map { $0 != path && !$0.hasPrefix(path + "/") } ?? true
    }
  }

  /// Files and symbolic links, which are not followed, in the order of their paths. Nil if there is nothing, if a
  /// folder cannot be read, or if there are too many.
  private func files(atMost maximum: Int = .max) -> [(path: String, mode: mode_t)]? {
    guard Paths.mode(path) != nil else { return nil }
    var found: [(path: String, mode: mode_t)] = []
    var open = [path]
    while let next = open.popLast() {
      // It may have been removed in the meantime.
      guard let mode = Paths.mode(next) else { continue }
      if mode & S_IFMT == S_IFDIR {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: next) else { return nil }
        open += names.filter { $0 != ".git" && !$0.hasPrefix(".build") }.map { "\(next)/\($0)" }
      } else {
        found.append((next, mode))
      }
      guard found.count + open.count <= maximum else { return nil }
    }
    return found.sorted { $0.path < $1.path }
  }
}

extension Checksum {
  /// The checksum of a file, eight bytes at a time.
  fileprivate init(words data: Data) {
    self.init()
    data.withUnsafeBytes { bytes in
      let end = bytes.count & ~7
      for offset in stride(from: 0, to: end, by: 8) {
        combine(whole: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      for byte in bytes[end...] { combine(whole: UInt64(byte)) }
    }
    combine(UInt64(data.count))
  }
}
