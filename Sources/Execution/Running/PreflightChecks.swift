import FrameBench
import Judging
import Measurements
import Platform
import TextFormat

/// Checks what suites report about benchmarks before the benchmarks run.
package struct PreflightChecks {
  package let benchmarks: [PlannedBenchmark]
  package let options: RunOptions
  package let found: [BenchmarkID: Preflight]

  package init(benchmarks: [PlannedBenchmark], options: RunOptions, found: [BenchmarkID: Preflight]) {
    (self.benchmarks, self.options, self.found) = (benchmarks, options, found)
  }

  /// Returns the warnings of scenarios about their configuration. Equal warnings are merged.
  /// - Parameter availableBytes: The memory that is available. Nil if the system does not show it.
  /// - Throws: If a benchmark cannot be set up, or needs more memory than is available.
  package func warnings(availableBytes: Int?) throws(UsageError) -> [Warning] {
    let needs = benchmarks.map { (id: $0.id, bytes: found[$0.id]?.memoryBytes ?? 0) }
    if let availableBytes, let (id, bytes) = needs.first(where: { $0.bytes > availableBytes }) {
      let (needed, available) = (ByteUnit.text(Double(bytes)), ByteUnit.text(Double(availableBytes)))
      throw UsageError(
        "--sizes", "\(id) needs about \(needed) of memory, but only \(available) is available",
        remedy: "choose a size below \(id.size), or leave it out with --skip")
    }
    var warnings: [Warning] = []
    for id in benchmarks.map(\.id) {
      if let problem = found[id]?.problem { throw UsageError("\(id) cannot be set up: \(problem)") }
      for warning in found[id]?.warnings ?? [] {
        if let known = warnings.firstIndex(where: { $0.message == warning.message }) {
          warnings[known].benchmark = nil
        } else {
          warnings.append(Warning(warning.message, benchmark: warning.benchmark ?? id))
        }
      }
    }
    return warnings
  }

  /// Returns the named stretches of frames, such as a drag or a fling, once for each scenario and size.
  /// - Throws: If a scenario cannot name its stretches, or names them for another number of frames than a run has.
  package func stretches() throws(UsageError) -> [StretchRecord] {
    var records: [StretchRecord] = []
    for benchmark in benchmarks where benchmark.scenario.namesStretches {
      let (id, name, size) = (benchmark.id, benchmark.id.variant, benchmark.id.size)
      guard !records.contains(where: { $0.scenario == name && $0.size == size }) else { continue }
      if let problem = found[id]?.stretchProblem { throw UsageError("\(id) cannot name its stretches: \(problem)") }
      let options = options.of(id)
      let (names, count) = (found[id]?.stretches ?? [], options.warmUpFrameCount + options.frameCount)
      guard names.count == count else {
        throw UsageError(
          "scenario \"\(name)\" names the stretches of \(Format.plural(names.count, "frame")) at"
            + " \(Format.items(size)), and a run has \(Format.integer(count))",
          remedy: "return a name for each frame, the warm-up included")
      }
      records.append(StretchRecord(scenario: name, size: size, frameNames: names.dropFirst(options.warmUpFrameCount)))
    }
    return records
  }
}

/// Finds the phases and counters of benchmarks, in one run of each scenario with each strategy, so that a mistyped name
/// is refused before measuring.
package actor FigureProbe {
  private let catalogue: Catalogue
  /// The run of each series (benchmarks that differ only in size). Nil if the run failed.
  private var runs: [String: RunMeasurement?] = [:]

  package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  /// Returns a sentence which says that none of these benchmarks has the figure, and names those that they have. Nil if
  /// a benchmark has the figure, or if this is unknown: a run failed, or the runs had neither phases nor counters.
  package func problem(_ name: FigureName, of benchmarks: [BenchmarkID]) async throws -> String? {
    let isOurs = Metric.named(name.metric) != nil
    guard !isOurs || name.phase != nil else { return nil }
    var phases: [String] = []
    var counters: Set<String> = []
    for id in benchmarks.oneOfEachSeries(by: <) {
      guard let run = try await run(of: id) else { return nil }
      let names = run.phases.map(\.name)
      if isOurs || run.counters[name.metric] != nil, name.phase.map(names.contains) ?? true { return nil }
      phases = (phases + names).unique
      counters.formUnion(run.counters.keys)
    }
    guard !phases.isEmpty || !counters.isEmpty else { return nil }
    if isOurs || counters.contains(name.metric), let phase = name.phase {
      return "no phase \"\(phase)\"; " + Suggestion.remedy(for: phase, among: phases, called: "the phases are")
    }
    return "no metric \"\(name.metric)\"; "
      + Suggestion.remedy(for: name.metric, among: Metric.all.map(\.name) + counters.sorted(), called: "there are")
  }

  /// Checks the limits and acknowledgements of a budget file that apply to these benchmarks.
  /// - Parameter others: The other benchmarks of the suite. An entry may name a figure that only one of these has.
  /// - Throws: `BudgetError` if an entry names a figure that none of its benchmarks has.
  package func check(_ file: BudgetFile, of benchmarks: [BenchmarkID], others: [BenchmarkID]) async throws {
    let limits = file.rules.flatMap { rule in
      rule.limits.compactMap { limit -> (FigureName, IDPattern, Place)? in
        if case .figure(let name) = limit.key { (name, rule.pattern, limit.keyPlace) } else { nil }
      }
    }
    let acknowledged = file.acknowledgements.compactMap { entry in
      entry.figure.map { ($0, entry.pattern, entry.metricPlace) }
    }
    for (name, pattern, place) in limits + acknowledged {
      let own = benchmarks.filter(pattern.matches)
      // Other benchmarks may be slow or crash, which is why they were not selected. So they run only if needed.
      guard !own.isEmpty, try await problem(name, of: own) != nil,
        let problem = try await problem(name, of: own + others.filter(pattern.matches))
      else { continue }
      throw BudgetError(path: file.path, place: place, message: problem)
    }
  }

  private func run(of id: BenchmarkID) async throws -> RunMeasurement? {
    if let run = runs[id.series] { return run }
    let benchmark = try catalogue.benchmark("\(id)")
    var options = RunOptions()
    try await catalogue.takeFrames(of: [benchmark], &options, declaredBy: [benchmark])
    let runner = Runner(options: options, programs: catalogue.programs)
    var run: RunMeasurement?
    do { run = try await runner.measure(id, .allocations) } catch is WorkerProcess.Failure {}
    runs.updateValue(run, forKey: id.series)
    return run
  }
}

extension [BenchmarkID] {
  /// Returns one benchmark of each scenario and strategy: the one with the preferred size.
  package func oneOfEachSeries(by isPreferred: (Int, Int) -> Bool) -> [BenchmarkID] {
    grouped(by: \.series).compactMap { series in series.rows.min { isPreferred($0.size, $1.size) } }
  }
}
