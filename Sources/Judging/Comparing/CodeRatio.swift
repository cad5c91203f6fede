import Foundation
import FrameBench
import Measurements

/// The cost of a benchmark's code divided by the cost of its earlier code. The builds took turns on one core, and their
/// mean frame times were compared.
package struct CodeRatio: Codable, Sendable, Hashable {
  /// The ratio minus 1: 0.012 is 1.2% more.
  package var change: Double
  /// The ends of the 98% interval of `change`. If both builds run the same code, `change`, `low` and `high` are 0.
  package var low: Double
  package var high: Double

  /// 98% of a normal distribution lie within this many standard deviations.
  private static let deviations = 2.326_347_874
  /// Logarithms are limited to ± this, so that the ratio stays finite. No real ratio is that large.
  private static let largestLogarithm = 500.0
}

extension CodeRatio {
  /// Whether both builds ran the same code.
  package var isOfSameCode: Bool { (change, low, high) == (0, 0, 0) }

  /// Returns nil if the row has no interval, or if its numbers are impossible.
  package init?(_ row: ComparisonRow) {
    guard let change = row.change, let low = row.low, let high = row.high else { return nil }
    (self.change, self.low, self.high) = (change, low, high)
    if isImpossible { return nil }
  }

  package init(logarithm: Double, variance: Double) {
    let reach = Self.deviations * variance.squareRoot()
    func less1(_ logarithm: Double) -> Double {
      expm1(min(max(logarithm, -Self.largestLogarithm), Self.largestLogarithm))
    }
    (change, low, high) = (less1(logarithm), less1(logarithm - reach), less1(logarithm + reach))
  }

  package var logarithm: Double { log1p(change) }
  /// The standard error of the logarithm.
  package var standardError: Double { (log1p(high) - log1p(low)) / 2 / Self.deviations }
  var variance: Double { standardError * standardError }

  /// Whether no comparison can give such numbers, so the document that contains them is damaged.
  var isImpossible: Bool { !(low > -1 && low <= change && change <= high && high <= 1e16) }
}

extension ComparisonDocument {
  /// The ratios of the benchmarks whose mean frame times were compared, or which run the same code in both builds.
  package var ratios: [BenchmarkID: CodeRatio] {
    let means = rows.filter(\.isMeanFrame)
    return Dictionary(means.compactMap { row in CodeRatio(row).map { (row.id, $0) } }) { first, _ in first }
  }

  /// A copy for the history. It contains only the rows of changed figures and of inconclusive mean times.
  package var changesAlone: ComparisonDocument {
    var document = self
    document.rows.removeAll { !$0.verdict.isChange && ($0.verdict != .inconclusive || !$0.isMean) }
    (document.scrolls, document.benchmarkSeconds) = (nil, nil)
    return document
  }
}
