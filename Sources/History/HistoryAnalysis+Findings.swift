import FrameBench

extension HistoryAnalysis {
  /// A change point of a trend.
  package struct Finding: Sendable, Equatable {
    /// The one that `shift` is of, with all of its change points.
    package var trend: Trend
    /// Its positions count in the trend's values.
    package var shift: Trend.Shift
  }

  /// Change points that enough nights support and that no night has reported yet.
  package func unannounced() -> [Finding] {
    let reported = Set(nights.flatMap(\.announced))
    return trends.flatMap { trend in
      trend.shifts.filter { shift in
        trend.isReported(shift) && !isReportedBefore(shift, of: trend, reported)
      }.map { Finding(trend: trend, shift: $0) }
    }
  }

  private func isReportedBefore(_ shift: Trend.Shift, of trend: Trend, _ reported: Set<Night.Announcement>)
    -> Bool
  {
    let low = max(0, shift.position - Trend.sameWithin)
    let high = min(trend.nights.count - 1, shift.position + Trend.sameWithin)
    return (low...high).contains { position in
      reported.contains(announcement(of: trend, at: position)) && trend.shift(reportedAt: position) == shift
    }
  }

  private func announcement(of trend: Trend, at position: Int) -> Night.Announcement {
    Night.Announcement(
      id: trend.id, metric: trend.metric, startedAt: nights[trend.nights[position]].startedAt)
  }

  /// Has the newest night report the change points that no night reported yet.
  package mutating func announce() {
    guard !nights.isEmpty else { return }
    nights[nights.count - 1].announced = unannounced().map(announcement)
  }

  /// The change points that the newest night reports, as they are now.
  package var announced: [Finding] {
    (nights.last?.announced ?? []).compactMap { announcement in
      guard let trend = trend(announcement.id, announcement.metric),
        let position = trend.nights.firstIndex(where: { nights[$0].startedAt == announcement.startedAt }),
        let shift = trend.shift(reportedAt: position)
      else { return nil }
      return Finding(trend: trend, shift: shift)
    }
  }

  /// The night of a shift as nights announce it.
  package func announcement(of finding: Finding) -> Night.Announcement {
    announcement(of: finding.trend, at: finding.shift.position)
  }

  /// Commits of the last night of the old level and of the first night of the new one; nil where unknown.
  package func commitRange(of finding: Finding) -> (good: String, bad: String)? {
    let positions = finding.trend.nights
    guard finding.shift.position > 0,
      let good = nights[positions[finding.shift.position - 1]].environment.commit,
      let bad = nights[positions[finding.shift.position]].environment.commit
    else { return nil }
    return (good, bad)
  }
}

// MARK: - The newest night beside those before it

extension HistoryAnalysis {
  /// Benchmarks that the night before knew and the newest one does not, measured or failed.
  package var missing: [BenchmarkID] {
    guard nights.count > 1, let last = nights.last else { return [] }
    let present = Set(last.benchmarks.map(\.id) + last.failures.map(\.id))
    let before = nights[nights.count - 2]
    return (before.benchmarks.map(\.id) + before.failures.map(\.id)).filter { !present.contains($0) }
  }

  /// Benchmarks of the newest night that no night knew before; none in the first night.
  package var appeared: [BenchmarkID] {
    guard nights.count > 1, let last = nights.last else { return [] }
    let known = Set(nights.dropLast().flatMap { $0.benchmarks.map(\.id) + $0.failures.map(\.id) })
    return last.benchmarks.map(\.id).filter { !known.contains($0) }
  }

  /// Benchmarks that compute something else than they last did with the same options: their figures are those
  /// of other work.
  package var behaviorChanged: [BenchmarkID] {
    guard let last = nights.last else { return [] }
    return last.benchmarks.filter { benchmark in
      let earlier = nights.dropLast().last { $0.benchmark(benchmark.id) != nil }
      guard let earlier, earlier.environmentKey.options == last.environmentKey.options else { return false }
      return earlier.benchmark(benchmark.id)?.checksum != benchmark.checksum
    }.map(\.id)
  }

  /// What is different around the newest night, in words.
  package var environmentChanges: [String] {
    guard nights.count > 1, let last = nights.last else { return [] }
    return nights[nights.count - 2].environmentKey.changes(to: last.environmentKey)
  }

  /// Trends that the newest night has a figure of.
  package var currentTrends: [Trend] { trends.filter { $0.nights.last == nights.count - 1 } }

  /// Of the newest value of a trend.
  package func change(of trend: Trend) -> (yesterday: Trend.Move?, week: Trend.Move?) {
    (trend.sinceYesterday, trend.sinceLastWeek(days: days))
  }
}
