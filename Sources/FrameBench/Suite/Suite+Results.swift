// Methods for frames whose result is not a checksum. For frames that can return a `UInt64`, the compiler prefers the
// methods in Suite.swift, because these methods add a call to each frame, which can be several percent of 100 ns.

extension Scenario {
  /// A frame that returns an integer, another `Hashable` value, or `Void`. The result becomes the frame's checksum.
  /// Computing the checksum is not measured.
  public typealias FrameReturning<Result> = (_ frame: Frame, _ timer: FrameTimer) throws -> Result
  /// A frame that suspends, and whose result becomes its checksum.
  public typealias AsyncFrameReturning<Result> = (_ frame: Frame, _ timer: FrameTimer) async throws -> Result
}

extension Suite {
  /// Adds a scenario whose strategies are values, such as cases of an enum. Its frames return a `Hashable` value or
  /// `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameReturning<Result>
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, of: Result.self) { choose in
      .sync { Self.checked(try setUp(choose($0), $0)) }
    }
  }

  /// Adds a scenario whose strategies are values, such as cases of an enum. Its set-up is asynchronous. Its frames are
  /// synchronous, and return a `Hashable` value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws ->
      Scenario.FrameReturning<Result>
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, of: Result.self) { choose in
      .asyncSetUp { Self.checked(try await setUp(choose($0), $0)) }
    }
  }

  /// Adds a scenario whose strategies are values, such as cases of an enum. Its frames are asynchronous, and return a
  /// `Hashable` value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Strategy: Sendable, Result>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws ->
      Scenario.AsyncFrameReturning<Result>
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options, of: Result.self) { choose in
      .async { Self.checked(try await setUp(choose($0), $0)) }
    }
  }

  /// Adds a scenario whose strategies are named closures. Its frames return a `Hashable` value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    strategies: KeyValuePairs<String, (_ context: ScenarioContext) throws -> Scenario.FrameReturning<Result>>
  ) {
    append(
      name, summary, strategies.map { NamedSetUp($0.value) }, named: strategies.map(\.key), sizes, parameters, tags,
      options, of: Result.self
    ) { choose in .sync { Self.checked(try choose($0).setUp($0)) } }
  }

  /// Adds a scenario with one strategy. Its frames return a `Hashable` value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) throws -> Scenario.FrameReturning<Result>
  ) {
    append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, of: Result.self) { _ in
      .sync { Self.checked(try setUp($0)) }
    }
  }

  /// Adds a scenario with one strategy. Its set-up is asynchronous. Its frames are synchronous, and return a `Hashable`
  /// value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.FrameReturning<Result>
  ) {
    append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, of: Result.self) { _ in
      .asyncSetUp { Self.checked(try await setUp($0)) }
    }
  }

  /// Adds a scenario with one strategy. Its frames are asynchronous, and return a `Hashable` value or `Void`.
  @_disfavoredOverload @inlinable public mutating func add<Result>(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.AsyncFrameReturning<Result>
  ) {
    append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, of: Result.self) { _ in
      .async { Self.checked(try await setUp($0)) }
    }
  }

  @inlinable static func checked<Result>(_ body: @escaping Scenario.FrameReturning<Result>) -> Scenario.FrameBody {
    { frame, timer in checksum(of: try body(frame, timer), timer) }
  }

  @inlinable static func checked<Result>(_ body: @escaping Scenario.AsyncFrameReturning<Result>)
    -> Scenario.AsyncFrameBody
  { { frame, timer in checksum(of: try await body(frame, timer), timer) } }

  @inlinable static func checksum<Result>(of result: Result, _ timer: FrameTimer) -> UInt64 {
    if Result.self == Void.self { return 0 }
    if !timer.state.pointee.isEnded { timer.endFrame() }
    return Checksum.word(of: result)
  }
}

/// A closure that is declared sendable without a check by the compiler. The compiler does not infer `@Sendable` for
/// closures in a literal if their result type is inferred.
@usableFromInline struct NamedSetUp<Result>: @unchecked Sendable {
  @usableFromInline let setUp: (ScenarioContext) throws -> Scenario.FrameReturning<Result>

  @usableFromInline init(_ setUp: @escaping (ScenarioContext) throws -> Scenario.FrameReturning<Result>) {
    self.setUp = setUp
  }
}
