extension Benchmark {
  /// The settings of package-benchmark for a benchmark. Some of them have no effect in springbench.
  public struct Configuration {
    /// The requested metrics. springbench reports all metrics that it measures, even if they are not listed here.
    /// Custom metrics must be listed.
    public var metrics: [BenchmarkMetric]
    /// Tags, which are part of the name. They are also tags of springbench: `--tag size=10`.
    public var tags: [String: String]
    /// This setting has no effect, because springbench's reports choose the units.
    public var timeUnits: BenchmarkTimeUnits
    /// This setting has no effect.
    public var units: [BenchmarkMetric: BenchmarkUnits]
    /// The number of calls before the first call that counts, at most 100 in springbench.
    public var warmupIterations: Int
    /// The number of `Benchmark.scaledIterations` in a call.
    public var scalingFactor: BenchmarkScalingFactor
    /// The maximum time of a run. springbench takes at most 0.1 s.
    public var maxDuration: Duration
    /// The maximum number of calls in a run. In springbench, a run has at most 1,000 frames.
    public var maxIterations: Int
    /// Whether the benchmark is left out.
    public var skip: Bool
    /// How far metrics may differ from an earlier measurement, or from the figures in a threshold file.
    public var thresholds: [BenchmarkMetric: BenchmarkThresholds]?
    /// Runs before the benchmark's own set-up.
    public var setup: BenchmarkSetupHook?
    /// Runs after the benchmark's own tear-down.
    public var teardown: BenchmarkTeardownHook?

    /// Creates a configuration. Settings that are not given come from `Benchmark.defaultConfiguration`.
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

/// The possible numbers of `Benchmark.scaledIterations` in a call.
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
