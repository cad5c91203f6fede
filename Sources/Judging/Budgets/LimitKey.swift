import Foundation
import Measurements

package enum LimitKey: Sendable, Hashable, CustomStringConvertible {
  /// A figure of a benchmark, with its statistic, as `springbench run --json` names it: `frameNanoseconds.solve.p99`.
  case figure(FigureName)
  /// The exponent k in cost ~ size^k, fitted to the median frame times of all sizes of a scenario and strategy.
  case growthExponent
  /// The frame cost of one strategy divided by the frame cost of another strategy at the same size.
  case ratio(of: String, to: String, statistic: FlatRow.Statistic)

  /// The name in reports: `frameNanoseconds.solve.p99`. The statistic is omitted where a budget file may omit it.
  package var description: String {
    switch self {
    case .figure(let name) where name.phase == nil && name.statistic == Self.usual(name) && !Self.isOfFrames(name):
      name.metric
    case .ratio(let above, let below, .p50): "ratio.\(above)/\(below)"
    default: fullName
    }
  }

  /// The name including the statistic, so that all spellings of a key have the same full name.
  var fullName: String {
    switch self {
    case .figure(let name): name.description
    case .growthExponent: "growthExponent"
    case .ratio(let above, let below, let statistic): "ratio.\(above)/\(below).\(statistic.rawValue)"
    }
  }

  static func parse(_ text: String) throws(BudgetError) -> LimitKey {
    if text == "growthExponent" { return .growthExponent }
    if text.hasPrefix("ratio.") { return try parseRatio(text) }
    guard var name = FigureName(text) else {
      throw BudgetError(message: "\"\(text)\" is not the name of a limit; \(grammar)")
    }
    guard name.metric != Metric.checksum.name else {
      throw BudgetError(message: "a checksum has no limit; `springbench gate --baseline` compares checksums")
    }
    if name.statistic == nil {
      guard name.phase == nil else {
        throw BudgetError(message: "\"\(text)\" does not end in a statistic (\(statistics)); \(grammar)")
      }
      guard !isOfFrames(name) else {
        throw BudgetError(
          message: "\(text) is measured for every frame: choose a statistic, as in \(text).p99 (\(statistics))")
      }
      name.statistic = usual(name)
    }
    return .figure(name)
  }

  private static func parseRatio(_ text: String) throws(BudgetError) -> LimitKey {
    let parts = text.dropFirst("ratio.".count).split(separator: ".", omittingEmptySubsequences: false)
    let strategies = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard strategies.count == 2, strategies.allSatisfy({ !$0.isEmpty }), parts.count <= 2 else {
      throw BudgetError(
        message: "\"\(text)\" does not name two strategies; write ratio.naive/tiled or ratio.naive/tiled.p99")
    }
    guard strategies[0] != strategies[1] else {
      throw BudgetError(message: "\"\(text)\" compares \(strategies[0]) with itself; name two strategies")
    }
    guard parts.count == 2 else { return .ratio(of: strategies[0], to: strategies[1], statistic: .p50) }
    guard let statistic = FlatRow.Statistic(rawValue: String(parts[1])), statistic != .total else {
      throw BudgetError(message: "\"\(text)\" ends in \"\(parts[1])\"; write p50, p90, p99, max or mean")
    }
    return .ratio(of: strategies[0], to: strategies[1], statistic: statistic)
  }

  /// The statistic that a limit means if it names none: the p50 for a rate, and the total for other figures.
  private static func usual(_ name: FigureName) -> FlatRow.Statistic {
    Metric.named(name.metric)?.isRate == true ? .p50 : .total
  }

  /// Whether a limit on the metric has to name a statistic.
  private static func isOfFrames(_ name: FigureName) -> Bool {
    [Metric.frameTime, .rawFrameTime, .allocationCount, .allocatedBytes].contains { $0.name == name.metric }
  }

  private static var statistics: String { FlatRow.Statistic.allCases.map(\.rawValue).joined(separator: ", ") }

  private static let grammar = "write METRIC.STATISTIC or METRIC.PHASE.STATISTIC, as in frameNanoseconds.solve.p99"

  /// The unit of the key's values. Nil for a counter, because only a run knows its unit.
  var unit: Metric.Unit? {
    switch self {
    case .figure(let name): Metric.named(name.metric)?.unit
    case .growthExponent, .ratio: .count
    }
  }
}

