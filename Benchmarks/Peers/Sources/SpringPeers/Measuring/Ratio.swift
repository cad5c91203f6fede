import Statistics

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
    median = Quantile.type7(sorted: quotients, at: 0.5)
    quartiles = Quantile.type7(sorted: quotients, at: 0.25)...Quantile.type7(sorted: quotients, at: 0.75)
  }
}

extension Quantile {
  static func median(_ values: [Double]) -> Double { type7(sorted: values.sorted(), at: 0.5) }
}

extension Race.Heat {
  /// The median of a contestant's rounds, nanoseconds per spring and step; nil where it did not run.
  func cost(of contestant: Contestant) -> Double? { costs[contestant].map(Quantile.median) }

  /// What a contestant costs in terms of another; nil where one of them did not run.
  func ratio(of contestant: Contestant, to other: Contestant) -> Ratio? {
    guard let costs = costs[contestant], let others = self.costs[other] else { return nil }
    return Ratio(costs, to: others)
  }

  /// The contestant of these with the lowest median; nil where none of them ran.
  func fastest(of contestants: [Contestant]) -> Contestant? {
    contestants.compactMap { contestant in cost(of: contestant).map { (contestant, $0) } }
      .min { $0.1 < $1.1 }?.0
  }
}
