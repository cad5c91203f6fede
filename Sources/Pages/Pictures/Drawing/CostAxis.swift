import TextFormat

/// The axis of frame costs: from 0 in equal steps where the costs lie within a factor of ten, else
/// logarithmic, so that what costs 300 ns can be read beside what costs 4 µs.
extension Axis {
  /// - Parameters:
  ///   - costs: Everything that is drawn, nanoseconds. A frame may read 0 once the cost of the clock is
  ///     taken off; it stands in a band of its own below a logarithmic axis.
  ///   - isLogarithmic: Nil: as the costs ask for.
  static func costs(_ costs: [Double], title: String, isLogarithmic: Bool? = nil) -> Axis {
    let positive = costs.filter { $0 > 0 && $0.isFinite }.map { min($0, longest) }
    guard let least = positive.min(), let most = positive.max() else {
      return Axis(.linear, 0...1, ticks: [Tick(value: 0, label: "0")], title: title)
    }
    let wantsLogarithm = isLogarithmic ?? (most / least > 10)
    guard wantsLogarithm, least >= 1e-9 else { return linearCosts(to: most, title: title) }
    // A little room on either side: a line on the edge of the plot looks cut off.
    let domain = NiceNumbers.rounded((least * 0.9)...(most * 1.1))
    let values = NiceNumbers.logarithmic(domain)
    let hasZero = costs.contains { $0 <= 0 }
    let ticks =
      (hasZero ? [Tick(value: 0, label: "0")] : []) + values.map { Tick(value: $0, label: cost($0)) }
    return Axis(
      .logarithmic, domain, ticks: ticks, title: title + ", log scale",
      hasZero: hasZero)
  }

  /// Nanoseconds, some thirty years: no frame, but what a broken file may hold. It stands at the upper end.
  private static let longest = 1e18

  private static func linearCosts(to most: Double, title: String) -> Axis {
    let unit = TimeUnit.fitting([most])
    let values = NiceNumbers.linear(to: most / unit.scale)
    let ticks = values.map { value in
      Tick(value: value * unit.scale, label: value == 0 ? "0" : "\(Format.count(value)) \(unit.symbol)")
    }
    return Axis(.linear, 0...(values[values.count - 1] * unit.scale), ticks: ticks, title: title)
  }

  /// `300 ns`, `5 µs`: a value of an axis, in the unit that makes it short.
  private static func cost(_ nanoseconds: Double) -> String {
    let unit = TimeUnit.allCases.last { $0.scale <= nanoseconds * (1 + 1e-9) } ?? .nanoseconds
    return "\(Format.count(nanoseconds / unit.scale)) \(unit.symbol)"
  }
}
