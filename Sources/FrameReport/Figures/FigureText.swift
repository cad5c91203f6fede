import TextFormat

/// Words for figures by the name of their column: `frameNanoseconds.solve.p50`.
package enum FigureText {
  /// What a column counts in.
  package enum Quantity: String, Sendable, Hashable {
    case time, bytes, count, points

    /// Of a column or a metric.
    package init(_ column: String) {
      let metric = column.prefix { $0 != "." }
      self =
        metric.hasSuffix("Nanoseconds")
        ? .time : metric.hasSuffix("Bytes") ? .bytes : metric.hasSuffix("Points") ? .points : .count
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
    let parts = column.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let metric = parts.first, parts.count > 1, let statistic = parts.last else { return column }
    let phase = parts.dropFirst().dropLast().joined(separator: ".")
    let known = [
      "frameNanoseconds": "frame time", "allocationCount": "allocations", "allocatedBytes": "bytes allocated",
      "instructionCount": "instructions", "hardwareInstructionCount": "hardware instructions",
      "peakResidentBytes": "peak memory", "liveHeapBytes": "live heap", "activeItems": "active items",
      "springEvaluations": "springs evaluated", "deviationPoints": "deviation",
    ]
    let name = metric == "frameNanoseconds" && !phase.isEmpty ? "time" : known[metric] ?? metric
    return name + (phase.isEmpty ? "" : " in \(phase)") + (statistic == "total" ? "" : ", \(statistic)")
  }

  /// `+5.0%`, `-12%`, `±0.01%` for less than that; the difference itself where there is nothing to divide by.
  package static func change(_ before: Double, _ after: Double, _ quantity: Quantity) -> String {
    guard before != after else { return "=" }
    let sign = after > before ? "+" : "-"
    guard before > 0 else { return sign + quantity.text(abs(after - before)) }
    let fraction = abs(after / before - 1)
    return fraction < 0.000_1 ? "±0.01%" : sign + Format.percent(fraction)
  }
}
