/// The benchmarks of a program: scenarios, each in several strategies and sizes.
public struct Suite: Sendable {
  /// Stands in run documents and messages.
  public let name: String
  /// In the order in which they were added, which run documents keep.
  public private(set) var scenarios: [Scenario] = []

  /// - Parameter name: Only run documents with the same name can be merged.
  public init(_ name: String) { self.name = name }

  /// The name of the strategy of a scenario that has only one.
  public static var defaultStrategy: String { "default" }

  /// Adds a scenario whose strategies are values, such as cases of an enum. Faults of a scenario are
  /// reported when the program starts.
  ///
  /// - Parameters:
  ///   - name: First part of the ids, without a slash; unique in the suite.
  ///   - summary: What its frames do, in a sentence that starts with a capital letter and ends with a full
  ///   stop;
  ///     stands in reports.
  ///   - strategies: The ways of doing the same work. In ids they stand as they print, without slashes,
  ///   each once;
  ///     the first is the reference strategy, which the others are compared with.
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
    let choose = Self.chooser(strategies)
    append(
      name, summary, strategies.map { "\($0)" }, sizes, parameters, tags, options, .sync { try setUp(choose($0), $0) })
  }

  /// Adds a scenario whose set-up awaits something, and whose frames do not.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) {
    let choose = Self.chooser(strategies)
    append(
      name, summary, strategies.map { "\($0)" }, sizes, parameters, tags, options,
      .asyncSetUp { try await setUp(choose($0), $0) })
  }

  /// Adds a scenario whose frames await something.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp:
      @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> Scenario.AsyncFrameBody
  ) {
    let choose = Self.chooser(strategies)
    append(
      name, summary, strategies.map { "\($0)" }, sizes, parameters, tags, options,
      .async { try await setUp(choose($0), $0) })
  }

  /// Adds a scenario whose strategies are closures with names: `strategies: ["array": { context in … }]`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), strategies: KeyValuePairs<String, Scenario.SetUp>
  ) {
    let choose = Self.chooser(strategies.map(\.value), named: strategies.map(\.key))
    append(name, summary, strategies.map(\.key), sizes, parameters, tags, options, .sync { try choose($0)($0) })
  }

  /// Adds a scenario of one strategy, which is called `default`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), setUp: @escaping Scenario.SetUp
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, .sync(setUp)) }

  /// Adds a scenario of one strategy whose set-up awaits something, and whose frames do not.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, .asyncSetUp(setUp)) }

  /// Adds a scenario of one strategy whose frames await something.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.AsyncFrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options, .async(setUp)) }

  /// Picks the strategy that a context asks for.
  @usableFromInline static func chooser<Strategy: Sendable>(_ strategies: [Strategy], named names: [String]? = nil)
    -> @Sendable (ScenarioContext) -> Strategy
  {
    let names = names ?? strategies.map { "\($0)" }
    return { context in
      guard let index = names.firstIndex(of: context.strategy) else {
        fatalError("\(context.id) is none of the strategies \(names)")
      }
      return strategies[index]
    }
  }

  @usableFromInline mutating func append(
    _ name: String, _ summary: String?, _ strategies: [String], _ sizes: [Int], _ parameters: [any ScenarioParameter],
    _ tags: [String], _ options: Scenario.Options, _ setUp: Scenario.AnySetUp, throughput: Throughput? = nil,
    isFunction: Bool = false
  ) {
    scenarios.append(
      Scenario(
        name: name, summary: summary, strategies: strategies, sizes: sizes, parameters: parameters, tags: tags,
        options: options, setUp: setUp, throughput: throughput, isFunction: isFunction || options.countsCalls))
  }
}

extension Suite {
  /// The scenario that has a benchmark of this name, at any size; nil if there is none. If several programs of a
  /// package have a scenario of one name, the id has the program's name and a dot before it.
  package func scenario(of id: BenchmarkID) -> Scenario? {
    let fitting = scenarios.filter { $0.strategies.contains(id.strategy) && $0.parameterValues.contains(id.parameters) }
    return fitting.first { $0.name == id.scenario } ?? fitting.first { id.scenario.hasSuffix(".\($0.name)") }
  }
}
