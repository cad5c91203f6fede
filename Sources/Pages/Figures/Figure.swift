import Foundation
import FrameBench
import Judging
import Markup
import Measurements
import TextFormat

/// The content of a table cell: a figure, or the reason why there is none.
package enum Figure {
  case time(Timing)
  case bytes(Double)
  /// The mean of a count per frame, and the maximum. The maximum is nil if it equals the mean.
  case count(mean: Double, maximum: Int?)
  case text(RichText)
  case absent(String)

  package init(count series: CountSeries) {
    self = .absent(Self.noFrames)
    guard let mean = series.mean, let maximum = series.maximum else { return }
    self = .count(mean: mean, maximum: Double(maximum) == mean ? nil : maximum)
  }

  package init(time: Timing?, otherwise reason: String = Figure.noFrames) {
    self = time.map(Figure.time) ?? .absent(reason)
  }

  package static let noFrames = "No frame was recorded."

  /// The value from which ratios are computed: nanoseconds, bytes or a count. Nil for text and for absent figures.
  package var magnitude: Double? {
    switch self {
    case .time(let time): time.nanoseconds
    case .bytes(let value), .count(let value, _): value
    case .text, .absent: nil
    }
  }
}

/// One row of a table: the same figure for several benchmarks, one in each column.
package struct FigureRow {
  package var label: RichText
  package var figures: [Figure]
  /// The clock that measured this row's times. It limits how exact ratios are. Nil for counts, whose ratios are exact.
  package var clock: ClockRecord?
  package var doubts: [Int: String] = [:]
  /// The time unit of the surrounding rows. This row uses the same unit if its numbers stay readable.
  package var unitNearby: TimeUnit?
  /// The unit to show in place of the computed one, for figures that are text.
  package var fixedUnit: String?
  package var hasRatio = true

  package var unitSymbol: String {
    let symbols = figures.lazy.compactMap { figure -> String? in
      switch figure {
      case .time: timeUnit.symbol
      case .bytes: byteUnit.symbol
      case .count(_, .some): "mean (max)"
      case .count, .text, .absent: nil
      }
    }
    return fixedUnit ?? symbols.first ?? ""
  }

  /// The figure of this column divided by the figure of the first column. Empty if there is no ratio.
  package func ratio(ofColumn column: Int) -> String {
    guard hasRatio, let one = figures[0].magnitude, let other = figures[column].magnitude else { return "" }
    if one == other { return "=" }
    guard let clock, case .time(let first) = figures[0], case .time(let second) = figures[column] else {
      return one == 0 ? "∞" : other == 0 ? "0×" : Format.ratio(other / one)
    }
    return Comparison(reference: first, challenger: second, clock).ratio
  }

  private var timeUnit: TimeUnit { TimeUnit.fitting(figures.compactMap(\.magnitude), near: unitNearby) }
  private var byteUnit: ByteUnit { ByteUnit.fitting(figures.compactMap(\.magnitude)) }

  package func cell(_ column: Int) -> RichText {
    let figure: RichText =
      switch figures[column] {
      case .time(let time): RichText(time.text(timeUnit.number))
      case .bytes(let value): "\(byteUnit.number(value))"
      case .count(let mean, let maximum): "\(Format.count(mean))\(maximum.map { " (\(Format.integer($0)))" } ?? "")"
      case .text(let text): text
      case .absent(let reason): .absent(reason)
      }
    return figure + (doubts[column].map { .footnote(RichText($0)) } ?? "")
  }
}

extension Metric.Unit {
  /// Returns the rounded value with its unit. If `other` is a different count or number of bytes that would have the
  /// same text, the value is written in bytes, and with as many digits as tell it from `other`.
  package func text(_ value: Double, besides other: Double) -> String {
    guard [.bytes, .count, .items].contains(self), value != other, text(value) == text(other) else {
      return text(value)
    }
    func rounded(_ value: Double, _ digits: Int) -> String { Format.significant(value, digits: digits) }
    let digits = (4...15).first { rounded(value, $0) != rounded(other, $0) } ?? 15
    return (Int(exactly: value).map(Format.integer) ?? rounded(value, digits)) + (self == .bytes ? " B" : "")
  }

  package func text(_ value: Double) -> String {
    let sign = value < 0 ? "-" : ""
    switch self {
    case .nanoseconds: return sign + TimeUnit.text(abs(value))
    case .bytes where abs(value) < 1_000 && value == value.rounded(): return "\(Format.count(value)) B"
    case .bytes, .bytesPerSecond: return sign + ByteUnit.text(abs(value))
    case .points: return "\(Format.significant(value)) pt"
    case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: return Format.count(value)
    }
  }
}

