import Measurements

extension CallgrindCalls {
  /// The functions of a frame: without the harness, without what leads to the frame, and without the part of
  /// libraries that worked for the harness. Functions that the harness called for others are called by those.
  ///
  /// What a library costs is shared out by what its callers spent in it: exact for what calls nothing itself.
  func withoutHarness() -> CallgrindCalls {
    var cleaned = self
    cleaned.functions = HarnessRemoval(functions).functions
    return cleaned
  }

  static func isHarness(_ place: Place) -> Bool {
    place.name == "request" || origin(place) == .harness
  }

  static func origin(_ place: Place) -> CallFrame.Origin {
    StackNaming.origin(.init(mangled: place.name), library: library(place.object))
  }

  /// Nil for the program.
  static func library(_ object: String) -> String? {
    let name = object.split(separator: "/").last.map(String.init) ?? object
    return name.contains(".so") ? name : nil
  }
}

private struct HarnessRemoval {
  private typealias Place = CallgrindCalls.Place
  private typealias Function = CallgrindCalls.Function
  private typealias Call = CallgrindCalls.Call

  private(set) var functions: [CallgrindCalls.Function]
  private let byPlace: [CallgrindCalls.Place: CallgrindCalls.Function]
  /// What all callers spent in a function.
  private var received: [CallgrindCalls.Place: Double] = [:]
  private let harness: Set<CallgrindCalls.Place>
  private let program: Set<CallgrindCalls.Place>

  init(_ all: [CallgrindCalls.Function]) {
    functions = []
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
        function.calls[index].cost *= weight * parts[function.calls[index].callee, default: 1]
        function.calls[index].count *= weight
      }
      return function
    }
  }

  /// What the harness calls of the program, in place of a call of the harness.
  private func skippingHarness(_ call: Call, above: Set<Place>) -> [Call] {
    guard harness.contains(call.callee) else { return [call] }
    guard let callee = byPlace[call.callee], !above.contains(call.callee),
      let all = received[call.callee], all > 0
    else { return [] }
    let share = call.cost / all
    return callee.calls.flatMap { inner -> [Call] in
      guard harness.contains(inner.callee) || program.contains(inner.callee) else { return [] }
      var outer = inner
      (outer.file, outer.position) = (call.file, call.position)
      outer.cost *= share
      outer.count *= share
      return skippingHarness(outer, above: above.union([call.callee]))
    }
  }

  /// The part of each function that belongs to the frame: all of what the program does in it, and of a library what
  /// the program, or a library for it, spent there. What leads to the frame has no cost of its own, and is not in
  /// it; neither is what nothing of the frame calls.
  private func weights(_ direct: [Function]) -> [Place: Double] {
    var reached = Set(direct.filter { program.contains($0.place) && $0.own > 0 }.map(\.place))
    for place in harness {
      reached.formUnion((byPlace[place]?.calls ?? []).map(\.callee).filter(program.contains))
    }
    let calls = Dictionary(direct.map { ($0.place, $0.calls) }) { first, _ in first }
    var rest = Array(reached)
    while let place = rest.popLast() {
      for callee in (calls[place] ?? []).map(\.callee) where reached.insert(callee).inserted {
        rest.append(callee)
      }
    }
    var weights: [Place: Double] = [:]
    for place in reached { weights[place] = 1 }
    // Libraries call each other, in circles too: from one to the next until nothing moves.
    for _ in 0..<64 {
      var spent: [Place: Double] = [:]
      for function in direct {
        for call in function.calls {
          spent[call.callee, default: 0] += call.cost * weights[function.place, default: 0]
        }
      }
      var change = 0.0
      for place in reached where !program.contains(place) {
        guard let all = received[place], all > 0 else { continue }
        let weight = min(1, spent[place, default: 0] / all)
        change = max(change, abs(weight - weights[place, default: 0]))
        weights[place] = weight
      }
      if change < 1e-9 { break }
    }
    return weights
  }

  /// What is left of a call of each function once the harness is taken out of it.
  private func remainders(_ direct: [Function]) -> [Place: Double] {
    var parts: [Place: Double] = [:]
    for _ in 0..<64 {
      var change = 0.0
      for function in direct {
        guard let whole = byPlace[function.place]?.whole, whole > 0 else { continue }
        let left = function.calls.reduce(function.own) { $0 + $1.cost * parts[$1.callee, default: 1] }
        let part = min(1, left / whole)
        change = max(change, abs(part - parts[function.place, default: 1]))
        parts[function.place] = part
      }
      if change < 1e-9 { break }
    }
    return parts
  }
}
