import FrameBench
import Measurements
import Statistics

/// Which change points are reported, and when.
extension Trend {
  /// Nights of a new level after which its change point is reported.
  package static let requiredSupport = 4
  /// A change point of a greater probability is never shown: split points are chosen, out of many, every
  /// night anew, so that one in a thousand comes up by chance. docs/history.md has the rates.
  package static let reportedPValue = 1e-5
  /// Change points move by a few nights as later ones come in: those so near are the same.
  static let sameWithin = 5

  /// Whether the figure counts something, so that it has no noise of its own. A time that the clock rounds to the
  /// same value every night still has, and so has memory.
  package var isCount: Bool { kind.nature == .exact }

  /// Whether a change point is reported. A count that never moved needs only one night of the new level, after
  /// `requiredSupport` nights of the old one.
  package func isReported(_ shift: Shift) -> Bool {
    guard shift.pValue <= Self.reportedPValue, kind.direction != .neither else { return false }
    if shift.support >= Self.requiredSupport { return true }
    let starts = segmentStarts + shifts.map(\.position)
    let before = shift.position - (starts.filter { $0 < shift.position }.max() ?? 0)
    return isCount && shift.isExact && before >= Self.requiredSupport
  }

  /// The change point that a night reported, as it is now: the nearest one. A second one nearby is not reported.
  func shift(reportedAt position: Int) -> Shift? {
    let nearest = shifts.min { abs($0.position - position) < abs($1.position - position) }
    return nearest.flatMap { abs($0.position - position) <= Self.sameWithin ? $0 : nil }
  }
}

/// What nightly runs would have reported of a series, night after night.
package struct Replay: Sendable, Equatable {
  /// That a night reported a change point.
  package struct Report: Sendable, Equatable, Encodable {
    /// Position of the night that reports it.
    package var night: Int
    /// Position of the first night of the new level, as it was known then.
    package var position: Int
    /// Mean of the old level, as it was known then.
    package var before: Double
    /// Mean of the new level, as it was known then.
    package var after: Double
  }

  /// In the order of the nights that report them.
  package private(set) var reports: [Report] = []

  /// - Complexity: A whole analysis for each value.
  package init(_ values: [Double], detection: ChangePointDetection = ChangePointDetection()) {
    let environmentKey = EnvironmentKey(
      machine: "", cpuModel: nil, toolchain: "", buildConfiguration: "", allocator: "", clock: "",
      options: nil)
    for count in 2..<max(3, values.count + 1) where count <= values.count {
      let trend = Trend(
        id: BenchmarkID(scenario: "replay", strategy: "replay", size: 1), metric: "",
        kind: Metric(counter: "replay", CounterKind()), nights: Array(0..<count),
        values: Array(values[..<count]), environmentKey: Array(repeating: environmentKey, count: count),
        detection: detection)
      let known = reports.map(\.position)
      for shift in trend.shifts where trend.isReported(shift) {
        guard !known.contains(where: { trend.shift(reportedAt: $0) == shift }) else { continue }
        reports.append(
          Report(night: count - 1, position: shift.position, before: shift.before, after: shift.after))
      }
    }
  }
}
