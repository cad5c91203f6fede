import FrameBench
import Measurements

/// One cause of changes, inferred from the figures. It combines the figures of a benchmark that changed together, and
/// all benchmarks in which the same figures changed. For example, a new allocation in a phase changes the count and the
/// bytes of the phase and of the frame, and often their time. That is one finding, not six.
package struct ComparisonFinding: Sendable, Hashable {
  /// The kind of cause. Reports order findings by `rank`.
  package enum Cause: Sendable, Hashable {
    case behavior
    /// A benchmark, phase or counter that only one build has.
    case presence
    case allocations
    /// Growth of the live heap, its peak, or the memory that is left on it at the end.
    case heap
    /// Work outside the recorded frames: set-up, warm-up and tear-down.
    case setUp
    case otherThreads
    case time
    /// The number of instructions, if the time did not change with it.
    case instructions
    case counter(String)
  }

  package struct Member: Sendable, Hashable {
    /// The figure that represents all of `rows`.
    package var lead: ComparisonRow
    /// The time that changed together with `lead`. Nil if no time changed, or if `lead` is a time itself.
    package var time: ComparisonRow?
    /// All changed figures, in the order of the comparison.
    package var rows: [ComparisonRow]
  }

  package var cause: Cause
  package var verdict: ChangeVerdict
  /// The phase that contains most of the change. Nil if no phase does, or if it is unknown.
  package var phase: String?
  /// One member for each benchmark, the most changed one first; never empty.
  package var members: [Member]

  package var ids: [BenchmarkID] { members.map(\.lead.id) }
  /// Whether the finding is about something that only the candidate has, which is not a problem.
  package var isNew: Bool { cause == .presence && members[0].lead.baseline == nil }

  /// The causes of all changed rows, the most serious first, and among causes of one kind the largest change first.
  package static func all(of rows: [ComparisonRow]) -> [ComparisonFinding] {
    let ofBenchmarks = rows.filter(\.verdict.isChange).grouped(by: \.id).flatMap { ofBenchmark($0.rows) }
    let alike = ofBenchmarks.grouped { one in
      let lead = one.members[0].lead
      return Key(
        cause: one.cause, verdict: one.verdict, isNew: one.isNew, phase: one.phase, metric: lead.metric,
        statistic: lead.statistic, frames: lead.frames)
    }
    return alike.map { _, findings in
      var finding = findings[0]
      finding.members = findings.flatMap(\.members).sorted { $0.lead.weight > $1.lead.weight }
      return finding
    }.sorted { ($0.rank, -$0.size) < ($1.rank, -$1.size) }
  }

  private var rank: Int {
    let verdicts: [ChangeVerdict] = [.behaviorChanged, .missing, .regressed, .improved]
    let ofVerdict = isNew ? verdicts.count : verdicts.firstIndex(of: verdict) ?? verdicts.count
    let ofCause =
      switch cause {
      case .behavior, .presence: 0
      case .allocations: 1
      case .time: 2
      // A change of such a time is at least a millisecond, so it ranks above a change of the heap, which may be a few
      // bytes.
      case .setUp where members.contains { $0.rows.contains(where: \.metric.isTimeOfSetUp) }: 3
      case .heap: 4
      case .otherThreads: 5
      case .setUp: 6
      case .instructions: 7
      case .counter: 8
      }
    return ofVerdict * 9 + ofCause
  }

  /// The size of the relative change of the most changed member. It is infinite for a heap that keeps growing, and if
  /// the baseline has no value or 0.
  private var size: Double {
    let lead = members[0].lead
    return lead.metric == .netBytes ? .infinity : abs(lead.change ?? .infinity)
  }

  private struct Key: Hashable {
    var cause: Cause
    var verdict: ChangeVerdict
    var isNew: Bool
    /// This and the following properties are set in a key that groups findings of different benchmarks. They are nil in
    /// a key that groups the rows of one benchmark.
    var phase: String?
    var metric: Metric?
    var statistic: FlatRow.Statistic?
    var frames: FrameSet?
  }

  private static func ofBenchmark(_ rows: [ComparisonRow]) -> [ComparisonFinding] {
    var groups = rows.grouped { row in
      Key(cause: row.cause, verdict: row.verdict, isNew: row.verdict == .missing && row.baseline == nil)
    }
    // A change of the recorded frames also changes the warm-up frames, so both changes are one finding.
    merge(.setUp, into: .time, &groups) { ofSetUp, times in
      guard let mean = times.first(where: { $0.phase == nil && $0.isMean })?.change else { return false }
      return ofSetUp.allSatisfy { $0.metric.isOfWarmUp && abs($0.change ?? .infinity) <= 1.5 * abs(mean) }
    }
    // Instructions take time, and an allocation takes time in its phase. So the cause and its time are one finding.
    merge(.instructions, into: .time, &groups) { _, _ in true }
    merge(.time, into: .allocations, &groups) { time, allocations in
      let phase = largest(time)?.phase
      return phase == nil || phase == largest(allocations)?.phase
    }
    return groups.map { key, rows in
      let (own, times) = (rows.filter { $0.cause == key.cause }, rows.filter { $0.cause == .time })
      let isTime = key.cause == .time
      let part = isTime ? partOfScroll(own) : nil
      let place = part == nil ? rowOfPhaseWithMost(of: own) : nil
      let heap = key.cause == .heap ? rowOfHeap(own) : nil
      let lead = part ?? place ?? heap ?? own.first { $0.phase == nil } ?? own[0]
      let time = isTime ? nil : times.first { $0.metric == .frameTime && $0.phase == place?.phase && $0.isMean }
      return ComparisonFinding(
        cause: key.cause, verdict: key.verdict, phase: place?.phase,
        members: [Member(lead: lead, time: time, rows: rows)])
    }
  }

  private static func merge(
    _ cause: Cause, into other: Cause, _ groups: inout [(key: Key, rows: [ComparisonRow])],
    where isSame: ([ComparisonRow], [ComparisonRow]) -> Bool
  ) {
    for source in groups where source.key.cause == cause {
      guard let target = groups.firstIndex(where: { $0.key.cause == other && $0.key.verdict == source.key.verdict }),
        isSame(source.rows, groups[target].rows)
      else { continue }
      groups[target].rows += source.rows
      groups.removeAll { $0.key == source.key }
    }
  }

  /// The row that best shows a change of only some frames: the row of frames that stand out or, if there is none, the
  /// row of the time that changed most. Nil if the median frame changed, or if a mean changed and no frames stand out.
  private static func partOfScroll(_ times: [ComparisonRow]) -> ComparisonRow? {
    guard !times.contains(where: { $0.statistic == .p50 }) else { return nil }
    func total(_ row: ComparisonRow) -> Double { row.difference * Double(row.frames?.count ?? 1) }
    let whole = times.filter { $0.frames != nil }.max { total($0) < total($1) }
    // If a phase became slower in all frames, by more in total than these frames did, the phase shows the change better.
    if let whole, let frames = whole.frames,
      let phase = times.filter({ $0.phase != nil && $0.isMean }).max(by: { $0.difference < $1.difference }),
      phase.difference * Double(frames.strides.map(\.last).max() ?? 0) > total(whole)
    {
      return nil
    }
    return whole ?? (times.contains(where: \.isMean) ? nil : times.max { $0.difference < $1.difference })
  }

  /// The row of the heap's growth, because its note names the frame from which the heap grows. If there is no such row,
  /// the row with the largest difference.
  private static func rowOfHeap(_ rows: [ComparisonRow]) -> ComparisonRow? {
    rows.first { $0.metric == .netBytes } ?? rows.max { $0.difference < $1.difference }
  }

  /// The row of the phase with more than half of the frame's change; nil if there is none. If the figure of the frame
  /// did not change, it is the row of the phase that changed most.
  private static func rowOfPhaseWithMost(of rows: [ComparisonRow]) -> ComparisonRow? {
    guard let largest = largest(rows) else { return nil }
    let frame = rows.first { $0.phase == nil && $0.metric == largest.metric && $0.isMean }
    return frame.map { 2 * largest.difference <= $0.difference } == true ? nil : largest
  }

  /// The row of the phase that changed most; nil if there are no rows of phases. Numbers of allocations take precedence
  /// over bytes.
  private static func largest(_ rows: [ComparisonRow]) -> ComparisonRow? {
    let ofPhases = rows.filter { $0.phase != nil }
    let first = ofPhases.first { $0.metric != .allocatedBytes }?.metric ?? ofPhases.first?.metric
    return ofPhases.filter { $0.metric == first }.max { $0.difference < $1.difference }
  }
}

