import Dispatch
import FrameBench
import Measurements
import TextFormat

/// All nights of the history of a machine or a class of machines, and their trends.
package struct HistoryAnalysis: Sendable {
  /// The nights, oldest first.
  package internal(set) var nights: [Night]
  /// For each element of `nights`, the measurements that it combines: one from each machine of a class that measured
  /// that night.
  let machines: [[Night]]
  /// The trends, in the order of the newest night's benchmarks and metrics. Trends that this night lacks come last.
  package let trends: [Trend]

  /// The day of each night, as the number of days since 1970-01-01.
  package let days: [Int]
  private let places: [BenchmarkID: [Int]]
  let code: CodeHistory

  /// - Parameter nights: The nights in any order.
  package init(_ nights: [Night]) {
    machines = Fleet.groups(nights.sorted { $0.startedAt < $1.startedAt })
    let ordered = machines.map(Fleet.combined)
    days = ordered.map { UTCTime(iso8601: $0.startedAt)?.day ?? 0 }
    self.nights = ordered
    code = CodeHistory(ordered)
    let columns = Self.columns(ordered)
    // Environments are numbered, because every trend compares them, and comparing numbers is fast.
    func numbers(_ areAlike: (Night, Night) -> Bool) -> [Int] {
      zip(ordered, ordered.dropFirst()).reduce(into: [0]) {
        $0.append($0[$0.count - 1] + (areAlike($1.0, $1.1) ? 0 : 1))
      }
    }
    let environments = numbers { $0.environmentKey == $1.environmentKey }
    let frames = numbers { $0.options?.scenarioFrames == $1.options?.scenarioFrames }
    let declared = ordered.last { $0.counterKinds != nil }?.counterKinds
    places = Dictionary(grouping: columns.indices) { columns[$0].id }
    trends = columns.concurrentMap { column in
      Trend(
        id: column.id, metric: column.metric,
        kind: .named(FigureName(column.metric)?.metric ?? column.metric, declared: declared), nights: column.nights,
        values: column.values,
        segmentStarts: column.nights.indices.dropFirst().filter {
          let (before, after) = (column.nights[$0 - 1], column.nights[$0])
          return environments[before] != environments[after]
            || frames[before] != frames[after]
              && ordered[before].frames(of: column.id) != ordered[after].frames(of: column.id)
        })
    }
  }

  package var benchmarks: [BenchmarkID] { trends.map(\.id).unique }

  /// The trends of a benchmark in the order of the metrics; empty if it never ran.
  package func trends(of id: BenchmarkID) -> [Trend] { (places[id] ?? []).map { trends[$0] } }

  /// The trend of a figure, named as in budgets: `frameNanoseconds.solve.p50`. Nil if the benchmark never had this
  /// figure.
  package func trend(_ id: BenchmarkID, _ metric: String) -> Trend? {
    places[id]?.first { trends[$0].metric == metric }.map { trends[$0] }
  }

  private typealias Column = (id: BenchmarkID, metric: String, nights: [Int], values: [Double])

  private static func columns(_ nights: [Night]) -> [Column] {
    var columns: [Column] = []
    var known: [BenchmarkID: [String: Int]] = [:]
    func column(_ id: BenchmarkID, _ metric: String) -> Int {
      if let index = known[id]?[metric] { return index }
      known[id, default: [:]][metric] = columns.count
      columns.append((id, metric, [], []))
      return columns.count - 1
    }
    // Most nights have the same metrics, so a benchmark's columns are looked up again only if the metrics change.
    var places: [BenchmarkID: [Int]] = [:]
    var metrics: [String] = []
    // The loop begins with the newest night, because it determines the order of columns. The values are reversed below.
    for night in nights.indices.reversed() {
      if nights[night].metrics != metrics {
        metrics = nights[night].metrics
        places = [:]
      }
      for benchmark in nights[night].benchmarks {
        let place = places[benchmark.id] ?? metrics.map { column(benchmark.id, $0) }
        places[benchmark.id] = place
        for case (let index, let value?) in zip(place, benchmark.values) {
          columns[index].nights.append(night)
          columns[index].values.append(value)
        }
      }
    }
    columns.removeAll(where: \.values.isEmpty)
    for index in columns.indices {
      columns[index].nights.reverse()
      columns[index].values.reverse()
    }
    return columns
  }

  // MARK: - Change points

  package struct Finding: Sendable, Equatable {
    package var trend: Trend
    /// The positions in the shift are indices into the trend's values.
    package var shift: LevelShift
  }

  /// A reported change point that later nights contradict, and the index of the night that withdrew it.
  package typealias Withdrawal = (announcement: Night.Announcement, night: Int)

  /// The number of days for which reports and pages list a change point as recent.
  package static let newsDays = 60

  /// Reported change points of the last `newsDays` days, the newest first.
  package var recentFindings: [Finding] {
    let since = (days.last ?? 0) - Self.newsDays
    return trends.flatMap(\.findings).filter { days[$0.trend.nights[$0.shift.levelPosition]] > since }.sorted {
      $0.trend.nights[$0.shift.levelPosition] > $1.trend.nights[$1.shift.levelPosition]
    }
  }

  /// Trends of counts without noise: the newest value is worse than all earlier ones in the same environment, but there
  /// is no change point yet.
  package var risenCounts: [Trend] {
    trends.filter { trend in
      guard trend.kind.isCount, isCurrent(trend), let last = trend.values.last,
        trend.segmentStarts.last != trend.values.count - 1
      else { return false }
      let before = trend.values.dropFirst(trend.segmentStarts.last ?? 0).dropLast()
      return !before.isEmpty
        && before.allSatisfy { trend.kind.isWorse(last, than: $0) && trend.kind.differs(last, from: $0) }
        && !trend.findings.contains { $0.shift.levelPosition == trend.values.count - 1 }
    }
  }

  /// The change points that have enough nights and have not been reported, and the reports that later nights
  /// contradict.
  func news() -> (new: [Finding], takenBack: [Night.Announcement]) {
    // A report stands if it was made more often than it was withdrawn. The order of reports and withdrawals is ignored,
    // because a past commit may be measured later than the nights that follow it.
    func place(_ announcement: Night.Announcement) -> [String] { [announcement.name, announcement.startedAt] }
    var withdrawnCounts = Dictionary(grouping: withdrawals, by: { place($0.announcement) }).mapValues(\.count)
    let standing = nights.flatMap(\.announced).filter { announcement in
      withdrawnCounts[place(announcement), default: 0] -= 1
      return withdrawnCounts[place(announcement), default: 0] < 0
    }
    let known = Dictionary(grouping: standing, by: \.name)
    let withdrawn = Dictionary(grouping: withdrawals.map(\.announcement), by: \.name)
    let starts = machines.enumerated().flatMap { index, group in group.map { ($0.startedAt, index) } }
    let nightsByStart = Dictionary(starts) { first, _ in first }
    var news: (new: [Finding], takenBack: [Night.Announcement]) = ([], [])
    for trend in trends {
      // Leaves out reports whose change began in a night that the trend no longer contains.
      func reports(_ all: [Night.Announcement]?) -> [(Night.Announcement, LevelHistory.Reported)] {
        (all ?? []).compactMap { announcement in
          nightsByStart[announcement.startedAt].flatMap(trend.nights.firstIndex(of:)).map {
            (announcement, ($0, announcement.isRise))
          }
        }
      }
      let own = reports(known[trend.name])
      let found = trend.news(since: own.map(\.1), withdrawn: reports(withdrawn[trend.name]).map(\.1))
      news.new += found.new.map { Finding(trend: trend, shift: $0) }
      news.takenBack += own.indices.filter(found.takenBack.contains).map { own[$0].0 }
    }
    return news
  }

  /// Stores a night's reports in the night: new change points and, in the newest night, also new drifts and
  /// withdrawals.
  /// - Parameter index: The index of the night. Nil means the newest one.
  package mutating func announce(by index: Int? = nil) {
    guard let index = index ?? nights.indices.last else { return }
    let news = news()
    nights[index].announced = news.new.map(announcement)
    guard index == nights.indices.last else { return }
    nights[index].announced += benchmarks.compactMap { driftAnnouncement(of: $0) }
    nights[index].withdrawn = news.takenBack.unlessEmpty
  }

  /// The change points that the newest night reports, in their current form.
  package var announced: [Finding] {
    (nights.last?.announced ?? []).compactMap { announcement in
      guard let trend = trend(announcement.id, announcement.metric),
        // Any machine of the class may have reported the change point, not only the first machine of that night.
        let position = trend.nights.firstIndex(where: { night in
          machines[night].contains { $0.startedAt == announcement.startedAt }
        }), let shift = trend.shift((position, announcement.isRise))
      else { return nil }
      return Finding(trend: trend, shift: shift)
    }
  }

  /// Reports that were withdrawn, the latest withdrawal first.
  package var withdrawals: [Withdrawal] {
    nights.indices.reversed().flatMap { night in (nights[night].withdrawn ?? []).map { ($0, night) } }
  }

  package var newestWithdrawals: [Withdrawal] { withdrawals.filter { $0.night == nights.count - 1 } }

  package func announcement(of finding: Finding) -> Night.Announcement {
    let shift = finding.shift
    return Night.Announcement(
      id: finding.trend.id, metric: finding.trend.metric,
      startedAt: nights[finding.trend.nights[shift.position]].startedAt, before: shift.before, after: shift.after)
  }

  /// The day of a change point. For a drift, the days of its first and its last step.
  package func dayText(of finding: Finding) -> String {
    let (first, last) = (finding.shift.position, finding.shift.levelPosition)
    let day = nights[finding.trend.nights[first]].day
    return first == last ? day : "\(day) to \(nights[finding.trend.nights[last]].day)"
  }

  /// The commits of the last night of the old level and of the first night of the new level. Nil if one is unknown.
  package func commitRange(of finding: Finding) -> (good: String, bad: String)? {
    let positions = finding.trend.nights
    guard finding.shift.position > 0, let good = nights[positions[finding.shift.position - 1]].commit,
      let bad = nights[positions[finding.shift.levelPosition]].commit
    else { return nil }
    return (good, bad)
  }

  // MARK: - The newest night against those before it

  /// Benchmarks that an earlier night lists, and that the newest night neither measured, nor left out, nor lists as
  /// failed. The earlier night is the one with the nearest code (see `preceding`).
  package var missing: [BenchmarkID] { nights.last.map(nights.dropLast().missing) ?? [] }

  /// Benchmarks of the newest night that no earlier night had; none in the first night.
  package var appeared: [BenchmarkID] {
    guard nights.count > 1, let last = nights.last?.benchmarks.map(\.id) else { return [] }
    var new = Set(last)
    for night in nights.dropLast().reversed() where !new.isEmpty { new.subtract(night.allIDs) }
    return last.filter(new.contains)
  }

  /// Benchmarks whose output (its checksum) differs from that in the last preceding night that measured them, if that
  /// night had the same options.
  package var behaviorChanged: [BenchmarkID] {
    guard let last = nights.last else { return [] }
    let preceding = nights.dropLast().preceding(last)
    var open = Dictionary(last.benchmarks.map { ($0.id, $0) }) { first, _ in first }
    var changed: Set<BenchmarkID> = []
    for (index, night) in zip(nights.indices, nights).dropLast().reversed() where !open.isEmpty {
      for benchmark in night.benchmarks {
        guard let own = open[benchmark.id], let first = preceding[own.base], index <= first else { continue }
        open[benchmark.id] = nil
        guard own.checksum != benchmark.checksum else { continue }
        // The last element of the key says how frames were measured. Checksums are comparable only if both nights
        // measured in the same way.
        let keys = [night, last].map { $0.environmentKey(of: benchmark.id) }
        if keys[0].last == keys[1].last { changed.insert(benchmark.id) }
      }
    }
    return last.benchmarks.map(\.id).filter(changed.contains)
  }

  /// The changes of the environment in the newest night, in words.
  package var environmentChanges: [String] {
    guard nights.count > 1, let last = nights.last else { return [] }
    return nights[nights.count - 2].environmentKey.changes(to: last.environmentKey)
  }

  /// Trends that contain a figure of the newest night.
  package var currentTrends: [Trend] { trends.filter(isCurrent) }

  package func isCurrent(_ trend: Trend) -> Bool { trend.nights.last == nights.count - 1 }
}

