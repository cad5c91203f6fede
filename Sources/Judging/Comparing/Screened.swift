import Foundation
import FrameBench
import Measurements
import Statistics

/// Judges the times of one benchmark. A first measurement, the screening, raises suspicions. Then fresh sets of
/// processes measure the suspects again, and only these sets show whether a suspected time has changed.
///
/// The size of a change is estimated from all sets. For frames that were selected because they stood out in the
/// screening, only the fresh sets count, because the screening overstates their change.
package struct Screened: Sendable {
  package let id: BenchmarkID
  package let times: ScrollTimes
  package let rule: ComparisonRule
  /// The times to examine: mean, quantiles and worst of whole frames, the mean of each phase, the time lost in stalls,
  /// and the mean of frames that stand out.
  package private(set) var probes: [FrameProbe]
  /// The frames that stand out in the screening (the first measurement).
  private var located: Set<FrameProbe> = []
  /// The frames that stand out in the fresh sets. They are tested with the sets of the screening, which played no part
  /// in their selection.
  private var locatedLater: Set<FrameProbe> = []
  package private(set) var suspicions: [FrameProbe: ComparisonRule.Direction]
  /// The sets of new processes that measured the suspects again; nil before that.
  package private(set) var confirmation: ScrollTimes?
  private var all: ScrollTimes
  private let wanted: FrameSet?
  /// Each frame as a set of its own, if there are so few frames that all are examined. Otherwise empty.
  private let single: [FrameSet]
  private let isFunction: Bool
  /// The cost of each frame in the baseline as `run` would report it, in nanoseconds. The key is a phase, or nil for
  /// whole frames. Phases whose costs are unknown are missing. On a busy machine, long frames may have been preempted in
  /// every play that counts for these costs, so a frame that is NaN gets its usual cost in turns.
  package var least: [String?: [Double]] = [:] {
    didSet {
      for (phase, frames) in least where frames.contains(where: \.isNaN) {
        least[phase] = zip(frames, all.costs(of: phase)[0]).map { $0.isNaN ? $1 : $0 }
      }
    }
  }

  /// - Parameters:
  ///   - isFunction: Whether frames are calls of a function. All calls are alike, so their positions mean nothing.
  ///   - frames: Frames that are judged in any case; nil if there are none.
  package init(
    _ id: BenchmarkID, _ times: ScrollTimes, _ rule: ComparisonRule, isFunction: Bool = false, frames: FrameSet? = nil
  ) {
    (self.id, self.times, self.rule, self.isFunction) = (id, times, rule, isFunction)
    all = times
    let quantiles = isFunction ? [] : [FrameProbe.Statistic.p50, .p99, .max].map { FrameProbe($0) }
    let phases = times.phases.filter(times.isTestable).map { FrameProbe(phase: $0) }
    // The screening selects one limit for the length of stalls, and fresh sets test only this limit.
    let stalls = StallLimit.allCases.map { FrameProbe(.raw($0)) }
    let stall = stalls.first { rule.suspicion(times.times(of: $0)) != nil } ?? stalls[0]
    let whole = phases.prefix(1) + quantiles + [stall]
    let count = times.costs(of: nil)[0].count
    let areFew = !isFunction && (2..<FrameScan.leastFrameCount).contains(count)
    single = areFew ? (0..<count).map { FrameSet([$0]) }.filter { $0 != frames } : []
    let sets = [frames].compactMap(\.self) + single
    let standing = whole + phases.dropFirst() + sets.map { FrameProbe($0) }
    suspicions = standing.reduce(into: [:]) { $0[$1] = rule.suspicion(times.times(of: $1)) }
    // A single set does not show which frames were disturbed, so stalls look like longer frames there.
    if times.setCount == 1 { suspicions[stall] = suspicions[FrameProbe(phase: nil)] }
    probes = Array(standing)
    wanted = frames
    located = locate(in: times)
  }

  /// Suspects the frames that stand out in these measurements. They were selected from many candidates, so a test on
  /// the same measurements would prove nothing.
  private mutating func locate(in times: ScrollTimes) -> Set<FrameProbe> {
    guard !isFunction else { return [] }
    let costs = times.costs(of: nil)[0]
    let scan = FrameScan(
      ratios: times.ratios, costs: costs, deviations: times.ratioDeviations, setCount: times.setCount
    ) { rule.tolerance * FrameProbe($0).toleranceFactor(costs.count) }
    let found = scan.found.map { FrameProbe($0) }.filter { !probes.contains($0) }
    for probe in found { suspicions[probe] = (times.times(of: probe).change ?? 0) > 0 ? .slower : .faster }
    probes += found
    return Set(found)
  }

  /// Whether more fresh sets would be a waste of time, because the ones so far settle each suspicion: they show little of
  /// the suspected change or, in a long scroll, prove it.
  /// - Parameter level: The largest p-value that is significant, given the number of suspicions in all benchmarks.
  package func isSettled(by fresh: ScrollTimes, level: Double) -> Bool {
    // Times other than those of frames that stood out have intervals in every report. More sets make these narrower,
    // which is worth it where a set takes little time.
    guard playsLong || suspicions.keys.allSatisfy(located.contains) else { return false }
    // The fraction of the change that fresh sets have to show, by the number of fresh sets. Long scrolls have few sets,
    // so they are checked after the first set.
    guard let share = (playsLong ? [1: 0.25, 2: 0.5] : [4: 0.25, 8: 0.5])[fresh.setCount] else { return false }
    var whole = self
    if mayEndEarly(fresh) { whole.confirm(fresh) }
    return suspicions.allSatisfy { probe, direction in
      let found = fresh.times(of: probe)
      let sign = direction == .slower ? 1.0 : -1
      // A change that is not significant now stays without a verdict, so ending here cannot cause one.
      let isFutile =
        sign * (found.change ?? 0) < share * abs(times.times(of: probe).change ?? 0) && found.pValue(direction) > level
        && !isShared(probe, sign, fresh)
      guard !isFutile, mayEndEarly(fresh), let row = whole.row(of: probe) else { return isFutile }
      return row.verdict.isChange && (row.suspicionPValue ?? 1) <= level * Self.earlyShare
    }
  }

  /// Whether the frames take so long that there are few sets of processes.
  private var playsLong: Bool { times.setCount < PairedTimes.leastRankedCount }

  /// Whether these fresh sets may prove a change although more sets were planned.
  private func mayEndEarly(_ fresh: ScrollTimes) -> Bool { playsLong && fresh.setCount == 2 }

  /// The part of the error probability that belongs to the check after two fresh sets. The other part belongs to the
  /// check after the last set (Haybittle, "Repeated Assessment of Results in Clinical Trials of Cancer Treatment",
  /// British Journal of Radiology 44, 1971).
  private static let earlyShare = 0.1

  /// Whether more of the probe's frames changed in this direction in the fresh sets than chance explains. If a single
  /// set screened the benchmark, most of the frames that stood out may be noise. Then their mean changes little in the
  /// fresh sets, even if some of the frames did change.
  private func isShared(_ probe: FrameProbe, _ sign: Double, _ fresh: ScrollTimes) -> Bool {
    guard case .frames(let set) = probe.statistic, set.count >= 16 else { return false }
    let ratios = fresh.ratios
    let level = Quantile.median(ratios.filter { !$0.isNaN })
    let known = set.frames.filter { $0 < ratios.count && !ratios[$0].isNaN }
    let excess = known.reduce(0) { $0 + (sign * (ratios[$1] - level) > 0 ? 1 : -1) }
    return Double(excess) > 2.5 * Double(known.count).squareRoot()
  }

  /// Adds the sets of processes that measured the suspects again. Called at most once.
  package mutating func confirm(_ fresh: ScrollTimes) {
    confirmation = fresh
    all = times.joined(fresh)
    // A single set does not show how far sets differ, so it cannot test the frames that stand out in the fresh sets.
    if times.setCount > 1 { locatedLater = locate(in: fresh) }
  }

  /// The rows with verdicts. Each verdict is based on the p-value of its own time, before the correction for the number
  /// of tests.
  package var rows: [ComparisonRow] {
    let rows = rowsOfProbes
    let isSlower = rows.contains { $0.metric == .frameTime && $0.phase == nil && $0.isMean && $0.verdict == .regressed }
    // If all frames became slower, nobody notices that fewer of them stall. So this improvement is not reported.
    return isSlower ? rows.filter { $0.metric != .rawFrameTime || $0.verdict != .improved } : rows
  }

  private var rowsOfProbes: [ComparisonRow] {
    var shown: Set<FrameSet> = []
    let rows = probes.compactMap { row(of: $0) }.filter { row in
      // Two sets may become equal when their unchanged frames are left out. Then only the first is shown.
      row.frames.map { shown.insert($0).inserted } ?? true
    }
    return Self.ordered(rows)
  }

  /// Raises the candidate's time if its p99 would lie below its p50, or its worst frame below its p99. This may happen
  /// because each change comes from turns, in which the baseline's slowest frames take longer than alone. If the new
  /// change would lie beyond the interval, the baseline's time is raised, too.
  static func ordered(_ rows: [ComparisonRow]) -> [ComparisonRow] {
    var rows = rows
    var least = (baseline: 0.0, candidate: 0.0)
    for statistic in [FlatRow.Statistic.p50, .p99, .max] {
      let own = rows.firstIndex { $0.metric == .frameTime && $0.phase == nil && $0.statistic == statistic }
      guard let own, case .number(let old)? = rows[own].baseline, case .number(let new)? = rows[own].candidate, old > 0,
        new > 0
      else { continue }
      let most = max(new, (1 + (rows[own].high ?? 0)) * old)
      let raised = min(max(new, least.candidate), most)
      let factor = max(1, least.baseline / old, least.candidate / raised)
      least = (old * factor, raised * factor)
      (rows[own].baseline, rows[own].candidate) = (.number(least.baseline), .number(least.candidate))
      if raised > new { rows[own].change = min(raised / old - 1, rows[own].high ?? 0) }
    }
    return rows
  }

  /// Makes the row of a probe. Returns nil for stalls, and for frames that stood out, if they did not change.
  private func row(of probe: FrameProbe) -> ComparisonRow? {
    let direction = suspicions[probe]
    let isLate = locatedLater.contains(probe)
    let confirmation = (isLate ? times : confirmation).flatMap { $0.phases.contains(probe.phase) ? $0 : nil }
    let isSelected = isLate || located.contains(probe)
    let deciding = confirmation.map { isSelected ? $0 : all } ?? times
    // A rank test of the screening's few sets could not reach the p-value that many suspects require.
    let found = deciding.times(of: probe, ranked: !isLate)
    var row = ComparisonRow(id, probe, found, rule)
    if probe.statistic == .mean { row.layout = deciding.layoutSpread(of: probe.phase) }
    setTimes(of: &row, probe)
    // Stalls usually come from the machine, and frames that stand out were only suspected. So rows of stalls and of
    // such frames are left out unless they changed.
    let isFigure = !probe.isOfStalls && !isSelected && !single.contains { probe.statistic == .frames($0) }
    guard let direction else { return isFigure ? row : nil }
    // A suspect that was not measured again is inconclusive.
    row.verdict = .inconclusive
    if let confirmation {
      let pValue = min(
        1, confirmation.times(of: probe, ranked: !isLate).pValue(direction) / (playsLong ? 1 - Self.earlyShare : 1))
      row.suspicionPValue = pValue
      row.verdict = rule.verdict(found, suspected: direction, pValue: pValue)
    }
    if row.verdict.isChange, isSelected, let set = row.frames, !isInShortestTimes(set, row.change ?? 0) { return nil }
    if row.verdict.isChange, probe.isOfQuantile { estimate(&row, probe, deciding) }
    // If the frames of a set are scattered, some of them stood out by chance. Only those that changed are shown.
    if row.verdict.isChange, let set = row.frames, set.strides.count > 1, set != wanted {
      let shown = FrameProbe(deciding.supporting(set))
      let (verdict, pValue) = (row.verdict, row.suspicionPValue)
      row = ComparisonRow(id, shown, deciding.times(of: shown, ranked: !isLate), rule)
      (row.verdict, row.suspicionPValue) = (verdict, pValue)
      setTimes(of: &row, shown)
    }
    return isFigure || row.verdict.isChange ? row : nil
  }

  /// Whether the selected frames also differ in the shortest times that they took in any set, by at least half of the
  /// change, or a third if there are few sets. If not, their own work did not change. For example, the allocator may
  /// tidy up in the same frames of most sets.
  private func isInShortestTimes(_ set: FrameSet, _ change: Double) -> Bool {
    let share = all.setCount < PairedTimes.leastRankedCount ? 1.0 / 3 : 0.5
    return all.leastChange(of: set).map { $0 / log1p(change) > share } ?? true
  }

  /// Computes the change of a quantile from the frames' median costs over the sets, and uses it if it is larger and has
  /// the same sign. On a busy machine, the slowest frames of each set are mostly disturbed ones, so the change within
  /// sets comes out too small.
  private func estimate(_ row: inout ComparisonRow, _ probe: FrameProbe, _ deciding: ScrollTimes) {
    let usual = expm1(deciding.usualChange(of: probe))
    guard let change = row.change, usual * change > 0, abs(usual) > abs(change) else { return }
    func moved(_ end: Double?) -> Double? { end.map { (1 + $0) * (1 + usual) / (1 + change) - 1 } }
    // Widens the interval, so that it contains both estimates.
    if usual > 0 { row.high = moved(row.high) } else { row.low = moved(row.low) }
    row.change = usual
    setTimes(of: &row, probe)
  }

  /// The cost of each frame in both builds, from all sets. Nil for a function, and if nothing changed.
  package var scroll: ScrollRecord? {
    guard rows.contains(where: \.verdict.isChange), !isFunction else { return nil }
    return ScrollRecord(id: id, all.costs(of: nil))
  }

  /// Replaces the row's times with times computed from the shortest time of each frame, because a reader can compare
  /// these with the times of a run.
  private func setTimes(of row: inout ComparisonRow, _ probe: FrameProbe) {
    // `max(0, .nan)` is 0, but an unknown cost must stay NaN.
    let frames = (least[probe.phase] ?? []).map { $0.isNaN ? $0 : max(0, $0) }
    guard !probe.isOfStalls, let change = row.change, let summary = Summary(frames.filter { !$0.isNaN }) else { return }
    let baseline: Double =
      switch probe.statistic {
      case .mean, .raw: summary.mean
      case .p50: summary.p50
      case .p99: summary.p99
      case .max: summary.max
      case .frames(let set):
        Summary(set.frames.filter { $0 < frames.count && !frames[$0].isNaN }.map { frames[$0] })?.mean ?? .nan
      }
    (row.baseline, row.candidate) = (.number(baseline), .number(baseline * (1 + change)))
  }

  package var warnings: [Warning] {
    [shortPhaseDoubt, emptyCallDoubt].compactMap { $0.map { Warning($0, benchmark: id) } }
  }

  private var shortPhaseDoubt: String? {
    let tested = Set(probes.map(\.phase))
    let short = times.phases.filter { !tested.contains($0) }.compactMap(\.self)
    guard !short.isEmpty else { return nil }
    return "Shorter than a clock read, so judged only as part of the frame: \(short.joined(separator: ", "))."
  }

  /// A warning if the candidate's calls take as little time as calls of an empty function; otherwise nil.
  private var emptyCallDoubt: String? {
    let calls = isFunction ? all.costs(of: nil)[1].filter { !$0.isNaN } : []
    return calls.isEmpty ? nil : BenchmarkRecord.emptyCallDoubt(Quantile.median(calls))
  }
}
