import Foundation

/// A copy of a program with hidden debug information. Valgrind up to 3.19 gives up on what this compiler
/// writes (DWARF 5), and the counts need none.
///
/// The copy lies in a temporary folder, with links to the libraries and resources that lay beside the
/// program. It goes with its owner.
final class UndebuggedCopy: Sendable {
  private let scratch: ScratchFolder
  let path: String

  var folder: String { scratch.path }

  /// - Parameter executable: Path of a program, also by a link such as `/proc/self/exe`.
  /// - Throws: `InstructionFailure`.
  init(of executable: String) throws(InstructionFailure) {
    let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
    let original = URL(fileURLWithPath: target)
    do {
      scratch = try ScratchFolder(in: NSTemporaryDirectory(), prefix: ScratchFolder.temporaryPrefix)
      path = "\(scratch.path)/\(original.lastPathComponent)"
      var program = [UInt8](try Data(contentsOf: URL(fileURLWithPath: executable)))
      try Self.hideDebugInformation(in: &program)
      try Data(program).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      try Self.link(besides: original.deletingLastPathComponent(), into: scratch.path)
    } catch let failure as InstructionFailure {
      throw failure
    } catch {
      throw InstructionFailure(
        "\(executable) cannot be copied to \(NSTemporaryDirectory()): \(SystemReason.text(error))",
        remedy: "make room there, or set TMPDIR")
    }
  }

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
        "the program is not a 64-bit ELF file", remedy: "instructions are counted on Linux only")
    }
    for section in image.sections
    where [".debug_", ".zdebug_", ".gnu_debug"].contains(where: section.name.hasPrefix) {
      program[section.nameOffset] = UInt8(ascii: "_")
    }
  }
}
