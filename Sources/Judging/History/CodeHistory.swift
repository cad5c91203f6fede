import Foundation
import FrameBench
import Measurements
import Statistics

/// The comparisons of each night with the night before, for all nights of a history. For each benchmark, the product of
/// the measured ratios is the change over the whole history.
package struct CodeHistory: Sendable {
  /// For each night, the index of the first night with the same commit. A night that repeats a commit shows nothing new
  /// about the code.
  let firsts: [Int]
  /// The index of the last night that was compared not only with the night before, but also with a much older night
  /// (its *anchor*). Nil if there is no such night.
  private let lastAnchored: Int?
  /// The index of the last night whose comparison with its anchor failed. Nil if there is no such night.
  private let lastFailed: Int?
  private var links: [BenchmarkID: [Int: CodeChain.Link]] = [:]
  private var anchors: [BenchmarkID: [Int: CodeChain.Link]] = [:]

  /// - Parameter nights: The nights, oldest first.
  package init(_ nights: [Night]) {
    lastAnchored = nights.lastIndex { $0.anchor != nil }
    lastFailed = nights.lastIndex { $0.anchor != nil && $0.benchmarks.allSatisfy { $0.anchorRatio == nil } }
    var known: [String: Int] = [:]
    var firsts: [Int] = []
    for (index, night) in nights.enumerated() {
      let first = night.commit.flatMap { known[$0] } ?? index
      firsts.append(first)
      if let commit = night.commit { known[commit] = first }
      let base = night.comparison?.baseline.commit.flatMap { known[$0] }
      let anchor = night.anchor.flatMap { known[$0] }
      guard night.comparison != nil || anchor != nil else { continue }
      let reported = Set((night.comparison?.rows ?? []).filter { $0.verdict.isChange && $0.metric.isTimed }.map(\.id))
      for benchmark in night.benchmarks {
        let isReported = reported.contains(benchmark.id)
        func link(_ base: Int?, _ ratio: CodeRatio?) -> CodeChain.Link? {
          guard let base, let ratio, base < first else { return nil }
          return CodeChain.Link(base: base, night: first, ratio: ratio, isReported: isReported)
        }
        // Nights with the same commit share one link. If a night's comparison was cut short, the night has no ratio,
        // and the link keeps the ratio of another night.
        let base = benchmark.base == nil ? base : benchmark.base.flatMap { known[$0] }
        if let link = link(base, benchmark.ratio) { links[benchmark.id, default: [:]][first] = link }
        if let link = link(anchor, benchmark.anchorRatio) { anchors[benchmark.id, default: [:]][first] = link }
      }
    }
    self.firsts = firsts
  }

  func chain(of id: BenchmarkID) -> CodeChain? { CodeChain(links[id] ?? [:], anchors: anchors[id] ?? [:]) }

  /// The index of the older night that the next night should also be compared with: the one that most benchmarks need.
  /// Nil if no benchmark needs such an anchor.
  /// - Parameter count: The number of nights with changed code after which a benchmark needs an anchor.
  package func nextAnchor(after count: Int) -> Int? {
    let wanted = links.keys.compactMap {
      chain(of: $0)?.nextAnchor(after: count, tried: lastAnchored, failed: lastFailed)
    }
    let votes = Dictionary(wanted.map { ($0, 1) }, uniquingKeysWith: +)
    return votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}

extension HistoryAnalysis {
  /// How the cost of a benchmark's code changed over the nights, measured with both builds taking turns. Nil if the
  /// benchmark was never compared.
  package func chain(of id: BenchmarkID) -> CodeChain? { code.chain(of: id) }

  /// Whether the newest night measured the commit of an earlier night without changes to it, and so has no new code.
  package var repeatsCommit: Bool {
    nights.last?.environment.isDirty != true && code.firsts.last.map { $0 != nights.count - 1 } ?? false
  }

  /// The number of nights, counting the nights of one commit once.
  package var commitCount: Int { Set(code.firsts).count }

  // MARK: - Change points and the code

  /// What the comparisons of builds show about the cause of a change of level.
  package enum CodeShare: Sendable, Equatable {
    /// A night between the two levels reported a change.
    case reported
    /// No night reported a change, but the ratios of the nights together explain the change of level.
    case drifted(CodeRatio)
    /// The code does not explain the change of level, so something else moved the figure.
    case unmoved(CodeRatio)
  }

  /// The code counts as the cause of a level change if it explains at least this fraction of the change.
  private static let leastShare = 0.5

  /// How far changed code explains a change of level. Nil if the comparisons do not show it, for example because some
  /// code between the two levels was not compared or not committed.
  package func codeShare(of finding: Finding) -> CodeShare? {
    let (trend, shift) = (finding.trend, finding.shift)
    guard shift.position > 0 else { return nil }
    // The true change may lie before or after the change point that was found, but within the two levels.
    var from = shift.position - 1 - min(shift.slack, shift.supportBefore - 1)
    var to = shift.levelPosition + min(shift.levelSlack, shift.support - 1)
    // Comparisons build commits, so they do not contain uncommitted changes.
    func isDirty(_ position: Int) -> Bool { nights[trend.nights[position]].environment.isDirty == true }
    from = (shift.position - shift.supportBefore...from).last { !isDirty($0) } ?? from
    to = (to...shift.levelPosition + shift.support - 1).first { !isDirty($0) } ?? to
    if let links = chain(of: trend.id)?.links {
      // Nights before and after the chain were not compared, so they do not count.
      while from < shift.position - 1, code.firsts[trend.nights[from]] < links[0].base { from += 1 }
      while to > shift.levelPosition, code.firsts[trend.nights[to]] > links[links.count - 1].night { to -= 1 }
    }
    return codeShare(trend, from: from, to: to, change: (shift.before, shift.after))
  }

  private func codeShare(_ trend: Trend, from: Int, to: Int, change: (before: Double, after: Double)) -> CodeShare? {
    let ends = [from, to].map { trend.nights[$0] }
    let firsts = ends.map { code.firsts[$0] }
    let chain = chain(of: trend.id)
    let span = chain?.span(from: firsts[0], to: firsts[1])
    // If the comparison of the new level's first night was cut short, the night after it judges the same commits. So
    // its verdicts count, too.
    let last = max(ends[1], span.flatMap { chain?.links[$0.upperBound - 1].night } ?? 0)
    let verdict = trend.kind.isWorse(change.after, than: change.before) ? ChangeVerdict.regressed : .improved
    let isReported = nights[(ends[0] + 1)...last].contains { night in
      (night.comparison?.rows ?? []).contains {
        $0.id == trend.id && $0.verdict == verdict && $0.metric.explains(trend.kind)
      }
    }
    if isReported { return .reported }
    guard ends.allSatisfy({ nights[$0].environment.isDirty != true }) else { return nil }
    // Both nights measured the same commit, so the code did not change.
    if firsts[0] == firsts[1] { return .unmoved(CodeRatio(logarithm: 0, variance: 0)) }
    guard let chain, let span else { return nil }
    let ratio = chain.ratio(over: span)
    // A night would have reported a changed exact figure, unless the scenario tolerates the change.
    if ratio.isOfSameCode || trend.kind.nature == .exact && trend.kind.isJudged { return .unmoved(ratio) }
    guard trend.kind.isTimed, change.before > 0, change.after > 0,
      movedLikeFrames(trend, after: ends[0], from: ends[1], change)
    else { return nil }
    let isBeyondNoise = ratio.low > 0 || ratio.high < 0
    let share = ratio.logarithm / log(change.after / change.before)
    return isBeyondNoise && share >= Self.leastShare ? .drifted(ratio) : .unmoved(ratio)
  }

  /// Whether a phase's time changed by about as much as the median frame time: the two changes differ by at most half
  /// the phase's change. The ratios of a chain are those of whole frames, so they cannot explain a phase that changed
  /// alone. True for times of whole frames.
  private func movedLikeFrames(
    _ trend: Trend, after first: Int, from last: Int, _ change: (before: Double, after: Double)
  ) -> Bool {
    guard FigureName(trend.metric)?.phase != nil else { return true }
    guard let frame = self.trend(trend.id, "\(Metric.frameTime.name).p50") else { return false }
    let nights = frame.nights.indices
    let before = nights.filter { frame.nights[$0] <= first }.suffix(Trend.leastNightsForNoise)
    let after = nights.filter { frame.nights[$0] >= last }.prefix(Trend.leastNightsForNoise)
    guard !before.isEmpty, !after.isEmpty else { return false }
    let levels = [before.map { frame.values[$0] }, after.map { frame.values[$0] }].map { Quantile.median($0) }
    let own = log(change.after / change.before)
    return levels[0] > 0 && levels[1] > 0 && abs(own - log(levels[1] / levels[0])) <= abs(own) / 2
  }

  // MARK: - Drifts

  package typealias Drift = (id: BenchmarkID, drift: CodeChain.Drift)

  /// The name that stands in place of a metric in the announcement of a drift.
  static let driftMetric = "code"

  /// The drift that ends with the newest night and begins after the last reported drift; nil if there is none.
  private func drift(of id: BenchmarkID) -> CodeChain.Drift? {
    guard let chain = chain(of: id), chain.links.last?.night == nights.count - 1 else { return nil }
    let reported = nights.dropLast().lastIndex {
      $0.announced.contains { $0.id == id && $0.metric == Self.driftMetric }
    }
    return chain.drift(after: reported)
  }

  func driftAnnouncement(of id: BenchmarkID) -> Night.Announcement? {
    drift(of: id).map { drift in
      Night.Announcement(
        id: id, metric: Self.driftMetric, startedAt: nights[drift.links[0].night].startedAt, before: 1,
        after: 1 + drift.ratio.change)
    }
  }

  /// The drifts that the newest night reports.
  package var newDrifts: [Drift] {
    let announced = (nights.last?.announced ?? []).filter { $0.metric == Self.driftMetric }
    return announced.compactMap { old in drift(of: old.id).map { (old.id, $0) } }
  }

  // MARK: - Too early to tell

  /// The smallest number of nights of one environment with which a change of a time can pass the rank test. Only a
  /// change between levels that are far apart is confirmed without this test.
  package static let leastNights = 16

  /// The number of nights since the environment last changed, including the newest one.
  package var nightsOfEnvironment: Int {
    guard let last = nights.last else { return 0 }
    return nights.reversed().prefix { $0.environmentKey == last.environmentKey }.count
  }

  /// A change that moves the time of the median frame far outside its range since the last change point, but is too new
  /// to be confirmed.
  package struct EarlyChange: Sendable, Equatable {
    package var trend: Trend
    /// The position in the trend's values of the first night after the change.
    package var position: Int
    package var before: Double
    package var after: Double
    package var codeShare: CodeShare?
  }

  /// The smallest relative change that is mentioned before it is confirmed.
  private static let leastEarlyChange = 0.2

  package var earlyChanges: [EarlyChange] {
    currentTrends.filter { $0.metric == "frameNanoseconds.p50" }.compactMap { trend in
      let start = max(trend.segmentStarts.last ?? 0, trend.findings.last?.shift.levelPosition ?? 0)
      let positions = (1..<Trend.requiredSupport).map { trend.values.count - $0 }.filter { $0 >= start + 2 }
      guard
        let position = positions.last(where: { LevelShift.areFarApart(trend.values[start..<$0], trend.values[$0...]) })
      else { return nil }
      let (before, after) = (
        Quantile.median(trend.values[start..<position]), Quantile.median(trend.values[position...])
      )
      guard before > 0, abs(after / before - 1) >= Self.leastEarlyChange else { return nil }
      return EarlyChange(
        trend: trend, position: position, before: before, after: after,
        codeShare: codeShare(trend, from: position - 1, to: position, change: (before, after)))
    }
  }
}
