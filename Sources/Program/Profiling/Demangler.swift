import Foundation

/// Turns the linker's names into those of the source.
///
/// `swift demangle --simplified` gives readable names, and comes with every toolchain. Without one, the
/// runtime's own demangler gives longer ones.
struct Demangler: Sendable {
  /// Command before the names; nil: the runtime's demangler.
  private var command: [String]?
  var timeout = Duration.seconds(60)

  static func installed(environment: [String: String] = ProcessInfo.processInfo.environment) -> Demangler {
    let compilers = SystemFiles().programs("swift", path: environment["PATH"] ?? "")
    return Demangler(command: compilers.isEmpty ? nil : ["swift", "demangle", "--simplified", "--compact"])
  }

  static let runtime = Demangler(command: nil)

  /// By mangled name; names that are not Swift's stay as they are.
  func names(of mangled: Set<String>) async throws -> [String: String] {
    var names = Dictionary(uniqueKeysWithValues: mangled.map { ($0, $0) })
    let swift = mangled.filter(Self.isSwift).sorted()
    for name in mangled where name.hasPrefix("_Z") { names[name] = Self.demangledCXX(name) ?? name }
    for (name, plain) in zip(swift, try await demangle(swift)) { names[name] = Self.shortened(plain) }
    return names
  }

  static func isSwift(_ name: String) -> Bool { ["$s", "$S", "_T0", "$e"].contains(where: name.hasPrefix) }

  private func demangle(_ names: [String]) async throws -> [String] {
    guard !names.isEmpty else { return [] }
    if let command {
      let process = ChildProcess(executable: .name(command[0]), arguments: Array(command.dropFirst()), timeout: timeout)
      let answer = try await process.answer(to: names.joined(separator: "\n") + "\n")
      let lines = answer?.split(separator: "\n") ?? []
      if lines.count == names.count { return lines.map(String.init) }
    }
    return names.map { Self.demangleByRuntime($0) ?? $0 }
  }

  /// The name without the compiler's additions, which do not tell where the time goes.
  static func shortened(_ name: String) -> String {
    var name = name
    for prefix in ["partial apply for ", "protocol witness for ", "merged "] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    return name.replacing(#/ in conformance [^ ]+$/#, with: "")
  }

  /// Uses the C++ runtime, which Swift's own brings along.
  private static func demangledCXX(_ name: String) -> String? {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<UInt>?, UnsafeMutablePointer<Int32>?
      ) -> UnsafeMutablePointer<CChar>?
    guard let symbol = dlsym(nil, "__cxa_demangle") else { return nil }
    let demangle = unsafeBitCast(symbol, to: Demangle.self)
    var status: Int32 = 0
    guard let text = demangle(name, nil, nil, &status) else { return nil }
    defer { free(text) }
    return withoutParameters(String(cString: text))
  }

  /// A C++ function without its parameter list, which says little and is long. Parentheses inside the name
  /// stay, as in `(anonymous namespace)::f`, `operator()` and `run(int)::{lambda()#1}`.
  static func withoutParameters(_ name: String) -> String {
    // The text after the list: qualifiers, and the compiler's additions to a copy of a function.
    let end =
      name.firstRange(of: #/( const| volatile| &&?| noexcept| \[clone [^\]]*\])*$/#)?.lowerBound ?? name.endIndex
    guard end > name.startIndex, name[name.index(before: end)] == ")" else { return name }
    var depth = 0
    for index in name[..<end].indices.reversed() {
      if name[index] == ")" { depth += 1 }
      if name[index] == "(" { depth -= 1 }
      guard depth == 0 else { continue }
      let plain = name[..<index]
      let isName = name[index..<end] == "(anonymous namespace)" || plain.hasSuffix("operator") || plain.isEmpty
      return isName ? name : String(plain)
    }
    return name
  }

  private static func demangleByRuntime(_ name: String) -> String? {
    guard
      let text = name.utf8CString.withUnsafeBufferPointer({ buffer in
        swiftDemangle(buffer.baseAddress, UInt(buffer.count - 1), nil, nil, 0)
      })
    else { return nil }
    defer { free(text) }
    let full = String(cString: text).replacing("Swift.", with: "")
    return specializationsShortened(full.replacing(#/\(([^() ]+) in _[0-9A-F]+\)/#) { String($0.1) })
  }

  /// Shortens the specialization, which comes first, is long, and hides the name.
  private static func specializationsShortened(_ name: String) -> String {
    var rest = name[...]
    while let start = rest.prefixMatch(of: #/(function signature|generic)[a-z ]* specialization (?=<)/#) {
      let arguments = rest[start.range.upperBound...]
      guard let end = endOfBrackets(arguments), let of = arguments[end...].prefixMatch(of: #/ of /#) else { break }
      rest = arguments[of.range.upperBound...]
    }
    return rest.count == name.count ? name : "specialized \(rest)"
  }

  /// The index after the bracket that closes the first one; an arrow closes none.
  private static func endOfBrackets(_ text: Substring) -> String.Index? {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      if text[index] == "<" { depth += 1 }
      if text[index] == ">", previous != "-" { depth -= 1 }
      if depth == 0 { return index > text.startIndex ? text.index(after: index) : nil }
      previous = text[index]
    }
    return nil
  }
}

/// The runtime's own demangler, as declared in Swift's `include/swift/Demangling/Demangle.h`.
@_silgen_name("swift_demangle") private func swiftDemangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
  _ outputSize: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
