import FrameBench

/// A function on a stack.
package struct CallFrame: Hashable, Sendable {
  /// Owner of the code.
  package enum Origin: String, Sendable, CaseIterable {
    /// A phase of the frame, as the scenario names it; not a function.
    case phase
    /// The program of benchmarks; in this repository, the engine too.
    case program
    /// The engine, and its module UIKit, below the code of an app.
    case engine
    /// The standard library of Swift, compiled into the program or in its library.
    case standardLibrary
    /// The C library, the runtime of Swift, the allocator and the kernel's entry.
    case system
    case harness
  }

  /// Demangled, without types of parameters.
  package var function: String
  /// Nil if the compiler did not record it.
  package var file: String?
  /// Counted from 1; 0 or nil if the compiler did not record it.
  package var line: Int?
  /// Decides the colour in pictures, and which frames `ProfileStack.site` takes for the program's own.
  package var origin: Origin
  /// Name of the library; nil for the program.
  package var library: String?

  package init(
    function: String, file: String? = nil, line: Int? = nil, origin: Origin = .program, library: String? = nil
  ) {
    (self.function, self.file, self.line) = (function, file, line)
    (self.origin, self.library) = (origin, library)
  }

  static let unknown = CallFrame(function: "[unknown]", origin: .system)

  /// The function, cut for a cell of a table.
  package var shortFunction: String { function.count <= 72 ? function : function.prefix(71) + "…" }

  /// Whether the compiler generated it to pass a call on, as the demangler says.
  var isForwarder: Bool {
    function.hasPrefix("partial apply forwarder for ") || function.hasPrefix("reabstraction thunk ")
  }

  /// `Layout.swift:71`; nil if the compiler did not record it.
  package var position: String? { fullPosition.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }

  /// The whole path, for a tool that opens it.
  package var fullPosition: String? {
    guard let file, let line, line > 0 else { return nil }
    return "\(file):\(line)"
  }
}

/// A stack and its cost.
package struct ProfileStack: Hashable, Sendable {
  /// The frames of the stack, from the outermost to the innermost.
  package var frames: [CallFrame]
  /// Samples, or allocations.
  package var count: Int
  /// Bytes requested; allocations only.
  package var bytes = 0
  /// Number of the first recorded frame that allocates here.
  package var firstFrame = 0
  /// Frames that allocate here.
  package var frameCount = 1
  /// Allocations in the frame that has most of them.
  package var mostInFrame = 1

  /// The place to look for the reason: the innermost one in the program itself, in the engine, or of all.
  package var site: CallFrame? {
    let own = [CallFrame.Origin.program, .engine].lazy.map { origin in frames.filter { $0.origin == origin } }
    guard let frames = own.first(where: { !$0.isEmpty }) else { return frames.last }
    return frames.last { $0.position != nil } ?? frames.last
  }

  /// The engine's function that the program's own one ends up in; nil if there is none.
  package var engineSite: CallFrame? {
    guard site?.origin == .program else { return nil }
    return frames.last { $0.origin == .engine && $0.position != nil }
  }
}

extension ProfileStack {
  /// A recorded stack, whose places have got names.
  package init(_ frames: [CallFrame], of recorded: RecordedStack) {
    self.init(
      frames: frames, count: recorded.count, bytes: recorded.bytes, firstFrame: recorded.firstFrame,
      frameCount: recorded.frameCount, mostInFrame: recorded.mostInFrame)
  }
}

