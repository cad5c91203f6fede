extension Suite {
  /// Adds a function: `suite.measure("decode") { try JSONDecoder().decode(…) }` becomes the benchmark
  /// `decode/default/1`. A frame is a call of the function. The optimizer cannot remove the work, because the result is
  /// used. An error ends the benchmark.
  ///
  /// If a call is too short for the clock, a frame repeats it until the frame is long enough, and the frame's time is
  /// divided by the number of calls. Allocations and instructions are those of a single call.
  ///
  /// - Parameter throughput: The amount of work of a call. The other parameters are the same as for `add`.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () throws -> Result
  ) {
    Self.refuseFunction(Result.self, of: name)
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .sync { _ in Self.repeating(body) }
    }
  }

  /// Ends the program if the closure returns a function, because only making that function would be measured, not
  /// calling it. The compiler accepts such a closure, because a result can be of any type.
  @usableFromInline static func refuseFunction(_ result: Any.Type, of name: String) {
    let words = String(describing: result)
    // The type of a function begins with its parameters, or with an attribute such as `@Sendable`. A tuple may contain
    // functions.
    var depth = 0
    let outside = String(
      words.filter { letter in
        depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
        return depth == 0
      })
    guard words.hasPrefix("(") || words.hasPrefix("@"), outside.contains("-> ") else { return }
    fatalError(
      "the closure of measure(\(name.debugDescription)) returns a function, which would be made and not called; to make"
        + " a set-up, take the context: measure(\(name.debugDescription)) { context in … }")
  }

  /// Adds a function that suspends. The time of a frame includes the delay until the executor starts the frame; the
  /// report states this delay.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () async throws -> Result
  ) {
    Self.refuseFunction(Result.self, of: name)
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .async { _ in Self.repeating(body) }
    }
  }

  /// Adds functions that need a set-up, one for each strategy. `setUp` runs before the measured frames, prepares the
  /// state and returns the function.
  /// - Parameters:
  ///   - throughput: The amount of work of a call. The other parameters are the same as for `add`.
  ///   - checksum: Maps the result of a call to a checksum, as `Checksum.of` does, so that reports can show whether
  ///     strategies return the same results. After each frame, the function is called again, unmeasured, to compute the
  ///     checksum.
  @inlinable public mutating func measure<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), checksum: (@Sendable (Result) -> Int)? = nil,
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, throughput: throughput, isFunction: true) {
      choose in .sync { Self.repeating(try setUp(choose($0), $0), checksum) }
    }
  }

  /// Adds functions that suspend and need a set-up, one for each strategy.
  @inlinable public mutating func measure<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> () async throws -> Result
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, throughput: throughput, isFunction: true) {
      choose in .async { Self.repeating(try await setUp(choose($0), $0)) }
    }
  }

  /// Adds a function that needs a set-up and has one strategy, which is called `default`.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .sync { Self.repeating(try setUp($0)) } }
  }

  /// Adds a function that suspends, needs a set-up, and has one strategy.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> () async throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .async { Self.repeating(try await setUp($0)) } }
  }

  /// Adds a function whose results are compared between builds.
  /// - Parameter checksum: Maps the result of a call to a `Hashable` value, as `Checksum.of` does, so that reports can
  ///   show whether two builds return the same results. After each frame, the function is called again, unmeasured, to
  ///   compute the checksum.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), checksum: @escaping @Sendable (Result) -> some Hashable & SendableMetatype,
    _ body: @escaping @Sendable () throws -> Result
  ) {
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .sync { _ in Self.repeating(body) { Checksum.of(checksum($0)) } }
    }
  }

  /// Adds a function that needs a set-up and has one strategy. Its results are compared between builds.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    checksum: @escaping @Sendable (Result) -> some Hashable & SendableMetatype,
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .sync { Self.repeating(try setUp($0)) { Checksum.of(checksum($0)) } } }
  }

  /// Adds functions that need a set-up, one for each strategy. `checksum` may map a result to a hashable value of any
  /// type.
  @_disfavoredOverload @inlinable public mutating func measure<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), checksum: @escaping @Sendable (Result) -> some Hashable & SendableMetatype,
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, throughput: throughput, isFunction: true) {
      choose in .sync { Self.repeating(try setUp(choose($0), $0)) { Checksum.of(checksum($0)) } }
    }
  }

  @inlinable package static func repeating<Result>(
    _ body: @escaping () throws -> Result, _ checksum: (@Sendable (Result) -> Int)? = nil
  ) -> Scenario.FrameBody {
    // `identity` hides the function from the optimizer, so that it is really called each time.
    let body = identity(body)
    return { frame, timer in
      for _ in 0..<timer.repetitionCount { blackHole(try body()) }
      timer.endFrame()
      guard let checksum else { return 0 }
      // Calls once more in every second frame. If measured calls and calls for the checksum alternated strictly, extra
      // work that a function does in every second call would never be measured.
      if frame.index % 2 == 1 { blackHole(try body()) }
      return UInt64(truncatingIfNeeded: checksum(try body()))
    }
  }

  @inlinable package static func repeating<Result>(_ body: @escaping () async throws -> Result)
    -> Scenario.AsyncFrameBody
  {
    let body = identity(body)
    return { _, timer in
      for _ in 0..<timer.repetitionCount { blackHole(try await body()) }
      timer.endFrame()
      return 0
    }
  }
}
