import FrameBench
import Statistics
import TextFormat

/// All runs of one benchmark, to be combined into its record.
package struct BenchmarkRuns: Sendable {
  package let id: BenchmarkID
  /// Every series of every run must have their `frameCount` values.
  package let options: RunOptions
  /// By pass, in the order of the runs.
  package private(set) var runs: [MeasurementPass: [NumberedRun]] = [:]

  /// A run, and which of its pass it was.
  package struct NumberedRun: Sendable {
    /// Counts from 1, in each pass.
    package var number: Int
    package var measurement: RunMeasurement
  }

  package init(id: BenchmarkID, options: RunOptions) {
    self.id = id
    self.options = options.of(scenario: id.scenario)
  }

  /// Adds a run as the next of its pass.
  package mutating func add(_ measurement: RunMeasurement, pass: MeasurementPass) {
    let number = runs[pass, default: []].count + 1
    runs[pass, default: []].append(NumberedRun(number: number, measurement: measurement))
  }

  /// Combines the runs: the cost of each frame over the runs, all frames pooled, and the exact figures, which
  /// must be equal in every run.
  package func record() throws(AggregationError) -> AggregatedBenchmark {
    try checkShapes()
    let checksum = try agreedChecksum()
    let frames = runs[.frames, default: []].map(\.measurement)
    let allocations = AllocationAgreement(id: id, measurements(of: .allocations))
    guard let frameTimes = TimeRuns(framesOf: frames, layoutCount: options.layoutCount ?? 1) else {
      throw .malformed(what: "no frame times")
    }
    let phases = try phaseTimes().map { name, times in
      PhaseRecord(name: name, time: times.record(), allocations: allocations.phases[name])
    }
    var record = BenchmarkRecord(
      id: id, frame: frameTimes.record(), phases: phases,
      allocations: allocations.record, counters: frames[0].counters, memory: memory, checksum: checksum,
      deviation: measurements(of: .output).first?.deviation)
    record.counterKinds = frames[0].counterKinds
    record.callsPerFrame = frames.callCount
    record.throughput = frames[0].throughput
    record.budget = record.budgetFigures(options)
    let pairCost = Quantile.median(frames.map(\.clock.pairCostNanoseconds))
    let tail = record.tailWarning(
      endsWithBody: frames.contains { $0.endsWithBody == true }, pairCost: pairCost)
    return AggregatedBenchmark(
      record: record,
      warnings: allocations.warnings + counterWarnings
        + [tail, record.emptyCallWarning, executorWarning, leakWarning].compactMap(\.self))
  }

  private func measurements(of pass: MeasurementPass) -> [RunMeasurement] {
    runs[pass, default: []].map(\.measurement)
  }

  private var executorWarning: Warning? {
    let costs = measurements(of: .frames).compactMap(\.executorNanoseconds).sorted()
    guard !costs.isEmpty else { return nil }
    let cost = Format.significant(Quantile.type7(sorted: costs, at: 0.5), digits: 2)
    return Warning(
      "Frames may suspend. Each contains about \(cost) ns that the executor takes to start it.", benchmark: id
    )
  }

  private var leakWarning: Warning? {
    guard let bytes = measurements(of: .allocations).compactMap(\.leakedBytes).min() else { return nil }
    return Warning(
      "Set-up leaves \(Format.integer(bytes)) bytes on the heap each time. Free what does not free itself with"
        + " context.tearDown { … }.", benchmark: id)
  }

  private var memory: MemoryRecord {
    let frames = measurements(of: .frames).map(\.memory)
    return MemoryRecord(
      peakResidentBytes: frames.compactMap(\.peakResidentBytes).min(),
      liveHeapBytes: frames.compactMap(\.liveHeapBytes).min())
  }
}

/// A benchmark's record, and the warnings from its runs.
package struct AggregatedBenchmark: Sendable, Equatable {
  package var record: BenchmarkRecord
  /// Allocations and counters that differ between runs; each names the benchmark.
  package var warnings: [Warning]
}

/// Runs that cannot be put together.
package enum AggregationError: Error, Equatable, CustomStringConvertible {
  /// Equal work gave unequal results; `what` names them and the runs.
  case notDeterministic(what: String)
  /// A reply does not hold what was asked for.
  case malformed(what: String)

  package var description: String {
    switch self {
    case .notDeterministic(let what):
      "not deterministic: \(what); seed randomness from the context, and read no clock"
    case .malformed(let what): "a reply does not fit the request: \(what)"
    }
  }
}

