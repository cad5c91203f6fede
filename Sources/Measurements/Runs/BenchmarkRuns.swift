import FrameBench
import Statistics
import TextFormat

/// All runs of one benchmark, to be combined into its record.
package struct BenchmarkRuns: Sendable {
  package let id: BenchmarkID
  /// The options of the runs. Every series of every run must have `frameCount` values.
  package let options: RunOptions
  /// The runs of each pass (kind of run), in the order in which they were added.
  package private(set) var runs: [MeasurementPass: [RunMeasurement]] = [:]
  private let countsAllocations: Bool

  /// - Parameter countsAllocations: Whether a record needs runs that count allocations.
  package init(id: BenchmarkID, options: RunOptions, countsAllocations: Bool = true) {
    (self.id, self.options, self.countsAllocations) = (id, options.of(id), countsAllocations)
  }

  package mutating func add(_ measurement: RunMeasurement, pass: MeasurementPass) {
    runs[pass, default: []].append(measurement)
  }

  /// The passes (kinds of runs) that a record needs. It needs at least one run of each.
  package var neededPasses: [MeasurementPass] {
    [.frames] + (mayHavePhases ? [.phases] : []) + (countsAllocations ? [.allocations] : [])
  }

  package var hasEachPass: Bool { neededPasses.allSatisfy { runs[$0] != nil } }

  /// Whether frames may have phases. False if a run looked for phases and found none.
  package var mayHavePhases: Bool {
    ![MeasurementPass.allocations, .phases].contains { runs[$0]?.first?.phases.isEmpty == true }
  }

  /// Combines the runs into a record with times and exact figures such as allocations. Warnings name the benchmark.
  /// - Throws: `AggregationError` if a run has too few or too many values, or if the runs differ in checksum or phases.
  package func record() throws(AggregationError) -> (record: BenchmarkRecord, warnings: [Warning]) {
    try checkShapes()
    let checksum = try agreedChecksum()
    let frames = measurements(of: .frames)
    let allocations = AllocationAgreement(measurements(of: .allocations))
    guard let frameTimes = TimeRuns(framesOf: frames, layoutCount: options.layoutCount ?? 1) else {
      throw .malformed(what: "no frame times")
    }
    let phases = try phaseTimes().map { name, times in
      PhaseRecord(name: name, time: times.record(), allocations: allocations.phases[name])
    }
    var record = BenchmarkRecord(
      id: id, frame: frameTimes.record(), phases: phases, allocations: allocations.record, counters: counted.counters,
      memory: frames.dropFirst().reduce(frames[0].memory) { $0.least($1.memory) }, checksum: checksum,
      deviation: measurements(of: .output).first?.deviation)
    record.counterKinds = counted.counterKinds
    record.runSpreads = measurements(of: .allocations).spreads(of: id)
    record.callsPerFrame = frames.callCount
    record.throughput = frames[0].throughput
    record.budget = record.budgetFigures(options)
    let pairCost = Quantile.median(frames.map(\.clock.pairCostNanoseconds))
    let tail = record.tailWarning(
      endsWithBody: frames.contains(where: \.endsWithBody), pairCost: pairCost, inner: innerPhases)
    let doubts = [tail, record.emptyCallDoubt, executorWarning(record)] + measurements(of: .allocations).doubts
    let warnings = ([allocations.warning] + counterWarnings + doubts).compactMap(\.self)
    return (record, warnings.map { Warning($0, benchmark: id) })
  }

  private func measurements(of pass: MeasurementPass) -> [RunMeasurement] { runs[pass, default: []] }

  /// The run whose counters are shown. If possible, it is one with a single call per frame. If a frame makes several
  /// calls, its counters cover all of them.
  private var counted: RunMeasurement { singleCallRuns.first?.measurement ?? measurements(of: .frames)[0] }

  private var singleCallRuns: [(name: String, measurement: RunMeasurement)] {
    allRuns.filter { $0.measurement.callCount ?? 1 == 1 }
  }

  /// The names of the phases that run only inside other phases.
  private var innerPhases: Set<String> {
    Set(measurements(of: .allocations).first?.phases.filter { $0.isInner == true }.map(\.name) ?? [])
  }

  /// A warning if starting a frame on an executor takes more than a hundredth of the median frame.
  private func executorWarning(_ record: BenchmarkRecord) -> String? {
    let costs = measurements(of: .frames).compactMap(\.executorNanoseconds)
    let callCount = Double(measurements(of: .frames).callCount ?? 1)
    guard let whole = Summary(costs)?.p50, let frame = record.frame.aligned?.p50 else { return nil }
    let cost = whole / callCount
    guard cost > frame / 100 else { return nil }
    return "\(callCount > 1 ? "Calls" : "Frames") may suspend. Each contains about"
      + " \(Format.significant(cost, digits: 2)) ns that the executor takes to start it."
  }

  private var allRuns: [(name: String, measurement: RunMeasurement)] {
    MeasurementPass.allCases.flatMap { pass in
      measurements(of: pass).enumerated().map { ("\(pass.rawValue) run \($0 + 1)", $1) }
    }
  }

  private func agreedChecksum() throws(AggregationError) -> String {
    let all = allRuns.map { (name: $0.name, checksum: $0.measurement.checksum) }
    guard let other = all.first(where: { $0.checksum != all[0].checksum }) else { return all[0].checksum }
    throw .notDeterministic(what: "checksum \(all[0].checksum) in \(all[0].name), \(other.checksum) in \(other.name)")
  }

  /// Warnings about counters that differ between runs. Unlike a checksum, a counter may depend on the machine (cache
  /// hits), so a difference is not an error.
  private var counterWarnings: [String?] {
    let all = singleCallRuns
    guard let first = all.first?.measurement.counters else { return [] }
    let names = Set(all.flatMap { $0.measurement.counters.keys }).sorted()
    return names.map { name in
      all.first { $0.measurement.counters[name] != first[name] }.map { other in
        "Counter \(name) differs between \(all[0].name) and \(other.name); the first is shown."
      }
    }
  }

  private func checkShapes() throws(AggregationError) {
    for pass in neededPasses where measurements(of: pass).isEmpty {
      throw .malformed(what: "no run of the pass \(pass.rawValue)")
    }
    for run in allRuns {
      for (name, count) in run.measurement.seriesCounts where count != options.frameCount {
        throw .malformed(what: "\(count) frames of \(name) in \(run.name), not \(options.frameCount)")
      }
    }
    if let run = measurements(of: .frames).firstIndex(where: { $0.frameNanoseconds == nil }) {
      throw .malformed(what: "no frame times in frames run \(run + 1)")
    }
  }

  /// The times of the phases, in the order in which they first ran.
  private func phaseTimes() throws(AggregationError) -> [(name: String, times: TimeRuns)] {
    let all = measurements(of: .phases)
    guard let names = all.first?.phases.map(\.name) else { return [] }
    var result: [(String, TimeRuns)] = []
    for name in names {
      var (times, pairs): ([[Double]], [[Int]]) = ([], [])
      for (number, run) in all.enumerated() {
        guard let phase = run.phases.first(where: { $0.name == name }), run.phases.count == names.count,
          let nanoseconds = phase.nanoseconds, let clockPairs = phase.clockPairs
        else { throw .notDeterministic(what: "phases run 1 and run \(number + 1) ran different phases") }
        times.append(nanoseconds)
        pairs.append(clockPairs.values)
      }
      let runs = TimeRuns(
        runs: times, clockPairs: pairs, pairCosts: all.map(\.clock.pairCostNanoseconds), clockStep: all.clockStep,
        layoutCount: options.layoutCount ?? 1)
      result.append((name, runs))
    }
    return result
  }

  /// Whether the median frame takes longer than its phases explain. False without phases, or if runs lack values.
  package var isUnexplained: Bool {
    guard (try? checkShapes()) != nil, let phases = try? phaseTimes(), !phases.isEmpty,
      let frames = TimeRuns(framesOf: measurements(of: .frames), layoutCount: options.layoutCount ?? 1)
    else { return false }
    let pairCost = Quantile.median(measurements(of: .phases).map(\.clock.pairCostNanoseconds))
    let outer = phases.filter { !innerPhases.contains($0.name) }.map { $0.times.aligned() }
    return BenchmarkRecord.unexplained(frames: frames.aligned(), phases: outer, pairCost: pairCost) != nil
  }
}

