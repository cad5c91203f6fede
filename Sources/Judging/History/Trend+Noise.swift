import Statistics

/// How far a trend's newest value is beyond the noise of its nights.
extension Trend {
  /// Fewer nights are not enough to estimate the noise.
  package static let leastNightsForNoise = 5
  /// Among a thousand figures that only scatter, one exceeds this in one of sixteen nights.
  static let deviations = 4.0
  private static let nightsForNoise = 50
  /// Nanoseconds: clocks step by some ten, which for a short phase is all that it ever moves by.
  private static let leastTimeNoise = 2.5

  /// A comparison of the newest night with an earlier one.
  package struct Move: Sendable, Equatable {
    /// In the metric's own unit: one night's value, or the median of several.
    package var before: Double
    /// The newest value, in the metric's own unit.
    package var after: Double
    /// Whether it is worse now; nothing is, where the metric has no direction.
    package var isRegression: Bool
    /// The largest such difference without any change; nil if there are too few nights.
    package var noise: Double?

    /// False where the noise is unknown.
    package var isBeyondNoise: Bool { noise.map { abs(after - before) > $0 } ?? false }
    /// As a fraction of before; nil where that was 0.
    package var relativeChange: Double? { before == 0 ? nil : after / before - 1 }
  }

  /// Where the level of the newest value begins, as a position in `values`.
  package var levelStart: Int { max(shifts.last?.levelPosition ?? 0, segmentStarts.last ?? 0) }

  /// Standard deviation from night to night on the newest level, without those after `end`; nil for too few.
  ///
  /// Of the differences between neighbouring nights, so that a drift does not widen it, and by their median,
  /// so that a single bad night does not. Never less than a tenth of the ordinary deviation: a figure that is
  /// mostly constant still moves sometimes.
  package func noise(upTo end: Int) -> Double? {
    let segment = segmentStarts.last { $0 < end } ?? 0
    let starts = shifts.flatMap { [$0.position, $0.levelPosition] }
    let level = max(segment, starts.last { $0 < end } ?? 0)
    // A level that is too new borrows from the one before it: the median of differences does not see one step.
    let whole = end - level >= Self.leastNightsForNoise ? level : segment
    let start = max(whole, end - Self.nightsForNoise)
    guard end - start >= Self.leastNightsForNoise else { return nil }
    let stretch = values[start..<end]
    let differences = zip(stretch, stretch.dropFirst()).map { abs($1 - $0) }.sorted()
    let robust = Quantile.type7(sorted: differences, at: 0.5) * 1.4826 / 2.0.squareRoot()
    let mean = stretch.reduce(0, +) / Double(stretch.count)
    let variance = stretch.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(stretch.count - 1)
    let least = kind == .frameTime ? Self.leastTimeNoise : 0
    return max(robust, variance.squareRoot() / 10, least)
  }

  /// Against the last night before the newest one that has the figure.
  package var sinceYesterday: Move? {
    guard values.count > 1, segmentStarts.last != values.count - 1 else { return nil }
    let last = values.count - 1
    return move(from: values[last - 1], weight: 2)
  }

  /// Against the median of the nights six to eight days before the newest one.
  ///
  /// - Parameter days: Of all nights, days since 1970-01-01.
  package func sinceLastWeek(days: [Int]) -> Move? {
    guard let newest = nights.last else { return nil }
    let range = (days[newest] - 8)...(days[newest] - 6)
    let first = segmentStarts.last ?? 0
    let earlier = (first..<values.count).filter { range.contains(days[nights[$0]]) }.map { values[$0] }
    guard !earlier.isEmpty else { return nil }
    return move(
      from: Quantile.type7(sorted: earlier.sorted(), at: 0.5), weight: 1 + 1 / Double(earlier.count))
  }

  /// - Parameter weight: Variance of the difference, in variances of one night.
  private func move(from before: Double, weight: Double) -> Move {
    // The newest night may itself be the move, so it says nothing about the noise.
    let noise = noise(upTo: values.count - 1)
    let after = values[values.count - 1]
    return Move(
      before: before, after: after, isRegression: kind.isWorse(after, than: before),
      noise: noise.map { $0 * weight.squareRoot() * Self.deviations })
  }
}
