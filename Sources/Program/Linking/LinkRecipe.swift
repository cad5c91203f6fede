import Foundation

/// Everything that is needed to relink a program.
struct LinkRecipe: Sendable {
  /// With the response file, and the inputs below it.
  var folder: String
  var tools: LinkTools

  static let responseName = "response.txt"
  /// In the folder of a stored build.
  static let folderName = "link"
  /// The first address of `.text`, from which lld goes on with everything else: equal in all builds, whatever
  /// comes before it in an ordinary program.
  private static let textAddress = "0x400000"

  /// The name of the file that a response file makes.
  static func output(_ lines: [String]) -> String? {
    lines.first { $0.hasPrefix("-o ") }.map { unquoted(String($0.dropFirst(3))) }
  }

  /// The lines of a response file of lld's `--reproduce`, without what each link specifies itself, and with
  /// run paths as they were: there lld writes all paths relative to the root.
  static func repeatable(_ lines: [String]) -> [String] {
    lines.filter { !$0.hasPrefix("-o ") && !$0.hasPrefix("--chroot ") }.map { line in
      for option in ["--rpath ", "-rpath ", "-R "] where line.hasPrefix(option) {
        let path = unquoted(String(line.dropFirst(option.count)))
        let isRelative = !path.hasPrefix("/") && !path.hasPrefix("$")
        return "\(option)\"\(isRelative ? "/" : "")\(path)\""
      }
      return line
    }
  }

  private static func unquoted(_ text: String) -> String {
    text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1
      ? String(text.dropFirst().dropLast()) : text
  }

  /// The functions of the program.
  ///
  /// - Parameter path: Of files that are made and removed.
  func blocks(scratch path: String) async throws -> [CodeBlock] {
    let map = "\(path).map"
    defer { for file in [map, path] { try? FileManager.default.removeItem(atPath: file) } }
    try await link(to: path, ["--strip-debug", "--emit-relocs", "--no-demangle", "--Map=\(map)"])
    do {
      return try CodeBlock.all(map: try Self.bytes(map), image: try Self.bytes(path))
    } catch let error as CodeLayoutError {
      throw LinkProblem(error.description)
    }
  }

  /// Links the program with its functions in another order.
  ///
  /// - Parameters:
  ///   - padding: An object file.
  ///   - keepsSymbols: Whether profiles can name functions and lines.
  func link(to path: String, symbols: [String], padding: String, keepsSymbols: Bool = false) async throws {
    let order = "\(path).order"
    defer { try? FileManager.default.removeItem(atPath: order) }
    try Data(symbols.map { "\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: order))
    try await link(
      to: path,
      [
        "--symbol-ordering-file=\(order)", "--no-warn-symbol-ordering",
        "--section-start=.text=\(Self.textAddress)", padding,
      ] + (keepsSymbols ? [] : ["--strip-all"]))
  }

  private func link(to path: String, _ arguments: [String]) async throws {
    // One thread: several links run side by side.
    let process = ChildProcess(
      executable: .path(.init(tools.linker)),
      arguments: ["@\(Self.responseName)", "-o", path, "--threads=1", "--build-id=none"] + arguments,
      timeout: .seconds(300), folder: folder)
    let end = try await process.run(orThrow: LinkProblem("\(tools.linker) cannot be started"))
    guard end.isSuccess else {
      throw LinkProblem(
        "lld: \(end.errorTail.split(separator: "\n").first.map(String.init) ?? "\(end.status)")")
    }
  }

  /// Makes an object file of padding.
  func assemble(_ text: String, to path: String) async throws {
    let source = "\(path).s"
    defer { try? FileManager.default.removeItem(atPath: source) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: source))
    let end = try await ChildProcess(
      executable: .path(.init(tools.assembler)), arguments: ["-c", source, "-o", path], timeout: .seconds(300)
    ).run(orThrow: LinkProblem("\(tools.assembler) cannot be started"))
    guard end.isSuccess else { throw LinkProblem("clang: \(end.errorTail)") }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