extension BenchmarkRuns {
  private var allRuns: [(name: String, measurement: RunMeasurement)] {
    MeasurementPass.allCases.flatMap { pass in
      runs[pass, default: []].map { ("\(pass.rawValue) run \($0.number)", $0.measurement) }
    }
  }

  private func agreedChecksum() throws(AggregationError) -> String {
    let all = allRuns
    guard let other = all.first(where: { $0.measurement.checksum != all[0].measurement.checksum }) else {
      return all[0].measurement.checksum
    }
    throw .notDeterministic(
      what: "checksum \(all[0].measurement.checksum) in \(all[0].name), "
        + "\(other.measurement.checksum) in \(other.name)")
  }

  /// A counter may depend on the machine (cache hits), so unlike a checksum it only causes a warning.
  private var counterWarnings: [Warning] {
    let all = allRuns
    let first = all[0].measurement.counters
    let names = Set(all.flatMap { $0.measurement.counters.keys }).sorted()
    return names.compactMap { name in
      guard let other = all.first(where: { $0.measurement.counters[name] != first[name] }) else { return nil }
      return Warning(
        "Counter \(name) differs between \(all[0].name) and \(other.name); the first is shown.",
        benchmark: id)
    }
  }

  private func checkShapes() throws(AggregationError) {
    let needed: [MeasurementPass] = [.frames, .phases, .allocations]
    for pass in needed where runs[pass, default: []].isEmpty {
      throw .malformed(what: "no run of the pass \(pass.rawValue)")
    }
    for run in allRuns {
      for (name, count) in run.measurement.seriesCounts where count != options.frameCount {
        throw .malformed(what: "\(count) frames of \(name) in \(run.name), not \(options.frameCount)")
      }
    }
    for run in runs[.frames, default: []] where run.measurement.frameNanoseconds == nil {
      throw .malformed(what: "no frame times in frames run \(run.number)")
    }
  }

  /// In the order in which they first ran.
  private func phaseTimes() throws(AggregationError) -> [(name: String, times: TimeRuns)] {
    let all = runs[.phases, default: []]
    guard let names = all.first?.measurement.phases.map(\.name) else { return [] }
    let measurements = all.map(\.measurement)
    var result: [(String, TimeRuns)] = []
    for name in names {
      var times: [[Double]] = []
      var pairs: [[Int]] = []
      for run in all {
        guard let phase = run.measurement.phases.first(where: { $0.name == name }),
          run.measurement.phases.count == names.count,
          let nanoseconds = phase.nanoseconds, let clockPairs = phase.clockPairs
        else {
          throw .notDeterministic(what: "phases run 1 and run \(run.number) ran different phases")
        }
        times.append(nanoseconds)
        pairs.append(clockPairs.values)
      }
      result.append(
        (
          name,
          TimeRuns(
            runs: times, clockPairs: pairs, pairCosts: measurements.map(\.clock.pairCostNanoseconds),
            clockStep: measurements.clockStep, layoutCount: options.layoutCount ?? 1)
        ))
    }
    return result
  }

  /// Whether the median frame takes longer than its phases, which were measured in runs of their own, explain. False
  /// for frames without phases, and where runs differ in shape.
  package var isUnexplained: Bool {
    guard (try? checkShapes()) != nil, let phases = try? phaseTimes(), !phases.isEmpty,
      let frames = TimeRuns(framesOf: measurements(of: .frames))
    else { return false }
    return BenchmarkRecord.isUnexplained(
      frame: Quantile.median(frames.aligned()), phases: phases.map { Quantile.median($0.times.aligned()) },
      pairCost: Quantile.median(measurements(of: .phases).map(\.clock.pairCostNanoseconds)))
  }
}

extension RunMeasurement {
  /// Every series of the run with its number of frames.
  fileprivate var seriesCounts: [(name: String, count: Int)] {
    var counts: [(String, Int)] = counters.map { ($0.key, $0.value.count) }
    if let frameNanoseconds { counts.append(("frame times", frameNanoseconds.count)) }
    for phase in phases {
      if let nanoseconds = phase.nanoseconds { counts.append((phase.name, nanoseconds.count)) }
      if let clockPairs = phase.clockPairs { counts.append((phase.name, clockPairs.count)) }
      if let allocations = phase.allocations { counts.append((phase.name, allocations.count.count)) }
    }
    if let allocations { counts.append(("allocations", allocations.frameThread.count.count)) }
    return counts
  }
}
