import CProcessControl
import CodeLayout
import Foundation

/// A program, copied to fresh pages of memory.
///
/// A file that is run over and over lies in the same physical pages all the while, and its luck with the
/// sets of the caches looks like a property of the build: two copies of one program at two paths differed
/// by more than a percent, again and again, until they were copied anew. So each set of processes runs from
/// copies of its own. A file without a name leaves nothing behind.
final class ProgramCopy {
  let image: ProgramImage
  /// What to start; the original where memory has no room for files.
  let path: String
  private let descriptor: Int32

  init(of image: ProgramImage) {
    self.image = image
    let file = image.bytes == nil ? -1 : process_control_memory_file()
    if file >= 0, let bytes = image.bytes, FileDescriptor(file).write(bytes) == nil {
      descriptor = file
      path = "/proc/self/fd/\(file)"
    } else {
      if file >= 0 { close(file) }
      descriptor = -1
      path = image.path
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

/// What of a program's file is needed to run it.
struct ProgramImage {
  /// The file.
  let path: String
  /// Nil for a program that must be run from its file.
  let bytes: [UInt8]?

  init(of path: String) {
    self.path = path
    // A file without a name has no folder: Foundation would look for resources where the newest build left its own.
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
    let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let hasResources = beside.contains { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
    bytes =
      hasResources ? nil : FileManager.default.contents(atPath: path).flatMap { Self.loaded([UInt8]($0)) }
  }

  /// Where the file lies.
  var folder: String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// A program up to the end of what the system loads; behind that lie symbols and debug information, three
  /// quarters of the file. Nil for anything but a 64-bit ELF file of this machine's byte order: a script
  /// is read by another program, which finds no file without a name.
  static func loaded(_ bytes: [UInt8]) -> [UInt8]? {
    ELFImage(bytes).map { image in Array(bytes[..<image.loadedEnd]) }
  }
}
