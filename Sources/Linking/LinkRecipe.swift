import Foundation
import Platform
import TextFormat

/// The inputs and tools for linking a program again, with its functions in other orders.
package struct LinkRecipe: Sendable {
  /// The folder that contains the linker's response file and its inputs.
  package var folder: String
  package var tools: LinkTools

  package init(folder: String, tools: LinkTools) { (self.folder, self.tools) = (folder, tools) }

  package static let responseName = "response.txt"
  /// The name of the recipe's folder in the folder of a stored build.
  package static let folderName = "link"

  package static func output(_ lines: [String]) -> String? {
    lines.first { $0.hasPrefix("-o ") }.map { unquoted(String($0.dropFirst(3))) }
  }

  /// Returns the lines of a response file from lld's `--reproduce`, without `-o` and `--chroot`: each link sets its own
  /// output, and runs in the folder of the inputs. Run paths that exist are made absolute again, because lld has made
  /// them relative to the root folder.
  package static func repeatable(_ lines: [String], exists: (String) -> Bool = { Paths.kind($0) != nil }) -> [String] {
    lines.filter { !$0.hasPrefix("-o ") && !$0.hasPrefix("--chroot ") }.map { line in
      for option in ["--rpath ", "-rpath ", "-R "] where line.hasPrefix(option) {
        let path = unquoted(String(line.dropFirst(option.count)))
        let isOfRoot = !path.hasPrefix("/") && exists("/\(path)")
        return "\(option)\"\(isOfRoot ? "/" : "")\(path)\""
      }
      return line
    }
  }

  private static func unquoted(_ text: String) -> String {
    text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1 ? String(text.dropFirst().dropLast()) : text
  }

  /// Links the program with its functions in the original order, and keeps symbols and relocations.
  package func linkWhole(to path: String) async throws -> LinkedProgram {
    let map = "\(path).map"
    defer { try? FileManager.default.removeItem(atPath: map) }
    try await link(to: path, ["--strip-debug", "--emit-relocs", "--no-demangle", "--Map=\(map)"])
    return try LinkedProgram(image: try Self.bytes(path), map: try Self.bytes(map))
  }

  /// Links the program with its functions in another order.
  /// - Parameters:
  ///   - padding: The path of the object file with the padding between functions.
  ///   - keepsSymbols: Whether to keep the symbols, which profiles need.
  package func link(to path: String, symbols: [String], padding: String, starts: [SectionStart], keepsSymbols: Bool)
    async throws
  {
    let order = "\(path).order"
    defer { try? FileManager.default.removeItem(atPath: order) }
    try Data(symbols.map { "\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: order))
    // With relro, the linker would require the sections of relocated read-only data to be contiguous.
    let placing = ["--symbol-ordering-file=\(order)", "--no-warn-symbol-ordering", "-z", "norelro"]
    let places = starts.map { "--section-start=\($0.name)=0x\(String($0.address, radix: 16))" }
    try await link(to: path, first: [padding], placing + places + (keepsSymbols ? [] : ["--strip-all"]))
  }

  private func link(to path: String, first objects: [String] = [], _ arguments: [String]) async throws {
    // One thread is enough for each link, because several links run at the same time.
    let own = ["@\(Self.responseName)", "-o", path, "--threads=1", "--build-id=none"]
    try await LinkTools.run(
      tools.linker, objects + own + arguments, in: folder, called: "lld",
      role: .linker(folders: [folder, Paths.parent(path)]))
  }

  package func assemble(_ text: String, to path: String) async throws {
    let source = "\(path).s"
    defer { try? FileManager.default.removeItem(atPath: source) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: source))
    try await LinkTools.run(
      tools.assembler, ["-c", source, "-o", path], called: "clang", role: .linker(folders: [Paths.parent(path)]))
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// Replaces the linker of `swift build` with a script. The script runs lld for every link, and makes lld record its
/// inputs. If lld fails to link a package but another linker succeeds, nothing is recorded.
package struct LinkRecorder: Sendable {
  /// The folder of the script and of the records, one archive per link.
  package var folder: String
  package var tools: LinkTools

  package init(folder: String, tools: LinkTools) { (self.folder, self.tools) = (folder, tools) }

  /// The arguments for `swift build`.
  package var arguments: [String] { ["-Xswiftc", "-ld-path=\(script)"] }
  private var script: String { "\(folder)/ld.lld" }

  package func prepare() throws(RevisionError) {
    let manager = FileManager.default
    let text = """
      #!/bin/sh
      record=\(ShellWord.quoted([folder]))/$$.tar
      \(ShellWord.quoted([tools.linker])) --reproduce="$record" "$@" 2>"$record.log"
      status=$?
      cat "$record.log" >&2
      [ $status -eq 0 ] && exit 0
      rm -f "$record"
      for other in ld.gold ld; do
        command -v $other >/dev/null && $other "$@" && exit 0
      done
      exit $status

      """
    try RevisionError.naming(folder) {
      if manager.fileExists(atPath: folder) { try manager.removeItem(atPath: folder) }
      try Paths.makeFolder(folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: script))
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    }
  }

  package func forget() { try? FileManager.default.removeItem(atPath: folder) }

  /// Unpacks the recorded inputs for linking a product into a new folder. If that fails, the folder is removed.
  /// - Parameter volatile: A folder that the next build changes. Inputs in this folder are copied, all others become
  ///   symbolic links.
  package func unpack(_ product: String, to destination: String, volatile: String) async throws {
    let manager = FileManager.default
    for name in Paths.names(in: folder).sorted() where name.hasSuffix(".tar") {
      let archive = "\(folder)/\(name)"
      guard Paths.mode(archive).map({ $0 & S_IFMT }) == S_IFREG else { continue }
      let members = try await Self.tar("--list", archive)
      // Code of the package can write to the archive, so a name in it may look like an option.
      if let option = members.first(where: { $0.hasPrefix("-") }) {
        throw LinkProblem("tar would take \(option) in the record of a link for an option")
      }
      guard let response = members.first(where: { $0.hasSuffix("/response.txt") }) else { continue }
      let lines = try await Self.tar("--extract", archive, ["--to-stdout", "--", response])
      guard LinkRecipe.output(lines) == product else { continue }
      do {
        try Paths.makeFolder(destination)
        try await unpack(archive, members, to: destination, volatile: volatile)
        let text = LinkRecipe.repeatable(lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(destination)/\(LinkRecipe.responseName)"))
      } catch {
        try? manager.removeItem(atPath: destination)
        throw error
      }
      return
    }
    let logs = Paths.names(in: folder).sorted().filter { $0.hasSuffix(".log") }
    let lines = logs.compactMap { InputFile.untrusted("\(folder)/\($0)") }.flatMap {
      String(decoding: $0, as: UTF8.self).split(separator: "\n")
    }
    let reason = lines.first { $0.contains("error: ") }.map { ": \($0)" } ?? ""
    throw LinkProblem("its build did not link with lld\(reason)")
  }

  private func unpack(_ archive: String, _ members: [String], to destination: String, volatile: String) async throws {
    let own = String(volatile.dropFirst()) + "/"
    var copied: [String] = []
    for member in members {
      guard let slash = member.firstIndex(of: "/") else { continue }
      let path = String(member[member.index(after: slash)...])
      // Files without a folder, such as `response.txt`, are lld's own.
      guard path.contains("/") else { continue }
      guard !path.split(separator: "/").contains("..") else { throw LinkProblem("\(path) leads out of its folder") }
      if path.hasPrefix(own) {
        copied.append(member)
      } else if Paths.kind("/\(path)") == S_IFREG {
        // Folders are not linked, because files that are copied later would then end up outside the destination.
        let link = "\(destination)/\(path)"
        try Paths.makeFolder(Paths.parent(link))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/\(path)")
      }
    }
    let list = "\(destination)-members"
    defer { unlink(list) }
    try Data(copied.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
    let options = ["--strip-components=1", "--no-same-owner", "--verbatim-files-from", "--files-from=\(list)"]
    _ = try await Self.tar("--extract", archive, ["--directory=\(destination)"] + options, into: [destination])
  }

  /// Runs tar as `Role.linker`, because code of the package can write to the archive. Returns the lines of its output.
  /// - Parameter folders: Folders to which tar may write.
  private static func tar(_ action: String, _ archive: String, _ arguments: [String] = [], into folders: [String] = [])
    async throws -> [String]
  {
    // Makes tar print and read file names as they are, without escapes.
    let names = ["--quoting-style=literal", "--no-unquote"]
    let output = try await LinkTools.run(
      "tar", [action, "--file=\(archive)"] + names + arguments, role: .linker(folders: folders))
    return output.split(separator: "\n").map(String.init)
  }
}

/// The reason why a program cannot be relinked, as a clause without a period.
package struct LinkProblem: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = oneLine(description) }

  /// Converts an error. For an error of the system, the text names the folder.
  package init(_ error: any Error, in folder: String) {
    self = error as? LinkProblem ?? LinkProblem("\(RevisionError.file(folder, error))")
  }
}

package struct LinkTools: Codable, Equatable, Sendable {
  package var linker: String
  /// The path of clang, which assembles the padding between functions.
  package var assembler: String

  /// Runs a program and returns its stdout.
  @discardableResult package static func run(
    _ program: String, _ arguments: [String], in folder: String? = nil, called name: String? = nil, role: Role = .tool
  ) async throws -> String {
    let process = ChildProcess(
      executable: program, arguments: arguments, timeout: .seconds(300), folder: folder, role: role)
    let end = try await process.run { _ in LinkProblem("\(program) cannot be started") }
    guard end.isSuccess else {
      // If a linker crashes, the first line of its output asks for a bug report instead of giving the reason.
      var lines = end.errorTail.split(separator: "\n").map(String.init)
      if case .signaled = end.status { lines = [] }
      let reason = lines.first { $0.contains("error: ") } ?? lines.first ?? "\(end.status)"
      throw LinkProblem("\(name ?? program): \(reason)")
    }
    return String(decoding: end.output, as: UTF8.self)
  }

  /// Returns the tools next to the compiler on the `PATH`. Nil if the toolchain lacks one of them.
  package static func installed() async throws -> LinkTools? {
    let end = try await ChildProcess(executable: "swiftc", arguments: ["-print-target-info"], timeout: .seconds(60)).run
    { _ in RevisionError.missingTool("swiftc", remedy: "put a Swift toolchain on the PATH") }
    guard end.isSuccess else {
      throw RevisionError(.failure, "swiftc -print-target-info fails\(lastLine(ofStandardError: end.errorTail))")
    }
    let info = (try? JSONSerialization.jsonObject(with: end.output)) as? [String: Any]
    guard let paths = info?["paths"] as? [String: Any], let resources = paths["runtimeResourcePath"] as? String else {
      return nil
    }
    // `resources` is the toolchain's folder usr/lib/swift.
    let folder = Paths.parent(Paths.parent(resources)) + "/bin"
    let tools = LinkTools(linker: "\(folder)/ld.lld", assembler: "\(folder)/clang")
    return [tools.linker, tools.assembler].allSatisfy(FileManager.default.isExecutableFile) ? tools : nil
  }
}