/// Turns the names of figures in documents, such as `frameNanoseconds.solve.p50`, into words.
package enum FigureText {
  /// Returns words such as `frame time, p50` or `allocations in solve a frame`. A scenario's own counters keep their
  /// names.
  package static func name(_ column: String) -> String {
    guard let figure = FigureName(column), let statistic = figure.statistic else { return column }
    let metric = Metric.named(figure.metric, declared: nil)
    let name = metric == .frameTime && figure.phase != nil ? "time" : metric.title
    // The mean of a count is not in the unit of its total.
    let end = statistic == .mean && !metric.isTimed ? " a frame" : statistic == .total ? "" : ", \(statistic.rawValue)"
    return name + (figure.phase.map { " in \($0)" } ?? "") + end
  }

  /// The relative change: `+5.0%`, `-12%`, or `±0.01%` for less than 0.01%. If `before` is not positive, the result is
  /// the absolute change with its unit.
  package static func change(_ before: Double, _ after: Double, _ unit: Metric.Unit) -> String {
    guard before != after else { return "=" }
    let sign = after > before ? "+" : "-"
    guard before > 0 else { return sign + unit.text(abs(after - before)) }
    let fraction = abs(after / before - 1)
    return fraction < 0.000_1 ? "±0.01%" : sign + Format.percent(fraction)
  }
}

extension Trend {
  package var unit: Metric.Unit { kind.unit }
  package var title: String { FigureText.name(metric) }
  package var levelText: String { unit.text(currentLevel ?? 0) }

  package func text(_ shift: LevelShift) -> String { FigureText.change(shift.before, shift.after, unit) }

  /// The relative change in words, strong and colored if it exceeds the noise. Empty if `move` is nil.
  package func text(_ move: Move?) -> RichText {
    guard let move else { return "" }
    let text = FigureText.change(move.before, move.after, unit)
    return move.isBeyondNoise ? .strong(text, move.isRegression ? .bad : .good) : .text(text)
  }

  /// Words for a change of this figure: `slower`, `allocates`, `allocates less`.
  package func words(before: Double, isWorse: Bool) -> String {
    switch kind {
    case .frameTime: Words.pace(isWorse: isWorse)
    case .allocationCount, .allocatedBytes: isWorse ? (before == 0 ? "allocates" : "allocates more") : "allocates less"
    default: "\(kind.title) \(isWorse ? "worse" : "better")"
    }
  }
}

// MARK: - Times and their noise

