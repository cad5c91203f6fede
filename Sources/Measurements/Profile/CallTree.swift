import FrameBench

/// A function on a stack.
package struct CallFrame: Hashable, Sendable {
  /// Where the code of a function comes from.
  package enum Origin: String, Sendable, CaseIterable {
    /// Not a function, but a phase of the frame (a part that the scenario names).
    case phase
    /// The program that contains the benchmarks. In this repository's own benchmarks, it includes the engine.
    case program
    /// This repository's animation engine and its module UIKit, if the code of an app runs on them.
    case engine
    /// The standard library of Swift, compiled into the program or loaded as a library.
    case standardLibrary
    /// All other code: the C library and other libraries, the runtime of Swift, the allocator.
    case system
    case harness
  }

  /// The demangled name without the types of parameters.
  package var function: String
  /// The path of the source file. Nil if the compiler did not record it.
  package var file: String?
  /// The line, counted from 1; 0 or nil if the compiler did not record it.
  package var line: Int?
  /// Where the code comes from. It determines the function's color in pictures, and whether `ProfileStack.site` prefers
  /// the function.
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

  /// The name of the function, shortened for a cell of a table.
  package var shortFunction: String { function.count <= 72 ? function : function.prefix(71) + "…" }

  /// Whether the compiler generated the function to pass on a call, according to its demangled name.
  var isForwarder: Bool {
    function.hasPrefix("partial apply forwarder for ") || function.hasPrefix("reabstraction thunk ")
  }

  /// The name of the file and the line: `Layout.swift:71`. Nil if the compiler did not record them.
  package var position: String? { fullPosition.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }

  /// The full path and the line, for a tool that opens the file.
  package var fullPosition: String? {
    guard let file, let line, line > 0 else { return nil }
    return "\(file):\(line)"
  }
}

/// A call stack and its cost.
package struct ProfileStack: Hashable, Sendable {
  /// The frames of the stack, from the outermost to the innermost.
  package var frames: [CallFrame]
  /// Number of samples or allocations with this stack.
  package var count: Int
  /// Bytes that the allocations requested; 0 for samples.
  package var bytes = 0
  /// Index of the first recorded frame that allocates with this stack.
  package var firstFrame = 0
  /// Number of recorded frames that allocate with this stack.
  package var frameCount = 1
  /// The largest number of allocations with this stack in one recorded frame.
  package var mostInFrame = 1

  /// The function in which to look for the cause of the cost: the innermost function of the program itself. If there is
  /// none, it is the innermost function of the engine, or else of the whole stack. In the program and the engine,
  /// functions with a known file and line take precedence.
  package var site: CallFrame? {
    let own = [CallFrame.Origin.program, .engine].lazy.map { origin in frames.filter { $0.origin == origin } }
    guard let frames = own.first(where: { !$0.isEmpty }) else { return frames.last }
    return frames.last { $0.position != nil } ?? frames.last
  }

  /// The innermost function of the engine whose file and line are known. Nil if there is none, or if `site` is not in
  /// the program itself.
  package var engineSite: CallFrame? {
    guard site?.origin == .program else { return nil }
    return frames.last { $0.origin == .engine && $0.position != nil }
  }
}

extension ProfileStack {
  /// Makes a stack from a recorded stack. `frames` are the functions at the recorded addresses.
  package init(_ frames: [CallFrame], of recorded: RecordedStack) {
    self.init(
      frames: frames, count: recorded.count, bytes: recorded.bytes, firstFrame: recorded.firstFrame,
      frameCount: recorded.frameCount, mostInFrame: recorded.mostInFrame)
  }
}

/// Stacks merged into a tree of calls, with costs.
package struct CallTree: Sendable {
  /// A function with one chain of callers. The same function with another chain is another node.
  package struct Node: Sendable {
    /// The function, with the line where it first occurs. Nodes are distinguished by name and origin, not by line.
    package var frame: CallFrame
    /// Index of the caller's node in `nodes`; nil for the root.
    package var parent: Int?
    package var depth: Int
    /// Indices of the children in `nodes`, in the order of their first occurrence until `layOut` sorts them by width.
    package var children: [Int] = []
    /// Cost of the function itself, without its callees.
    package var own = 0.0
    /// `own` plus the totals of all children.
    package var total = 0.0
    /// Cost of the function itself in the baseline. 0 if no builds are compared.
    package var baselineOwn = 0.0
    /// `baselineOwn` plus the baseline totals of all children.
    package var baselineTotal = 0.0
    /// The width in a picture, in the unit of the costs.
    package var width = 0.0
  }

  /// The nodes. The first one is the root, which is not a function.
  package private(set) var nodes: [Node]

  /// Makes a tree of these stacks. In a tree that compares two builds, they are the stacks of the candidate.
  /// - Parameter value: Returns the cost of a stack. All costs have the same unit.
  package init(root name: String, stacks: [ProfileStack] = [], value: (ProfileStack) -> Double = { Double($0.count) }) {
    nodes = [Node(frame: CallFrame(function: name, origin: .phase), parent: nil, depth: 0)]
    for stack in stacks { add(stack.frames, value(stack)) }
  }

  /// The build that a stack belongs to. If no builds are compared, all stacks count as the candidate's.
  package enum Side: Sendable { case baseline, candidate }

  /// Adds a stack, the outermost function first. The value is added to the own cost of the last function, and to the
  /// totals of all functions.
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

  /// Computes the widths of the nodes in a picture, and sorts children by width. For the width, the own cost of a
  /// function is the larger one of the two builds, so that functions that only the baseline calls are visible, too.
  package mutating func layOut() {
    for index in nodes.indices.reversed() {
      let own = max(nodes[index].own, nodes[index].baselineOwn)
      nodes[index].width = own + nodes[index].children.reduce(0) { $0 + nodes[$1].width }
    }
    for index in nodes.indices {
      let order = nodes[index].children
      nodes[index].children = order.sorted { left, right in
        let (a, b) = (nodes[left], nodes[right])
        // Phases keep the order in which the frame runs them.
        if a.frame.origin == .phase, b.frame.origin == .phase { return left < right }
        return (-a.width, a.frame.function) < (-b.width, b.frame.function)
      }
    }
  }
}

/// The cost of one function, summed over its callers.
package struct FunctionCost: Sendable, Equatable {
  /// The function, with one of the lines where it was sampled. Costs are summed by name, so other lines are not shown.
  /// Functions from callgrind have no line.
  package var frame: CallFrame
  /// Cost of the function itself.
  package var own: Double
  /// Cost including callees; a recursive call counts once.
  package var total: Double

  /// The costs of the functions in samples, the highest own cost first.
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

  /// The costs of the program's own functions if they run on the engine. The own cost of a function includes what it
  /// calls in the engine and in libraries. Empty if no stack contains the engine. Then the list of `costs(of:)` is
  /// enough, because it contains no functions of the engine.
  package static func costsInProgram(of stacks: [ProfileStack]) -> [FunctionCost] {
    guard stacks.contains(where: { $0.frames.contains { $0.origin == .engine } }) else { return [] }
    return costs(
      of: stacks.compactMap { stack in
        var own = stack
        own.frames.removeAll { $0.origin != .program }
        return own.frames.isEmpty ? nil : own
      })
  }

  /// Chooses the functions for a short table, and keeps their order. Functions whose own cost is at least a hundredth
  /// of the whole take precedence. Next come the functions with the highest totals, which spend their time in callees.
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
