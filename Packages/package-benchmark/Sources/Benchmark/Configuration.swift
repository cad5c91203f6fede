extension Benchmark {
  /// How a benchmark is measured there, and what of it counts here.
  public struct Configuration {
    /// Those that springbench measures appear in its report, whether they are named here or not.
    public var metrics: [BenchmarkMetric]
    /// Part of the name, and tags of springbench's: `--tag size=10`.
    public var tags: [String: String]
    /// Accepted, and not used: reports choose units themselves.
    public var timeUnits: BenchmarkTimeUnits
    /// Accepted, and not used.
    public var units: [BenchmarkMetric: BenchmarkUnits]
    /// Calls before the first that counts.
    public var warmupIterations: Int
    /// Iterations of the loop in a call.
    public var scalingFactor: BenchmarkScalingFactor
    /// Time of a run at most.
    public var maxDuration: Duration
    /// Calls of a run at most.
    public var maxIterations: Int
    /// Whether the benchmark is left out.
    public var skip: Bool
    /// How far figures may be from each other, or from those in a file.
    public var thresholds: [BenchmarkMetric: BenchmarkThresholds]?
    /// Runs before the benchmark's own set-up.
    public var setup: BenchmarkSetupHook?
    /// Runs after the benchmark's own tear-down.
    public var teardown: BenchmarkTeardownHook?

    /// Takes what is not given from `Benchmark.defaultConfiguration`.
    public init(
      metrics: [BenchmarkMetric] = defaultConfiguration.metrics, tags: [String: String] = defaultConfiguration.tags,
      timeUnits: BenchmarkTimeUnits = defaultConfiguration.timeUnits,
      units: [BenchmarkMetric: BenchmarkUnits] = defaultConfiguration.units,
      warmupIterations: Int = defaultConfiguration.warmupIterations,
      scalingFactor: BenchmarkScalingFactor = defaultConfiguration.scalingFactor,
      maxDuration: Duration = defaultConfiguration.maxDuration, maxIterations: Int = defaultConfiguration.maxIterations,
      skip: Bool = defaultConfiguration.skip,
      thresholds: [BenchmarkMetric: BenchmarkThresholds]? = defaultConfiguration.thresholds,
      setup: BenchmarkSetupHook? = nil, teardown: BenchmarkTeardownHook? = nil
    ) {
      self.metrics = metrics
      self.tags = tags
      self.timeUnits = timeUnits
      self.units = units
      self.warmupIterations = warmupIterations
      self.scalingFactor = scalingFactor
      self.maxDuration = maxDuration
      self.maxIterations = maxIterations
      self.skip = skip
      self.thresholds = thresholds
      self.setup = setup
      self.teardown = teardown
    }
  }
}

/// Iterations of the loop in a call.
public enum BenchmarkScalingFactor: Int, Codable, Sendable, CaseIterable {
  case one = 1
  case kilo = 1_000
  case mega = 1_000_000
  case giga = 1_000_000_000
  case tera = 1_000_000_000_000
  case peta = 1_000_000_000_000_000
}

/// Units of times.
public enum BenchmarkTimeUnits: String, Codable, Sendable, CaseIterable {
  case nanoseconds, microseconds, milliseconds, seconds, kiloseconds, megaseconds, automatic
}

/// Units of counts.
public enum BenchmarkUnits: Int, Codable, Sendable, CaseIterable {
  case count = 1
  case kilo = 1_000
  case mega = 1_000_000
  case giga = 1_000_000_000
  case tera = 1_000_000_000_000
  case peta = 1_000_000_000_000_000
  case automatic
}
