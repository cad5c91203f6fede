import FrameBench

/// The name of a metric, and all rules for reading, showing, judging, storing and writing it. All code that shows,
/// compares or writes metrics goes through the list `all`, so a new metric needs no change elsewhere.
package struct Metric: Sendable {
  /// The name in rows, budgets and documents.
  package let name: String
  package let unit: Unit
  package let direction: Counter.Direction
  package let nature: Nature
  /// The name for readers, in the plural if the metric counts something. For most counters of scenarios, it is `name`.
  package let title: String
  /// The name in formats that already mark a figure as a count: `allocations` for `allocationCount`.
  package let label: String
  /// What the metric means, in one sentence. Empty for counters of scenarios.
  package let meaning: String
  /// What the user can do if a run lacks the metric: a phrase without a full stop. Nil if nothing can be done.
  package let remedy: String?
  private let read: @Sendable (BenchmarkRecord, RunDocument?) -> Reading
  typealias Reading = [(phase: String?, values: RecordedFigure.Values)]

  /// Units of values. Each raw value is the spelling of the unit in a `FlatRow`.
  package enum Unit: String, Codable, Sendable, Hashable {
    case nanoseconds = "ns"
    case bytes, count, points, items
    case hitchRatio = "ms/s"
    case itemsPerSecond = "items/s"
    case bytesPerSecond = "bytes/s"
    /// A checksum as text. Comparisons only check whether two are equal.
    case hexadecimal = "hex"
  }

  /// How well two measurements of the same code agree.
  package enum Nature: Sendable, Hashable {
    /// Exact: any change comes from the code.
    case exact
    /// Times. They depend on the machine, the moment and the order in which the program was linked, and are longer on a
    /// slower device.
    case timed
    /// Amounts that the system influences, such as memory. Comparisons judge only those with `isJudgedByAgreement`.
    case sampled
  }

  init(
    _ name: String, _ unit: Unit, _ nature: Nature = .exact, _ direction: Counter.Direction = .lowerIsBetter,
    title: String? = nil, label: String? = nil, meaning: String = "", remedy: String? = nil,
    read: @escaping @Sendable (BenchmarkRecord, RunDocument?) -> Reading
  ) {
    (self.name, self.unit, self.nature, self.direction) = (name, unit, nature, direction)
    self.title = title ?? name
    self.label = label ?? name
    (self.meaning, self.remedy, self.read) = (meaning, remedy, read)
  }

  package init(counter name: String, _ kind: CounterKind) {
    let unit = Unit(rawValue: kind.unit.rawValue) ?? .count
    let title = ["activeItems": "active items", "springEvaluations": "springs evaluated"][name]
    self.init(name, unit, .exact, kind.direction, title: title) { record, _ in Self.frame(record.counters[name]) }
  }

  package var isTimed: Bool { nature == .timed }
  /// Whether the metric is a rate. A rate has only one statistic, the p50, which is the rate of the median call.
  package var isRate: Bool { self == .itemsPerSecond || self == .bytesPerSecond }
  /// Whether the metric compares a strategy with the scenario's reference strategy, which therefore does not have it.
  package var isDeviation: Bool { self == .deviationPoints || self == .deviationItems }
  /// The unit of the throughput that a benchmark has to declare to have the metric. Nil for other metrics.
  package var throughputUnit: Throughput.Unit? {
    switch self {
    case .itemsPerCall, .itemsPerSecond: .items
    case .bytesPerCall, .bytesPerSecond: .bytes
    default: nil
    }
  }
  /// Whether comparisons include the metric as a single figure for a whole run.
  package var isOfRun: Bool { Self.ofRuns.contains(self) || self == .itemsPerCall || self == .bytesPerCall }
  /// Whether comparisons always judge the metric instead of only showing it. The number of freed blocks is never
  /// judged, because the growth of the heap is judged instead.
  package var isJudged: Bool { nature != .sampled && self != .freeCount && self != .freedBytes }
  /// Whether comparisons judge the metric only if the runs of each build give similar values. These metrics are the
  /// times before and after the recorded frames, and the CPU time of other threads.
  package var isJudgedByAgreement: Bool { isTimeOfSetUp || self == .otherThreadCPUNanoseconds }
  /// Whether the metric is the time of something before or after the recorded frames: start, set-up, warm-up, tear-down
  /// or exit.
  package var isTimeOfSetUp: Bool {
    self == .setUpNanoseconds || self == .tearDownNanoseconds || isOfWarmUp || isOfProcess
  }
  /// Whether the metric is the CPU time of the process before or after the run.
  package var isOfProcess: Bool { self == .startNanoseconds || self == .exitNanoseconds }
  /// Whether the metric is a time of warm-up frames, which do what the recorded frames do.
  package var isOfWarmUp: Bool { self == .firstFrameNanoseconds || self == .warmUpNanoseconds }
  package var isOfSetUp: Bool { isTimeOfSetUp || [.setUpAllocationCount, .setUpAllocatedBytes].contains(self) }
  /// Whether the metric is the growth or the peak of the heap, or what the tear-down leaves on it.
  package var isOfHeap: Bool { [.netBytes, .peakHeapBytes, .leftHeapBytes].contains(self) }
  /// Whether the metric is about threads other than the one that runs the frames. If frames wait for these threads, a
  /// run's total of their allocations is exact. But an allocation may be counted in the frame after the one that caused
  /// it.
  package var isOfOtherThreads: Bool {
    [.otherThreadAllocationCount, .otherThreadAllocatedBytes, .otherThreadCPUNanoseconds].contains(self)
  }
  private var isOfMemory: Bool { isOfHeap || [.liveHeapBytes, .peakResidentBytes, .pageFaultCount].contains(self) }
  /// Whether a change of this metric explains a change of the other. For example, slower frames explain more CPU time.
  package func explains(_ other: Metric) -> Bool {
    self == other || isTimed && other.dependsOnSpeed || isOfFrameAllocations && other.isOfFrameAllocations
      || isOfMemory && other.isOfMemory || isOfSetUp && other.isOfSetUp
  }
  /// Whether the metric is about the time that a display allows for a frame.
  package var isOfDisplay: Bool { [.overrun, .missedFrames, .hitchTimeRatio].contains(self) }
  /// Whether the metric is about allocations on the thread that runs the frame. Both the amounts and the frames in
  /// which they occur are exact.
  package var isOfFrameAllocations: Bool { self == .allocationCount || self == .allocatedBytes }
  /// The fraction up to which changes of an exact figure are ignored. Only the number of instructions has one, because
  /// it depends a little on where the linker places code.
  package var tolerance: Double { self == .instructionCount ? 0.002 : 0 }
  package func differs(_ value: Double, from before: Double) -> Bool { abs(value - before) > tolerance * abs(before) }
  /// Whether the harness measures the metric; false for a counter of a scenario.
  package var isOfHarness: Bool { Self.byName[name] != nil }

  /// The figures of the metric in a record: first the whole frame, then the phases in the order in which frames run
  /// them. Empty if the metric was not measured. Without a document, also empty if the metric depends on the display or
  /// on other benchmarks.
  package func figures(_ record: BenchmarkRecord, in document: RunDocument?) -> [RecordedFigure] {
    read(record, document).map { RecordedFigure(metric: self, phase: $0.phase, values: $0.values) }
  }
}

