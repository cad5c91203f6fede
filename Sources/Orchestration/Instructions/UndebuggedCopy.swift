import Foundation

/// A copy of a program in which nobody finds debug information. Valgrind up to 3.19 gives up on what this
/// compiler writes (DWARF 5), and the counts need none.
///
/// The copy lies in a temporary folder, with links to the libraries and resources that lay beside the
/// program. It is removed with its owner.
final class UndebuggedCopy: Sendable {
  let folder: String
  let path: String

  /// - Parameter executable: Path of a program, also by a link such as `/proc/self/exe`.
  /// - Throws: `InstructionFailure`.
  init(of executable: String) throws(InstructionFailure) {
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
    let original = URL(fileURLWithPath: target)
    folder = NSTemporaryDirectory() + "springbench-\(UUID().uuidString)"
    path = "\(folder)/\(original.lastPathComponent)"
    do {
      var program = try Data(contentsOf: URL(fileURLWithPath: executable))
      try ProgramSections.hideDebugInformation(in: &program)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try program.write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      try Self.link(besides: original.deletingLastPathComponent(), into: folder)
    } catch let failure as InstructionFailure {
      try? FileManager.default.removeItem(atPath: folder)
      throw failure
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw InstructionFailure(
        "\(executable) cannot be copied to \(folder): \(error.localizedDescription)",
        remedy: "make room there, or set TMPDIR")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What a program looks for in its own folder.
  private static func link(besides original: URL, into folder: String) throws {
    let siblings = try FileManager.default.contentsOfDirectory(atPath: original.path)
    for name in siblings where [".so", ".resources", ".bundle"].contains(where: name.hasSuffix) {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: original.appendingPathComponent(name).path)
    }
  }
}

/// The sections of an ELF file of 64 bits, little-endian.
enum ProgramSections {
  /// Renames the sections of debug information, so that no reader knows them. Sizes and places stay.
  static func hideDebugInformation(in program: inout Data) throws(InstructionFailure) {
    let notELF = InstructionFailure(
      "the program is no ELF file of 64 bits", remedy: "instructions are counted on Linux only")
    guard program.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1]),
      let headers = integer(program, at: 0x28, bytes: 8),
      let stride = integer(program, at: 0x3a, bytes: 2),
      let count = integer(program, at: 0x3c, bytes: 2),
      let nameSection = integer(program, at: 0x3e, bytes: 2), nameSection < count || count == 0
    else { throw notELF }
    guard count > 0 else { return }
    guard let names = integer(program, at: headers + nameSection * stride + 24, bytes: 8) else {
      throw notELF
    }
    for section in 0..<count {
      guard let offset = integer(program, at: headers + section * stride, bytes: 4) else { throw notELF }
      let start = names + offset
      guard start < program.count else { throw notELF }
      let name = String(decoding: program[start..<min(start + 16, program.count)], as: UTF8.self)
      if [".debug_", ".zdebug_", ".gnu_debug"].contains(where: name.hasPrefix) {
        program[start] = UInt8(ascii: "_")
      }
    }
  }

  /// Nil beyond the end, and for what no file is long enough for.
  private static func integer(_ data: Data, at offset: Int, bytes: Int) -> Int? {
    guard offset >= 0, offset <= data.count - bytes else { return nil }
    let value = data[offset..<(offset + bytes)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value < 1 << 48 ? Int(value) : nil
  }
}
