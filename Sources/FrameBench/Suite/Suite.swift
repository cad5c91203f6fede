/// The benchmarks of a program: scenarios, each in several strategies and sizes.
public struct Suite: Sendable {
  /// The name of the suite in run documents and messages.
  public let name: String
  /// The scenarios in the order in which they were added. Run documents list them in this order.
  public private(set) var scenarios: [Scenario] = []

  /// - Parameter name: The name of the suite. Only run documents whose suites have the same name can be merged.
  public init(_ name: String) { self.name = name }

  /// The name of the strategy of a scenario that is added without strategies.
  public static var defaultStrategy: String { "default" }

  /// Adds a scenario whose strategies are values, such as cases of an enum. Mistakes in the arguments are reported when
  /// the program starts.
  /// - Parameters:
  ///   - name: The first part of the ids. It must be unique in the suite and contain no slash.
  ///   - summary: A sentence about the work of the frames, for reports. It starts with a capital letter and ends with a
  ///     period.
  ///   - strategies: Different ways of doing the same work. Ids contain the values as text, which must not contain
  ///     slashes. The first is the reference strategy, with which the others are compared.
  ///   - sizes: The different numbers of items to run with. The command line can name other numbers.
  ///   - parameters: Other dimensions to vary.
  ///   - tags: Words by which scenarios can be chosen.
  ///   - options: Properties that have defaults.
  ///   - setUp: Builds fresh state for one run, before the measured frames, and returns the body of the frames.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options) { choose in .sync { try setUp(choose($0), $0) }
    }
  }

  /// Adds a scenario whose set-up is asynchronous, and whose frames are not.
  public mutating func add<Strategy: Sendable>(
    _ name: String, summary: String? = nil, strategies: [Strategy], sizes: [Int] = [1],
    parameters: [any ScenarioParameter] = [], tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ strategy: Strategy, _ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) {
    append(name, summary, strategies, sizes, parameters, tags, options) { choose in
      .asyncSetUp { try await setUp(choose($0), $0) }
    }
  }

  /// Adds a scenario whose frames are asynchronous.
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

  /// Adds a scenario whose strategies are named closures: `strategies: ["array": { context in … }]`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), strategies: KeyValuePairs<String, Scenario.SetUp>
  ) {
    append(name, summary, strategies.map(\.value), named: strategies.map(\.key), sizes, parameters, tags, options) {
      choose in .sync { try choose($0)($0) }
    }
  }

  /// Adds a scenario with one strategy, which is called `default`.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(), setUp: @escaping Scenario.SetUp
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .sync(setUp) } }

  /// Adds a scenario with one strategy, whose set-up is asynchronous, and whose frames are not.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.FrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .asyncSetUp(setUp) } }

  /// Adds a scenario with one strategy, whose frames are asynchronous.
  public mutating func add(
    _ name: String, summary: String? = nil, sizes: [Int] = [1], parameters: [any ScenarioParameter] = [],
    tags: [String] = [], options: Scenario.Options = .init(),
    setUp: @escaping @Sendable (_ context: ScenarioContext) async throws -> Scenario.AsyncFrameBody
  ) { append(name, summary, [Self.defaultStrategy], sizes, parameters, tags, options) { _ in .async(setUp) } }

  /// Adds a scenario.
  /// - Parameters:
  ///   - result: The type of the frames' results.
  ///   - setUp: Creates the set-up. Its argument is a closure that returns the strategy for a context.
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

  /// Returns the scenario of a benchmark, whatever its size; nil if there is none. If several programs of a package
  /// were measured together, the benchmark may begin with the name of the program and a dot. If several scenarios fit,
  /// the longest name wins: `Program.JSON.Decode` belongs to `JSON.Decode` rather than to `Decode`.
  package func scenario(of id: BenchmarkID) -> Scenario? {
    let fitting = scenarios.filter { $0.strategies.contains(id.strategy) && $0.parameterValues.contains(id.parameters) }
    return fitting.filter { ".\(id.scenario)".hasSuffix(".\($0.name)") }.max { $0.name.count < $1.name.count }
  }
}
