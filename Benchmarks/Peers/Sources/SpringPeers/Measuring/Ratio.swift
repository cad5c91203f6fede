/// What one contestant costs in terms of another: the median over the rounds of the quotients of both within
/// a round.
struct Ratio: Equatable {
  let median: Double
  /// The middle half of the quotients.
  let quartiles: ClosedRange<Double>

  /// - Parameters:
  ///   - costs: Round by round.
  ///   - others: Round by round, as many.
  init(_ costs: [Double], to others: [Double]) {
    precondition(
      costs.count == others.count && !costs.isEmpty, "\(costs.count) costs, \(others.count) to compare with")
    let quotients = zip(costs, others).map { $0 / $1 }.sorted()
    median = Quantile.of(quotients, 0.5)
    quartiles = Quantile.of(quotients, 0.25)...Quantile.of(quotients, 0.75)
  }
}

enum Quantile {
  /// Interpolated linearly between the two nearest of the sorted values (Hyndman and Fan's definition 7).
  static func of(_ sorted: [Double], _ share: Double) -> Double {
    precondition(!sorted.isEmpty && (0...1).contains(share), "quantile \(share) of \(sorted.count) values")
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }

  static func median(_ values: [Double]) -> Double { of(values.sorted(), 0.5) }
}
