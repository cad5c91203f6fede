import Foundation
import Measurements
import TextFormat

/// One axis of a chart. It determines the positions of values, and has labels at its ticks.
package struct Axis: Sendable {
  package enum Kind: Sendable, Hashable {
    case linear
    case logarithmic
    /// A scale for fractions below 1. It is logarithmic in 1 - fraction, so 0.9, 0.99 and 0.999 are equidistant.
    case tail
  }

  package struct Tick: Sendable, Hashable {
    package var value: Double
    package var label: String
    /// Whether this label is left out before others if there is not room for all labels.
    package var isMinor = false

    package init(value: Double, label: String, isMinor: Bool = false) {
      (self.value, self.label, self.isMinor) = (value, label, isMinor)
    }
  }

  package let kind: Kind
  package let lower: Double
  package let upper: Double
  package var ticks: [Tick]
  package let title: String
  /// The fraction of a logarithmic axis that is reserved for the value 0, below its lower end. Nil if no value is 0.
  package let zeroBand: Double?

  package init(_ kind: Kind, _ domain: ClosedRange<Double>, ticks: [Tick], title: String, hasZero: Bool = false) {
    precondition(domain.lowerBound < domain.upperBound, "an axis from \(domain.lowerBound) to itself")
    precondition(kind != .logarithmic || domain.lowerBound > 0, "a logarithmic axis from \(domain.lowerBound)")
    (self.kind, self.ticks, self.title) = (kind, ticks, title)
    (lower, upper) = (domain.lowerBound, domain.upperBound)
    zeroBand = kind == .logarithmic && hasZero ? 0.08 : nil
  }

  /// The position of a value, from 0 at the lower end to 1 at the upper end. Values beyond the ends are clamped.
  package func fraction(_ value: Double) -> Double {
    let clamped = min(max(value, lower), upper)
    let fraction =
      switch kind {
      case .linear: (clamped - lower) / (upper - lower)
      case .logarithmic: log(clamped / lower) / log(upper / lower)
      case .tail: log((1 - lower) / (1 - clamped)) / log((1 - lower) / (1 - upper))
      }
    guard let zeroBand else { return fraction }
    return value <= 0 ? 0 : zeroBand + (1 - zeroBand) * fraction
  }

  /// The axis of costs in nanoseconds. It starts at 0 if the costs are within a factor of ten. Otherwise it is
  /// logarithmic, and has a band for 0 at its lower end if a cost is 0. `isLogarithmic` overrides this choice.
  package static func costs(_ costs: [Double], title: String, isLogarithmic: Bool? = nil) -> Axis {
    // 1e18 ns are about thirty years. Longer times occur only in broken files, and are drawn at the upper end.
    let positive = costs.filter { $0 > 0 && $0.isFinite }.map { min($0, 1e18) }
    guard let least = positive.min(), let most = positive.max() else {
      return Axis(.linear, 0...1, ticks: [Tick(value: 0, label: "0")], title: title)
    }
    guard isLogarithmic ?? (most / least > 10), least >= 1e-9 else {
      let unit = TimeUnit.fitting([most])
      let values = NiceNumbers.linear(to: most / unit.scale)
      let ticks = values.map { value in
        Tick(value: value * unit.scale, label: value == 0 ? "0" : "\(Format.count(value)) \(unit.symbol)")
      }
      return Axis(.linear, 0...(values[values.count - 1] * unit.scale), ticks: ticks, title: title)
    }
    // Leaves a little room on either side, because a line on the edge of the plot looks cut off.
    let domain = NiceNumbers.rounded((least * 0.9)...(most * 1.1))
    let values = NiceNumbers.logarithmic(domain)
    let hasZero = costs.contains { $0 <= 0 }
    let ticks = (hasZero ? [Tick(value: 0, label: "0")] : []) + values.map { Tick(value: $0, label: cost($0)) }
    return Axis(.logarithmic, domain, ticks: ticks, title: title + ", log scale", hasZero: hasZero)
  }

  /// A value of an axis in the unit that makes it short: `300 ns`, `5 µs`.
  private static func cost(_ nanoseconds: Double) -> String {
    let unit = TimeUnit.allCases.last { $0.scale <= nanoseconds * (1 + 1e-9) } ?? .nanoseconds
    return "\(Format.count(nanoseconds / unit.scale)) \(unit.symbol)"
  }

  /// The axis of a figure over time. It spans only the range of the values, so small changes are visible.
  package static func zoomed(_ values: [Double], _ metricUnit: Metric.Unit) -> Axis {
    let finite = values.filter { $0.isFinite && abs($0) < 1e15 }
    let (low, high) = (finite.min() ?? 0, finite.max() ?? 1)
    guard low != 0 || high != 0 else {
      // If all values are 0, the axis has only the ticks 0 and 1, because a count has no fractions.
      let whole = unit(metricUnit, 1)
      let ticks = [0.0, 1].map { Tick(value: $0 * whole.scale, label: Format.count($0) + whole.symbol) }
      return Axis(.linear, 0...whole.scale, ticks: ticks, title: "")
    }
    let unit = unit(metricUnit, high)
    // If values hardly change, the axis spans two percent of them, so that noise does not look like a change.
    let span = max(high - low, abs(high) * 0.02, unit.scale * 1e-6, unit.symbol.isEmpty ? 1e-3 : 0)
    let step = NiceNumbers.step(atLeast: span / 4 / unit.scale)
    let middle = (low + high) / 2 / unit.scale
    let half = span / 2 / unit.scale
    var first = ((middle - half) / step - 0.1).rounded(.down)
    if low >= 0 { first = max(0, first) }
    let last = max(first + 1, ((middle + half) / step + 0.1).rounded(.up))
    let decimals = max(0, Int((-log10(step) - 1e-9).rounded(.up)))
    let ticks = (0...Int(last - first)).map { index -> Tick in
      let value = (first + Double(index)) * step
      let number =
        decimals == 0 && abs(value) < 1e15
        ? Format.integer(Int(value.rounded())) : Format.fixed(value, decimals: decimals)
      return Tick(value: value * unit.scale, label: number + unit.symbol)
    }
    return Axis(.linear, (first * step * unit.scale)...(last * step * unit.scale), ticks: ticks, title: "")
  }

  /// The unit that fits a value: its symbol, preceded by a space, and its scale.
  private static func unit(_ metricUnit: Metric.Unit, _ value: Double) -> (symbol: String, scale: Double) {
    func fitting<Unit: ScaledUnit>(_: Unit.Type) -> (String, Double) {
      let unit = Unit.fitting([value])
      return (" \(unit.symbol)", unit.scale)
    }
    return switch metricUnit {
    case .nanoseconds: fitting(TimeUnit.self)
    case .bytes, .bytesPerSecond: fitting(ByteUnit.self)
    case .points: (" pt", 1)
    case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: ("", 1)
    }
  }
}

