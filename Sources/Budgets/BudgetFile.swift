/// What frames may cost: the content of `springbench.yml`. docs/budgets.md describes it.
public struct BudgetFile: Sendable, Equatable {
  /// As it is named in messages.
  public var path: String
  /// Frames per second of the display that missed frames, overruns and hitches are of, 1/s.
  public var refreshRateHertz: Double
  /// The part of a frame period that the measured work may take, above 0 and up to 1.
  public var share: Double
  /// How many times slower the target device is than the machine that measures; times are multiplied.
  public var cpuSlowdown: Double
  /// In the order of the file. Where several set a limit for the same metric of a benchmark, the last does.
  public var rules: [BudgetRule]
  /// In the order of the file, expired ones too. Of several that still cover a metric, the last counts.
  public var acknowledgements: [Acknowledgement]

  public init(
    path: String, refreshRateHertz: Double = 60, share: Double = 1, cpuSlowdown: Double = 1,
    rules: [BudgetRule] = [], acknowledgements: [Acknowledgement] = []
  ) {
    self.path = path
    self.refreshRateHertz = refreshRateHertz
    self.share = share
    self.cpuSlowdown = cpuSlowdown
    self.rules = rules
    self.acknowledgements = acknowledgements
  }
}

/// Limits for the benchmarks whose ids match a pattern.
public struct BudgetRule: Sendable, Equatable {
  /// Of the ids that the limits are for. One that matches no benchmark is a mistake.
  public var pattern: IDPattern
  /// Of the pattern.
  public var place: Place
  /// In the order of the file, at least one, each for another key.
  public var limits: [BudgetLimit]
}

/// One limit of a rule.
public struct BudgetLimit: Sendable, Equatable {
  public var key: LimitKey
  public var bound: Bound
  /// Of the bound.
  public var place: Place
  /// Of the key, where a metric, phase or statistic that nothing measures is reported.
  public var keyPlace: Place

  /// What a value may be at most, or must be at least.
  public struct Bound: Sendable, Equatable {
    /// Raw values are as the file writes them.
    public enum Direction: String, Sendable { case atMost = "<=", atLeast = ">=" }

    /// `atMost` where the file writes neither; a ratio has to say which.
    public var direction: Direction
    /// In the metric's own unit: nanoseconds, bytes, or a number.
    public var value: Double
    /// As it is written in the file, behind the direction: `50us`.
    public var text: String

    /// Whether a value satisfies the bound.
    public func admits(_ value: Double) -> Bool {
      switch direction {
      case .atMost: value <= self.value
      case .atLeast: value >= self.value
      }
    }
  }
}

/// A regression that somebody has looked at and accepts, for a time.
public struct Acknowledgement: Sendable, Equatable {
  /// Of the ids that it covers. One that matches no benchmark is a mistake.
  public var pattern: IDPattern
  /// The metric, as limits name it, or the name of a metric alone for all of its phases and statistics.
  public var metric: String
  /// Why it is accepted, in the words of the file; never blank there.
  public var reason: String
  /// The last day on which it counts, `2027-01-31`, UTC.
  public var until: String
  /// Of the entry's `id`.
  public var place: Place
  /// Of the entry's `metric`.
  public var metricPlace: Place

  /// - Parameter name: With its statistic.
  func covers(_ name: String) -> Bool { name == metric || name.hasPrefix(metric + ".") }

  /// - Parameter day: Today, UTC, as `until` is written.
  public func hasExpired(on day: String) -> Bool { day > until }
}

/// Where in a file something stands; both count from 1.
public struct Place: Sendable, Hashable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// What is wrong with a budget file, and where.
public struct BudgetError: Error, Equatable, CustomStringConvertible {
  /// The file, as messages name it.
  public var path: String
  /// Nil for what is wrong with the file as a whole.
  public var place: Place?
  /// One line, with the remedy.
  public var message: String

  public init(path: String, place: Place?, message: String) {
    self.path = path
    self.place = place
    self.message = message
  }

  /// `springbench.yml:7:12: …`
  public var description: String {
    place.map { "\(path):\($0.line):\($0.column): \(message)" } ?? "\(path): \(message)"
  }
}
