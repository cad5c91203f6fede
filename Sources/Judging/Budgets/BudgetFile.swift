/// What frames may cost: the content of `springbench.yml`. docs/budgets.md describes it.
package struct BudgetFile: Sendable, Equatable {
  /// As it is named in messages.
  package var path: String
  /// Refresh rate of the display for missed frames, overruns and hitches, 1/s.
  package var refreshRateHertz: Double
  /// The part of a frame period that the measured work may take, above 0 and up to 1.
  package var share: Double
  /// How many times slower the target device is than the machine that measures; times are multiplied.
  package var cpuSlowdown: Double
  /// In the order of the file, each with another name.
  package var devices: [TargetDevice] = []
  /// In the order of the file. If several set a limit for the same metric of a benchmark, the last one
  /// counts.
  package var rules: [BudgetRule]
  /// In the order of the file, expired ones too. Of several that still cover a metric, the last counts.
  package var acknowledgements: [Acknowledgement]

  package init(
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
package struct BudgetRule: Sendable, Equatable {
  /// Of the ids that the limits are for. One that matches no benchmark is a mistake.
  package var pattern: IDPattern
  /// Of the pattern.
  package var place: Place
  /// In the order of the file, at least one, each for another key.
  package var limits: [BudgetLimit]
}

/// One limit of a rule.
package struct BudgetLimit: Sendable, Equatable {
  package var key: LimitKey
  package var bound: Bound
  /// Of the bound.
  package var place: Place
  /// Of the key, where a metric, phase or statistic that nothing measures is reported.
  package var keyPlace: Place

  /// What a value may be at most, or must be at least.
  package struct Bound: Sendable, Equatable {
    /// Raw values are as the file writes them.
    package enum Direction: String, Sendable { case atMost = "<=", atLeast = ">=" }

    /// `atMost` if the file has neither; a ratio has to say which.
    package var direction: Direction
    /// In the metric's own unit: nanoseconds, bytes, or a number.
    package var value: Double
    /// As it is written in the file, behind the direction: `50us`.
    package var text: String

    /// Whether a value satisfies the bound.
    package func admits(_ value: Double) -> Bool {
      switch direction {
      case .atMost: value <= self.value
      case .atLeast: value >= self.value
      }
    }
  }
}

/// A regression that has been reviewed and accepted for a limited time.
package struct Acknowledgement: Sendable, Equatable {
  /// Of the ids that it covers. One that matches no benchmark is a mistake.
  package var pattern: IDPattern
  /// The metric, as limits name it, or the name of a metric alone for all of its phases and statistics.
  package var metric: String
  /// Why it is accepted, as the file says; never blank there.
  package var reason: String
  /// The last day on which it is accepted, `2027-01-31`, UTC.
  package var until: String
  /// Of the entry's `id`.
  package var place: Place
  /// Of the entry's `metric`.
  package var metricPlace: Place

  /// - Parameter name: With its statistic.
  func covers(_ name: String) -> Bool { name == metric || name.hasPrefix(metric + ".") }

  /// - Parameter day: Today, UTC, as `until` is written.
  package func hasExpired(on day: String) -> Bool { day > until }
}

/// Where in a file something stands; both count from 1.
package struct Place: Sendable, Hashable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// What is wrong with a budget file, and where.
package struct BudgetError: Error, Equatable, CustomStringConvertible {
  /// The file, as messages name it.
  package var path: String
  /// Nil for what is wrong with the file as a whole.
  package var place: Place?
  /// One line, with the remedy.
  package var message: String

  package init(path: String, place: Place?, message: String) {
    self.path = path
    self.place = place
    self.message = message
  }

  /// `springbench.yml:7:12: …`
  package var description: String {
    place.map { "\(path):\($0.line):\($0.column): \(message)" } ?? "\(path): \(message)"
  }
}
