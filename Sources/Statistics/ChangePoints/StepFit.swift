/// Where a stretch of a series steps from one level to another, by generalised least squares for noise of which each
/// value keeps a part for the next one, AR(1). Ordinary least squares where it keeps none.
///
/// Correlated noise wanders, and the place where two means differ most wanders with it. What it does not do is jump,
/// which the weights take into account (D. Cochrane and G. H. Orcutt, "Application of Least Squares Regression to
/// Relationships Containing Auto-Correlated Error Terms", 1949; the first value as S. J. Prais and C. B. Winsten keep
/// it).
struct StepFit {
  private let correlation: Double
  private let start: Int
  /// Each value less what it keeps of the one before it: uncorrelated.
  private let rest: [Double]
  /// Σ `rest` from an index on.
  private let sums: [Double]
  /// Sums of the products of a constant, treated in the same way, with itself and with `rest`.
  private let (constantSquares, constantProducts): (Double, Double)

  /// - Parameter correlation: Of neighbouring values around their level, from 0 to less than 1.
  /// - Precondition: There is a value.
  init(_ values: ArraySlice<Double>, correlation: Double) {
    precondition(!values.isEmpty, "a step among no values")
    (self.correlation, start) = (correlation, values.startIndex)
    let mean = values.reduce(0, +) / Double(values.count)
    let first = (1 - correlation * correlation).squareRoot()
    var rest = [(values[start] - mean) * first]
    rest.reserveCapacity(values.count)
    for (previous, value) in zip(values, values.dropFirst()) {
      rest.append(value - mean - correlation * (previous - mean))
    }
    var sums = [Double](repeating: 0, count: rest.count + 1)
    for index in rest.indices.reversed() { sums[index] = sums[index + 1] + rest[index] }
    (self.rest, self.sums) = (rest, sums)
    let kept = 1 - correlation
    constantSquares = first * first + Double(rest.count - 1) * kept * kept
    constantProducts = first * rest[0] + kept * sums[1]
  }

  /// The index of the first value of the new level; nil for values that are all the same.
  var bestIndex: Int? {
    var best: Int?
    var largest = 0.0
    for place in rest.indices.dropFirst() {
      let explained = explained(place)
      if explained > largest { (largest, best) = (explained, start + place) }
    }
    return best
  }

  /// By how much a step before a place lowers the sum of squares that a constant leaves.
  private func explained(_ place: Int) -> Double {
    let kept = 1 - correlation
    let later = Double(rest.count - place - 1)
    let squares = 1 + later * kept * kept
    let shared = kept * (1 + later * kept)
    let products = rest[place] + kept * sums[place + 1]
    let distance = products - shared * constantProducts / constantSquares
    let spread = squares - shared * shared / constantSquares
    return spread > 0 ? distance * distance / spread : 0
  }
}
