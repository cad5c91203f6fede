import CProcessControl
import Foundation

/// A program, copied to fresh pages of memory.
///
/// A file that is run over and over lies in the same physical pages all the while, and its luck with the
/// sets of the caches looks like a property of the build: two copies of one program at two paths differed
/// by more than a percent, again and again, until they were copied anew. So each set of processes runs from
/// copies of its own. A file without a name leaves nothing behind.
final class ProgramCopy {
  let original: String
  /// What to start; the original where memory has no room for files.
  let path: String
  private let descriptor: Int32

  init(of original: String) {
    self.original = original
    let file = process_control_memory_file()
    if file >= 0, Self.isBinary(original), Self.copy(original, to: file) {
      descriptor = file
      path = "/proc/self/fd/\(file)"
    } else {
      if file >= 0 { close(file) }
      descriptor = -1
      path = original
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Where the original lies.
  var folder: String {
    URL(fileURLWithPath: original).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// A script is read by another program, which finds no file without a name.
  private static func isBinary(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 4)) == Data([0x7f, 0x45, 0x4c, 0x46])
  }

  private static func copy(_ path: String, to file: Int32) -> Bool {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      guard FileDescriptor(file).write(Array(chunk[..<count])) == nil else { return false }
    }
  }
}