extension ComparisonRow {
  fileprivate var cause: ComparisonFinding.Cause {
    if verdict == .missing { return .presence }
    return switch metric {
    case .checksum: .behavior
    case .frameTime, .rawFrameTime: .time
    case .instructionCount: .instructions
    case _ where metric.isOfFrameAllocations: .allocations
    case _ where metric.isOfHeap: .heap
    case _ where metric.isOfSetUp: .setUp
    case _ where metric.isOfOtherThreads: .otherThreads
    default: .counter(metric.name)
    }
  }

  /// The size of the difference, in the metric's unit; 0 if a build has no number.
  fileprivate var difference: Double {
    guard let old = baseline?.number, let new = candidate?.number else { return 0 }
    return abs(new - old)
  }

  /// The key by which a finding sorts its benchmarks: the relative change of a time, or the difference of a count.
  fileprivate var weight: Double { metric.isTimed ? abs(change ?? 0) : difference }
}

extension Sequence {
  /// Groups the elements by key, in the order in which the keys first occur.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, rows: [Element])] {
    let groups = Dictionary(grouping: self, by: key)
    return map(key).unique.map { ($0, groups[$0] ?? []) }
  }
}

/// Tells whether a time and its number of instructions changed together. The rows of instructions are collected once,
/// because there may be thousands of rows.
package struct InstructionVerdicts {
  /// The verdicts on whole frames (nil) and phases.
  private var verdicts: [BenchmarkID: [String?: ChangeVerdict]] = [:]

  package init(_ document: ComparisonDocument) {
    for row in document.rows where row.metric == .instructionCount {
      verdicts[row.id, default: [:]][row.phase] = row.verdict
    }
  }

  /// Whether the phase or frame executes as many instructions as before, so that more work cannot have slowed it down.
  /// Nil if instructions were not counted, or if the row is not a mean time.
  package func areSame(_ time: ComparisonRow) -> Bool? {
    guard time.metric == .frameTime, time.isMean else { return nil }
    return verdicts[time.id]?[time.phase].map { $0 == .unchanged }
  }
}

extension ComparisonDocument { package var changes: [ComparisonFinding] { ComparisonFinding.all(of: rows) } }
