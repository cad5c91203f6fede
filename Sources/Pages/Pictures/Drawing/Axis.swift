import Foundation

/// One direction of a chart: where a value stands, and which values are named.
struct Axis: Sendable {
  enum Kind: Sendable, Hashable {
    case linear
    case logarithmic
    /// For shares below 1, by the logarithm of what is left above them: 0.9, 0.99 and 0.999 stand at equal
    /// distances.
    case tail
  }

  struct Tick: Sendable, Hashable {
    var value: Double
    /// Nil for a line without a name.
    var label: String?
    /// Yields where there is not room for all names.
    var isMinor = false
  }

  let kind: Kind
  let lower: Double
  let upper: Double
  var ticks: [Tick]
  /// Plain text.
  let title: String
  /// Part of the axis that a logarithmic one keeps below its lower end for 0; nil where no value is 0.
  let zeroBand: Double?

  init(_ kind: Kind, _ domain: ClosedRange<Double>, ticks: [Tick], title: String, hasZero: Bool = false) {
    precondition(domain.lowerBound < domain.upperBound, "an axis from \(domain.lowerBound) to itself")
    precondition(
      kind != .logarithmic || domain.lowerBound > 0, "a logarithmic axis from \(domain.lowerBound)")
    self.kind = kind
    (lower, upper) = (domain.lowerBound, domain.upperBound)
    self.ticks = ticks
    self.title = title
    zeroBand = kind == .logarithmic && hasZero ? 0.08 : nil
  }

  /// 0 at the lower end, 1 at the upper one; values beyond stand at the ends.
  func fraction(_ value: Double) -> Double {
    if let zeroBand {
      return value <= 0 ? 0 : zeroBand + (1 - zeroBand) * plainFraction(value)
    }
    return plainFraction(value)
  }

  private func plainFraction(_ value: Double) -> Double {
    let clamped = min(max(value, lower), upper)
    switch kind {
    case .linear: return (clamped - lower) / (upper - lower)
    case .logarithmic: return log(clamped / lower) / log(upper / lower)
    case .tail: return log((1 - lower) / (1 - clamped)) / log((1 - lower) / (1 - upper))
    }
  }
}

/// Round numbers for axes.
enum NiceNumbers {
  /// From 0 past the value in steps of 1, 2 or 5 times a power of ten, with at most this many steps.
  static func linear(to maximum: Double, steps: Int = 6) -> [Double] {
    precondition(maximum > 0 && maximum.isFinite, "an axis from 0 to \(maximum)")
    let step = step(atLeast: maximum / Double(steps))
    return (0...Int((maximum / step - 1e-9).rounded(.up))).map { Double($0) * step }
  }

  /// The least of 1, 2, 5, 10, 20, … and their fractions that is no less than the value.
  static func step(atLeast value: Double) -> Double {
    let power = pow(10, floor(log10(value)))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * (1 - 1e-9) } ?? 10 * power
  }

  /// The range, out to the next 1, 2, 3, 5 or 7 of a decade on either side.
  static func rounded(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let wide = (range.lowerBound / 10)...(range.upperBound * 10)
    let all = inDecades([1, 2, 3, 5, 7], wide)
    let lower = all.last { $0 <= range.lowerBound * (1 + 1e-9) } ?? wide.lowerBound
    let upper = all.first { $0 >= range.upperBound * (1 - 1e-9) && $0 > lower } ?? wide.upperBound
    return lower...upper
  }

  /// Some four to a dozen values of the range, evenly spread in logarithms: powers of ten, where there are
  /// too few of them also 2 and 5, and where there are too many not all.
  static func logarithmic(_ range: ClosedRange<Double>) -> [Double] {
    let decades = inDecades([1], range)
    if decades.count > 9 {
      let skip = (decades.count + 8) / 9
      return decades.indices.filter { $0 % skip == 0 }.map { decades[$0] }
    }
    let candidates = [decades, inDecades([1, 2, 5], range), inDecades([1, 2, 3, 5, 7], range)]
    return candidates.first { $0.count >= 4 } ?? candidates[candidates.count - 1]
  }

  /// The digits of each decade that lie in the range, ascending.
  private static func inDecades(_ digits: [Double], _ range: ClosedRange<Double>) -> [Double] {
    precondition(range.lowerBound > 0 && range.upperBound.isFinite, "a logarithmic axis over \(range)")
    let first = Int(floor(log10(range.lowerBound))) - 1
    let last = Int(ceil(log10(range.upperBound))) + 1
    let all = (first...last).flatMap { exponent -> [Double] in
      // A negative power of ten is not exact, its inverse is.
      let power = pow(10, Double(abs(exponent)))
      return digits.map { exponent < 0 ? $0 / power : $0 * power }
    }
    return all.filter { $0 >= range.lowerBound * (1 - 1e-9) && $0 <= range.upperBound * (1 + 1e-9) }
  }
}
