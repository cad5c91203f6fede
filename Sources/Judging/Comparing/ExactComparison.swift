import FrameBench
import Measurements
import TextFormat

/// Compares figures that have no noise. Any increase of a total beyond the metric's tolerance is a regression, even
/// from zero. A frame that did not allocate before and now does is a regression whatever the total is, because this
/// frame stutters. If runs of the build with the lower figure differ, a change counts only if it exceeds twice that
/// difference. Figures that depend on the system, such as resident memory, are shown but not judged.
package struct ExactComparison: Sendable {
  package var baseline: BenchmarkRecord
  package var candidate: BenchmarkRecord
  private let allocationTolerance: AllocationTolerance?
  private var id: BenchmarkID { candidate.id }

  package init(baseline: BenchmarkRecord, candidate: BenchmarkRecord, _ rule: ComparisonRule? = nil) {
    (self.baseline, self.candidate) = (baseline, candidate)
    allocationTolerance = rule?.allocationTolerances[candidate.id.scenario]
  }

  /// Whether runs of the baseline had different outputs. Then the candidate's output cannot be compared with them.
  package var hasRandomBaseline = false

  /// The verdict on the output of the builds, by the checksum over all recorded frames.
  package var behavior: ChangeVerdict {
    hasRandomBaseline ? .notJudged : baseline.checksum == candidate.checksum ? .unchanged : .behaviorChanged
  }

  package func rows(deviation: DeviationRecord?) -> [ComparisonRow] {
    let metrics = (Metric.measured(in: baseline) + Metric.measured(in: candidate)).unique
    return [checksumRow(deviation)] + phaseRows + metrics.flatMap(rows)
  }

  private func checksumRow(_ deviation: DeviationRecord?) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: .checksum, baseline: .text(baseline.checksum), candidate: .text(candidate.checksum),
      verdict: behavior,
      note: hasRandomBaseline
        ? "two runs of the baseline showed different things"
        : behavior == .unchanged ? nil : deviation?.differenceSentence ?? "its results differ")
  }

  /// The rows of phases that only one build has. If both builds counted allocations, no such rows are made, because the
  /// rows of allocations show these phases.
  private var phaseRows: [ComparisonRow] {
    guard baseline.allocations == nil || candidate.allocations == nil else { return [] }
    let names = [baseline, candidate].map { $0.phases.map(\.name) }
    return names.joined().unique.filter { name in !names.allSatisfy { $0.contains(name) } }.map { name in
      let sides = names.map { $0.contains(name) ? FlatRow.Value.text("present") : nil }
      return ComparisonRow(
        id: id, metric: .frameTime, phase: name, baseline: sides[0], candidate: sides[1], verdict: .missing)
    }
  }

  /// The rows of a metric: the first is for the whole frame, and the others are for its phases. If only one build has a
  /// figure, and figures of this metric are judged, the verdict is `missing`.
  private func rows(_ metric: Metric) -> [ComparisonRow] {
    guard !metric.isTimed, metric != .checksum else { return [] }
    let (old, new) = (metric.figures(baseline, in: nil), metric.figures(candidate, in: nil))
    return (old + new).map(\.phase).unique.compactMap { phase in
      let sides = [old, new].map { side in side.first { $0.phase == phase }?.values }
      return row(metric, phase, sides[0], sides[1])
    }
  }

  private func row(_ metric: Metric, _ phase: String?, _ old: RecordedFigure.Values?, _ new: RecordedFigure.Values?)
    -> ComparisonRow?
  {
    switch (old, new) {
    case (.counts(let old), .counts(let new)): row(metric, phase, old, new)
    case (.figures(let old), .figures(let new)) where metric.isOfRun: rowOfRun(metric, old[0].value, new[0].value)
    case (.some, .some): nil
    default: missingRow(metric, phase, total(old, of: metric), total(new, of: metric))
    }
  }

  private func missingRow(_ metric: Metric, _ phase: String?, _ old: Double?, _ new: Double?) -> ComparisonRow? {
    guard (old ?? new) != nil, metric.isOfEveryPhase || metric.isJudged && phase == nil else { return nil }
    var row = row(metric, phase, old, new)
    // The remedy says how to measure the metric, which does not help if the build has no such phase.
    if new == nil, phase == nil { row.note = metric.remedy }
    return row
  }

  /// The total of a metric's values; nil if there are none, or if the metric is not compared.
  private func total(_ values: RecordedFigure.Values?, of metric: Metric) -> Double? {
    switch values {
    case .counts(let series): Double(series.total)
    case .figures(let figures) where metric.isOfRun: figures[0].value
    default: nil
    }
  }

  /// The row of a total that is not judged, or that one build lacks.
  private func row(_ metric: Metric, _ phase: String?, _ old: Double?, _ new: Double?) -> ComparisonRow {
    var row = ComparisonRow(
      id: id, metric: metric, phase: phase, baseline: old.map(FlatRow.Value.number),
      candidate: new.map(FlatRow.Value.number), verdict: .missing)
    guard let old, let new else { return row }
    row.change = new == old ? 0 : new.change(from: old)
    row.verdict = .notJudged
    return row
  }

  private func row(_ metric: Metric, _ phase: String?, _ old: CountSeries, _ new: CountSeries) -> ComparisonRow {
    // Instructions may have been counted only in the first frames, so only frames that both series have are compared.
    let count = min(old.count, new.count)
    let (old, new) = (old.prefix(count), new.prefix(count))
    let (before, after) = (Double(old.total), Double(new.total))
    var row = row(metric, phase, before, after)
    guard metric.isJudged, metric != .netBytes || phase == nil else { return row }
    if metric == .netBytes {
      judgeGrowth(&row, old, new)
      return row
    }
    if tolerates(metric, phase) {
      row.verdict = .unchanged
      return row
    }
    // If runs of the baseline differ, it is unknown in which frames it allocates.
    let isKnown = spread(of: metric, in: baseline) == 0
    let newFrames = metric.isOfFrameAllocations && isKnown ? old.framesThatBegin(new) : []
    let isBeyondTolerance = row.change.map { abs($0) > metric.tolerance } ?? true
    let isWorse = isBeyondTolerance && metric.isWorse(after, than: before)
    let worst = isWorse || !newFrames.isEmpty || !isKnown ? nil : worstFrame(metric, old, new)
    row.verdict =
      isWorse || !newFrames.isEmpty || worst != nil
      ? .regressed : isBeyondTolerance && metric.isBetter(after, than: before) ? .improved : .unchanged
    func place(_ frame: Int) -> String { (phase ?? phaseThatRose(metric, inFrame: frame)).map { " of \($0)" } ?? "" }
    if let worst {
      row.note =
        "frame \(worst)\(place(worst)): \(Format.integer(old.values[worst])) → \(Format.integer(new.values[worst]))"
    } else if !isWorse, let first = newFrames.first {
      let others = newFrames.count > 1 ? "; \(Format.plural(newFrames.count, "such frame")) in all" : ""
      row.note = "newly allocates in frame \(first)\(place(first)): 0 → \(Format.integer(new.values[first]))\(others)"
    } else if metric.tolerance == 0 || isBeyondTolerance {
      row.note = note(old, new, place)
    }
    // Runs of one build may differ in the allocations of other threads, because of the scheduler, and in counters that
    // hold times. If they do, such a figure also has to change by more than a quarter.
    keepWhatRunsAgreeOn(&row, before, after, leastPart: metric.isOfFrameAllocations ? 0 : 0.25)
    if metric == .allocationCount, row.verdict == .unchanged { noteDisagreement(&row) }
    return row
  }

  /// A single bad frame misses its deadline even if the others became better. So this returns the candidate's worst
  /// frame if its count is more than twice that of the baseline's worst frame, or less than half for a counter that
  /// should be high. The counts have to differ by at least 16. Nil for metrics other than the number of allocations and
  /// counters of scenarios.
  private func worstFrame(_ metric: Metric, _ old: CountSeries, _ new: CountSeries) -> Int? {
    guard metric == .allocationCount || !metric.isOfHarness, metric.direction != .neither else { return nil }
    let isHighWorse = metric.direction == .lowerIsBetter
    let worst = [old, new].compactMap { isHighWorse ? $0.values.max() : $0.values.min() }.map(Double.init)
    guard worst.count == 2 else { return nil }
    let (excess, least) = isHighWorse ? (worst[1] - worst[0], 1) : (worst[0] - worst[1], 0.5)
    return excess >= 16 && excess > least * abs(worst[0]) ? new.values.firstIndex { Double($0) == worst[1] } : nil
  }

  /// Withholds the verdict if runs of the candidate differ and those of the baseline do not, because the candidate then
  /// uses more memory in some of its runs.
  private func noteDisagreement(_ row: inout ComparisonRow) {
    let spread = spread(of: row.metric, in: candidate)
    guard self.spread(of: row.metric, in: baseline) == 0, spread > 0 else { return }
    (row.verdict, row.note) = (.notJudged, "two runs of the candidate differ by \(Self.text(spread, row.metric))")
  }

  private static func text(_ spread: Int, _ metric: Metric) -> String {
    metric.unit == .bytes ? ByteUnit.text(Double(spread)) : Format.integer(spread)
  }

  private func rowOfRun(_ metric: Metric, _ old: Double, _ new: Double) -> ComparisonRow {
    var row = row(metric, nil, old, new)
    if metric.isJudgedByAgreement {
      guard differs(metric, old, new) else { return row }
      guard agree(metric, old, new) else {
        let spreads = [baseline, candidate].map { spread(of: metric, in: $0) }
        if spreads.contains(where: { $0 > 0 }) { row.note = "runs of one build differ too much" }
        return row
      }
    } else if !metric.isJudged {
      return row
    }
    row.verdict = metric.isWorse(new, than: old) ? .regressed : metric.isBetter(new, than: old) ? .improved : .unchanged
    if metric.isJudged { keepWhatRunsAgreeOn(&row, old, new, leastPart: 0.05) }
    if metric.isOfHeap, row.verdict == .unchanged, Double(spread(of: metric, in: candidate)) > 4_096 + old / 20 {
      noteDisagreement(&row)
    }
    return row
  }

  /// Returns by how much runs of a build differ in a figure. 0 if there was only one run.
  func spread(of metric: Metric, in build: BenchmarkRecord) -> Int { build.runSpreads?[metric.name] ?? 0 }

  /// Withdraws a change if runs of the build with the lower figure differ, and the change is at most twice their
  /// difference, or at most `leastPart` of the old value. It does not matter how far the runs of the other build
  /// differ: its figure is the minimum of its runs, so after a larger change, all its runs lie above those of this
  /// build.
  private func keepWhatRunsAgreeOn(_ row: inout ComparisonRow, _ old: Double, _ new: Double, leastPart: Double) {
    let spread = Double(spread(of: row.metric, in: new < old ? candidate : baseline))
    guard spread > 0, row.verdict.isChange, abs(new - old) <= max(2 * spread, leastPart * abs(old)) else { return }
    row.verdict = .notJudged
    row.note = "two runs of one build differ by \(Self.text(Int(spread), row.metric))"
  }

  /// Whether a time of the process changed so much that more runs are worthwhile. The change has to exceed both a part
  /// of the shorter time and a minimum: half of it and 1 ms for set-up, warm-up and tear-down; half of it and 20 ms for
  /// start and exit, because most libraries load in less; a quarter of it and 2 ms for other threads and processes.
  private func differs(_ metric: Metric, _ old: Double, _ new: Double) -> Bool {
    let (part, least) = metric.isOfProcess ? (0.5, 2e7) : metric.isOfSetUp ? (0.5, 1e6) : (0.25, 2e6)
    return abs(new - old) > max(part * min(old, new), least)
  }

  /// Whether the two quickest runs of each build differ by no more than a tenth of the time, half a millisecond or a
  /// quarter of the change, whichever is largest. False if a build has only one run.
  private func agree(_ metric: Metric, _ old: Double, _ new: Double) -> Bool {
    zip([baseline, candidate], [old, new]).allSatisfy { record, value in
      record.runSpreads?[metric.name].map { Double($0) <= max(0.1 * value, 5e5, 0.25 * abs(new - old)) } ?? false
    }
  }

  /// Whether a time outside the frames, such as that of set-up, changed so much that more runs have to decide.
  package var hasSuspectTimes: Bool { Metric.ofRuns.contains { suspects($0) } }

  /// Whether a time of warm-up frames changed, and runs agree on it. Two runs of frames that wait for something, such as
  /// a child process, may agree by chance.
  package var hasSuspectWarmUp: Bool { Metric.ofRuns.contains { $0.isOfWarmUp && suspects($0, ifAgreed: true) } }

  private func suspects(_ metric: Metric, ifAgreed: Bool = false) -> Bool {
    guard metric.isJudgedByAgreement, let old = metric.total(baseline), let new = metric.total(candidate) else {
      return false
    }
    return differs(metric, old, new) && (!ifAgreed || agree(metric, old, new))
  }

  /// Whether an exact figure changed, so that more runs have to decide. If the figure varies from run to run, the first
  /// two runs of a build may still agree by chance.
  package var hasSuspectCounts: Bool {
    rows(deviation: nil).contains {
      $0.metric.isJudged && !$0.metric.isJudgedByAgreement && [.regressed, .improved].contains($0.verdict)
    }
  }

  /// Whether the number of allocations changed by no more than the scenario tolerates. Then a change in allocated bytes
  /// is tolerated as well.
  private func tolerates(_ metric: Metric, _ phase: String?) -> Bool {
    let counts = [Metric.allocationCount, .otherThreadAllocationCount]
    let bytes = [Metric.allocatedBytes, .otherThreadAllocatedBytes]
    guard let tolerance = allocationTolerance, let index = counts.firstIndex(of: metric) ?? bytes.firstIndex(of: metric)
    else { return false }
    let series = [baseline, candidate].compactMap { record -> CountSeries? in
      let values = counts[index].figures(record, in: nil).first { $0.phase == phase }?.values
      return if case .counts(let series)? = values { series } else { nil }
    }
    guard series.count == 2, let old = series.first, let new = series.last, old != new else { return false }
    let allowed = max(tolerance.count * Double(old.count), tolerance.percent / 100 * Double(old.total))
    return abs(Double(new.total) - Double(old.total)) <= allowed
  }

  /// The phase whose allocations in this frame increased most over the baseline; nil if none did. Also nil for metrics
  /// other than allocations of frames.
  private func phaseThatRose(_ metric: Metric, inFrame frame: Int) -> String? {
    guard metric.isOfFrameAllocations else { return nil }
    func amount(_ phase: PhaseRecord?) -> Int {
      let series = metric == .allocationCount ? phase?.allocations?.count : phase?.allocations?.bytes
      return series.flatMap { frame < $0.count ? $0.values[frame] : nil } ?? 0
    }
    let rises = candidate.phases.map { ($0.name, amount($0) - amount(baseline.phase($0.name))) }
    return rises.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil }
  }

  private func note(_ old: CountSeries, _ new: CountSeries, _ place: (Int) -> String) -> String? {
    let pairs = Array(zip(old.values, new.values))
    let isMore = new.total > old.total
    let differing = pairs.indices.filter { isMore ? pairs[$0].1 > pairs[$0].0 : pairs[$0].1 != pairs[$0].0 }
    guard let first = differing.first else { return nil }
    let others = differing.count > 1 ? "; \(Format.plural(differing.count, "frame")) in all" : ""
    return "first in frame \(first)\(place(first)): \(Format.integer(pairs[first].0)) → "
      + "\(Format.integer(pairs[first].1))\(others)"
  }
}