/// Why runs cannot be combined.
package typealias AggregationError = MessageError<BenchmarkRuns>

extension AggregationError {
  /// Equal work gave different results. `what` names the results and the runs.
  package static func notDeterministic(what: String) -> Self {
    Self("not deterministic: \(what); seed randomness from the context, and read no clock")
  }

  /// The reply from the process of a run does not contain what was requested.
  package static func malformed(what: String) -> Self { Self("a reply does not fit the request: \(what)") }
}

extension RunMeasurement {
  fileprivate var seriesCounts: [(name: String, count: Int)] {
    var all: [(String, Int?)] = counters.map { ($0.key, $0.value.count) }
    all += [("frame times", frameNanoseconds?.count), ("allocations", allocations?.frameThread.count.count)]
    all += [("net bytes", allocations?.netBytes?.count)]
    all += phases.flatMap { phase in
      [phase.nanoseconds?.count, phase.clockPairs?.count, phase.allocations?.count.count].map { (phase.name, $0) }
    }
    return all.compactMap { name, count in count.map { (name, $0) } }
  }
}

/// The allocations of several runs, which should be equal. If they differ, those of the run that allocated least are
/// used, with a warning. An allocation that only some runs make mostly comes from the runtime, for example for a table
/// that it builds lazily. The minimum of each frame over the runs is not used, because it would miss an allocation that
/// each run makes in a different frame.
struct AllocationAgreement {
  private(set) var record: AllocationRecord?
  private(set) var phases: [String: AllocationSeries] = [:]
  private(set) var warning: String?