package struct Timing: Hashable {
  package var nanoseconds: Double
  /// Half of the 95% interval, nanoseconds. Nil if there were too few runs to compute one.
  package var halfWidth: Double?
  /// Whether the interval includes the variation of the time between link orders.
  package var coversLayouts = false

  /// Half of the interval as a percentage of the time: `±3%`, `±0.4%`, `±>100%`. Empty if there is no interval.
  package var spreadText: String {
    guard let halfWidth, nanoseconds > 0 else { return "" }
    guard halfWidth <= nanoseconds else { return "±>100%" }
    return "±" + Format.significant(100 * halfWidth / nanoseconds, digits: halfWidth < 0.1 * nanoseconds ? 1 : 2) + "%"
  }

  /// The time with its unit and its interval: `271 ns ±3%`.
  package var text: String { text(TimeUnit.text) }

  package func text(_ number: (Double) -> String) -> String {
    [number(nanoseconds), spreadText].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// In another link order, a time of t nanoseconds usually differs by at most this number × √t nanoseconds
  /// (docs/measuring-method.md).
  package static let unmeasuredLayout = 1.02

  /// The uncertainty of the time in nanoseconds, from noise and from the link order. The noise is half of the interval,
  /// or one step of the clock if there is no interval. The effect of the link order is added only if the interval does
  /// not include it.
  package func uncertainty(_ clock: ClockRecord) -> Double {
    let noise = halfWidth ?? clock.resolutionNanoseconds
    let layout = coversLayouts ? 0 : Self.unmeasuredLayout * nanoseconds.squareRoot() / 2.0.squareRoot()
    return (noise * noise + layout * layout).squareRoot()
  }
}

extension TimeRecord {
  package func timing(_ statistic: FlatRow.Statistic) -> Timing? {
    guard let value = aligned?[statistic] else { return nil }
    return Timing(nanoseconds: value, halfWidth: halfWidths?[statistic], coversLayouts: layoutSpread != nil)
  }
}

package enum Comparison: Hashable {
  /// The reference's time divided by the challenger's time. Above 1, the challenger is cheaper. The uncertainty is a
  /// fraction of the factor.
  case factor(Double, uncertainty: Double)
  /// One of the two times is too short for the clock, so only a bound of the factor is known. A challenger with a bound
  /// above 1 is cheaper by at least this factor. Below 1, it is more expensive by at least the inverse.
  case bound(Double)
  /// The intervals overlap, or the times differ by no more than the tolerance.
  case equal
  /// Both times are shorter than the clock can resolve.
  case tooShort

  /// Compares two times. They count as equal if their uncertainties overlap, or if they differ by less than the
  /// tolerance, a fraction of the smaller time.
  package init(reference: Timing, challenger: Timing, _ clock: ClockRecord, tolerance: Double = 0.05) {
    let (one, other) = (reference.nanoseconds, challenger.nanoseconds)
    let shortest = clock.shortestNanoseconds
    switch (one < shortest || one <= 0, other < shortest || other <= 0) {
    case (true, true): self = .tooShort
    case (true, false), (false, true):
      let (least, most) = (max(one, shortest), max(other, shortest))
      self = least > 0 && most > 0 ? .bound(least / most) : .tooShort
    case (false, false):
      let errors = [reference, challenger].map { $0.uncertainty(clock) }
      let overlap = abs(one - other) <= errors[0] + errors[1]
      let isEqual = overlap || max(one, other) < (1 + tolerance) * min(one, other)
      let (first, second) = (errors[0] / one, errors[1] / other)
      self = isEqual ? .equal : .factor(one / other, uncertainty: (first * first + second * second).squareRoot())
    }
  }

  package init?(
    _ challenger: BenchmarkRecord, with reference: BenchmarkRecord, by statistic: FlatRow.Statistic,
    _ clock: ClockRecord
  ) {
    guard let one = reference.frame.timing(statistic), let other = challenger.frame.timing(statistic) else {
      return nil
    }
    // A statistic of few frames, such as the p99, is less certain than the median.
    let tolerance = statistic == .p50 ? 0.05 : 0.1
    self.init(reference: one, challenger: other, clock.perCall([challenger, reference]), tolerance: tolerance)
  }

  /// -1 if the challenger is cheaper, 1 if it is more expensive, 0 if the times are equal. Nil if both are too short.
  package var sign: Int? {
    switch self {
    case .factor(let factor, _), .bound(let factor): factor > 1 ? -1 : 1
    case .equal: 0
    case .tooShort: nil
    }
  }

  /// The factor by which the challenger is cheaper: `5.9×`, `about 9×` or `more than 48×`. Nil if it is not cheaper.
  package var factorCheaper: String? { text { $0 > 1 ? $0 : nil } }
  package var factorDearer: String? { text { $0 <= 1 ? 1 / $0 : nil } }

  /// The challenger's time divided by the reference's time, for a table cell: `0.11×`, `~0.1×`, `<0.01×`, `=`.
  package var ratio: String {
    switch self {
    case .factor(let factor, let uncertainty): Format.ratio(1 / factor, uncertainty: uncertainty)
    case .bound(let factor): "\(factor > 1 ? "<" : ">")\(Format.ratio(1 / factor))"
    case .equal: "="
    case .tooShort: "too short"
    }
  }

  /// Whether two comparisons lead to different conclusions: a different winner, or factors that are far apart.
  package func differs(from other: Comparison) -> Bool {
    switch (self, other) {
    case (.factor(let one, _), .factor(let two, _)): return max(one / two, two / one) > 1.5
    case (.factor(let factor, _), .equal), (.equal, .factor(let factor, _)): return max(factor, 1 / factor) > 1.25
    default: return sign != other.sign
    }
  }

  private func text(_ side: (Double) -> Double?) -> String? {
    switch self {
    case .factor(let factor, let uncertainty):
      side(factor).map { Format.ratio($0, uncertainty: uncertainty, mark: "about ") }
    case .bound(let factor): side(factor).map { "more than \(Format.ratio($0))" }
    case .equal, .tooShort: nil
    }
  }
}

extension Format {
  /// A ratio with no more digits than its uncertainty allows, such as `8.9×`. An uncertain ratio is rounded to steps of
  /// at least half of the uncertainty, and marked: `~9×`.
  package static func ratio(_ ratio: Double, uncertainty: Double, mark: String = "~") -> String {
    guard uncertainty > 0.025, ratio.isFinite, ratio > 0 else { return Format.ratio(ratio) }
    let least = uncertainty * ratio / 2
    let power = pow(10, log10(least).rounded(.down))
    let step = [1, 2, 5].map { $0 * power }.first { $0 >= least * 0.999 } ?? 10 * power
    let rounded = (ratio / step).rounded() * step
    // Rounding must not turn a difference into 1×.
    guard rounded > 0, abs(rounded - 1) > 1e-9 else { return mark + Format.ratio(ratio) }
    return "\(mark)\(trimmed(rounded, decimals: max(0, Int(-log10(step).rounded(.down)))))×"
  }

  /// The number as text, without trailing zeros in its fraction.
  package static func trimmed(_ value: Double, decimals: Int) -> String {
    let text = Format.fixed(value, decimals: decimals)
    return text.contains(".") ? text.replacing(#/\.?0+$/#, with: "") : text
  }
}