extension Metric {
  /// False for a metric that may have been measured only in some benchmarks, frames or phases.
  fileprivate var isOfEveryPhase: Bool { !isOfHarness || isOfFrameAllocations }
}

extension CountSeries {
  /// The frames whose value is 0 here and above 0 in the other series.
  fileprivate func framesThatBegin(_ other: CountSeries) -> [Int] {
    guard self != other else { return [] }
    return zip(values, other.values).enumerated().filter { $0.element.0 == 0 && $0.element.1 > 0 }.map(\.offset)
  }

  fileprivate func prefix(_ length: Int) -> CountSeries { count == length ? self : CountSeries(values.prefix(length)) }
}

extension DeviationRecord {
  /// The difference between the output of two builds, in one sentence without a period.
  var differenceSentence: String {
    var parts: [String] = []
    if let largestDistance, let largestDistanceFrame, largestDistance > 0 {
      parts.append(
        "items are up to \(Format.significant(largestDistance)) points from where they were"
          + " (frame \(largestDistanceFrame))")
    }
    if differingFrameCount > 0 {
      parts.append(
        "\(Format.plural(differingFrameCount, "frame")) do not show the same items"
          + " (\(Format.integer(missingCount)) missing, \(Format.integer(extraCount)) extra)")
    }
    return parts.isEmpty ? "the same items in the same places, in another order" : Format.list(parts)
  }
}
