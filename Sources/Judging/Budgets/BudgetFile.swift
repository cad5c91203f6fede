import FrameBench
import Measurements
import TextFormat

/// The content of the budget file `springbench.yml`: limits for the costs of frames (docs/budgets.md).
package struct BudgetFile: Sendable, Equatable {
  package var path: String
  /// The refresh rate, in Hz, for which missed frames, overruns and hitches are computed.
  package var refreshRateHertz = 60.0
  /// The fraction of a frame period that the measured work may take, above 0 and up to 1.
  package var share = 1.0
  /// How many times slower the target device is than the machine that measures. Measured times are multiplied by this.
  package var cpuSlowdown = 1.0
  /// Whether a limit may be exceeded by the tolerance that the suite declares, as in the tool package-benchmark.
  package var isTolerant = false
  /// The devices in the order of the file, with unique names.
  package var devices: [TargetDevice] = []
  /// The rules in the order of the file. If several rules limit the same metric of a benchmark, the last one counts.
  package var rules: [BudgetRule] = []
  /// The acknowledgements (accepted regressions) in the order of the file, including expired ones. If several that have
  /// not expired cover a metric, the last one counts.
  package var acknowledgements: [Acknowledgement] = []

  /// Whether a rule is for this benchmark.
  package func hasRule(for id: BenchmarkID) -> Bool { rules.contains { $0.pattern.matches(id) } }

  /// The limit of a figure, converted to the speed of this machine, and its text. Nil if the figure has no limit, or if
  /// the limit cannot be converted.
  /// - Parameter column: The name of the figure in the history: `frameNanoseconds.solve.p50`.
  package func limit(of column: String, _ id: BenchmarkID) -> (value: Double, text: String)? {
    let limits = rules.filter { $0.pattern.matches(id) }.flatMap(\.limits)
    guard let name = FigureName(column), let bound = limits.last(where: { $0.key == .figure(name) })?.bound else {
      return nil
    }
    let metric = Metric.named(name.metric)
    // It is unknown how many more frames a slower machine misses, so a limit on missed frames cannot be converted.
    guard cpuSlowdown == 1 || metric?.isOfDisplay != true else { return nil }
    let own = metric?.value(bound.value, onMachineSlowerBy: 1 / cpuSlowdown) ?? bound.value
    let slowdown = own != bound.value ? " on a machine \(cpuSlowdown) times slower" : ""
    let text = "budget \(bound.direction == .atLeast ? "≥ " : "")\(bound.text)\(slowdown)"
    return (own, text)
  }

  /// Returns a device of the file by its name.
  /// - Throws: An error with the remedy if the file does not contain the device.
  package func device(named name: String) throws(BudgetError) -> TargetDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw BudgetError(
        message: devices.isEmpty
          ? "\(path) names no devices; add one below `devices:`, as docs/budgets.md shows"
          : Suggestion.remedy(for: name, among: devices.map(\.name), called: "\(path) has"))
    }
    return device
  }

  /// Returns the budgets with the refresh rate and the speed of one of `devices`.
  /// - Parameter score: How many steps of a fixed piece of work (the calibration kernel) the measuring machine does per
  ///   microsecond; nil if unknown.
  /// - Throws: An error if the file lacks the device, or if the device has a score but `score` is nil.
  package func targeting(_ name: String, machineScore score: Double?) throws(BudgetError) -> BudgetFile {
    let device = try device(named: name)
    var file = self
    if let rate = device.refreshRateHertz { file.refreshRateHertz = rate }
    switch device.speed {
    case .slowdown(let factor): file.cpuSlowdown = factor
    case .score(let own):
      guard let score else {
        throw BudgetError(message: "the run has no calibration to compare the score of \(name) with; measure it again")
      }
      file.cpuSlowdown = score / own
    }
    return file
  }

  /// Finds the acknowledgements that cover a figure of any of these benchmarks: the last one that has not expired, and
  /// the last one that has.
  /// - Parameter build: The baseline of the comparison; nil when a limit is checked.
  package func acknowledgement(
    of key: LimitKey, for ids: [BenchmarkID], on day: String, against build: BuildName? = nil
  ) -> (current: Acknowledgement?, expired: Acknowledgement?) {
    let matching = acknowledgements.filter {
      ids.contains(where: $0.pattern.matches) && $0.covers(key.fullName) && $0.holds(against: build)
    }
    return (matching.last { !$0.hasExpired(on: day) }, matching.last { $0.hasExpired(on: day) })
  }

  /// Checks the patterns of all rules and acknowledgements, and the strategies of ratios.
  /// - Throws: An error if a pattern matches no benchmark, or only benchmarks that a ratio does not compare.
  package func checkPatterns(_ known: [BenchmarkID]) throws(BudgetError) {
    let patterns = rules.map { ($0.pattern, $0.place) } + acknowledgements.map { ($0.pattern, $0.place) }
    for (pattern, place) in patterns where !known.contains(where: pattern.matches) {
      let near = Suggestion.nearest(to: pattern.description, among: known.map(\.description))
      let remedy = near.map { "did you mean \"\($0)\"?" } ?? "`springbench list` shows the ids"
      throw BudgetError(path: path, place: place, message: "\"\(pattern)\" matches no benchmark; \(remedy)")
    }
    for rule in rules {
      let strategies = known.filter(rule.pattern.matches).map(\.strategy).unique
      for limit in rule.limits {
        guard case .ratio(let above, let below, _) = limit.key, ![above, below].contains(where: strategies.contains)
        else { continue }
        let remedy = Suggestion.remedy(for: above, among: strategies, called: "it matches")
        throw BudgetError(
          path: path, place: limit.keyPlace,
          message: "\"\(rule.pattern)\" matches no benchmark of \(above) or \(below); \(remedy)")
      }
    }
  }
}

