/// What a suite runs: scenarios, each in several strategies and sizes.
public struct Suite: Sendable {
  /// Stands in run documents and messages.
  public let name: String
  /// In the order in which they were added, which run documents keep.
  public private(set) var scenarios: [Scenario] = []

  /// - Parameter name: Run documents can be merged only where it is the same.
  public init(_ name: String) {
    self.name = name
  }

  /// Adds a scenario. What is wrong with it is said when the program starts.
  ///
  /// - Parameters:
  ///   - name: First part of the ids, without a slash; unique in the suite.
  ///   - summary: What its frames do, in a sentence that starts with a capital letter and ends with a full stop;
  ///     stands in reports.
  ///   - strategies: The ways of doing the same work, without slashes, each once; the first is the reference
  ///     strategy, which the others are compared with.
  ///   - sizes: Numbers of items to run at unless the command line names others, each once.
  ///   - quickSizes: Those of the sizes that `--quick` does not leave out; nil: all; empty: the scenario is
  ///     no part of a first look.
  ///   - playsTraces: Whether set-up plays the scroll of `ScenarioContext.tracePath` where one is named; `--trace` is
  ///     refused for a scenario that does not.
  ///   - claims: What others say that strategies are good for; reports say whether it holds.
  ///   - warnings: Doubts about a configuration that should stand in the report as footnotes. Throws for a
  ///     configuration that cannot be run, a broken trace file, say; nothing is measured then.
  ///   - memoryEstimate: Bytes that a state of this size needs, so that a size whose memory cannot be
  ///     had is refused before it is tried.
  ///   - setUp: Builds fresh state for one run, unmeasured, and returns the frame.
  public mutating func add(
    _ name: String, summary: String? = nil, strategies: [String], sizes: [Int], quickSizes: [Int]? = nil,
    playsTraces: Bool = false, claims: [CapacityClaim] = [],
    warnings: @escaping @Sendable (Int, ScenarioContext) throws -> [Warning] = { _, _ in [] },
    memoryEstimate: @escaping @Sendable (Int, ScenarioContext) -> Int = { _, _ in 0 },
    setUp: @escaping Scenario.SetUp
  ) {
    let quickSizes = quickSizes ?? sizes
    scenarios.append(
      Scenario(
        name: name, summary: summary, strategies: strategies, sizes: sizes, quickSizes: quickSizes,
        playsTraces: playsTraces, claims: claims, warnings: warnings,
        memoryEstimate: memoryEstimate, setUp: setUp))
  }

  /// What is wrong with the suite, a sentence each, with the remedy; springbench says it and runs nothing.
  ///
  /// Not preconditions: those lose their message in release builds, where benchmarks run.
  package var problems: [String] {
    let suite = Self.isName(name) ? [] : ["the suite's name \(Self.quoted(name)) \(Self.nameRemedy)"]
    let names = scenarios.map(\.name)
    let twice = Set(names.filter { name in names.count { $0 == name } > 1 }).sorted().map {
      "scenario \(Self.quoted($0)) is in the suite twice; give each a name of its own"
    }
    return suite + scenarios.flatMap(\.problems) + twice
  }

  /// A part of an id: printed on one line, and a part of paths.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 500
      && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
  }

  static let nameRemedy =
    "is empty, too long, or has a slash or a control character; give a name as in springs"

  static func quoted(_ name: String) -> String { name.debugDescription }
}

extension Scenario {
  fileprivate var problems: [String] {
    var problems: [String] = []
    let subject = "scenario \(Suite.quoted(name))"
    func require(_ condition: Bool, _ problem: String) {
      if !condition { problems.append("\(subject) \(problem)") }
    }
    require(Suite.isName(name), Suite.nameRemedy)
    require(!strategies.isEmpty, "has no strategy; name at least one")
    for strategy in strategies {
      require(Suite.isName(strategy), "has a strategy \(Suite.quoted(strategy)), which \(Suite.nameRemedy)")
    }
    require(Set(strategies).count == strategies.count, "has a strategy twice; name each once")
    require(
      sizes.allSatisfy { $0 > 0 } && Set(sizes).count == sizes.count,
      "has a size that is not above 0, or is there twice: \(sizes); give each number of items once")
    require(
      quickSizes.allSatisfy(sizes.contains),
      "has quick sizes beyond its own: \(quickSizes); they are some of \(sizes)")
    require(
      claims.allSatisfy { strategies.contains($0.strategy) && $0.itemCount > 0 },
      "has a claim about a strategy that it lacks, or about no items; name one of \(strategies)")
    return problems
  }
}

