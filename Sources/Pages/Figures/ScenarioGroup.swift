import FrameBench
import Judging
import Measurements
import TextFormat

/// The benchmarks of one scenario with the same parameters, for comparing them side by side.
package struct ScenarioGroup {
  package let document: RunDocument
  /// The name of the scenario with its parameters: `list/viewport=320`.
  package let name: String
  /// The strategies in the order of their first appearance. The first one is the reference.
  package let strategies: [String]
  package let sizes: [Int]
  private let first: BenchmarkID
  private let records: [BenchmarkID: BenchmarkRecord]
  private let warnings: [BenchmarkID?: [Warning]]

  package static func all(in document: RunDocument) -> [ScenarioGroup] {
    let warnings = Dictionary(grouping: document.warnings, by: \.benchmark)
    return document.benchmarks.grouped(by: \.id.variant).map { name, own in ScenarioGroup(name, own, document, warnings)
    }
  }

  private init(_ name: String, _ own: [BenchmarkRecord], _ document: RunDocument, _ warnings: [BenchmarkID?: [Warning]])
  {
    (self.document, self.name, self.warnings) = (document, name, warnings)
    first = own[0].id
    strategies = own.map(\.id.strategy).unique
    sizes = Set(own.map(\.id.size)).sorted()
    records = Dictionary(own.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package var scenario: String { first.scenario }
  package var unit: WorkUnit { WorkUnit(Array(records.values)) }
  package var reference: String? { strategies.first }
  package var challengers: ArraySlice<String> { strategies.dropFirst() }
  package var options: RunOptions { document.options }
  package var clock: ClockRecord { document.environment.clock }

  package func record(_ strategy: String, _ size: Int) -> BenchmarkRecord? {
    records[first.with(strategy: strategy, size: size)]
  }

  /// Whether the group is a single function for which the suite names no strategy and no size.
  package var isPlain: Bool { unit == .call && isUndivided && sizes == [1] }

  /// Whether the suite names no strategy.
  package var isUndivided: Bool { strategies == [Suite.defaultStrategy] }

  /// Returns the name that reports show for a strategy. If the suite names no strategy, it is the name of the scenario.
  package func label(_ strategy: String) -> String { isUndivided ? name : strategy }

  /// The title for one size: `springs, 100 items`.
  package func title(ofSize size: Int) -> String { isPlain ? name : "\(name), \(Format.items(size))" }

  package func warnings(of id: BenchmarkID) -> [Warning] { warnings[id] ?? [] }

  package func stretches(at size: Int) -> StretchRecord? { document.stretches(scenario: name, size: size) }

  /// The words for a frame, with the name of its stretch: `frame 728`, `frame 728 (rest)`, `sample 12`.
  package func frameText(_ frame: Int, size: Int) -> String {
    let stretch = stretches(at: size)?.name(ofFrame: frame).map { " (\($0))" }
    return "\(unit.sample) \(Format.integer(frame))\(stretch ?? "")"
  }

  package func records(at size: Int) -> [BenchmarkRecord] { strategies.compactMap { record($0, size) } }
  package func records(of strategy: String) -> [BenchmarkRecord] { sizes.compactMap { record(strategy, $0) } }
  package var allRecords: [BenchmarkRecord] { sizes.flatMap(records(at:)) }
  package var recordsByStrategy: [BenchmarkRecord] { strategies.flatMap(records(of:)) }

  package func reasonForAbsence(_ strategy: String, _ size: Int) -> String {
    let id = first.with(strategy: strategy, size: size)
    let failure = document.failures.first { $0.id == id }
    return failure.map { "\(id) could not be measured: \($0.briefReason)." } ?? "\(id) was not part of this run."
  }
}

/// The unit of work that figures describe: a frame of a loop, or a call of a function. One sample may cover many calls.
package enum WorkUnit {
  case frame, call
  /// Some benchmarks measure frames, others measure calls.
  case either

  package init(_ records: [BenchmarkRecord]) {
    let calls = records.count(where: \.isFunction)
    self = calls == 0 ? .frame : calls == records.count ? .call : .either
  }

  /// The word for the unit of work to which a time or a count refers.
  package var noun: String {
    switch self {
    case .frame: "frame"
    case .call: "call"
    case .either: "frame or call"
    }
  }

  /// The word for one measured value of a run.
  package var sample: String { self == .frame ? "frame" : "sample" }

  package var title: String {
    switch self {
    case .frame: "Frame costs"
    case .call: "Costs of calls"
    case .either: "Costs of frames and calls"
    }
  }

  /// The statistic that decides which benchmark is cheaper. For frames it is the p99, because slow frames make a list
  /// stutter. For calls it is the median, because slow calls are mostly caused by the machine.
  package var decisive: FlatRow.Statistic { self == .call ? .p50 : .p99 }
}

extension RunDocument { package var unit: WorkUnit { WorkUnit(benchmarks) } }

extension RunOptions {
  package var unitsOfSpread: String { layoutCount == nil ? "runs" : "link orders" }

  /// The number of runs: `20 runs`, or `6 to 20 runs` if expensive benchmarks had fewer. Times are minima over these
  /// runs.
  package func runsPhrase(_ records: [BenchmarkRecord]) -> String {
    let counts = records.map { record in
      let frames = record.frame.alignedNanoseconds.count
      return passSecondsLimit == nil || frames == 0 ? runCount : record.frame.pooled.sampleCount / frames
    }
    return Self.phrase(counts, or: runCount, "run")
  }

  /// The number of frames in a run, or of samples for functions: `1,200 frames`, `20 to 1,200 samples`.
  package func samplesPhrase(_ records: [BenchmarkRecord]) -> String {
    phrase(records, \.frameCount, WorkUnit(records).sample)
  }

  package func warmUpPhrase(_ records: [BenchmarkRecord]) -> String {
    phrase(records, \.warmUpFrameCount, "warm-up \(WorkUnit(records).sample)")
  }

  private func phrase(_ records: [BenchmarkRecord], _ count: KeyPath<RunOptions, Int>, _ noun: String) -> String {
    Self.phrase(records.map { of($0.id)[keyPath: count] }, or: self[keyPath: count], noun)
  }

  private static func phrase(_ counts: [Int], or one: Int, _ noun: String) -> String {
    let (least, most) = (counts.min() ?? one, counts.max() ?? one)
    return (least < most ? "\(Format.integer(least)) to " : "") + Format.plural(most, noun)
  }
}

extension BenchmarkRecord {
  /// The p50 of the aligned frame times, with its unit: `3.9 µs`. A dash if no frame was recorded.
  package var medianFrameText: String { frame.aligned.map { TimeUnit.text($0.p50) } ?? Format.absent }

  package var worstFrame: Int? {
    let costs = frame.alignedNanoseconds
    return costs.indices.max { costs[$0] < costs[$1] }
  }

  /// The phase that takes the most time in the slowest frames, from the p99 up, and the fraction of their time that it
  /// takes. Nil if there is only one phase.
  package var slowestPhase: (name: String, share: Double)? {
    guard phases.count > 1, let limit = frame.aligned?.p99 else { return nil }
    let costs = frame.alignedNanoseconds
    let slow = costs.indices.filter { costs[$0] >= limit }
    let times = phases.map { phase in
      let own = phase.time.alignedNanoseconds
      return (name: phase.name, time: slow.reduce(0.0) { $0 + (own.indices.contains($1) ? own[$1] : 0) })
    }
    let total = times.reduce(0) { $0 + $1.time }
    guard total > 0, let most = times.max(by: { $0.time < $1.time }) else { return nil }
    return (most.name, most.time / total)
  }
}
