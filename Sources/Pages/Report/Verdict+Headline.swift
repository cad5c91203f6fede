import FrameBench
import Measurements
import TextFormat

extension Verdict {
  /// How the strategies compare: by the p99 frame, which decides whether a list stutters; then by the median and
  /// the worst frame where these say something else. A sentence each, one at least.
  static func headlines(_ group: ScenarioGroup, clock: ClockRecord) -> [String] {
    guard let reference = group.reference, !group.challengers.isEmpty else {
      return group.strategies.flatMap { soleCost(group, $0) }
    }
    let resolution = Resolution(clock)
    func pairs(_ challenger: String, _ statistic: FrameStatistic) -> [Pair] {
      group.sizes.compactMap { size in
        guard let one = group.record(reference, size), let other = group.record(challenger, size) else {
          return nil
        }
        return statistic.comparison(other, with: one, resolution).map { Pair(size: size, outcome: $0) }
      }
    }
    return FrameStatistic.allCases.compactMap { statistic -> String? in
      let clauses = group.challengers.flatMap { challenger -> [String] in
        let decisive = pairs(challenger, .p99)
        let own = pairs(challenger, statistic)
        let told =
          statistic == .p99
          ? own : zip(own, decisive).filter { $0.outcome.differs(from: $1.outcome) }.map(\.0)
        guard statistic == .p99 || !told.isEmpty else { return [] }
        return Self.clauses(told, reference: reference, challenger: challenger)
      }
      return clauses.isEmpty ? nil : "\(statistic.title(group.unit)): \(clauses.joined(separator: "; "))."
    }
  }

  private struct Pair {
    var size: Int
    var outcome: Comparison
  }

  private static func clauses(_ pairs: [Pair], reference: String, challenger: String) -> [String] {
    guard !pairs.isEmpty else {
      return ["\(challenger) and \(reference) were not measured at the same size"]
    }
    func factors(_ factor: (Comparison) -> String?) -> [(size: Int, factor: String)] {
      pairs.compactMap { pair in factor(pair.outcome).map { (pair.size, $0) } }
    }
    return [
      cheaper(challenger, than: reference, factors(\.factorCheaper)),
      cheaper(reference, than: challenger, factors(\.factorDearer)),
      atSizes(pairs.filter { $0.outcome == .equal }.map(\.size)).map {
        "\(challenger) and \(reference) cost about the same \($0)"
      },
      atSizes(pairs.filter { $0.outcome == .tooShort }.map(\.size)).map {
        "\(challenger) and \(reference) are both too short for the clock \($0)"
      },
    ].compactMap { $0 }
  }

  /// `tiled is 5.9× cheaper than naive at 100 items, 48× at 1,000 and 430× at 10,000`
  private static func cheaper(
    _ winner: String, than loser: String, _ factors: [(size: Int, factor: String)]
  ) -> String? {
    guard let first = factors.first else { return nil }
    let rest = factors.dropFirst().map { "\($0.factor) at \(Format.integer($0.size))" }
    let opening = "\(winner) is \(first.factor) cheaper than \(loser) at \(Format.items(first.size))"
    return Format.list([opening] + rest)
  }

  private static func soleCost(_ group: ScenarioGroup, _ strategy: String) -> [String] {
    let records = group.records(of: strategy)
    let sentences = [FrameStatistic.p99, .p50].compactMap { statistic -> String? in
      let costs = records.compactMap { record in
        statistic.timing(record).map { (size: record.id.size, cost: TimeUnit.text($0.nanoseconds)) }
      }
      guard let first = costs.first else { return nil }
      let rest = costs.dropFirst().map { "\($0.cost) at \(Format.integer($0.size))" }
      let list = Format.list(["\(first.cost) at \(Format.items(first.size))"] + rest)
      return "\(statistic.title(group.unit)): \(strategy) takes \(list)."
    }
    return sentences.isEmpty ? ["\(strategy) recorded no \(group.unit.sample)s."] : sentences
  }
}

extension Comparison {
  /// Whether the two lead to different conclusions: another winner, or factors far apart.
  fileprivate func differs(from other: Comparison) -> Bool {
    switch (self, other) {
    case (.factor(let one, _), .factor(let two, _)):
      return max(one / two, two / one) > 1.5
    case (.factor(let factor, _), .equal), (.equal, .factor(let factor, _)):
      return max(factor, 1 / factor) > 1.25
    default: return sign != other.sign
    }
  }
}
