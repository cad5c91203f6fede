import Foundation
import Statistics

/// The cost of one contestant relative to another. It is the median over all rounds of the ratio of their costs.
struct Ratio: Equatable {
  let median: Double
  /// The lower and the upper quartile of the ratios.
  let quartiles: ClosedRange<Double>
  /// The 99% confidence interval for the true median; nil if there are too few rounds.
  let interval: ClosedRange<Double>?

  /// - Parameters:
  ///   - costs: The contestant's costs, one for each round.
  ///   - others: The other contestant's costs in the same rounds.
  init(_ costs: [Double], to others: [Double]) {
    precondition(costs.count == others.count && !costs.isEmpty, "\(costs.count) costs, \(others.count) to compare with")
    let quotients = zip(costs, others).map { $0 / $1 }.sorted()
    median = Quantile.type7(sorted: quotients, at: 0.5)
    quartiles = Quantile.type7(sorted: quotients, at: 0.25)...Quantile.type7(sorted: quotients, at: 0.75)
    interval = Self.outerCount(of: quotients.count).map { quotients[$0]...quotients[quotients.count - 1 - $0] }
  }

  /// Returns the number of values at each end of a sorted sample that lie outside the 99% interval of the median. Nil
  /// for fewer than 8 values, whose whole range contains the median with a probability of less than 99%.
  ///
  /// For any distribution of the values, the number of values below the median is binomial with a probability of 1/2.
  static func outerCount(of count: Int) -> Int? {
    let n = Double(count)
    var (outer, tail) = (0, 0.0)
    while outer < count {
      let k = Double(outer)
      let ways: Double = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
      // Adds the probability that exactly k values lie below the median, or exactly k above it.
      tail += 2 * exp(ways - n * log(2.0))
      guard tail <= 0.01 else { break }
      outer += 1
    }
    return outer > 0 ? outer - 1 : nil
  }
}

extension Quantile { static func median(_ values: [Double]) -> Double { type7(sorted: values.sorted(), at: 0.5) } }

extension Race.Heat {
  /// Returns the median over a contestant's rounds, nanoseconds per spring and step. Nil if the contestant did not run.
  func cost(of contestant: Contestant) -> Double? { costs[contestant].map(Quantile.median) }

  /// Returns the cost of a contestant relative to another. Nil if one of them did not run.
  func ratio(of contestant: Contestant, to other: Contestant) -> Ratio? {
    guard let costs = costs[contestant], let others = self.costs[other] else { return nil }
    return Ratio(costs, to: others)
  }

  /// Returns the contestant with the lowest median cost. Nil if none of the contestants ran.
  func fastest(of contestants: [Contestant]) -> Contestant? {
    contestants.compactMap { contestant in cost(of: contestant).map { (contestant, $0) } }.min { $0.1 < $1.1 }?.0
  }
}
