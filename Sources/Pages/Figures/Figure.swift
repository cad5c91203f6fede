import Foundation
import FrameBench
import Judging
import Measurements
import TextFormat

/// The content of a table cell: a figure, or the reason why there is none.
enum Figure {
  case time(Timing)
  case bytes(Double)
  /// A count per frame: its mean, and its maximum if that differs.
  case count(mean: Double, maximum: Int?)
  case text(RichText)
  case absent(String)

  init(count series: CountSeries) {
    guard let mean = series.mean, let maximum = series.maximum else {
      self = .absent(Self.noFrames)
      return
    }
    self = .count(mean: mean, maximum: Double(maximum) == mean ? nil : maximum)
  }

  init(time: Timing?, otherwise reason: String = Figure.noFrames) { self = time.map(Figure.time) ?? .absent(reason) }

  static let noFrames = "No frame was recorded."

  /// The value for ratios; nil if there is nothing to divide.
  var magnitude: Double? {
    switch self {
    case .time(let time): time.nanoseconds
    case .bytes(let value), .count(let value, _): value
    case .text, .absent: nil
    }
  }
}

/// One line of a table: the same figure of several benchmarks.
struct FigureRow {
  var label: RichText
  var labelNote: RichText?
  var figures: [Figure]
  /// Resolution of times; nil if ratios are exact.
  var resolution: Resolution?
  /// Doubts about single figures, by column.
  var doubts: [Int: String] = [:]
  /// The unit of the surrounding rows, for times.
  var unitNearby: TimeUnit?
  /// The unit of figures that are text.
  var fixedUnit: String?
  /// Whether challenger ÷ reference is meaningful.
  var hasRatio = true

  var unitSymbol: String {
    if let fixedUnit { return fixedUnit }
    for figure in figures {
      switch figure {
      case .time: return timeUnit.symbol
      case .bytes: return ByteUnit.fitting(figures.compactMap(\.magnitude)).symbol
      case .count, .text, .absent: continue
      }
    }
    let hasMaximum = figures.contains { figure in if case .count(_, .some) = figure { true } else { false } }
    return hasMaximum ? "mean (max)" : ""
  }

  var header: RichText { label + (labelNote.map(RichText.footnote) ?? "") }

  /// The cells of the figures, with marks for doubts and reasons.
  var cells: [RichText] {
    figures.indices.map { column in text(of: figures[column]) + (doubts[column].map { .footnote(RichText($0)) } ?? "") }
  }

  /// Figure ÷ reference, as text; empty if there is none.
  func ratio(ofColumn column: Int, toColumn reference: Int) -> String {
    guard hasRatio, let one = figures[reference].magnitude, let other = figures[column].magnitude else { return "" }
    if one == other { return "=" }
    guard let resolution, case .time(let first) = figures[reference], case .time(let second) = figures[column] else {
      return one == 0 ? "∞" : other == 0 ? "0×" : Format.ratio(other / one)
    }
    return Comparison(reference: first, challenger: second, resolution: resolution).ratio
  }

  private var timeUnit: TimeUnit { TimeUnit.fitting(figures.compactMap(\.magnitude), near: unitNearby) }

  private func text(of figure: Figure) -> RichText {
    switch figure {
    case .time(let time):
      RichText([timeUnit.number(time.nanoseconds), time.spreadText].filter { !$0.isEmpty }.joined(separator: " "))
    case .bytes(let value): "\(ByteUnit.fitting(figures.compactMap(\.magnitude)).number(value))"
    case .count(let mean, let maximum): "\(Format.count(mean))\(maximum.map { " (\(Format.integer($0)))" } ?? "")"
    case .text(let text): text
    case .absent(let reason): .absent(reason)
    }
  }
}

extension Metric.Unit {
  /// A value with its unit: `16.5 µs`.
  func text(_ value: Double) -> String {
    let sign = value < 0 ? "-" : ""
    switch self {
    case .nanoseconds: return sign + TimeUnit.text(abs(value))
    case .bytes, .bytesPerSecond: return sign + ByteUnit.text(abs(value))
    case .points: return "\(Format.significant(value)) pt"
    case .count, .items, .itemsPerSecond, .hitchRatio, .hexadecimal: return Format.count(value)
    }
  }
}

