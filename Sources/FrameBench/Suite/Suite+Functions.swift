extension Suite {
  /// Adds a function: `suite.measure("decode") { try JSONDecoder().decode(…) }` becomes the benchmark
  /// `decode/default/1`. A frame is a call of it; its result is used, so that the optimiser keeps the work. An error
  /// ends the benchmark.
  ///
  /// A call that is too short for the clock is repeated inside a frame until that is long enough, and the frame's time
  /// is divided by the number of calls. Allocations and instructions are those of a single call.
  ///
  /// - Parameter throughput: The amount of work of a call; the others are as in `add`.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () throws -> Result
  ) {
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .sync { _ in Self.repeating(body) }
    }
  }

  /// Adds a function that suspends. Each call includes the executor's time to start it; the report says how much.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () async throws -> Result
  ) {
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .async { _ in Self.repeating(body) }
    }
  }

  /// Adds functions that need something set up: `setUp` builds it, unmeasured, and returns the function.
  /// - Parameters:
  ///   - throughput: The amount of work of a call; the others are as in `add`.
  ///   - checksum: Maps the result of a call to a checksum, such as `Checksum.of`, so that reports can say whether
  ///     strategies return the same. The function is called once more for it after each sample, unmeasured.
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

  /// Adds functions that suspend and need something set up.
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

  /// Adds a function of one strategy, which is called `default`, that needs something set up.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .sync { Self.repeating(try setUp($0)) } }
  }

  /// Adds a function of one strategy that suspends and needs something set up.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> () async throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .async { Self.repeating(try await setUp($0)) } }
  }

  /// Adds a function whose result is checked.
  /// - Parameter checksum: Maps the result of a call to anything that can be hashed, such as `Checksum.of`: reports can
  ///   then say whether two builds return the same. The function is called once more for it after each sample,
  ///   unmeasured.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), checksum: @escaping @Sendable (Result) -> some Hashable & SendableMetatype,
    _ body: @escaping @Sendable () throws -> Result
  ) {
    append(name, summary, [Self.defaultStrategy], [1], [], tags, options, throughput: throughput, isFunction: true) {
      _ in .sync { _ in Self.repeating(body) { Checksum.of(checksum($0)) } }
    }
  }

  /// Adds a function of one strategy that needs something set up, and whose result is checked.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    checksum: @escaping @Sendable (Result) -> some Hashable & SendableMetatype,
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, throughput: throughput, isFunction: true
    ) { _ in .sync { Self.repeating(try setUp($0)) { Checksum.of(checksum($0)) } } }
  }

  /// Adds functions that need something set up, and whose results are checked by something else than an `Int`.
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
    // The optimiser does not know the function, so it is called each time.
    let body = identity(body)
    return { _, timer in
      for _ in 0..<timer.repetitionCount { blackHole(try body()) }
      timer.endFrame()
      return UInt64(truncatingIfNeeded: try checksum?(body()) ?? 0)
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