/// One scenario of a suite.
public struct Scenario: Sendable {
  /// Runs one frame and returns a checksum of what it made visible.
  ///
  /// What follows `timer.endFrame()` is not measured; a checksum that costs something belongs there.
  public typealias FrameBody = (_ frame: Frame, _ timer: inout FrameTimer) -> UInt64
  /// Builds the state for one run: (number of items, context) → frame.
  public typealias SetUp = @Sendable (_ size: Int, _ context: ScenarioContext) throws -> FrameBody

  /// First part of the ids, without a slash; unique in the suite.
  public let name: String
  /// What its frames do, a sentence; nil where the suite does not say.
  public let summary: String?
  /// At least one; the first is the reference strategy, which the others are compared with.
  public let strategies: [String]
  /// Numbers of items, all positive, to run at unless the command line names others.
  public let sizes: [Int]
  /// Those of the sizes that `--quick` does not leave out.
  public let quickSizes: [Int]
  /// Whether it plays the recorded scroll that a command names.
  public let playsTraces: Bool
  /// What others say that strategies are good for.
  public let claims: [CapacityClaim]
  /// (Number of items, context) → doubts about the configuration; throws for one that cannot be run.
  public let warnings: @Sendable (Int, ScenarioContext) throws -> [Warning]
  /// (Number of items, context) → bytes that a state needs.
  public let memoryEstimate: @Sendable (Int, ScenarioContext) -> Int
  /// Called anew for every run; not timed, but its allocations are counted apart.
  public let setUp: SetUp

  package var referenceStrategy: String { strategies[0] }
}

/// What others say of a strategy: that frames with a given number of items fit a display.
public struct CapacityClaim: Hashable, Sendable {
  /// One of the scenario's.
  public var strategy: String
  /// Theirs, as it stands in a report's sentence: `a few hundred items`.
  public var wording: String
  /// The number of items that this is at the most.
  public var itemCount: Int

  public init(strategy: String, wording: String, itemCount: Int) {
    self.strategy = strategy
    self.wording = wording
    self.itemCount = itemCount
  }
}

/// What a scenario is told of the run that it is set up for.
public struct ScenarioContext: Hashable, Sendable, Codable {
  /// Name of the strategy to set up, one of the scenario's.
  public var strategy: String
  /// Frames per second of the simulated display, 1/s.
  public var refreshRateHertz: Int
  /// Frames that run before the first recorded one.
  public var warmUpFrameCount: Int
  /// Recorded frames.
  public var frameCount: Int
  /// For all that is random in the scenario: every run must do the same work.
  public var seed: UInt64
  /// A recorded scroll that the user wants played instead of the scenario's own; nil: none was named.
  public var tracePath: String?

  public init(
    strategy: String, refreshRateHertz: Int, warmUpFrameCount: Int, frameCount: Int, seed: UInt64,
    tracePath: String? = nil
  ) {
    self.strategy = strategy
    self.refreshRateHertz = refreshRateHertz
    self.warmUpFrameCount = warmUpFrameCount
    self.frameCount = frameCount
    self.seed = seed
    self.tracePath = tracePath
  }

  /// Seconds per frame.
  public var timestep: Double { 1 / Double(refreshRateHertz) }
  /// Warm-up and recorded frames together.
  public var totalFrameCount: Int { warmUpFrameCount + frameCount }
}

/// One step of the loop, as its body sees it.
public struct Frame: Sendable {
  /// Counts from 0 at the first warm-up frame.
  public let index: Int
  /// Seconds.
  public let timestep: Double
  /// True for the frames before the first recorded one.
  public let isWarmUp: Bool

  public init(index: Int, timestep: Double, isWarmUp: Bool) {
    self.index = index
    self.timestep = timestep
    self.isWarmUp = isWarmUp
  }
}

/// A doubt about a measurement, which ends as a footnote of the report.
public struct Warning: Hashable, Sendable, Codable {
  /// What is doubtful, and what to do about it: one sentence or two.
  public var message: String
  /// The benchmark it concerns; nil: the whole run.
  public var benchmark: BenchmarkID?

  public init(_ message: String, benchmark: BenchmarkID? = nil) {
    self.message = message
    self.benchmark = benchmark
  }
}