package enum NiceNumbers {
  /// Ticks from 0 to at least the maximum, in steps of 1, 2 or 5 times a power of ten. There are at most `steps` steps.
  package static func linear(to maximum: Double, steps: Int = 6) -> [Double] {
    precondition(maximum > 0 && maximum.isFinite, "an axis from 0 to \(maximum)")
    let step = step(atLeast: maximum / Double(steps))
    return (0...Int((maximum / step - 1e-9).rounded(.up))).map { Double($0) * step }
  }

  /// The smallest of …, 0.5, 1, 2, 5, 10, 20, … that is not below the value.
  package static func step(atLeast value: Double) -> Double {
    let power = pow(10, floor(log10(value)))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * (1 - 1e-9) } ?? 10 * power
  }

  /// The range, extended at both ends to the next 1, 2, 3, 5 or 7 times a power of ten.
  package static func rounded(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let wide = (range.lowerBound / 10)...(range.upperBound * 10)
    let all = inDecades([1, 2, 3, 5, 7], wide)
    let lower = all.last { $0 <= range.lowerBound * (1 + 1e-9) } ?? wide.lowerBound
    let upper = all.first { $0 >= range.upperBound * (1 - 1e-9) && $0 > lower } ?? wide.upperBound
    return lower...upper
  }

  /// About four to twelve values in the range, evenly spread on a logarithmic scale: powers of ten, and if these are
  /// too few, also their products with 2, 5 and other digits.
  package static func logarithmic(_ range: ClosedRange<Double>) -> [Double] {
    let decades = inDecades([1], range)
    if decades.count > 9 {
      let skip = (decades.count + 8) / 9
      return decades.indices.filter { $0 % skip == 0 }.map { decades[$0] }
    }
    let candidates = [decades, inDecades([1, 2, 5], range), inDecades([1, 2, 3, 5, 7], range)]
    return candidates.first { $0.count >= 4 } ?? candidates[candidates.count - 1]
  }

  /// The products of these digits and powers of ten that are in the range, ascending.
  private static func inDecades(_ digits: [Double], _ range: ClosedRange<Double>) -> [Double] {
    precondition(range.lowerBound > 0 && range.upperBound.isFinite, "a logarithmic axis over \(range)")
    let first = Int(floor(log10(range.lowerBound))) - 1
    let last = Int(ceil(log10(range.upperBound))) + 1
    let all = (first...last).flatMap { exponent -> [Double] in
      // `pow(10, -n)` is not exact, so the digit is divided by `pow(10, n)`.
      let power = pow(10, Double(abs(exponent)))
      return digits.map { exponent < 0 ? $0 / power : $0 * power }
    }
    return all.filter { $0 >= range.lowerBound * (1 - 1e-9) && $0 <= range.upperBound * (1 + 1e-9) }
  }
}
