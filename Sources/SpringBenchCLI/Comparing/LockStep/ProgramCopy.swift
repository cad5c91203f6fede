import CProcessControl
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
    bytes = FileManager.default.contents(atPath: path).flatMap { Self.loaded([UInt8]($0)) }
  }

  /// Where the file lies.
  var folder: String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// A program up to the end of what the system loads; behind that lie symbols and debug information, three
  /// quarters of the file. Nil for anything but a 64-bit ELF file of this machine's byte order: a script
  /// is read by another program, which finds no file without a name.
  static func loaded(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 64, bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
    func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Int? {
      guard offset >= 0, offset <= bytes.count - MemoryLayout<Value>.size else { return nil }
      let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
      return Int(exactly: Value(littleEndian: value))
    }
    guard let table = number(32, UInt64.self), let size = number(54, UInt16.self),
      let count = number(56, UInt16.self), size >= 56, table <= bytes.count
    else { return nil }
    var end = table + size * count
    for header in 0..<count {
      let start = table + header * size
      guard let offset = number(start + 8, UInt64.self), let length = number(start + 32, UInt64.self),
        offset <= bytes.count, length <= bytes.count - offset
      else { return nil }
      end = max(end, offset + length)
    }
    return end <= bytes.count ? Array(bytes[..<end]) : nil
  }
}
