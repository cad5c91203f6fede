import Measurements
import TextFormat

/// Words for figures by the name of their column: `frameNanoseconds.solve.p50`.
package enum FigureText {
  /// What a column counts in.
  package enum Quantity: String, Sendable, Hashable {
    case time, bytes, count, points

    package init(_ unit: Metric.Unit) {
      self =
        switch unit {
        case .nanoseconds: .time
        case .bytes: .bytes
        case .points: .points
        case .bytesPerSecond: .bytes
        case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: .count
        }
    }

    /// A value with its unit: `16.5 µs`.
    package func text(_ value: Double) -> String {
      let sign = value < 0 ? "-" : ""
      switch self {
      case .time: return sign + TimeUnit.text(abs(value))
      case .bytes: return sign + ByteUnit.text(abs(value))
      case .count: return Format.count(value)
      case .points: return "\(Format.significant(value)) pt"
      }
    }
  }

  /// `frame time, p50`, `allocations in solve, mean`; names of scenarios' own counters as they are.
  package static func name(_ column: String) -> String {
    guard let figure = FigureName(column), let statistic = figure.statistic else { return column }
    let metric = Metric.named(figure.metric, declared: nil)
    let name = metric == .frameTime && figure.phase != nil ? "time" : metric.title
    return name + (figure.phase.map { " in \($0)" } ?? "")
      + (statistic == .total ? "" : ", \(statistic.rawValue)")
  }

  /// A value with its unit: `16.5 µs`.
  static func text(_ value: Double, _ unit: Metric.Unit) -> String { Quantity(unit).text(value) }

  /// `+5.0%`, `-12%`, `±0.01%` for less than that; the difference itself where there is nothing to divide by.
  package static func change(_ before: Double, _ after: Double, _ quantity: Quantity) -> String {
    guard before != after else { return "=" }
    let sign = after > before ? "+" : "-"
    guard before > 0 else { return sign + quantity.text(abs(after - before)) }
    let fraction = abs(after / before - 1)
    return fraction < 0.000_1 ? "±0.01%" : sign + Format.percent(fraction)
  }
}
