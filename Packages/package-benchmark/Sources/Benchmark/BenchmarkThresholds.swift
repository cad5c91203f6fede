/// How far a metric may differ from an earlier measurement, or from the figure in a threshold file.
public struct BenchmarkThresholds: Codable, Sendable {
  /// A difference in percent.
  public typealias RelativeThreshold = Double
  /// A difference in the metric's unit.
  public typealias AbsoluteThreshold = Int
  public typealias RelativeThresholds = [BenchmarkResult.Percentile: RelativeThreshold]
  public typealias AbsoluteThresholds = [BenchmarkResult.Percentile: AbsoluteThreshold]

  public let relative: RelativeThresholds
  public let absolute: AbsoluteThresholds

  public init(relative: RelativeThresholds = Relative.none, absolute: AbsoluteThresholds = Absolute.none) {
    self.relative = relative
    self.absolute = absolute
  }

  public static var strict: BenchmarkThresholds { .init(relative: Relative.strict, absolute: Absolute.strict) }
  public static var `default`: BenchmarkThresholds { .init(relative: Relative.default, absolute: Absolute.default) }
  public static var relaxed: BenchmarkThresholds { .init(relative: Relative.relaxed, absolute: Absolute.relaxed) }
  public static var none: BenchmarkThresholds { .init() }

  /// The named thresholds of package-benchmark, in percent.
  public enum Relative {
    public static var strict: RelativeThresholds { [.p25: 0, .p50: 0, .p75: 0, .p90: 0, .p99: 0] }
    public static var `default`: RelativeThresholds { [.p25: 5, .p50: 5, .p75: 5] }
    public static var relaxed: RelativeThresholds { [.p50: 25] }
    public static var none: RelativeThresholds { [:] }
  }

  /// The named thresholds of package-benchmark, in the metric's unit.
  public enum Absolute {
    public static var strict: AbsoluteThresholds { [.p0: 0, .p25: 0, .p50: 0, .p75: 0, .p90: 0, .p99: 0] }
    public static var `default`: AbsoluteThresholds { [:] }
    public static var relaxed: AbsoluteThresholds {
      Dictionary(uniqueKeysWithValues: BenchmarkResult.Percentile.allCases.map { ($0, 10_000) })
    }
    public static var none: AbsoluteThresholds { [:] }
  }
}

/// The namespace in which suites find the percentiles.
public enum BenchmarkResult {
  public enum Percentile: Int, Codable, Sendable, CaseIterable { case p0, p25, p50, p75, p90, p99, p100 }
}

/// Times (in nanoseconds) and counts, as suites write them in thresholds.
extension Int {
  public static func hours(_ hours: Int) -> Int { minutes(60 * hours) }
  public static func minutes(_ minutes: Int) -> Int { seconds(60 * minutes) }
  public static func seconds(_ seconds: Int) -> Int { giga(seconds) }
  public static func milliseconds(_ milliseconds: Int) -> Int { mega(milliseconds) }
  public static func microseconds(_ microseconds: Int) -> Int { kilo(microseconds) }
  public static func nanoseconds(_ value: Int) -> Int { value }
  public static func nanoseconds(_ value: UInt) -> Int { Int(value) }
  public static func giga(_ value: Int) -> Int { value * 1_000_000_000 }
  public static func mega(_ value: Int) -> Int { value * 1_000_000 }
  public static func kilo(_ value: Int) -> Int { value * 1_000 }
  public static func count(_ value: Int) -> Int { value }
  public static func count(_ value: UInt) -> Int { Int(value) }
}