  init(_ runs: [RunMeasurement]) {
    let records = runs.compactMap(\.allocations)
    guard let first = records.first, records.count == runs.count else { return }
    let least = records.indices.min { records[$0].frameThread.isLess(than: records[$1].frameThread) } ?? 0
    record = records.dropFirst().reduce(first) { $0.least($1) }
    record?.frameThread = records[least].frameThread
    for phase in runs[least].phases { phases[phase.name] = phase.allocations }
    let own = first.frameThread
    for other in records.dropFirst().map(\.frameThread) {
      guard let frame = own.firstDifference(from: other) else { continue }
      let (counts, bytes) = ([own, other].map { $0.count.values[frame] }, [own, other].map { $0.bytes.values[frame] })
      warning =
        "Two runs allocated differently, first in recorded frame \(frame): \(counts[0]) allocations of "
        + "\(bytes[0]) bytes and \(counts[1]) of \(bytes[1]). The smaller run is shown; "
        + "look for state that is shared or depends on hashing order."
      return
    }
  }
}

extension AllocationRecord {
  fileprivate func least(_ other: AllocationRecord) -> AllocationRecord {
    var least = self
    if other.otherThreads.isLess(than: otherThreads) { least.otherThreads = other.otherThreads }
    for figure in [\AllocationRecord.setUpCount, \.setUpBytes, \.warmUpCount, \.warmUpBytes] {
      least[keyPath: figure] = min(self[keyPath: figure], other[keyPath: figure])
    }
    if let mine = netBytes, let theirs = other.netBytes, theirs.total < mine.total { least.netBytes = theirs }
    for figure in [\AllocationRecord.peakHeapBytes, \.leftHeapBytes] {
      least[keyPath: figure] = [self, other].compactMap { $0[keyPath: figure] }.min()
    }
    return least
  }
}

extension [RunMeasurement] {
  /// All counters. The values of each counter come from the run in which their total is smallest.
  fileprivate var leastCounters: [String: CountSeries] {
    reduce(into: [:]) { $0.merge($1.counters) { one, other in other.total < one.total ? other : one } }
  }

  /// How far the runs differ, by metric; nil for a single run. For allocations of frames, the value is at least 1 if
  /// runs allocated in different frames.
  /// - Parameter ofTimes: Whether to include times that comparisons judge only if runs agree. For these, the spread is
  ///   the difference between the two smallest values, because a disturbed run says nothing about the others.
  fileprivate func spreads(of id: BenchmarkID, ofTimes: Bool = false) -> [String: Int]? {
    guard count > 1 else { return nil }
    let records = compactMap { BenchmarkRecord(id: id, exactlyOf: [$0]) }
    let ofFrames: [Metric] = [
      .allocationCount, .allocatedBytes, .otherThreadAllocationCount, .otherThreadAllocatedBytes, .netBytes,
    ]
    let counters = Set(flatMap(\.counters.keys)).map { Metric.named($0, declared: self[0].counterKinds) }
    let exact = ofFrames + counters + Metric.ofRuns.filter(\.isJudged)
    let metrics = exact + (ofTimes ? Metric.ofRuns.filter(\.isJudgedByAgreement) : [])
    return metrics.reduce(into: [:]) { spreads, metric in
      let totals = records.compactMap { metric.total($0) }.sorted()
      guard totals.count == count else { return }
      let frames = records.map(\.allocations?.frameThread)
      let isMoved = metric.isOfFrameAllocations && frames.contains { $0 != frames[0] }
      spreads[metric.name] = Swift.max(Int(totals[metric.isJudged ? count - 1 : 1] - totals[0]), isMoved ? 1 : 0)
    }
  }
}

