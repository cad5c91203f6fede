extension Suite {
  /// Adds a function: `suite.measure("decode") { try JSONDecoder().decode(…) }` becomes the benchmark
  /// `decode/default/1`. A frame is a call of it; its result is used, so that the optimiser keeps the work.
  ///
  /// A call that is too short for the clock is repeated inside a frame until that is long enough, and the
  /// frame's time is divided by the number of calls. Allocations and instructions are those of a single
  /// call.
  ///
  /// - Parameters:
  ///   - name: First part of the id, without a slash; unique in the suite.
  ///   - summary: A sentence about the work of a call.
  ///   - throughput: The amount of work of a call.
  ///   - tags: Words to choose scenarios by.
  ///   - options: Differences from other scenarios.
  ///   - body: The function; an error ends the benchmark.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], [1], [], tags, options, .sync { _ in Self.repeating(body) },
      throughput: throughput, isFunction: true)
  }

  /// Adds a function that suspends. Each call includes the executor's time to start it; the report says how
  /// much.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), _ body: @escaping @Sendable () async throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], [1], [], tags, options, .async { _ in Self.repeating(body) },
      throughput: throughput, isFunction: true)
  }

  /// Adds functions that need something set up: `setUp` builds it, unmeasured, and returns the function.
  ///
  /// - Parameters:
  ///   - name: First part of the ids, without a slash; unique in the suite.
  ///   - summary: A sentence about the work of a call.
  ///   - strategies: The ways of doing the same work; the first is the reference strategy.
  ///   - sizes: Numbers of items.
  ///   - parameters: Other dimensions to vary.
  ///   - throughput: The amount of work of a call.
  ///   - tags: Words to choose scenarios by.
  ///   - options: Differences from other scenarios.
  ///   - checksum: Maps the result of a call to a checksum, such as `\.hashValue`, so that reports can say
  ///   whether
  ///     strategies return the same. The function is called once more for it after each sample, unmeasured.
  ///   - setUp: Builds fresh state for one run, unmeasured, and returns the function.
  @inlinable public mutating func measure<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(), checksum: (@Sendable (Result) -> Int)? = nil,
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> () throws -> Result
  ) {
    let choose = Self.chooser(strategies)
    append(
      name, summary, strategies.map { "\($0)" }, sizes, parameters, tags, options,
      .sync { Self.repeating(try setUp(choose($0), $0), checksum) }, throughput: throughput, isFunction: true)
  }

  /// Adds functions that suspend and need something set up.
  @inlinable public mutating func measure<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], throughput: Throughput? = nil, tags: [String] = [],
    options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> () async throws -> Result
  ) {
    let choose = Self.chooser(strategies)
    append(
      name, summary, strategies.map { "\($0)" }, sizes, parameters, tags, options,
      .async { Self.repeating(try await setUp(choose($0), $0)) }, throughput: throughput, isFunction: true)
  }

  /// Adds a function of one strategy, which is called `default`, that needs something set up.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> () throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, .sync { Self.repeating(try setUp($0)) },
      throughput: throughput, isFunction: true)
  }

  /// Adds a function of one strategy that suspends and needs something set up.
  @inlinable public mutating func measure<Result>(
    _ name: String, summary: String? = nil, sizes: [Int], parameters: [any ScenarioParameter] = [],
    throughput: Throughput? = nil, tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> () async throws -> Result
  ) {
    append(
      name, summary, [Self.defaultStrategy], sizes, parameters, tags, options,
      .async { Self.repeating(try await setUp($0)) }, throughput: throughput, isFunction: true)
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