/// Limits for the benchmarks whose ids match a pattern.
package struct BudgetRule: Sendable, Equatable {
  /// The ids to which the limits apply. A pattern that matches no benchmark is reported as an error.
  package var pattern: IDPattern
  package var place: Place
  /// The limits in the order of the file, at least one, with unique keys.
  package var limits: [BudgetLimit]
}

package struct BudgetLimit: Sendable, Equatable {
  package var key: LimitKey
  package var bound: Bound
  package var place: Place
  /// The place of the key, for errors about a metric, phase or statistic that was not measured.
  package var keyPlace: Place

  package struct Bound: Sendable, Equatable {
    /// The raw values are the spellings in the file.
    package enum Direction: String, Sendable { case atMost = "<=", atLeast = ">=" }

    /// `atMost` if the file specifies no direction. A ratio has to specify one.
    package var direction: Direction
    /// The value in the metric's own unit: nanoseconds, bytes, or a number.
    package var value: Double
    /// The limit as it is written in the file, without the direction: `50us`.
    package var text: String

    package func admits(_ value: Double) -> Bool { direction == .atMost ? value <= self.value : value >= self.value }
  }
}

/// A regression that has been reviewed and accepted for a limited time.
package struct Acknowledgement: Sendable, Equatable {
  /// The ids that the acknowledgement covers. A pattern that matches no benchmark is reported as an error.
  package var pattern: IDPattern
  /// The figure, spelled as in limits. A name without a phase or statistic covers all phases or statistics.
  package var metric: String
  /// Why the regression is accepted. It is never blank in a file.
  package var reason: String
  /// The last day on which the regression is accepted, in UTC: `2027-01-31`.
  package var until: String
  /// The baseline that the regression is accepted against: its name, or the first digits of its commit's hash. Nil
  /// means any baseline.
  package var baseline: String?
  package var place: Place
  package var metricPlace: Place

  func covers(_ name: String) -> Bool { name == metric || name.hasPrefix(metric + ".") }

  /// Whether the entry applies to a comparison with this baseline.
  /// - Parameter build: The baseline of the comparison; nil when a limit is checked.
  func holds(against build: BuildName?) -> Bool {
    guard let baseline else { return true }
    return build?.name == baseline || build?.commit?.hasPrefix(baseline) ?? false
  }

  /// - Parameter day: The current day in UTC, in the format of `until`.
  package func hasExpired(on day: String) -> Bool { day > until }
}

/// A position in a file. Lines and columns are numbered from 1.
package struct Place: Sendable, Hashable {
  package var line: Int
  package var column: Int
}

/// A device that frames have to be fast enough for, as listed in a budget file.
package struct TargetDevice: Sendable, Equatable {
  package enum Speed: Sendable, Equatable {
    /// The device is this many times slower than the machine that measures.
    case slowdown(Double)
    /// How many steps of a fixed piece of work the device does per microsecond (docs/device/DeviceScore.swift).
    case score(Double)
  }

  package var name: String
  package var speed: Speed
  /// The refresh rate of the device's display, in Hz. Nil means that the rate of the file applies.
  package var refreshRateHertz: Double?
}

package struct BudgetError: Error, Equatable, CustomStringConvertible {
  /// The path of the file, for messages. Empty if the code that found the fault does not know the file.
  package var path: String
  /// Where the fault is; nil if it concerns the whole file.
  package var place: Place?
  /// What is wrong and what to do, in one line.
  package var message: String

  package init(path: String = "", place: Place? = nil, message: String) {
    (self.path, self.place, self.message) = (path, place, message)
  }

  /// For example, `springbench.yml:7:12: …`.
  package var description: String {
    place.map { "\(path):\($0.line):\($0.column): \(message)" } ?? "\(path): \(message)"
  }
}

/// A pattern for ids, whose parts are separated by slashes. `*` matches any characters within a part, `**` matches any
/// number of parts, and `?` matches one character.
package struct IDPattern: Sendable, Hashable, CustomStringConvertible {
  package let description: String
  private let parts: [[Character]]

  /// Makes a pattern from any text. A text without `*` and `?` matches only itself.
  package init(_ text: String) {
    description = text
    parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
  }

  package func matches(_ id: BenchmarkID) -> Bool { matches(id.description) }

  /// Whether the pattern matches the whole text, which need not be an id.
  func matches(_ text: String) -> Bool {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return Self.match(parts, segments) { pattern, segment in
      if pattern == ["*", "*"] { return nil }
      return Self.match(pattern, segment) { $0 == "*" ? nil : $0 == "?" || $0 == $1 }
    }
  }

  /// - Parameter matches: Whether an element of the pattern matches an element of the text; nil if it matches any
  ///   number of elements. At the end of the text, both arguments are the pattern's element.
  private static func match<Element>(_ pattern: [Element], _ text: [Element], by matches: (Element, Element) -> Bool?)
    -> Bool
  {
    var (index, position) = (0, 0)
    var wildcard: (index: Int, end: Int)?
    while position < text.count {
      switch index < pattern.count ? matches(pattern[index], text[position]) : false {
      case nil:
        wildcard = (index, position)
        index += 1
      case true?: (index, position) = (index + 1, position + 1)
      case false?:
        // The last wildcard takes one more element. Earlier ones need not, because the last one can take the rest.
        guard let last = wildcard else { return false }
        wildcard = (last.index, last.end + 1)
        (index, position) = (last.index + 1, last.end + 1)
      }
    }
    return pattern[index...].allSatisfy { matches($0, $0) == nil }
  }
}
