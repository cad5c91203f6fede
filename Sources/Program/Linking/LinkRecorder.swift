import Foundation
import TextFormat

/// Replaces the linker of a `swift build`: passes every link on to lld, and makes lld keep its inputs.
///
/// A recording linker sees the link as it is, whatever products, C++ targets, macros, static libraries or
/// flags led to it. If lld cannot link a package but another linker can, that one is used, and nothing is
/// recorded.
struct LinkRecorder: Sendable {
  /// Where records are kept, one archive a link.
  var folder: String
  /// Of the toolchain.
  var tools: LinkTools

  /// To be added to `swift build`.
  var arguments: [String] { ["-Xswiftc", "-ld-path=\(script)"] }

  private var script: String { "\(folder)/ld.lld" }

  /// Forgets earlier links.
  func prepare() throws(RevisionError) {
    let manager = FileManager.default
    let text = """
      #!/bin/sh
      record=\(ShellWord.quoted([folder]))/$$.tar
      \(ShellWord.quoted([tools.linker])) --reproduce="$record" "$@"
      status=$?
      [ $status -eq 0 ] && exit 0
      rm -f "$record"
      for other in ld.gold ld; do
        command -v $other >/dev/null && $other "$@" && exit 0
      done
      exit $status

      """
    do {
      if manager.fileExists(atPath: folder) { try manager.removeItem(atPath: folder) }
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: script))
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    } catch {
      throw RevisionError.file(folder, error)
    }
  }

  /// Removes what was recorded.
  func forget() { try? FileManager.default.removeItem(atPath: folder) }

  /// Unpacks the link of a product.
  ///
  /// - Parameters:
  ///   - destination: A folder that is not there yet.
  ///   - volatile: What the next build changes: copied. Everything else is linked to where it is.
  /// - Throws: `LinkProblem` if there is no such link; then nothing is left in `destination`.
  func unpack(_ product: String, to destination: String, volatile: String) async throws {
    let manager = FileManager.default
    for name in ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    where name.hasSuffix(".tar") {
      let archive = "\(folder)/\(name)"
      let members = try await tar(["tf", archive]).split(separator: "\n").map(String.init)
      guard let response = members.first(where: { $0.hasSuffix("/response.txt") }) else { continue }
      let lines = try await tar(["xOf", archive, response]).split(separator: "\n").map(String.init)
      guard LinkRecipe.output(lines) == product else { continue }
      do {
        try manager.createDirectory(atPath: destination, withIntermediateDirectories: true)
        try await unpack(archive, members, to: destination, volatile: volatile)
        let text = LinkRecipe.repeatable(lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(destination)/\(LinkRecipe.responseName)"))
      } catch {
        try? manager.removeItem(atPath: destination)
        throw error
      }
      return
    }
    throw LinkProblem("its build did not link with lld")
  }

  private func unpack(
    _ archive: String, _ members: [String], to destination: String, volatile: String
  ) async throws {
    let own = String(volatile.dropFirst()) + "/"
    var copied: [String] = []
    for member in members {
      guard let slash = member.firstIndex(of: "/") else { continue }
      let path = String(member[member.index(after: slash)...])
      if path.hasPrefix(own) {
        copied.append(member)
      } else if FileManager.default.fileExists(atPath: "/\(path)") {
        let link = "\(destination)/\(path)"
        try FileManager.default.createDirectory(
          atPath: (link as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/\(path)")
      }
    }
    let list = "\(destination)/members"
    try Data(copied.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
    _ = try await tar(["xf", archive, "-C", destination, "--strip-components=1", "-T", list])
    try FileManager.default.removeItem(atPath: list)
  }

  private func tar(_ arguments: [String]) async throws -> String {
    let end = try await ChildProcess(
      executable: .name("tar"), arguments: arguments, timeout: .seconds(300)
    ).run(orThrow: LinkProblem("tar cannot be started"))
    guard end.isSuccess else { throw LinkProblem("tar: \(oneLine(end.errorTail))") }
    return String(decoding: end.output, as: UTF8.self)
  }
}

/// Why a program cannot be relinked: a clause without a full stop.
struct LinkProblem: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = oneLine(description) }
}

/// The programs of the toolchain that link.
struct LinkTools: Codable, Equatable, Sendable {
  var linker: String
  /// Assembles padding.
  var assembler: String

  /// Those beside the compiler that is used; nil where the toolchain has none.
  static func installed() async throws -> LinkTools? {
    struct Info: Decodable {
      struct Paths: Decodable { var runtimeResourcePath: String }
      var paths: Paths
    }
    let end = try await ChildProcess(
      executable: .name("swiftc"), arguments: ["-print-target-info"], timeout: .seconds(60)
    ).run(orThrow: RevisionError.missingTool("swiftc", remedy: "put a Swift toolchain on the PATH"))
    guard end.isSuccess, let info = try? JSONDecoder().decode(Info.self, from: end.output) else { return nil }
    // usr/lib/swift of the toolchain.
    let folder = URL(fileURLWithPath: info.paths.runtimeResourcePath)
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("bin").path
    let tools = LinkTools(linker: "\(folder)/ld.lld", assembler: "\(folder)/clang")
    return [tools.linker, tools.assembler].allSatisfy(FileManager.default.isExecutableFile) ? tools : nil
  }
}
