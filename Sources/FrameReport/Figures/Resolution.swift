import Foundation
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

  /// How far off a time may be, nanoseconds: a step of the clock, and two standard deviations between layouts. Where
  /// a run did not measure those, its share of what two layouts were seen to differ by.
  ///
  /// - Parameter layoutSpread: As in `TimeRecord.layoutSpread`; nil where the run had one layout.
  func uncertainty(of nanoseconds: Double, layoutSpread: Double?) -> Double {
    let layout =
      layoutSpread.map { 2 * $0 * nanoseconds }
      ?? Self.unmeasuredLayout * nanoseconds.squareRoot() / 2.0.squareRoot()
    return clockStep + layout
  }
}

/// A time, and what is known of its noise.
struct Timing: Hashable {
  var nanoseconds: Double
  var layoutSpread: Double?
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
