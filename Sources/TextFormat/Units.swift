/// A unit that a row of figures shares, so that the figures compare at a glance.
package protocol ScaledUnit: CaseIterable {
  var symbol: String { get }
  /// Size of the unit in the unit that is measured in.
  var scale: Double { get }
}

extension ScaledUnit {
  /// The unit for figures that stand side by side: the largest in which the middle between the least
  /// and the greatest, on a logarithmic scale, is at least 1. So 163 µs beside 379 ns reads 163 and
  /// 0.379, not 163,000 and 379.
  package static func fitting(_ values: [Double]) -> Self {
    let middle = middle(values)
    var fitting = allCases[allCases.startIndex]
    for unit in allCases where unit.scale <= middle { fitting = unit }
    return fitting
  }

  /// The unit of the rows around, so that figures compare downwards too, unless it would make these
  /// figures hard to read.
  package static func fitting(_ values: [Double], near unit: Self?) -> Self {
    guard let unit else { return fitting(values) }
    let isReadable = (0.01..<100_000).contains(middle(values) / unit.scale)
    return isReadable ? unit : fitting(values)
  }

  private static func middle(_ values: [Double]) -> Double {
    let positive = values.filter { $0 > 0 }
    return (positive.min() ?? 0).squareRoot() * (positive.max() ?? 0).squareRoot()
  }

  /// To three significant digits, without the unit.
  package func number(_ value: Double) -> String { Format.significant(value / scale) }

  /// With a unit of its own: `16.5 µs`.
  package static func text(_ value: Double) -> String {
    // What rounds to 1,000 µs reads 1.00 ms.
    let unit = fitting([value * 1_000 / 999.5])
    return "\(unit.number(value)) \(unit.symbol)"
  }
}

/// Scales of nanoseconds.
package enum TimeUnit: ScaledUnit {
  case nanoseconds, microseconds, milliseconds, seconds

  package var symbol: String {
    switch self {
    case .nanoseconds: "ns"
    case .microseconds: "µs"
    case .milliseconds: "ms"
    case .seconds: "s"
    }
  }

  package var scale: Double {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1e3
    case .milliseconds: 1e6
    case .seconds: 1e9
    }
  }
}

/// Scales of bytes.
package enum ByteUnit: ScaledUnit {
  case bytes, kibibytes, mebibytes, gibibytes

  package var symbol: String {
    switch self {
    case .bytes: "B"
    case .kibibytes: "KiB"
    case .mebibytes: "MiB"
    case .gibibytes: "GiB"
    }
  }

  package var scale: Double {
    switch self {
    case .bytes: 1
    case .kibibytes: 1_024
    case .mebibytes: 1_048_576
    case .gibibytes: 1_073_741_824
    }
  }

  /// Whole bytes are exact and printed in full; larger units are rounded to three digits.
  package func number(_ value: Double) -> String {
    switch self {
    case .bytes: Format.count(value)
    case .kibibytes, .mebibytes, .gibibytes: Format.significant(value / scale)
    }
  }
}
