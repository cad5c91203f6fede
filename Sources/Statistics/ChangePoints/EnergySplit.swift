/// Where a stretch of a series is best split in two, by the energy distance of the parts (Matteson and James,
/// "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014, with α = 1).
struct EnergySplit {
  /// Index in the series of the second part's first value.
  var index: Int
  /// Q̂, the largest over all splits τ, and over all ends κ of the second part.
  var energy: Double

  /// - Parameter values: The series; at least two of its values lie in the stretch.
  /// - Complexity: O(n²) in time, O(n) in memory, for a stretch of n values.
  init(_ values: [Double], in stretch: Range<Int>) {
    let count = stretch.count
    precondition(count > 1, "a stretch of \(count) values cannot be split")
    let start = stretch.lowerBound
    // within[κ]: Σ |values of the second part to each other|, by its end κ; across[κ]: to the first part.
    // Both follow from the split before by moving one value over.
    var within = [Double](repeating: 0, count: count + 1)
    var across = [Double](repeating: 0, count: count + 1)
    var before = 0.0
    for end in 1..<(count + 1) {
      let last = values[start + end - 1]
      var distance = 0.0
      for other in 0..<(end - 1) { distance += abs(values[start + other] - last) }
      within[end] = within[end - 1] + distance
    }
    (index, energy) = (start + 1, -Double.infinity)
    for split in 1..<count {
      // Where the second part ends before the first does there is nothing to split. Otava's matrix holds
      // zeros there, and they win where no split has a positive energy.
      if split > 1, energy < 0 { (index, energy) = (start + split, 0) }
      let moved = values[start + split - 1]
      var toFirst = 0.0
      for other in 0..<(split - 1) { toFirst += abs(values[start + other] - moved) }
      before += toFirst
      var toSecond = 0.0
      for end in (split + 1)..<(count + 1) {
        toSecond += abs(values[start + end - 1] - moved)
        within[end] -= toSecond
        across[end] += toSecond - toFirst
        consider(split, end, across[end], before, within[end], start)
      }
    }
  }

  private mutating func consider(
    _ split: Int, _ end: Int, _ across: Double, _ first: Double, _ second: Double, _ start: Int
  ) {
    let (n, m) = (Double(split), Double(end - split))
    let total = n + m
    var q = 2 / total * across
    if split > 1 { q -= 2 * m / total / (n - 1) * first }
    if end - split > 1 { q -= 2 * n / total / (m - 1) * second }
    if q > energy { (index, energy) = (start + split, q) }
  }
}
