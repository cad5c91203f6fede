extension Benchmark {
  /// Registers a benchmark, unless its configuration says to skip it.
  @discardableResult public convenience init?(
    _ name: String, configuration: Configuration = Benchmark.defaultConfiguration,
    closure: @escaping BenchmarkThrowingClosure, setup: BenchmarkSetupHook? = nil,
    teardown: BenchmarkTeardownHook? = nil
  ) { self.init(name, configuration, .sync(closure), setup, teardown) }

  /// Registers a benchmark that suspends.
  @discardableResult public convenience init?(
    _ name: String, configuration: Configuration = Benchmark.defaultConfiguration,
    closure: @escaping BenchmarkAsyncThrowingClosure, setup: BenchmarkSetupHook? = nil,
    teardown: BenchmarkTeardownHook? = nil
  ) { self.init(name, configuration, .async(closure), setup, teardown) }

  /// Registers a benchmark that gets the result of its set-up.
  @discardableResult public convenience init?<SetupResult>(
    _ name: String, configuration: Configuration = Benchmark.defaultConfiguration,
    closure: @escaping (_ benchmark: Benchmark, SetupResult) throws -> Void,
    setup: @escaping () async throws -> SetupResult, teardown: BenchmarkTeardownHook? = nil
  ) {
    self.init(name, configuration, .sync { try closure($0, $0.state()) }, nil, teardown)
    self.setup = { [unowned self] in setupState = try await setup() }
  }

  /// Registers a benchmark that suspends and gets the result of its set-up.
  @discardableResult public convenience init?<SetupResult>(
    _ name: String, configuration: Configuration = Benchmark.defaultConfiguration,
    closure: @escaping (_ benchmark: Benchmark, SetupResult) async throws -> Void,
    setup: @escaping () async throws -> SetupResult, teardown: BenchmarkTeardownHook? = nil
  ) {
    self.init(name, configuration, .async { try await closure($0, $0.state()) }, nil, teardown)
    self.setup = { [unowned self] in setupState = try await setup() }
  }

  private func state<SetupResult>() -> SetupResult {
    guard let state = setupState as? SetupResult else {
      fatalError("\(name): its set-up has not left a \(SetupResult.self)")
    }
    return state
  }
}