extension AllocationSeries {
  /// Whether this run allocated less often in total, or equally often, but fewer bytes.
  fileprivate func isLess(than other: AllocationSeries) -> Bool {
    (count.total, bytes.total) < (other.count.total, other.bytes.total)
  }

  fileprivate func firstDifference(from other: AllocationSeries) -> Int? {
    guard self != other else { return nil }
    let mine = zip(count.values, bytes.values)
    let theirs = zip(other.count.values, other.bytes.values)
    return Array(zip(mine, theirs)).firstIndex { $0 != $1 }
  }
}

extension BenchmarkRecord {
  /// Makes a record without times from runs that count allocations. It contains their exact figures and their use of
  /// memory. Nil if there are no runs.
  package init?(id: BenchmarkID, exactlyOf runs: [RunMeasurement]) {
    guard let first = runs.first else { return nil }
    let allocations = AllocationAgreement(runs)
    let untimed = TimeRecord(
      alignedNanoseconds: [], pooled: PooledTimes(sampleCount: 0, p50: 0, p90: 0, p99: 0, max: 0, mean: 0))
    self.init(
      id: id, frame: untimed,
      phases: first.phases.map { PhaseRecord(name: $0.name, time: untimed, allocations: allocations.phases[$0.name]) },
      allocations: allocations.record, counters: runs.leastCounters, counterKinds: first.counterKinds,
      memory: runs.dropFirst().reduce(first.memory) { $0.least($1.memory) },
      runSpreads: runs.spreads(of: id, ofTimes: true), checksum: first.checksum)
    throughput = first.throughput
  }

  /// The fraction of the median frame's time that may be outside all phases without a warning.
  private static let tolerableShare = 0.1
  /// The nanoseconds that may be outside all phases without a warning, even if they are a larger fraction of the frame.
  private static let tolerableNanoseconds = 50.0

  /// The time that frames spend outside their phases, in nanoseconds. Nil if it is so small that it may only result
  /// from timing frames and phases in separate runs. It is computed for each frame, and then the median is taken,
  /// because the medians of frames and of phases may come from different frames.
  /// - Parameters:
  ///   - phases: The times of each phase, by frame.
  ///   - pairCost: Cost of two reads of the clock, nanoseconds. The processor does some of a short phase's work during
  ///     these reads, so up to this much of each phase is missing.
  static func unexplained(frames: [Double], phases: [[Double]], pairCost: Double) -> Double? {
    guard !frames.isEmpty, !phases.isEmpty else { return nil }
    let outside = Quantile.median(frames.indices.map { frame in phases.reduce(frames[frame]) { $0 - $1[frame] } })
    let tolerable = max(tolerableShare * Quantile.median(frames), tolerableNanoseconds)
    return outside > tolerable + Double(phases.count) * pairCost ? outside : nil
  }

  /// A warning if much of the median frame is outside all phases. Either work such as a checksum is measured with the
  /// frame, or the machine disturbed the runs that time frames. Nil without phases, or if little time is outside them.
  /// - Parameter inner: The phases that run only inside other phases, which include their time.
  func tailWarning(endsWithBody: Bool, pairCost: Double, inner: Set<String> = []) -> String? {
    let frames = frame.alignedNanoseconds
    let phases = phases.filter { !inner.contains($0.name) }.map(\.time.alignedNanoseconds)
    guard let outside = Self.unexplained(frames: frames, phases: phases, pairCost: pairCost) else { return nil }
    let share = Format.percent(outside / Quantile.median(frames))
    return endsWithBody
      ? "\(share) of the median frame is outside all phases, and the frame ends where its body returns. Call"
        + " timer.endFrame() before work that should not be measured, such as a checksum, or make it a phase."
      : "\(share) of the median frame is outside all phases, which were measured in other runs. Make that work a"
        + " phase; if there is none, something disturbed the runs: measure again."
  }

  fileprivate var emptyCallDoubt: String? { isFunction ? frame.aligned.flatMap { Self.emptyCallDoubt($0.p50) } : nil }

  /// Returns a warning if a call of the measured function takes no longer than a call of an empty function. The limit
  /// is about half a cycle of the fastest processors.
  package static func emptyCallDoubt(_ nanoseconds: Double) -> String? {
    guard nanoseconds < 0.1 else { return nil }
    return "A call takes no longer than that of an empty function: the processor does its work beside the next call, or"
      + " the optimizer has left it out. What goes in through identity(_:) is not computed in advance."
  }
}
