import Foundation
import Platform

/// Turns mangled names into the names of the source. Uses `swift demangle --simplified` from the toolchain, or else the
/// runtime's own demangler, which gives longer names.
package struct Demangler: Sendable {
  var usesToolchain: Bool

  package static func installed() -> Demangler {
    Demangler(usesToolchain: !SystemFiles().programs("swift", path: SystemFiles.searchPath).isEmpty)
  }

  /// Returns the demangled names, keyed by mangled name. Names that are neither Swift's nor C++'s stay unchanged.
  package func names(of mangled: Set<String>) async throws -> [String: String] {
    var names = Dictionary(uniqueKeysWithValues: mangled.map { ($0, $0) })
    let swift = mangled.filter(Self.isSwift).sorted()
    for name in mangled where name.hasPrefix("_Z") { names[name] = Self.demangledCXX(name) ?? name }
    for (name, plain) in zip(swift, try await demangle(swift)) {
      let short = plain.replacing(Self.additions, with: "")
      // The demangler has no name for top-level code, in which most benchmarks are closures.
      names[name] = short.hasSuffix(" in ") ? short + "main" : short
    }
    return names
  }

  package static func isSwift(_ name: String) -> Bool { ["$s", "$S", "_T0", "$e"].contains(where: name.hasPrefix) }

  private func demangle(_ names: [String]) async throws -> [String] {
    guard !names.isEmpty else { return [] }
    if usesToolchain {
      let process = ChildProcess(
        executable: "swift", arguments: ["demangle", "--simplified", "--compact"], timeout: .seconds(60))
      let answer = try await process.answer(to: names.joined(separator: "\n") + "\n")
      let lines = answer?.split(separator: "\n") ?? []
      if lines.count == names.count { return lines.map(String.init) }
    }
    return names.map { Self.demangleByRuntime($0) ?? $0 }
  }

  /// The compiler's additions to a name, which do not show where time is spent.
  private static var additions: Regex<Substring> {
    #/^(?:partial apply for )?(?:protocol witness for )?(?:merged )?| in conformance [^ ]+$/#
  }

  /// Demangles a C++ name with the C++ runtime, on which Swift's runtime depends.
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

  /// Returns the name of a C++ function without its parameter list. `(anonymous namespace)::f` and `operator()` keep
  /// their parentheses.
  package static func withoutParameters(_ name: String) -> String {
    // Qualifiers, and the compiler's additions to a copy of a function, may follow the parameter list.
    let additions = #/( const| volatile| &&?| noexcept| \[clone [^\]]*\])*$/#
    let end = name.firstRange(of: additions)?.lowerBound ?? name.endIndex
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
    guard let text = swiftDemangle(name, UInt(name.utf8.count), nil, nil, 0) else { return nil }
    defer { free(text) }
    let full = String(cString: text).replacing("Swift.", with: "")
    // The long description of a specialization would hide the name, which follows it.
    let specialization = #/^(?:(?:function signature|generic)[a-z ]* specialization <.*?> of )+/#
    return full.replacing(specialization, with: "specialized ").replacing(#/\(([^() ]+) in _[0-9A-F]+\)/#) {
      String($0.1)
    }
  }
}

/// The runtime's own demangler, as declared in Swift's `include/swift/Demangling/Demangle.h`.
@_silgen_name("swift_demangle") private func swiftDemangle(
  _ name: UnsafePointer<CChar>?, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
  _ outputSize: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
