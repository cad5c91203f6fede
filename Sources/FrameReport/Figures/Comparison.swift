import TextFormat

/// How the cost of one thing compares with a reference's.
enum Comparison: Hashable {
  /// Baseline ÷ challenger; above 1 the challenger is cheaper.
  case factor(Double)
  /// One of the two is shorter than the clock can tell, so the factor is a bound: it is at least this
  /// for a challenger that is cheaper, at most this for one that is dearer.
  case bound(Double)
  /// Less than 5% apart.
  case equal
  /// Both are shorter than the clock can tell.
  case tooShort

  /// Costs in nanoseconds.
  init(reference: Double, challenger: Double, shortest: Double) {
    let told = (max(reference, shortest), max(challenger, shortest))
    switch (reference < shortest || reference <= 0, challenger < shortest || challenger <= 0) {
    case (true, true):
      self = .tooShort
    case (true, false), (false, true):
      self = told.0 > 0 && told.1 > 0 ? .bound(told.0 / told.1) : .tooShort
    case (false, false):
      let factor = reference / challenger
      self = max(factor, 1 / factor) < 1.05 ? .equal : .factor(factor)
    }
  }

  /// `5.9×` or `more than 48×` where the challenger is cheaper.
  var factorCheaper: String? { text { $0 > 1 ? $0 : nil } }
  /// The same where the reference is cheaper.
  var factorDearer: String? { text { $0 <= 1 ? 1 / $0 : nil } }

  private func text(_ side: (Double) -> Double?) -> String? {
    switch self {
    case .factor(let factor): side(factor).map(Format.ratio)
    case .bound(let factor): side(factor).map { "more than \(Format.ratio($0))" }
    case .equal, .tooShort: nil
    }
  }
}
