import Foundation
import Measurements
import Platform

/// The functions and their calls in a file of callgrind.
///
/// The format is described in valgrind's manual, "Callgrind Format Specification". A name is given once, as in
/// `fn=(12) name`, and then by its number. A line with a position and a cost is a cost of the function itself or, if it
/// follows a line `calls=`, the cost of that call. A position is a number, or `+n`, `-n` or `*` relative to the
/// position in the previous line.
package struct CallgrindCalls {
  /// The lines before the first function, without the totals.
  package var head: [String] = []
  /// The functions in the order of the file, each once.
  package var functions: [Function] = []

  /// A function, with its mangled name, its source file, and the program or library that contains it.
  package struct Place: Hashable {
    package var object = ""
    package var file = ""
    /// The mangled name with the level of a recursion, as in `name'2`.
    package var function = ""

    /// The name without the level of a recursion.
    package var name: String { function.replacing(/'[0-9]+$/, with: "") }
  }

  package struct Function {
    package var place: Place
    package var costs: [Cost] = []
    package var calls: [Call] = []

    package var own: Double { costs.reduce(0) { $0 + $1.cost } }
    /// The cost including the callees.
    package var whole: Double { calls.reduce(own) { $0 + $1.cost } }
  }

  /// The instructions of a line of the source. `cost` need not be a whole number, because costs are divided among
  /// callers.
  package struct Cost {
    package var file: String
    package var position: Int
    package var cost: Double
  }

  package struct Call {
    package var callee: Place
    package var count: Double
    /// The position of the callee, as it is written in callgrind's file.
    package var target: String
    package var line: Cost

    package var cost: Double { line.cost }
  }

  package init(_ data: Data) throws(InstructionFailure) {
    var reader = Reader()
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { try reader.read(line) }
    self = reader.calls
    guard functions.contains(where: { !$0.costs.isEmpty || !$0.calls.isEmpty }) else {
      throw .malformed("no function in it")
    }
  }

  private init() {}

  private struct Reader {
    var calls = CallgrindCalls()
    private var indices: [Place: Int] = [:]
    private var names: [String: [Substring: String]] = [:]
    private var current = Place()
    /// The source file of the lines that follow. For inlined code, it differs from the file of the function.
    private var file = ""
    private var callee = Place()
    /// The library and the file of the next callee, from the lines before its `cfn=`. Nil means those of its caller.
    private var calleeObject, calleeFile: String?
    private var call: (count: Double, target: String)?
    private var position = 0

    mutating func read(_ line: Substring) throws(InstructionFailure) {
      guard let first = line.first else { return }
      if first.isNumber || "+-*".contains(first) { return try readCost(line) }
      guard let equals = line.firstIndex(of: "="), line[..<equals].allSatisfy(\.isLetter) else {
        let isSum = line.hasPrefix("summary:") || line.hasPrefix("totals:")
        if !isSum, calls.functions.isEmpty { calls.head.append(String(line)) }
        return
      }
      let value = line[line.index(after: equals)...]
      switch line[..<equals] {
      case "ob": current.object = name(value, "ob")
      case "fl":
        current.file = name(value, "fl")
        file = current.file
      case "fi", "fe": file = name(value, "fl")
      case "fn":
        current.function = name(value, "fn")
        file = current.file
      case "cob": calleeObject = name(value, "ob")
      case "cfi", "cfl": calleeFile = name(value, "fl")
      case "cfn":
        // Callgrind writes no `calls=` for a call without a cost, so the place is reset here.
        let function = name(value, "fn")
        callee = Place(object: calleeObject ?? current.object, file: calleeFile ?? file, function: function)
        (calleeObject, calleeFile) = (nil, nil)
      case "calls":
        let parts = value.split(separator: " ")
        guard let count = parts.first.flatMap(Self.amount) else { throw Self.unreadable(line) }
        call = (Double(count), parts.count > 1 ? String(parts[1]) : "0")
      default: break
      }
    }

    private mutating func readCost(_ line: Substring) throws(InstructionFailure) {
      guard !current.function.isEmpty else { return }
      let parts = line.split(separator: " ")
      if parts[0] != "*" {
        guard let number = Int(parts[0]) else { throw Self.unreadable(line) }
        position = "+-".contains(parts[0].prefix(1)) ? position &+ number : number
      }
      guard parts.count > 1 else { return }
      guard let amount = Self.amount(parts[parts.count - 1]) else { throw Self.unreadable(line) }
      let cost = Cost(file: file, position: position, cost: Double(amount))
      let index = index(of: current)
      if let call {
        calls.functions[index].calls.append(Call(callee: callee, count: call.count, target: call.target, line: cost))
        self.call = nil
      } else {
        calls.functions[index].costs.append(cost)
      }
    }

    private mutating func index(of place: Place) -> Int {
      if let known = indices[place] { return known }
      indices[place] = calls.functions.count
      calls.functions.append(Function(place: place))
      return calls.functions.count - 1
    }

    /// Returns the name that a text such as `(12) name` or `(12)` means. The first form defines the number.
    private mutating func name(_ text: Substring, _ kind: String) -> String {
      guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
      let rest = text[text.index(after: end)...].drop { $0 == " " }
      guard !rest.isEmpty else { return names[kind]?[text[...end]] ?? "" }
      names[kind, default: [:]][text[...end]] = String(rest)
      return String(rest)
    }

    /// Returns the cost in a text; nil above 2^44 instructions, which a core takes hours to execute. With this limit,
    /// the sum of half a million lines does not overflow.
    private static func amount(_ text: Substring) -> Int? { Int(text).flatMap { 0...1 << 44 ~= $0 ? $0 : nil } }

    private static func unreadable(_ line: Substring) -> InstructionFailure {
      .unreadable("no cost in \"\(line.prefix(60))\"")
    }
  }
}

extension CallgrindCalls {
  /// Returns the text of the file for KCachegrind.
  /// - Parameter names: The demangled names, keyed by mangled name.
  package func text(names: [String: String]) -> String {
    let bearers = Dictionary(grouping: Set(functions.map(\.place.name))) { names[$0] ?? $0 }
    return text { mangled in
      let name = names[mangled] ?? mangled
      // A partial application (suffix `TA`) that calls a function of the same name would look like recursion.
      let leadsOn = mangled.hasSuffix("TA") && bearers[name, default: []].count > 1
      return leadsOn ? "partial apply for \(name)" : name
    }
  }

  /// - Parameter spell: Turns a mangled name into a readable one.
  package func text(spell: (String) -> String) -> String {
    var names = NumberedNames()
    let sum = functions.reduce(0) { $0 + $1.costs.reduce(0) { $0 + Int($1.cost.rounded()) } }
    var lines = head + ["summary: \(sum)"]
    for function in functions where !function.costs.isEmpty || !function.calls.isEmpty {
      let place = function.place
      func spelt(_ place: Place) -> String { spell(place.name) + place.function.dropFirst(place.name.count) }
      lines += [
        "", "ob=\(names(place.object, "ob"))", "fl=\(names(place.file, "fl"))", "fn=\(names(spelt(place), "fn"))",
      ]
      var file = place.file
      func enter(_ line: Cost) {
        if line.file != file { lines.append("\(line.file == place.file ? "fe" : "fi")=\(names(line.file, "fl"))") }
        file = line.file
      }
      func text(_ line: Cost) -> String { "\(line.position) \(Int(line.cost.rounded()))" }
      for cost in function.costs {
        enter(cost)
        lines.append(text(cost))
      }
      for call in function.calls {
        enter(call.line)
        lines += [
          "cob=\(names(call.callee.object, "ob"))", "cfi=\(names(call.callee.file, "fl"))",
          "cfn=\(names(spelt(call.callee), "fn"))", "calls=\(max(1, Int(call.count.rounded()))) \(call.target)",
          text(call.line),
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

  /// Returns the functions of a frame: without the harness (FrameBench), without the callers of the frame, and without
  /// the costs of libraries that the harness called. If the harness calls a function of the program, that function
  /// becomes a callee of the harness's own caller.
  ///
  /// The cost of a library's function is divided among its callers, in proportion to the costs of their calls. This is
  /// exact for functions without callees.
  package func withoutHarness() -> CallgrindCalls {
    var cleaned = self
    cleaned.functions = HarnessRemoval(functions).functions
    return cleaned
  }

  package static func isHarness(_ place: Place) -> Bool { origin(place) == .harness }

  package static func origin(_ place: Place) -> CallFrame.Origin {
    StackNaming.origin(place.name, library: library(place.object))
  }

  /// Returns the name of a library's file; nil for the program.
  package static func library(_ object: String) -> String? {
    let name = object.split(separator: "/").last.map(String.init) ?? object
    return name.contains(".so") ? name : nil
  }
}

private struct HarnessRemoval {
  typealias Place = CallgrindCalls.Place
  typealias Function = CallgrindCalls.Function
  typealias Call = CallgrindCalls.Call

  private(set) var functions: [Function] = []
  private let byPlace: [Place: Function]
  /// The cost of each function including its callees, summed over the calls from all callers.
  private var received: [Place: Double] = [:]
  private let harness: Set<Place>
  private let program: Set<Place>

  init(_ all: [Function]) {
    byPlace = Dictionary(all.map { ($0.place, $0) }) { first, _ in first }
    let places = Set(all.map(\.place)).union(all.flatMap(\.calls).map(\.callee))
    harness = places.filter(CallgrindCalls.isHarness)
    program = places.filter { CallgrindCalls.origin($0) == .program }.subtracting(harness)
    for call in all.flatMap(\.calls) { received[call.callee, default: 0] += call.cost }
    let direct = all.filter { !harness.contains($0.place) }.map { function in
      var function = function
      function.calls = function.calls.flatMap { skippingHarness($0, above: []) }
      return function
    }
    let kept = weights(direct)
    let parts = remainders(direct)
    functions = direct.compactMap { function in
      guard let weight = kept[function.place], weight > 0 else { return nil }
      var function = function
      for index in function.costs.indices { function.costs[index].cost *= weight }
      function.calls = function.calls.filter { kept[$0.callee, default: 0] > 0 }
      for index in function.calls.indices {
        function.calls[index].line.cost *= weight * parts[function.calls[index].callee, default: 1]
        function.calls[index].count *= weight
      }
      return function
    }
  }

  /// Replaces a call into the harness with calls of the program's functions that the harness calls.
  private func skippingHarness(_ call: Call, above: Set<Place>) -> [Call] {
    guard harness.contains(call.callee) else { return [call] }
    guard let callee = byPlace[call.callee], !above.contains(call.callee), let all = received[call.callee], all > 0
    else { return [] }
    let share = call.cost / all
    return callee.calls.flatMap { inner -> [Call] in
      guard harness.contains(inner.callee) || program.contains(inner.callee) else { return [] }
      var outer = inner
      outer.line = call.line
      outer.line.cost = inner.cost * share
      outer.count *= share
      return skippingHarness(outer, above: above.union([call.callee]))
    }
  }

  /// Returns the fraction of each function's cost, 0...1, that belongs to the frame. The program's functions belong to
  /// it entirely. A library's function belongs to it as far as the program calls the function, directly or through
  /// another library. Functions that call the frame have no cost of their own and are left out, like functions that
  /// nothing in the frame calls.
  private func weights(_ direct: [Function]) -> [Place: Double] {
    var reached = Set(direct.filter { program.contains($0.place) && $0.own > 0 }.map(\.place))
    for place in harness { reached.formUnion((byPlace[place]?.calls ?? []).map(\.callee).filter(program.contains)) }
    let calls = Dictionary(direct.map { ($0.place, $0.calls) }) { first, _ in first }
    var rest = Array(reached)
    while let place = rest.popLast() {
      for callee in (calls[place] ?? []).map(\.callee) where reached.insert(callee).inserted { rest.append(callee) }
    }
    var weights = Dictionary(uniqueKeysWithValues: reached.map { ($0, 1.0) })
    Self.settle {
      var spent: [Place: Double] = [:]
      for function in direct {
        for call in function.calls { spent[call.callee, default: 0] += call.cost * weights[function.place, default: 0] }
      }
      var change = 0.0
      for place in reached where !program.contains(place) {
        guard let all = received[place], all > 0 else { continue }
        let weight = min(1, spent[place, default: 0] / all)
        change = max(change, abs(weight - weights[place, default: 0]))
        weights[place] = weight
      }
      return change
    }
    return weights
  }

  /// Returns the fraction of each function's cost, callees included, that remains without the harness.
  private func remainders(_ direct: [Function]) -> [Place: Double] {
    var parts: [Place: Double] = [:]
    Self.settle {
      var change = 0.0
      for function in direct {
        guard let whole = byPlace[function.place]?.whole, whole > 0 else { continue }
        let left = function.calls.reduce(function.own) { $0 + $1.cost * parts[$1.callee, default: 1] }
        let part = min(1, left / whole)
        change = max(change, abs(part - parts[function.place, default: 1]))
        parts[function.place] = part
      }
      return change
    }
    return parts
  }

  /// Repeats a step until nothing changes. The step returns the largest change that it made. One step is not enough,
  /// because libraries may call each other recursively.
  private static func settle(_ step: () -> Double) { for _ in 0..<64 where step() < 1e-9 { return } }
}

extension CallgrindCalls {
  /// The version of callgrind, as in `3.19.0`.
  package var version: String? {
    let mark = "creator: callgrind-"
    return head.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  /// The instructions of each function: `own` without its callees, `total` with them. The function with the most
  /// instructions of its own is the first. The levels of a recursion are combined.
  package var costs: [(mangled: String, library: String?, own: Int, total: Int)] {
    var costs: [String: (own: Double, total: Double, library: String?)] = [:]
    for function in functions {
      let name = function.place.name
      var cost = costs[name] ?? (0, 0, Self.library(function.place.object))
      cost.own += function.own
      // The cost of a recursive call is part of the outer call's cost.
      let calls = function.calls.filter { $0.callee.name != name }
      cost.total += calls.reduce(function.own) { $0 + $1.cost }
      costs[name] = cost
    }
    return costs.map { ($0, $1.library, Int($1.own.rounded()), Int($1.total.rounded())) }.sorted {
      ($1.own, $0.mangled) < ($0.own, $1.mangled)
    }
  }

  /// - Parameter frameCount: The number of frames in which callgrind collected costs.
  package func profile(names: [String: String], frameCount: Int) -> InstructionProfile {
    let costs = costs.filter { $0.own > 0 }.map { cost in
      let origin = StackNaming.origin(cost.mangled, library: cost.library)
      let frame = CallFrame(function: names[cost.mangled] ?? cost.mangled, origin: origin, library: cost.library)
      return (frame: frame, own: cost.own, total: cost.total)
    }
    return InstructionProfile(costs, frameCount: frameCount, version: version)
  }
}
