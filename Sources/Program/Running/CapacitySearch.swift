import Foundation
import Measurements
import Statistics

/// Which number of items to try next, on the way to the largest that fits a budget.
///
/// The number grows fourfold until one does not fit, or shrinks until one does; where the last two probes foretell
/// where the budget is met, the growth goes just beyond that, since a list that is four times too long takes four
/// times too long to try. Then the gap between the two is closed, where the costs at its sides foretell the budget,
/// or else by bisection on a logarithmic scale.
struct CapacitySearch {
  /// As far as the smallest size that does not fit may lie above the largest that does, as a fraction.
  static let precision = 0.05
  static let growth = 4.0
  static let leastGrowth = 1.25
  static let foretoldProbeCount = 4

  let budgetNanoseconds: Double
  let start: Int
  /// The largest number of items that may be tried.
  let ceiling: Int
  private(set) var fitting: Int?
  private(set) var exceeding: Int?
  private(set) var probes: [CapacityRecord.Probe] = []
  /// Probes since there is a size that fits and one that does not.
  private var probesInGap = 0

  init(budgetNanoseconds: Double, start: Int, ceiling: Int) {
    precondition(start > 0 && ceiling > 0, "a search from \(start) to \(ceiling) items")
    self.budgetNanoseconds = budgetNanoseconds
    self.start = min(start, ceiling)
    self.ceiling = ceiling
  }

  mutating func add(_ probe: CapacityRecord.Probe) {
    if fitting != nil, exceeding != nil { probesInGap += 1 }
    probes.append(probe)
    if probe.p99Nanoseconds <= budgetNanoseconds {
      fitting = max(fitting ?? 0, probe.itemCount)
    } else {
      exceeding = min(exceeding ?? .max, probe.itemCount)
    }
  }

  /// Nil where the search has ended: the gap is small enough, the ceiling fits, or a single item does not.
  var next: Int? {
    switch (fitting, exceeding) {
    case (nil, nil): start
    case (let fitting?, nil): fitting >= ceiling ? nil : grown(from: fitting)
    case (nil, let exceeding?):
      exceeding <= 1 ? nil : max(1, Int(Double(exceeding) / Self.growth))
    case (let fitting?, let exceeding?):
      between(fitting, exceeding)
    }
  }

  /// Noise can make a longer list look cheaper than a shorter one; then there is no gap to search.
  private func between(_ fitting: Int, _ exceeding: Int) -> Int? {
    guard exceeding - fitting > 1, Double(exceeding) > Double(fitting) * (1 + Self.precision) else {
      return nil
    }
    let middle = (Double(fitting) * Double(exceeding)).squareRoot()
    let target = besideForetold(fitting, exceeding) ?? middle
    return min(exceeding - 1, max(fitting + 1, Int(target.rounded())))
  }

  /// Just below, then just above where the line between the two sides of the gap meets the budget: mostly
  /// that closes it in two probes. A cost that jumps misleads, so it is tried a few times only.
  private func besideForetold(_ fitting: Int, _ exceeding: Int) -> Double? {
    let sides = [fitting, exceeding].compactMap { size in probes.last { $0.itemCount == size } }
    let points = sides.map { (size: Double($0.itemCount), cost: $0.p50Nanoseconds) }
    guard probesInGap < Self.foretoldProbeCount,
      let target = PowerLaw(fitting: points)?.size(atCost: budgetNanoseconds)
    else { return nil }
    // Together less than the precision.
    let (below, above) = (target * (1 - 0.4 * Self.precision), target * (1 + 0.4 * Self.precision))
    return [below, above].first { $0 > Double(fitting) && $0 < Double(exceeding) }
  }

  private func grown(from size: Int) -> Int {
    var target = Double(size) * Self.growth
    if let foretold, foretold * (1 + Self.precision) < target {
      // Not in tiny steps, where noise foretold too little.
      target = max(foretold * (1 + Self.precision), Double(size) * Self.leastGrowth)
    }
    return min(ceiling, max(size + 1, Int(target.rounded(.up))))
  }

  /// Where the line through the last two probes, in log-log space, meets the budget. A cost that hardly
  /// grows foretells nothing.
  private var foretold: Double? {
    let points = probes.suffix(2).map { (size: Double($0.itemCount), cost: $0.p50Nanoseconds) }
    guard let law = PowerLaw(fitting: points), law.exponent >= 0.5 else { return nil }
    return law.size(atCost: budgetNanoseconds)
  }
}