/// Words for figures by the name of their column: `frameNanoseconds.solve.p50`.
enum FigureText {
  /// `frame time, p50`, `allocations in solve, mean`; names of scenarios' own counters as they are.
  static func name(_ column: String) -> String {
    guard let figure = FigureName(column), let statistic = figure.statistic else { return column }
    let metric = Metric.named(figure.metric, declared: nil)
    let name = metric == .frameTime && figure.phase != nil ? "time" : metric.title
    return name + (figure.phase.map { " in \($0)" } ?? "") + (statistic == .total ? "" : ", \(statistic.rawValue)")
  }

  /// `+5.0%`, `-12%`, `±0.01%` for less than that; the difference itself if there is nothing to divide by.
  static func change(_ before: Double, _ after: Double, _ unit: Metric.Unit) -> String {
    guard before != after else { return "=" }
    let sign = after > before ? "+" : "-"
    guard before > 0 else { return sign + unit.text(abs(after - before)) }
    let fraction = abs(after / before - 1)
    return fraction < 0.000_1 ? "±0.01%" : sign + Format.percent(fraction)
  }
}

extension Trend {
  var unit: Metric.Unit { kind.unit }
  var title: String { FigureText.name(metric) }

  func text(_ shift: LevelShift) -> String { FigureText.change(shift.before, shift.after, unit) }

  /// Empty if there is nothing to compare with; strong beyond the noise.
  func text(_ move: Move?) -> RichText {
    guard let move else { return "" }
    let text = FigureText.change(move.before, move.after, unit)
    return move.isBeyondNoise ? .strong(text, move.isRegression ? .bad : .good) : .text(text)
  }
}

// MARK: - Times and their noise

struct Timing: Hashable {
  var nanoseconds: Double
  /// Half of the 95% interval, nanoseconds; nil if there were too few runs for one.
  var halfWidth: Double?
  /// Whether the interval covers the linker's placement of code.
  var coversLayouts = false

  /// `±3%`, `±0.4%`; empty if there is no interval.
  var spreadText: String {
    guard let halfWidth, nanoseconds > 0 else { return "" }
    return "±" + Format.significant(100 * halfWidth / nanoseconds, digits: halfWidth < 0.1 * nanoseconds ? 1 : 2) + "%"
  }

  /// `271 ns ±3%`
  var text: String { [TimeUnit.text(nanoseconds), spreadText].filter { !$0.isEmpty }.joined(separator: " ") }
}

extension TimeRecord {
  /// The statistic of the aligned frames; nil if no frame was recorded.
  func timing(_ statistic: FlatRow.Statistic) -> Timing? {
    guard let value = aligned?[statistic] else { return nil }
    return Timing(nanoseconds: value, halfWidth: halfWidths?[statistic], coversLayouts: layoutSpread != nil)
  }
}

/// The resolution of frame times: a report states no difference that the clock or the layout of code
/// explains.
struct Resolution: Hashable {
  /// Smallest step of the clock, nanoseconds.
  let clockStep: Double
  /// Times below this cannot be distinguished from zero, nanoseconds.
  let shortest: Double

  /// - Parameter callCount: Number of calls that each time is the mean of.
  init(_ clock: ClockRecord, callCount: Int = 1) {
    clockStep = clock.resolutionNanoseconds / Double(callCount)
    shortest = clock.shortestNanoseconds / Double(callCount)
  }

  /// The largest difference seen between two link orders of the same objects is this ÷ √nanoseconds, as a
  /// fraction (docs/compare.md): 5.9% of 300 ns, 1% of 10 µs.
  static let unmeasuredLayout = 1.02

  /// Uncertainty of a time, nanoseconds: half of its interval, or a step of the clock if it has none; and
  /// its share of the difference seen between two layouts, unless the interval covers layouts.
  func uncertainty(of time: Timing) -> Double {
    let noise = time.halfWidth ?? clockStep
    let layout = time.coversLayouts ? 0 : Self.unmeasuredLayout * time.nanoseconds.squareRoot() / 2.0.squareRoot()
    return (noise * noise + layout * layout).squareRoot()
  }
}

/// A cost compared with a reference's.
enum Comparison: Hashable {
  /// Reference ÷ challenger; above 1 the challenger is cheaper. The uncertainty is relative.
  case factor(Double, uncertainty: Double)
  /// One of the two is shorter than the clock can resolve, so the factor is a bound: the minimum for a
  /// cheaper challenger, the maximum for a more expensive one.
  case bound(Double)
  /// The intervals overlap, or the times differ by no more than the tolerance.
  case equal
  /// Both are shorter than the clock can resolve.
  case tooShort

