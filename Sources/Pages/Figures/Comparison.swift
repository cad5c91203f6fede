import Measurements
import TextFormat

/// How the cost of one thing compares with a reference's.
enum Comparison: Hashable {
  /// Reference ÷ challenger; above 1 the challenger is cheaper. The uncertainty is relative.
  case factor(Double, uncertainty: Double)
  /// One of the two is shorter than the clock can tell, so the factor is a bound: it is at least this
  /// for a challenger that is cheaper, at most this for one that is more expensive.
  case bound(Double)
  /// The intervals overlap, or the times differ by no more than the tolerance.
  case equal
  /// Both are shorter than the clock can tell.
  case tooShort

  /// - Parameter tolerance: Times closer than this are equal, as a fraction of the smaller one.
  init(reference: Timing, challenger: Timing, resolution: Resolution, tolerance: Double = 0.05) {
    let (one, other) = (reference.nanoseconds, challenger.nanoseconds)
    let shortest = resolution.shortest
    switch (one < shortest || one <= 0, other < shortest || other <= 0) {
    case (true, true):
      self = .tooShort
    case (true, false), (false, true):
      let (least, most) = (max(one, shortest), max(other, shortest))
      self = least > 0 && most > 0 ? .bound(least / most) : .tooShort
    case (false, false):
      let errors = [reference, challenger].map(resolution.uncertainty)
      let overlap = abs(one - other) <= errors[0] + errors[1]
      let isEqual = overlap || max(one, other) < (1 + tolerance) * min(one, other)
      let (first, second) = (errors[0] / one, errors[1] / other)
      self =
        isEqual
        ? .equal
        : .factor(one / other, uncertainty: (first * first + second * second).squareRoot())
    }
  }

  /// Below 0 where the challenger is cheaper, above 0 where it is more expensive; nil where nothing can be told.
  var sign: Int? {
    switch self {
    case .factor(let factor, _), .bound(let factor): factor > 1 ? -1 : 1
    case .equal: 0
    case .tooShort: nil
    }
  }

  /// `5.9×`, `about 9×` or `more than 48×` where the challenger is cheaper.
  var factorCheaper: String? { text { $0 > 1 ? $0 : nil } }
  /// The same where the reference is cheaper.
  var factorDearer: String? { text { $0 <= 1 ? 1 / $0 : nil } }

  /// Challenger ÷ reference, for a cell: `0.11×`, `~0.1×`, `<0.01×`, `=`.
  var ratio: String {
    switch self {
    case .factor(let factor, let uncertainty): RatioText.text(1 / factor, uncertainty: uncertainty)
    case .bound(let factor): "\(factor > 1 ? "<" : ">")\(Format.ratio(1 / factor))"
    case .equal: "="
    case .tooShort: "too short"
    }
  }

  private func text(_ side: (Double) -> Double?) -> String? {
    switch self {
    case .factor(let factor, let uncertainty):
      side(factor).map { RatioText.text($0, uncertainty: uncertainty, mark: "about ") }
    case .bound(let factor): side(factor).map { "more than \(Format.ratio($0))" }
    case .equal, .tooShort: nil
    }
  }
}