extension ArraySlice<Night> {
  /// Returns, for each commit with which benchmarks of the later night were compared (`Night.Benchmark.base`), the
  /// earlier night whose code is nearest: the last night that measured the later night's own commit. If there is none,
  /// it is the last night that measured the base, or else the newest night.
  fileprivate func preceding(_ later: Night) -> [String?: Int] {
    guard let newest = indices.last else { return [:] }
    func measured(_ commit: String?) -> Int? { commit.flatMap { commit in lastIndex { $0.commit == commit } } }
    let own = measured(later.commit)
    return Set(later.benchmarks.map(\.base) + [nil]).reduce(into: [:]) { nights, base in
      nights[base] = own ?? measured(base ?? later.comparison?.baseline.commit) ?? newest
    }
  }

  /// Benchmarks that the newest preceding night knew, and that a later night neither measured nor left out.
  package func missing(in later: Night) -> [BenchmarkID] {
    guard let preceding = preceding(later).values.max() else { return [] }
    let known = Set(later.knownIDs)
    return self[preceding].knownIDs.filter { !known.contains($0) }
  }
}

extension Array where Element: Sendable {
  /// Like `map`, but uses all cores at once.
  package func concurrentMap<Output: Sendable>(_ work: @Sendable (Element) -> Output) -> [Output] {
    guard !isEmpty else { return [] }
    return [Output](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      nonisolated(unsafe) let base = buffer.baseAddress
      DispatchQueue.concurrentPerform(iterations: count) { index in
        base?.advanced(by: index).initialize(to: work(self[index]))
      }
      initializedCount = count
    }
  }
}
