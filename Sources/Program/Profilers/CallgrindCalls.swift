import Foundation
import FrameBench

/// A file of callgrind, as functions and what they call.
///
/// Format: valgrind's manual, "Callgrind Format Specification". Names are given once, `fn=(12) name`, and by their
/// number after that; a line of a position and a cost is the function's own, unless a `calls=` stands before it:
/// then it is what that call cost. A position is a number, or `+n`, `-n` or `*` seen from that of the line before.
struct CallgrindCalls {
  /// Lines before the first function, without those that sum up.
  var head: [String] = []
  /// In the order of the file; each place once.
  var functions: [Function] = []

  /// Where code lies, in the linker's names.
  struct Place: Hashable {
    var object = ""
    var file = ""
    /// With the level of a recursion, `name'2`.
    var function = ""

    /// Without the level of a recursion.
    var name: String { function.replacing(/'[0-9]+$/, with: "") }
  }

  struct Function {
    var place: Place
    var costs: [Cost] = []
    var calls: [Call] = []

    /// What it executes itself.
    var own: Double { costs.reduce(0) { $0 + $1.cost } }
    /// With what it calls.
    var whole: Double { calls.reduce(own) { $0 + $1.cost } }
  }

  /// Of a line of the source. Costs are instructions, in fractions where they were shared out.
  struct Cost {
    var file: String
    var position: Int
    var cost: Double
  }

  struct Call {
    var callee: Place
    var count: Double
    /// Position of the callee.
    var target: String
    /// Of the line that calls.
    var file: String
    var position: Int
    var cost: Double
  }

  init(_ data: Data) throws(InstructionCountError) {
    var reader = Reader()
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { try reader.read(line) }
    guard reader.functions.contains(where: { !$0.costs.isEmpty || !$0.calls.isEmpty }) else {
      throw .malformed("no function in it")
    }
    head = reader.head
    functions = reader.functions
  }

  private struct Reader {
    var head: [String] = []
    var functions: [Function] = []
    private var indices: [Place: Int] = [:]
    private var names: [String: [Substring: String]] = [:]
    private var current = Place()
    /// That of the lines that follow; another than the function's own where code was inlined.
    private var file = ""
    private var callee = Place()
    private var call: (count: Double, target: String)?
    private var position = 0

    mutating func read(_ line: Substring) throws(InstructionCountError) {
      guard let first = line.first else { return }
      if first.isNumber || "+-*".contains(first) { return try readCost(line) }
      guard let equals = line.firstIndex(of: "="), line[..<equals].allSatisfy(\.isLetter) else {
        let isSum = line.hasPrefix("summary:") || line.hasPrefix("totals:")
        if !isSum, functions.isEmpty { head.append(String(line)) }
        return
      }
      let value = line[line.index(after: equals)...]
      switch line[..<equals] {
      case "ob":
        current.object = name(value, "ob")
        callee.object = current.object
      case "fl":
        current.file = name(value, "fl")
        (file, callee.file) = (current.file, current.file)
      case "fi", "fe": file = name(value, "fl")
      case "fn":
        current.function = name(value, "fn")
        file = current.file
        (callee.object, callee.file) = (current.object, current.file)
      case "cob": callee.object = name(value, "ob")
      case "cfi", "cfl": callee.file = name(value, "fl")
      case "cfn": callee.function = name(value, "fn")
      case "calls":
        let parts = value.split(separator: " ")
        guard let count = parts.first.flatMap(Self.amount) else { throw Self.unreadable(line) }
        call = (Double(count), parts.count > 1 ? String(parts[1]) : "0")
      default: break
      }
    }

    private mutating func readCost(_ line: Substring) throws(InstructionCountError) {
      guard !current.function.isEmpty else { return }
      let parts = line.split(separator: " ")
      try move(to: parts[0], line)
      guard parts.count > 1 else { return }
      guard let cost = Self.amount(parts[parts.count - 1]) else { throw Self.unreadable(line) }
      let index = index(of: current)
      if let call {
        functions[index].calls.append(
          Call(
            callee: callee, count: call.count, target: call.target, file: file, position: position,
            cost: Double(cost)))
        self.call = nil
        (callee.object, callee.file) = (current.object, current.file)
      } else {
        functions[index].costs.append(Cost(file: file, position: position, cost: Double(cost)))
      }
    }

    private mutating func move(to text: Substring, _ line: Substring) throws(InstructionCountError) {
      if text == "*" { return }
      let isHexadecimal = text.hasPrefix("0x")
      guard let number = isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text) else {
        throw Self.unreadable(line)
      }
      position = "+-".contains(text.first ?? " ") ? position &+ number : number
    }

    private mutating func index(of place: Place) -> Int {
      if let known = indices[place] { return known }
      indices[place] = functions.count
      functions.append(Function(place: place))
      return functions.count - 1
    }

    /// `(12) name` tells what 12 is.
    private mutating func name(_ text: Substring, _ kind: String) -> String {
      guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
      let rest = text[text.index(after: end)...].drop { $0 == " " }
      guard !rest.isEmpty else { return names[kind]?[text[...end]] ?? "" }
      names[kind, default: [:]][text[...end]] = String(rest)
      return String(rest)
    }

    /// Sums of half a million lines fit into an integer; a core takes hours for as much.
    private static func amount(_ text: Substring) -> Int? {
      Int(text).flatMap { 0...1 << 44 ~= $0 ? $0 : nil }
    }

    private static func unreadable(_ line: Substring) -> InstructionCountError {
      .unreadable("no cost in \"\(line.prefix(60))\"")
    }
  }
}

extension CallgrindCalls {
  /// - Parameter spell: The name of a function for a person, by the linker's.
  func text(spell: (String) -> String) -> String {
    var names = NumberedNames()
    let sum = functions.reduce(0) { $0 + $1.costs.reduce(0) { $0 + Int($1.cost.rounded()) } }
    var lines = head + ["summary: \(sum)"]
    for function in functions where !function.costs.isEmpty || !function.calls.isEmpty {
      let place = function.place
      func spelt(_ place: Place) -> String { spell(place.name) + place.function.dropFirst(place.name.count) }
      lines += [
        "", "ob=\(names(place.object, "ob"))", "fl=\(names(place.file, "fl"))",
        "fn=\(names(spelt(place), "fn"))",
      ]
      var file = place.file
      func enter(_ other: String) {
        if other != file { lines.append("\(other == place.file ? "fe" : "fi")=\(names(other, "fl"))") }
        file = other
      }
      for cost in function.costs {
        enter(cost.file)
        lines.append("\(cost.position) \(Int(cost.cost.rounded()))")
      }
      for call in function.calls {
        enter(call.file)
        lines += [
          "cob=\(names(call.callee.object, "ob"))", "cfi=\(names(call.callee.file, "fl"))",
          "cfn=\(names(spelt(call.callee), "fn"))",
          "calls=\(max(1, Int(call.count.rounded()))) \(call.target)",
          "\(call.position) \(Int(call.cost.rounded()))",
        ]
      }
    }
    return (lines + ["", "totals: \(sum)", ""]).joined(separator: "\n")
  }

  private struct NumberedNames {
    private var numbers: [String: [String: Int]] = [:]

    mutating func callAsFunction(_ name: String, _ kind: String) -> String {
      if let number = numbers[kind]?[name] { return "(\(number))" }
      let number = (numbers[kind]?.count ?? 0) + 1
      numbers[kind, default: [:]][name] = number
      return "(\(number)) \(name.isEmpty ? "???" : name)"
    }
  }
}
