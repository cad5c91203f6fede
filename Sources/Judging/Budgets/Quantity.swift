import Foundation
import Measurements

/// What a limit is counted in, and how it is written.
package enum Quantity: Sendable {
  case time, bytes, number, hitchRatio

  init(_ unit: Metric.Unit) {
    self =
      switch unit {
      case .nanoseconds: .time
      case .bytes: .bytes
      case .hitchRatio: .hitchRatio
      case .count, .points, .items, .itemsPerSecond, .hexadecimal: .number
      case .bytesPerSecond: .bytes
      }
  }

  /// Factor of each unit to the metric's own: nanoseconds, bytes, a number, ms/s.
  private var units: [(name: String, factor: Double)] {
    switch self {
    case .time: [("ns", 1), ("us", 1e3), ("µs", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9)]
    case .bytes:
      [
        ("B", 1), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("KiB", 1024), ("MiB", 1_048_576),
        ("GiB", 1_073_741_824),
      ]
    case .number: [("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)]
    case .hitchRatio: [("", 1), ("ms/s", 1)]
    }
  }

  private var examples: String {
    switch self {
    case .time: "50us, 8.33ms or 0"
    case .bytes: "512B, 64KiB, 2MiB or 0"
    case .number: "0, 3 or 1.5"
    case .hitchRatio: "5 or 5ms/s"
    }
  }

  /// As a limit of a counter is written, whose unit only a run says.
  static func parseAny(_ text: String) throws(LimitKey.KeyError) -> BudgetLimit.Bound {
    for quantity in [Quantity.time, .bytes] {
      if let bound = try? quantity.parse(text) { return bound }
    }
    return try Quantity.number.parse(text)
  }

  /// - Throws: A line that says what is wrong with it.
  func parse(_ text: String) throws(LimitKey.KeyError) -> BudgetLimit.Bound {
    var rest = Substring(text.trimmingCharacters(in: .whitespaces))
    var direction = BudgetLimit.Bound.Direction.atMost
    for written in [BudgetLimit.Bound.Direction.atMost, .atLeast] where rest.hasPrefix(written.rawValue) {
      direction = written
      rest = rest.dropFirst(2).drop { $0 == " " }
    }
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
    let unit = rest.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
    guard let number = Double(digits.filter { $0 != "_" }), number.isFinite else {
      throw .init("\"\(text)\" is not a limit; write a number and its unit, as in \(examples)")
    }
    let known = units
    if unit.isEmpty, !known.contains(where: { $0.name.isEmpty }), number != 0 {
      throw .init("\(digits) has no unit; write it, as in \(examples)")
    }
    let factor = unit.isEmpty ? 1 : known.first { $0.name == unit }?.factor
    guard let factor else {
      let names = known.map(\.name).filter { !$0.isEmpty && $0 != "μs" && $0 != "KB" }
      throw .init(
        "\"\(unit)\" is not a unit of this metric; the units are \(names.joined(separator: ", ")), as in \(examples)"
      )
    }
    return BudgetLimit.Bound(direction: direction, value: number * factor, text: String(rest))
  }

  /// A value as a limit would be written, to three digits.
  func text(_ value: Double) -> String {
    switch self {
    case .time: Self.scaled(value, [("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1)])
    case .bytes: Self.scaled(value, [("GiB", 1_073_741_824), ("MiB", 1_048_576), ("KiB", 1024), ("B", 1)])
    case .number: Self.rounded(value)
    case .hitchRatio: Self.rounded(value) + "ms/s"
    }
  }

  private static func scaled(_ value: Double, _ units: [(String, Double)]) -> String {
    guard value != 0 else { return "0" }
    let (name, factor) = units.first { abs(value) >= $0.1 } ?? units[units.count - 1]
    return rounded(value / factor) + name
  }

  private static func rounded(_ value: Double) -> String {
    // What is left of equal numbers by rounding is not a figure.
    if abs(value) < 1e-9 { return "0" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    return String(format: abs(value) >= 100 ? "%.0f" : abs(value) >= 10 ? "%.1f" : "%.3g", value)
  }
}
