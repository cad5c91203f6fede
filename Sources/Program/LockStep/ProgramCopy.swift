import CProcessControl
import Foundation

/// A program, copied to fresh pages of memory.
///
/// A file that is run repeatedly stays in the same physical pages, and its luck with the cache sets looks
/// like a property of the build: two copies of one program at two paths differed by more than a percent,
/// again and again, until they were copied again. So each process runs from its own copy. An unnamed file
/// leaves nothing behind.
final class ProgramCopy {
  let image: ProgramImage
  /// What to start; the original where memory has no room for files.
  let path: String
  private let descriptor: Int32

  init(of image: ProgramImage) {
    self.image = image
    descriptor = image.loadedLength.map { process_control_memory_copy(image.path, $0) } ?? -1
    path = descriptor >= 0 ? "/proc/self/fd/\(descriptor)" : image.path
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

/// What of a program's file is needed to run it.
struct ProgramImage {
  /// The file.
  let path: String
  /// Bytes of the file up to the end of what the system loads; behind that lie symbols and debug information, three
  /// quarters of the file. Nil for a program that must be run from its file: a script is read by another program,
  /// which finds no file without a name.
  let loadedLength: Int?

  init(of path: String) {
    self.path = path
    // A file without a name has no folder: Foundation would look for resources where the newest build left its own.
    let beside = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder(of: path))) ?? []
    let hasResources = beside.contains { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
    loadedLength = hasResources ? nil : Self.loadedLength(path)
  }

  /// Where the file lies.
  var folder: String { Self.folder(of: path) }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  private static func loadedLength(_ path: String) -> Int? {
    guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 4_096),
      let size = try? file.seekToEnd()
    else { return nil }
    return ELFImage.loadedEnd(start: [UInt8](start), fileSize: Int(size))
  }
}