/// Stacks merged into a tree of calls, with costs.
package struct CallTree: Sendable {
  /// A function below one chain of callers; below another it is another node.
  package struct Node: Sendable {
    /// The frame where it first occurs: nodes are distinguished by name and origin, not by line.
    package var frame: CallFrame
    /// Index in `nodes`; nil for the root.
    package var parent: Int?
    /// Distance from the root, which has 0.
    package var depth: Int
    /// The children in the order of their first occurrence.
    package var children: [Int] = []
    /// Cost of the function itself, without its callees.
    package var own = 0.0
    /// `own` and the totals of all children.
    package var total = 0.0
    /// `own` on the other side of a comparison; 0 without one.
    package var baselineOwn = 0.0
    /// `baselineOwn` and the baseline totals of all children.
    package var baselineTotal = 0.0
    /// The share of the picture's width, in the unit of the values.
    package var width = 0.0
  }

  /// The nodes; the first is the root, which stands for no function.
  package private(set) var nodes: [Node]

  /// All stacks on the candidate's side.
  /// - Parameter value: Cost of a stack, in any unit; the same for all.
  package init(root name: String, stacks: [ProfileStack] = [], value: (ProfileStack) -> Double = { Double($0.count) }) {
    nodes = [Node(frame: CallFrame(function: name, origin: .phase), parent: nil, depth: 0)]
    for stack in stacks { add(stack.frames, value(stack)) }
  }

  /// The side of a comparison that a stack belongs to; without a comparison, the candidate's.
  package enum Side: Sendable { case baseline, candidate }

  /// Adds a stack, outermost function first: the value is the own cost of its last function, and part of all totals.
  package mutating func add(_ frames: [CallFrame], _ value: Double, to side: Side = .candidate) {
    let (own, total) = side == .candidate ? (\Node.own, \Node.total) : (\Node.baselineOwn, \Node.baselineTotal)
    var index = 0
    nodes[index][keyPath: total] += value
    for frame in frames {
      index = child(of: index, frame)
      nodes[index][keyPath: total] += value
    }
    nodes[index][keyPath: own] += value
  }

  private mutating func child(of parent: Int, _ frame: CallFrame) -> Int {
    let isSame = { (other: CallFrame) in other.function == frame.function && other.origin == frame.origin }
    if let index = nodes[parent].children.first(where: { isSame(nodes[$0].frame) }) { return index }
    nodes.append(Node(frame: frame, parent: parent, depth: nodes[parent].depth + 1))
    nodes[parent].children.append(nodes.count - 1)
    return nodes.count - 1
  }

  /// Widths for a picture of both sides: the larger one of each function, so that what the candidate lacks is visible.
  package mutating func layOut() {
    for index in nodes.indices.reversed() {
      let own = max(nodes[index].own, nodes[index].baselineOwn)
      nodes[index].width = own + nodes[index].children.reduce(0) { $0 + nodes[$1].width }
    }
    for index in nodes.indices {
      let order = nodes[index].children
      nodes[index].children = order.sorted { left, right in
        let (a, b) = (nodes[left], nodes[right])
        // Phases stay in the order of the frame.
        if a.frame.origin == .phase, b.frame.origin == .phase { return left < right }
        return (-a.width, a.frame.function) < (-b.width, b.frame.function)
      }
    }
  }
}

/// The cost of one function, summed over its callers.
package struct FunctionCost: Sendable, Equatable {
  /// The function, with one of the lines where it was sampled: costs are summed by name. Functions from callgrind have
  /// no line.
  package var frame: CallFrame
  /// Cost of the function itself.
  package var own: Double
  /// Cost including callees; a recursive call counts once.
  package var total: Double

  /// The costs of functions in samples, the most expensive by their own cost first.
  package static func costs(of stacks: [ProfileStack]) -> [FunctionCost] {
    var costs: [String: FunctionCost] = [:]
    for stack in stacks {
      let functions = stack.frames.reversed().filter { $0.origin != .phase }.unique(by: \.function)
      for (index, frame) in functions.enumerated() {
        costs[frame.function, default: FunctionCost(frame: frame, own: 0, total: 0)].total += Double(stack.count)
        if index == 0 { costs[frame.function]?.own += Double(stack.count) }
      }
    }
    return costs.values.sorted { ($1.own, $1.total, $0.frame.function) < ($0.own, $0.total, $1.frame.function) }
  }

  /// The costs of the program's own functions where it runs on the engine, with what they call there and elsewhere;
  /// none in other programs, whose functions `costs(of:)` has.
  package static func costsInProgram(of stacks: [ProfileStack]) -> [FunctionCost] {
    guard stacks.contains(where: { $0.frames.contains { $0.origin == .engine } }) else { return [] }
    return costs(
      of: stacks.compactMap { stack in
        var own = stack
        own.frames.removeAll { $0.origin != .program }
        return own.frames.isEmpty ? nil : own
      })
  }

  /// The functions for a short table, in the given order: first those whose own cost is at least a hundredth of the
  /// whole, then those with the highest totals, as a function that leaves its work to others has little of its own.
  package static func notable(_ costs: [FunctionCost], count: Int, whole: Double) -> [FunctionCost] {
    func rank(_ cost: FunctionCost) -> (Double, Double) {
      if cost.own >= whole / 100 { return (cost.own, cost.total) }
      return (0, cost.frame.isForwarder ? 0 : cost.total)
    }
    let ranked = costs.indices.sorted { left, right in
      let (a, b) = (rank(costs[left]), rank(costs[right]))
      return a == b ? left < right : a > b
    }
    return ranked.prefix(count).sorted().map { costs[$0] }
  }
}
