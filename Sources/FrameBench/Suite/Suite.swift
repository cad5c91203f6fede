/// The benchmarks of a program: scenarios, each in several strategies and sizes.
public struct Suite: Sendable {
  /// The name in run documents and messages.
  public let name: String
  /// The scenarios in the order in which they were added, which run documents keep.
  public private(set) var scenarios: [Scenario] = []

  /// - Parameter name: Only run documents with the same name can be merged.
  public init(_ name: String) { self.name = name }

  /// The name of the strategy of a scenario that has only one.
  public static var defaultStrategy: String { "default" }

  /// Adds a scenario whose strategies are values, such as cases of an enum. Faults are reported when the program
  /// starts.
  /// - Parameters:
  ///   - name: First part of the ids, without a slash; unique in the suite.
  ///   - summary: What its frames do, for reports: a sentence with a capital letter and a full stop.
  ///   - strategies: The ways of doing the same work, each once. Ids contain them as they print, so they must print
  ///     without slashes; the first is the reference strategy, which the others are compared with.
  ///   - sizes: Numbers of items to run at unless the command line names others, each once.
  ///   - parameters: Other dimensions to vary.
  ///   - tags: Words to choose scenarios by.
  ///   - options: Differences from other scenarios.
  ///   - setUp: Builds fresh state for one run, unmeasured, and returns the frame.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options) { choose in .sync { try setUp(choose($0), $0) }
    }
  }

  /// Adds a scenario whose set-up awaits something, and whose frames do not.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options) { choose in
      .asyncSetUp { try await setUp(choose($0), $0) }
    }
  }

  /// Adds a scenario whose frames await something.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> Scenario.AsyncFrameBody
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options) { choose in
      .async { try await setUp(choose($0), $0) }
    }
  }

  /// Adds a scenario whose strategies are closures with names: `strategies: ["array": { context in … }]`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), strategies: KeyValuePairs<String, Scenario.SetUp>
  ) {
    append(name, summary, strategies.map(\.value), named: strategies.map(\.key), sizes, parameters, tags, options) {
      choose in .sync { try choose($0)($0) }
    }
  }

  /// Adds a scenario of one strategy, which is called `default`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), setUp: @escaping Scenario.SetUp
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .sync(setUp) } }

  /// Adds a scenario of one strategy whose set-up awaits something, and whose frames do not.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .asyncSetUp(setUp) } }

  /// Adds a scenario of one strategy whose frames await something.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.AsyncFrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .async(setUp) } }

  /// - Parameters:
  ///   - result: The type that its frames return.
  ///   - setUp: Makes the set-up from a closure that picks the strategy that a context asks for.
  @usableFromInline mutating func append<Strategy: Sendable>(
    _ name: String, _ summary: String?, _ strategies: [Strategy], named labels: [String]? = nil, _ sizes: [Int],
    _ parameters: [any ScenarioParameter], _ tags: [String], _ options: Scenario.Options, throughput: Throughput? = nil,
    isFunction: Bool = false, of result: Any.Type = UInt64.self,
    _ setUp: (@escaping @Sendable (ScenarioContext) -> Strategy) -> Scenario.AnySetUp
  ) {
    let labels = labels ?? strategies.map { "\($0)" }
    let setUp = setUp { context in
      guard let index = labels.firstIndex(of: context.strategy) else {
        fatalError("\(context.id) is none of the strategies \(labels)")
      }
      return strategies[index]
    }
    scenarios.append(
      Scenario(
        name: name, summary: summary, strategies: labels, sizes: sizes, parameters: parameters, tags: tags,
        options: options, setUp: setUp, throughput: throughput, isFunction: isFunction || options.countsCalls,
        unknownResult: result is any Hashable.Type || result == Void.self ? nil : "\(result)"))
  }

  /// The scenario of a benchmark, whatever its size. The benchmark may name the program before the scenario, where
  /// several programs of a package were measured together.
  package func scenario(of id: BenchmarkID) -> Scenario? {
    let fitting = scenarios.filter { $0.strategies.contains(id.strategy) && $0.parameterValues.contains(id.parameters) }
    return fitting.first { $0.name == id.scenario } ?? fitting.first { id.scenario.hasSuffix(".\($0.name)") }
  }
}