extension Metric.Unit {
  /// The units in which a limit may be written, each with the factor that converts it to the metric's own unit, and
  /// examples of limits.
  private var limitSyntax: (units: [(name: String, factor: Double)], examples: String) {
    switch self {
    case .nanoseconds:
      ([("ns", 1), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)], "50us, 8.33ms or 0")
    case .bytes, .bytesPerSecond:
      (
        [
          ("B", 1), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("KiB", 1024), ("MiB", 1_048_576),
          ("GiB", 1_073_741_824),
        ], "512B, 64KiB, 2MiB or 0"
      )
    case .count, .points, .items, .itemsPerSecond, .hexadecimal:
      ([("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)], "0, 3 or 1.5")
    case .hitchRatio: ([("", 1), ("ms/s", 1)], "5 or 5ms/s")
    }
  }

  /// Reads the limit of a counter in any unit, because only a run knows the counter's own unit.
  static func anyLimit(_ text: String) throws(BudgetError) -> BudgetLimit.Bound {
    for unit in [Metric.Unit.nanoseconds, .bytes] { if let bound = try? unit.limit(text) { return bound } }
    return try Metric.Unit.count.limit(text)
  }

  func limit(_ text: String) throws(BudgetError) -> BudgetLimit.Bound {
    let (known, examples) = limitSyntax
    var rest = Substring(text.trimmingCharacters(in: .whitespaces))
    var direction = BudgetLimit.Bound.Direction.atMost
    if let written = [BudgetLimit.Bound.Direction.atMost, .atLeast].first(where: { rest.hasPrefix($0.rawValue) }) {
      direction = written
      rest = rest.dropFirst(2).drop { $0 == " " }
    }
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
    let unit = rest.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
    guard let number = Double(digits.filter { $0 != "_" }), number.isFinite else {
      throw BudgetError(message: "\"\(text)\" is not a limit; write a number and its unit, as in \(examples)")
    }
    if unit.isEmpty, !known.contains(where: { $0.name.isEmpty }), number != 0 {
      throw BudgetError(message: "\(digits) has no unit; write it, as in \(examples)")
    }
    let factor = unit.isEmpty ? 1 : known.first { $0.name == unit }?.factor
    guard let factor else {
      let names = known.map(\.name).filter { !$0.isEmpty && $0 != "μs" && $0 != "KB" }
      throw BudgetError(
        message:
          "\"\(unit)\" is not a unit of this metric; the units are \(names.joined(separator: ", ")), as in \(examples)")
    }
    return BudgetLimit.Bound(direction: direction, value: number * factor, text: String(rest))
  }

  /// The value in the syntax of a limit. A number below 100 is rounded to three digits, a larger one to a whole number.
  func limitText(_ value: Double) -> String {
    switch self {
    case .nanoseconds, .bytes, .bytesPerSecond:
      guard value != 0 else { return "0" }
      let units = limitSyntax.units.filter { Self.writtenUnits.contains($0.name) }
      let (name, factor) = units.last { abs(value) >= $0.factor } ?? units[0]
      return Self.rounded(value / factor) + name
    case .count, .points, .items, .itemsPerSecond, .hexadecimal: return Self.rounded(value)
    case .hitchRatio: return Self.rounded(value) + "ms/s"
    }
  }

  private static let writtenUnits: Set = ["ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB"]

  private static func rounded(_ value: Double) -> String {
    // The difference between equal numbers may be a rounding error instead of 0.
    if abs(value) < 1e-9 { return "0" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    return String(format: abs(value) >= 100 ? "%.0f" : abs(value) >= 10 ? "%.1f" : "%.3g", value)
  }
}