/// Metrics with the same name are equal. A counter of a scenario is encoded with its unit and direction.
extension Metric: Codable, Hashable {
  private struct Coded: Codable {
    var name: String
    var counter: CounterKind?
  }

  package init(from decoder: any Decoder) throws {
    let coded = try Coded(from: decoder)
    self = .named(coded.name, declared: coded.counter.map { [coded.name: $0] })
  }

  package func encode(to encoder: any Encoder) throws {
    let kind = CounterKind(unit: Counter.Unit(rawValue: unit.rawValue) ?? .count, direction: direction)
    try Coded(name: name, counter: isOfHarness ? nil : kind).encode(to: encoder)
  }

  package static func == (one: Metric, other: Metric) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Metric {
  package static let checksum = Metric(
    "checksum", .hexadecimal, .exact, .neither, meaning: "Checksum of what the frames made visible."
  ) { record, _ in [(nil, .text(record.checksum))] }
  package static let frameTime = Metric(
    "frameNanoseconds", .nanoseconds, .timed, title: "frame time",
    meaning: "Cost of a frame, each frame the minimum of all runs."
  ) { record, _ in [(nil, .times(record.frame))] + record.phases.map { ($0.name, .times($0.time)) } }
  package static let rawFrameTime = Metric(
    "pooledFrameNanoseconds", .nanoseconds, .timed,
    meaning: "Cost of a frame over all frames of all runs, noise of the machine included."
  ) { record, _ in
    ([(nil, record.frame)] + record.phases.map { ($0.name, $0.time) }).filter { $1.pooled.sampleCount > 0 }.map {
      ($0, .distribution($1.pooled.figures))
    }
  }
  package static let overrun = Metric(
    "overrunNanoseconds", .nanoseconds, .timed, meaning: "Cost of a frame less the budget of the run's display."
  ) { record, document in
    document.flatMap { record.budgetFigures($0.options) }.map { [(nil, .distribution($0.overrun))] } ?? []
  }
  package static let missedFrames = Metric(
    "missedFrames", .count, .timed, meaning: "Frames that cost more than the budget of the run's display."
  ) { record, document in total(document.flatMap { record.budgetFigures($0.options) }?.missedFrameCount) }
  package static let hitchTimeRatio = Metric(
    "hitchTimeRatio", .hitchRatio, .timed, meaning: "Milliseconds of hitches per second of display time."
  ) { record, document in total(document.flatMap { record.budgetFigures($0.options) }?.hitchTimeRatio) }
  package static let allocationCount = Metric(
    "allocationCount", .count, title: "allocations", label: "allocations",
    meaning: "Heap allocations in a frame, on the thread that runs it.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.frameThread.count) + phases(record) { $0.count } }
  package static let allocatedBytes = Metric(
    "allocatedBytes", .bytes, title: "bytes allocated",
    meaning: "Bytes requested in a frame, on the thread that runs it.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.frameThread.bytes) + phases(record) { $0.bytes } }
  package static let otherThreadAllocationCount = Metric(
    "otherThreadAllocationCount", .count, title: "allocations on other threads", label: "otherThreadAllocations",
    meaning: "Heap allocations while a frame ran, on all other threads.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.otherThreads.count) }
  package static let otherThreadAllocatedBytes = Metric(
    "otherThreadAllocatedBytes", .bytes, title: "bytes allocated on other threads",
    meaning: "Bytes requested while a frame ran, on all other threads.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.otherThreads.bytes) }
  package static let freeCount = Metric(
    "freeCount", .count, .exact, .neither, title: "frees", label: "frees",
    meaning: "Blocks given back to the heap in a frame, on the thread that runs it.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.frameThread.freeCount) + phases(record) { $0.freeCount } }
  package static let freedBytes = Metric(
    "freedBytes", .bytes, .exact, .neither, title: "bytes freed",
    meaning: "Bytes given back to the heap in a frame, on the thread that runs it.", remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.frameThread.freedBytes) + phases(record) { $0.freedBytes } }
  package static let netBytes = Metric(
    "netBytes", .bytes, title: "heap growth",
    meaning: "By how much a frame left the live heap larger, all threads together; a phase: on the frame's thread.",
    remedy: needsJemalloc
  ) { record, _ in frame(record.allocations?.netBytes) + phases(record) { $0.netBytes } }
  package static let instructionCount = Metric(
    "instructionCount", .count, title: "instructions", label: "instructions",
    meaning: "Instructions of a frame outside the kernel, counted by callgrind.",
    remedy: "run with --instructions, with valgrind installed"
  ) { record, _ in instructions(record.instructions) }
  package static let hardwareInstructionCount = Metric(
    "hardwareInstructionCount", .count, .sampled, title: "hardware instructions", label: "hardwareInstructions",
    meaning: "Instructions of a frame outside the kernel, counted by the processor.",
    remedy: "run with --instructions, on a machine whose processor counter can be read"
  ) { record, _ in instructions(record.hardwareInstructions) }
  package static let peakResidentBytes = Metric(
    "peakResidentBytes", .bytes, .sampled, title: "peak memory",
    meaning: "Peak resident set of a run's process, minimum over runs.", remedy: noReport
  ) { record, _ in total(record.memory.peakResidentBytes) }
  package static let peakHeapBytes = Metric(
    "peakHeapBytes", .bytes, title: "highest live heap",
    meaning: "The most that a run's set-up and frames held on the heap at once, minimum over runs.",
    remedy: needsJemalloc
  ) { record, _ in total(record.allocations?.peakHeapBytes) }
  package static let leftHeapBytes = Metric(
    "leftHeapBytes", .bytes, title: "heap left after tear-down",
    meaning: "What set-up and frames left on the heap after the tear-down, minimum over runs.", remedy: needsJemalloc
  ) { record, _ in total(record.allocations?.leftHeapBytes) }
  package static let setUpAllocationCount = Metric(
    "setUpAllocationCount", .count, title: "allocations in set-up", label: "setUpAllocations",
    meaning: "Heap allocations of the set-up, on the frame's thread, minimum over runs.", remedy: needsJemalloc
  ) { record, _ in total(record.allocations?.setUpCount) }
  package static let setUpAllocatedBytes = Metric(
    "setUpAllocatedBytes", .bytes, title: "bytes allocated in set-up",
    meaning: "Bytes that the set-up requested, on the frame's thread, minimum over runs.", remedy: needsJemalloc
  ) { record, _ in total(record.allocations?.setUpBytes) }
  package static let startNanoseconds = Metric(
    "startNanoseconds", .nanoseconds, .sampled, title: "CPU time before the run",
    meaning: "CPU time to load the program and to run its code before `suite.main()`, minimum over runs."
  ) { record, _ in total(record.memory.startNanoseconds) }
  package static let setUpNanoseconds = Metric(
    "setUpNanoseconds", .nanoseconds, .sampled, title: "set-up time", meaning: "Time of the set-up, minimum over runs."
  ) { record, _ in total(record.memory.setUpNanoseconds) }
  package static let firstFrameNanoseconds = Metric(
    "firstFrameNanoseconds", .nanoseconds, .sampled, title: "time of the first frame",
    meaning: "Time of the first warm-up frame, minimum over runs.", remedy: "run with a warm-up"
  ) { record, _ in total(record.memory.firstFrameNanoseconds) }
  package static let warmUpNanoseconds = Metric(
    "warmUpNanoseconds", .nanoseconds, .sampled, title: "warm-up time",
    meaning: "Time of the warm-up frames after the first, minimum over runs.", remedy: "run with a longer warm-up"
  ) { record, _ in total(record.memory.warmUpNanoseconds) }
  package static let tearDownNanoseconds = Metric(
    "tearDownNanoseconds", .nanoseconds, .sampled, title: "tear-down time",
    meaning: "Time of the tear-down and of freeing the state, minimum over runs."
  ) { record, _ in total(record.memory.tearDownNanoseconds) }
  package static let exitNanoseconds = Metric(
    "exitNanoseconds", .nanoseconds, .sampled, title: "CPU time after the run",
    meaning: "CPU time of the process after the run, such as that of handlers of `atexit`, minimum over runs."
  ) { record, _ in total(record.memory.exitNanoseconds) }
  package static let leftFileCount = Metric(
    "leftFileCount", .count, title: "files left open", label: "leftFiles",
    meaning: "File descriptors that set-up, frames and tear-down left open, minimum over runs.", remedy: noReport
  ) { record, _ in total(record.memory.leftFileCount) }
  package static let otherThreadCPUNanoseconds = Metric(
    "otherThreadCPUNanoseconds", .nanoseconds, .sampled, title: "CPU time outside the measuring thread",
    meaning: "CPU time of child processes and of all threads but the one that runs the frames, from set-up to the last"
      + " frame, minimum over runs."
  ) { record, _ in total(record.memory.otherThreadCPUNanoseconds) }
  package static let liveHeapBytes = Metric(
    "liveHeapBytes", .bytes, .sampled, title: "live heap",
    meaning: "What the run's state holds on the heap after the last frame.", remedy: needsJemalloc
  ) { record, _ in total(record.memory.liveHeapBytes) }
  package static let pageFaultCount = Metric(
    "pageFaultCount", .count, .sampled, title: "page faults", label: "pageFaults",
    meaning: "Page faults from set-up to the last frame of a run, minimum over runs.", remedy: noReport
  ) { record, _ in total(record.memory.pageFaultCount) }
  /// The number of context switches. Neither more nor fewer are better, because the number depends on other processes.
  package static let contextSwitchCount = Metric(
    "contextSwitchCount", .count, .sampled, .neither, title: "context switches", label: "contextSwitches",
    meaning: "How often a run's process gave up its core or lost it from set-up to the last frame, minimum over runs.",
    remedy: noReport
  ) { record, _ in total(record.memory.contextSwitchCount) }
  package static let cpuUserNanoseconds = Metric(
    "cpuUserNanoseconds", .nanoseconds, .sampled, title: "CPU time",
    meaning: "CPU time of a run's process outside the kernel, from set-up to the last frame, all threads together,"
      + " in the run with the least CPU time.", remedy: noReport
  ) { record, _ in total(record.memory.cpuUserNanoseconds) }
  package static let cpuSystemNanoseconds = Metric(
    "cpuSystemNanoseconds", .nanoseconds, .sampled, title: "CPU time in the kernel",
    meaning: "CPU time of a run's process in the kernel, from set-up to the last frame, all threads together, in the"
      + " run with the least CPU time.", remedy: noReport
  ) { record, _ in total(record.memory.cpuSystemNanoseconds) }
  package static let readCallCount = Metric(
    "readCallCount", .count, .sampled, title: "calls of read", label: "readCalls",
    meaning: "System calls that read from a file or socket (`syscr` of /proc/self/io), from set-up to the last frame of"
      + " a run, minimum over runs.", remedy: noReport
  ) { record, _ in total(record.memory.readCallCount) }
  package static let writeCallCount = Metric(
    "writeCallCount", .count, .sampled, title: "calls of write", label: "writeCalls",
    meaning: "System calls that write to a file or socket (`syscw` of /proc/self/io), from set-up to the last frame of"
      + " a run, minimum over runs.", remedy: noReport
  ) { record, _ in total(record.memory.writeCallCount) }
  package static let deviationPoints = Metric(
    "deviationPoints", .points, title: "deviation",
    meaning: "Distance between an item and where the reference strategy shows it.", remedy: needsReference
  ) { record, _ in
    let maximum = record.deviation?.largestDistance.map { (statistic: FlatRow.Statistic.max, value: $0) }
    let mean = record.deviation?.meanDistance.map { (statistic: FlatRow.Statistic.mean, value: $0) }
    return maximum == nil && mean == nil ? [] : [(nil, .figures([maximum, mean].compactMap { $0 }))]
  }
  package static let deviationItems = Metric(
    "deviationItems", .count, meaning: "Items that only this or only the reference strategy shows, summed over frames.",
    remedy: needsReference
  ) { record, _ in total(record.deviation.map { $0.missingCount + $0.extraCount }) }
  package static let itemsPerSecond = Metric(
    "itemsPerSecond", .itemsPerSecond, .timed, .higherIsBetter, title: "items a second",
    meaning: "Items that the median call works through in a second.", remedy: needsTimeAndItems
  ) { record, _ in rate(record, .items) }
  package static let bytesPerSecond = Metric(
    "bytesPerSecond", .bytesPerSecond, .timed, .higherIsBetter, title: "bytes a second",
    meaning: "Bytes that the median call works through in a second.", remedy: needsTimeAndBytes
  ) { record, _ in rate(record, .bytes) }
  package static let itemsPerCall = Metric(
    "itemsPerCall", .items, .exact, .higherIsBetter, title: "items a call",
    meaning: "Items that a call works through, as its benchmark declares.", remedy: needsItems
  ) { record, _ in amount(record, .items) }
  package static let bytesPerCall = Metric(
    "bytesPerCall", .bytes, .exact, .higherIsBetter, title: "bytes a call",
    meaning: "Bytes that a call works through, as its benchmark declares.", remedy: needsBytes
  ) { record, _ in amount(record, .bytes) }
  package static let capacityItems = Metric(
    "capacityItems", .items, .timed, .higherIsBetter, meaning: "The largest list whose p99 frame fits the budget.",
    remedy: "run with --capacity; the benchmark of the largest size has it"
  ) { record, document in total(document?.capacity(of: record.id)) }

  private static func frame(_ series: CountSeries?) -> Reading { series.map { [(nil, .counts($0))] } ?? [] }

  private static func phases(_ record: BenchmarkRecord, _ part: (AllocationSeries) -> CountSeries?) -> Reading {
    guard record.allocations != nil else { return [] }
    return record.phases.compactMap { phase in phase.allocations.flatMap(part).map { (phase.name, .counts($0)) } }
  }

  private static func instructions(_ record: InstructionRecord?) -> Reading {
    frame(record?.frames) + (record?.phases ?? []).map { ($0.name, .counts($0.frames)) }
  }

  private static func total(_ value: Double?) -> Reading { value.map { [(nil, .figures([(.total, $0)]))] } ?? [] }

  private static func total(_ value: Int?) -> Reading { total(value.map(Double.init)) }

  private static func amount(_ record: BenchmarkRecord, _ unit: Throughput.Unit) -> Reading {
    total(record.throughput?.unit == unit ? record.throughput?.amount : nil)
  }

  private static func rate(_ record: BenchmarkRecord, _ unit: Throughput.Unit) -> Reading {
    guard record.throughput?.unit == unit, let rate = record.ratePerSecond else { return [] }
    // Slow calls may have a rate below 1, which must not be rounded to 0.
    return [(nil, .figures([(.p50, rate < 1_000 ? (rate * 1_000).rounded() / 1_000 : rate.rounded())]))]
  }

  private static let needsJemalloc = "build with jemalloc, without SPRINGBENCH_SYSTEM_ALLOCATOR"
  private static let noReport = "this system does not report it"
  private static let needsReference = "also run the scenario's reference strategy"
  private static let needsItems = "declare a throughput in items"
  private static let needsBytes = "declare a throughput in bytes"
  private static let needsTimeAndItems = "\(needsItems), and measure calls that take time"
  private static let needsTimeAndBytes = "\(needsBytes), and measure calls that take time"

  /// Metrics of the process of a run, with one figure per run. Documents contain the minimum over the runs.
  package static let ofRuns = [
    startNanoseconds, setUpNanoseconds, firstFrameNanoseconds, warmUpNanoseconds, tearDownNanoseconds, exitNanoseconds,
    setUpAllocationCount, setUpAllocatedBytes, peakHeapBytes, leftHeapBytes, leftFileCount, liveHeapBytes,
    peakResidentBytes, otherThreadCPUNanoseconds, cpuUserNanoseconds, cpuSystemNanoseconds, pageFaultCount,
    contextSwitchCount, readCallCount, writeCallCount,
  ]
  /// Metrics of frames, in the order in which they are listed everywhere. After them come the counters of scenarios,
  /// `ofRuns` and `others`.
  private static let ofFrames = [
    checksum, frameTime, rawFrameTime, overrun, missedFrames, hitchTimeRatio, allocationCount, allocatedBytes,
    otherThreadAllocationCount, otherThreadAllocatedBytes, freeCount, freedBytes, netBytes, instructionCount,
    hardwareInstructionCount,
  ]
  private static let others = [
    deviationPoints, deviationItems, itemsPerCall, bytesPerCall, itemsPerSecond, bytesPerSecond, capacityItems,
  ]

  /// The metrics that the harness itself measures, without counters of scenarios.
  package static let all = ofFrames + ofRuns + others

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The metrics of the harness and the counters of a record, in the order in which they are listed everywhere.
  package static func measured(in record: BenchmarkRecord) -> [Metric] {
    ofFrames + [record].counterNames.map { named($0, declared: record.counterKinds) } + ofRuns + others
  }

  /// The metric of the harness with this name; nil if it is the name of a counter.
  package static func named(_ name: String) -> Metric? { byName[name] }

  /// The metric of the harness with this name, or else the counter with this name.
  /// - Parameter declared: A document's declarations of its counters.
  package static func named(_ name: String, declared: [String: CounterKind]?) -> Metric {
    byName[name] ?? Metric(counter: name, declared?[name] ?? CounterKind())
  }

  package func isWorse(_ value: Double, than before: Double) -> Bool {
    switch direction {
    case .lowerIsBetter: value > before
    case .higherIsBetter: value < before
    case .neither: false
    }
  }

  package func isBetter(_ value: Double, than before: Double) -> Bool { isWorse(before, than: value) }

  /// Whether the metric is a time or a rate, which differ on a slower machine.
  package var dependsOnSpeed: Bool { isTimed || unit == .nanoseconds }
  /// Whether the metric is a count without noise. Times have noise even if they happen to round to the same value.
  /// Memory and counters that hold a time have noise, too.
  package var isCount: Bool { nature == .exact && !dependsOnSpeed }

  /// Returns the value that a figure would have on a machine that is `factor` times slower.
  package func value(_ value: Double, onMachineSlowerBy factor: Double) -> Double {
    guard dependsOnSpeed else { return value }
    return direction == .higherIsBetter ? value / factor : value * factor
  }
}
