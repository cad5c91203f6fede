import CodeLayout
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
      var program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: executable)))
      try Self.hideDebugInformation(in: &program)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(program).write(to: URL(fileURLWithPath: path))
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

  /// Renames the sections of debug information, so that no reader knows them. Sizes and places stay.
  static func hideDebugInformation(in program: inout [UInt8]) throws(InstructionFailure) {
    guard let image = ELFImage(program) else {
      throw InstructionFailure(
        "the program is no ELF file of 64 bits", remedy: "instructions are counted on Linux only")
    }
    for section in image.sections
    where [".debug_", ".zdebug_", ".gnu_debug"].contains(where: section.name.hasPrefix) {
      program[section.nameOffset] = UInt8(ascii: "_")
    }
  }
}
