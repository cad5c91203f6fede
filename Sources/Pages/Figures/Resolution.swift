import Foundation
import FrameBench
import Measurements
import TextFormat

/// How fine frame times are: a report states no difference that the clock or the layout of code explains.
struct Resolution: Hashable {
  /// Smallest step of the clock, nanoseconds.
  let clockStep: Double
  /// Times below this are not told from zero, nanoseconds.
  let shortest: Double

  init(_ clock: ClockRecord) {
    clockStep = clock.resolutionNanoseconds
    shortest = clock.shortestNanoseconds
  }

  /// Of times that are the mean of so many calls.
  func repeated(_ callCount: Int?) -> Resolution {
    Resolution(clockStep: clockStep / Double(callCount ?? 1), shortest: shortest / Double(callCount ?? 1))
  }

  private init(clockStep: Double, shortest: Double) {
    (self.clockStep, self.shortest) = (clockStep, shortest)
  }

  /// The most that two link orders of the same objects were seen to differ by is this ÷ √nanoseconds, as a fraction
  /// (docs/compare.md): 5.9% of 300 ns, 1% of 10 µs.
  static let unmeasuredLayout = 1.02

  /// How far off a time may be, nanoseconds: half of its interval, or a step of the clock where it has none; and its
  /// share of what two layouts were seen to differ by, unless the interval covers layouts.
  func uncertainty(of time: Timing) -> Double {
    let noise = time.halfWidth ?? clockStep
    let layout =
      time.coversLayouts ? 0 : Self.unmeasuredLayout * time.nanoseconds.squareRoot() / 2.0.squareRoot()
    return (noise * noise + layout * layout).squareRoot()
  }
}

/// A time, and what is known of its noise.
struct Timing: Hashable {
  var nanoseconds: Double
  /// Half of the 95% interval, nanoseconds; nil where there were too few runs for one.
  var halfWidth: Double?
  /// Whether the interval covers where the linker places code.
  var coversLayouts = false

  /// `±3%`, `±0.4%`; empty where there is no interval.
  var spreadText: String {
    guard let halfWidth, nanoseconds > 0 else { return "" }
    return "±"
      + Format.significant(100 * halfWidth / nanoseconds, digits: halfWidth < 0.1 * nanoseconds ? 1 : 2) + "%"
  }

  /// `271 ns ±3%`
  var text: String { [TimeUnit.text(nanoseconds), spreadText].filter { !$0.isEmpty }.joined(separator: " ") }
}

extension TimeRecord {
  /// Of the aligned frames; nil where no frame was recorded.
  func timing(_ statistic: FlatRow.Statistic) -> Timing? {
    guard let value = aligned?[statistic] else { return nil }
    return Timing(
      nanoseconds: value, halfWidth: halfWidths?[statistic], coversLayouts: layoutSpread != nil)
  }
}

/// A ratio, no finer than its uncertainty allows.
enum RatioText {
  /// `8.9×`; where that is too fine for the uncertainty, rounded to steps of 1, 2 or 5 times a power of ten that are
  /// at least half of it, with a mark in front: `~9×`.
  ///
  /// - Parameter uncertainty: Relative: 0.1 is ±10%.
  static func text(_ ratio: Double, uncertainty: Double, mark: String = "~") -> String {
    guard uncertainty > 0.025, ratio.isFinite, ratio > 0 else { return Format.ratio(ratio) }
    let step = step(atLeast: uncertainty * ratio / 2)
    let rounded = (ratio / step).rounded() * step
    // A difference that is stated is not rounded away.
    guard rounded > 0, abs(rounded - 1) > 1e-9 else { return mark + Format.ratio(ratio) }
    let decimals = max(0, Int(-log10(step).rounded(.down)))
    let text = Format.fixed(rounded, decimals: decimals)
    return "\(mark)\(decimals > 0 ? Self.trimmed(text) : text)×"
  }

  /// Without zeros at the end of a fraction.
  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }

  private static func step(atLeast size: Double) -> Double {
    let power = pow(10, log10(size).rounded(.down))
    return [1, 2, 5].map { $0 * power }.first { $0 >= size * 0.999 } ?? 10 * power
  }
}
