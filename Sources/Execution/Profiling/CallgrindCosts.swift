import Foundation
import Measurements
import Platform

/// The instructions of each function in a file of callgrind.
///
/// The format is described in valgrind's manual, "Callgrind Format Specification". A name is given once, as in
/// `fn=(12) name`, and then by its number. A line with a position and a cost is a cost of the function itself or, if it
/// follows a line `calls=`, the cost of that call.
package struct CallgrindCosts {
  /// The version of callgrind, as in `3.19.0`.
  package private(set) var version: String?
  /// The costs by mangled name. The levels of a recursion are combined.
  package private(set) var functions: [String: Cost] = [:]

  package struct Cost: Equatable {
    /// The name of the library's file; nil for a function of the program.
    package var library: String?
    /// The instructions without callees, and with them.
    package var own = 0
    package var total = 0
  }

  private var names: [String: [Substring: String]] = [:]
  private var object = ""
  private var function = ""
  private var callee = ""
  private var isCall = false

  package init(_ data: Data) throws(InstructionFailure) {
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { try read(line) }
    guard !functions.isEmpty else { throw .malformed("no function in it") }
  }

  private mutating func read(_ line: Substring) throws(InstructionFailure) {
    guard let first = line.first else { return }
    if first.isNumber || "+-*".contains(first) { return try readCost(line) }
    guard let equals = line.firstIndex(of: "="), line[..<equals].allSatisfy(\.isLetter) else {
      let mark = "creator: callgrind-"
      if line.hasPrefix(mark) { version = String(line.dropFirst(mark.count)) }
      return
    }
    let value = line[line.index(after: equals)...]
    switch line[..<equals] {
    case "ob": object = name(value, "ob")
    case "cob": _ = name(value, "ob")
    case "fn": function = String(Self.plain(name(value, "fn")))
    case "cfn": callee = String(Self.plain(name(value, "fn")))
    case "calls": isCall = true
    default: break
    }
  }

  private mutating func readCost(_ line: Substring) throws(InstructionFailure) {
    let parts = line.split(separator: " ")
    guard !function.isEmpty, parts.count > 1 else { return }
    // A core takes hours to execute 2^44 instructions. With this limit, the sum of half a million lines does not
    // overflow.
    guard parts[0] == "*" || Int(parts[0]) != nil, let cost = Int(parts[parts.count - 1]), 0...1 << 44 ~= cost else {
      throw .unreadable("no cost in \"\(line.prefix(60))\"")
    }
    let none = Cost(library: library)
    if !isCall { functions[function, default: none].own += cost }
    // The cost of a recursive call is part of the outer call's cost.
    if !isCall || callee != function { functions[function, default: none].total += cost }
    isCall = false
  }

  private var library: String? {
    let name = Paths.name(object)
    return name.contains(".so") ? name : nil
  }

  /// Returns the name that a text such as `(12) name` or `(12)` means. The first form defines the number.
  private mutating func name(_ text: Substring, _ kind: String) -> String {
    guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
    let rest = text[text.index(after: end)...].drop { $0 == " " }
    guard !rest.isEmpty else { return names[kind]?[text[...end]] ?? "" }
    names[kind, default: [:]][text[...end]] = String(rest)
    return String(rest)
  }

  /// Returns the name without the level of a recursion, as in `name'2`.
  private static func plain<Name: StringProtocol>(_ name: Name) -> Name.SubSequence { name.prefix { $0 != "'" } }

  /// Returns callgrind's file with demangled names, for KCachegrind.
  /// - Parameter names: The demangled names, keyed by mangled name.
  package static func text(_ data: Data, names: [String: String]) -> String {
    String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
      line -> String in
      guard line.hasPrefix("fn=") || line.hasPrefix("cfn="), let space = line.firstIndex(of: " ") else {
        return String(line)
      }
      let mangled = plain(line[line.index(after: space)...])
      // A partial application (suffix `TA`) that calls a function of the same name would look like recursion.
      let opening = mangled.hasSuffix("TA") ? "partial apply for " : ""
      let name = names[String(mangled)] ?? String(mangled)
      return "\(line[...space])\(opening)\(name)\(line[mangled.endIndex...])"
    }.joined(separator: "\n")
  }

  /// Returns the functions that have instructions of their own. The function with the most is the first.
  /// - Parameters:
  ///   - names: The demangled names, keyed by mangled name.
  ///   - frameCount: The number of frames in which callgrind collected costs.
  package func profile(names: [String: String], frameCount: Int) -> InstructionProfile {
    let sorted = functions.filter { $1.own > 0 }.sorted { ($1.value.own, $0.key) < ($0.value.own, $1.key) }
    let costs = sorted.map { mangled, cost in
      let origin = StackNaming.origin(mangled, library: cost.library)
      let frame = CallFrame(function: names[mangled] ?? mangled, origin: origin, library: cost.library)
      return (frame: frame, own: cost.own, total: cost.total)
    }
    return InstructionProfile(costs, frameCount: frameCount, version: version)
  }
}