  /// - Parameter tolerance: Times closer than this are equal, as a fraction of the smaller one.
  init(reference: Timing, challenger: Timing, resolution: Resolution, tolerance: Double = 0.05) {
    let (one, other) = (reference.nanoseconds, challenger.nanoseconds)
    let shortest = resolution.shortest
    switch (one < shortest || one <= 0, other < shortest || other <= 0) {
    case (true, true): self = .tooShort
    case (true, false), (false, true):
      let (least, most) = (max(one, shortest), max(other, shortest))
      self = least > 0 && most > 0 ? .bound(least / most) : .tooShort
    case (false, false):
      let errors = [reference, challenger].map(resolution.uncertainty)
      let overlap = abs(one - other) <= errors[0] + errors[1]
      let isEqual = overlap || max(one, other) < (1 + tolerance) * min(one, other)
      let (first, second) = (errors[0] / one, errors[1] / other)
      self = isEqual ? .equal : .factor(one / other, uncertainty: (first * first + second * second).squareRoot())
    }
  }

  /// Compares by a statistic of the frames; nil if one of the two recorded none.
  init?(
    _ challenger: BenchmarkRecord, with reference: BenchmarkRecord, by statistic: FlatRow.Statistic,
    _ clock: ClockRecord
  ) {
    guard let one = reference.frame.timing(statistic), let other = challenger.frame.timing(statistic) else {
      return nil
    }
    let calls = min(challenger.callsPerFrame ?? 1, reference.callsPerFrame ?? 1)
    self.init(
      reference: one, challenger: other, resolution: Resolution(clock, callCount: calls),
      // Statistics of few frames are less certain.
      tolerance: statistic == .p50 ? 0.05 : 0.1)
  }

  /// Below 0 if the challenger is cheaper, above 0 if it is more expensive; nil if unknown.
  var sign: Int? {
    switch self {
    case .factor(let factor, _), .bound(let factor): factor > 1 ? -1 : 1
    case .equal: 0
    case .tooShort: nil
    }
  }

  /// `5.9×`, `about 9×` or `more than 48×` if the challenger is cheaper.
  var factorCheaper: String? { text { $0 > 1 ? $0 : nil } }
  var factorDearer: String? { text { $0 <= 1 ? 1 / $0 : nil } }

  /// Challenger ÷ reference, for a cell: `0.11×`, `~0.1×`, `<0.01×`, `=`.
  var ratio: String {
    switch self {
    case .factor(let factor, let uncertainty): Format.ratio(1 / factor, uncertainty: uncertainty)
    case .bound(let factor): "\(factor > 1 ? "<" : ">")\(Format.ratio(1 / factor))"
    case .equal: "="
    case .tooShort: "too short"
    }
  }

  /// Whether the two lead to different conclusions: another winner, or factors far apart.
  func differs(from other: Comparison) -> Bool {
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
  /// A ratio, no finer than its uncertainty allows: `8.9×`; if that is too fine, rounded to steps of 1, 2
  /// or 5 times a power of ten that are at least half of the uncertainty, with a mark in front: `~9×`.
  ///
  /// - Parameter uncertainty: Relative: 0.1 is ±10%.
  static func ratio(_ ratio: Double, uncertainty: Double, mark: String = "~") -> String {
    guard uncertainty > 0.025, ratio.isFinite, ratio > 0 else { return Format.ratio(ratio) }
    let least = uncertainty * ratio / 2
    let power = pow(10, log10(least).rounded(.down))
    let step = [1, 2, 5].map { $0 * power }.first { $0 >= least * 0.999 } ?? 10 * power
    let rounded = (ratio / step).rounded() * step
    // A stated difference is not rounded away.
    guard rounded > 0, abs(rounded - 1) > 1e-9 else { return mark + Format.ratio(ratio) }
    let decimals = max(0, Int(-log10(step).rounded(.down)))
    let text = Format.fixed(rounded, decimals: decimals)
    // Without zeros at the end of a fraction.
    let trimmed = decimals > 0 ? text.replacing(#/\.?0+$/#, with: "") : text
    return "\(mark)\(trimmed)×"
  }
}
