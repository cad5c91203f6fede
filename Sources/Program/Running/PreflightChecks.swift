import Foundation
import FrameBench
import Judging
import Measurements
import TextFormat

/// Checks of benchmarks by their suites before they are run.
struct PreflightChecks {
  let benchmarks: [PlannedBenchmark]
  let options: RunOptions
  let found: [BenchmarkID: Preflight]

  /// Refuses sizes whose memory is not available, before they are tried.
  ///
  /// - Parameter availableBytes: Nil if the system does not tell: then nothing is refused.
  func checkMemory(availableBytes: Int?) throws(UsageError) {
    guard let availableBytes else { return }
    for id in benchmarks.map(\.id) {
      let needed = found[id]?.memoryBytes ?? 0
      guard needed > availableBytes else { continue }
      throw UsageError(
        "--sizes",
        "\(id) needs about \(Self.text(needed)) of memory, but only \(Self.text(availableBytes)) is available",
        remedy: "choose a size below \(id.size), or leave it out with --skip")
    }
  }

  static func text(_ bytes: Int) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    guard let unit = units.first(where: { bytes >= $0.1 }) else { return "\(bytes) bytes" }
    return "\(String(format: "%.1f", Double(bytes) / Double(unit.1))) \(unit.0)"
  }

  /// Doubts of scenarios about their configuration; equal ones of several are merged into one about the whole run.
  /// - Throws: If a benchmark cannot be set up.
  func warnings() throws(UsageError) -> [Warning] {
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

  /// The stretches of all scenarios and sizes among the benchmarks, each once, in their order.
  /// - Throws: If a scenario cannot name them, or names another number of frames than a run has.
  func stretches() throws(UsageError) -> [StretchRecord] {
    var records: [StretchRecord] = []
    for benchmark in benchmarks where benchmark.scenario.namesStretches {
      let (id, name, size) = (benchmark.id, benchmark.id.variant, benchmark.id.size)
      guard !records.contains(where: { $0.scenario == name && $0.size == size }) else { continue }
      if let problem = found[id]?.stretchProblem { throw UsageError("\(id) cannot name its stretches: \(problem)") }
      let options = options.of(scenario: id.scenario)
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

/// Finds the phases and counters of benchmarks, so that a mistyped one is refused before anything is built
/// or measured: one run of a program, in a fraction of a second.
actor FigureProbe {
  private let programs: ProgramPaths
  private var known: [String: Found] = [:]

  private typealias Found = (phases: [String], counters: [String])

  init(_ programs: ProgramPaths) { self.programs = programs }

  /// Why none of these benchmarks has the figure, with a remedy; nil if one has it, or it is unknown.
  func problem(_ name: FigureName, of benchmarks: [BenchmarkID]) async throws -> String? {
    let isOurs = Metric.named(name.metric) != nil
    guard !isOurs || name.phase != nil else { return nil }
    var phases: [String] = []
    var counters: [String] = []
    for id in benchmarks.oneOfEachSeries(by: <) {
      guard let found = try await figures(of: id) else { return nil }
      let hasMetric = isOurs || found.counters.contains(name.metric)
      if hasMetric, name.phase.map(found.phases.contains) ?? true { return nil }
      phases += found.phases.filter { !phases.contains($0) }
      counters += found.counters.filter { !counters.contains($0) }
    }
    guard !phases.isEmpty || !counters.isEmpty else { return nil }
    if isOurs || counters.contains(name.metric), let phase = name.phase {
      return "no phase \"\(phase)\"; " + Suggestion.remedy(for: phase, among: phases, called: "the phases are")
    }
    return "no metric \"\(name.metric)\"; "
      + Suggestion.remedy(for: name.metric, among: Metric.all.map(\.name) + counters.sorted(), called: "there are")
  }

  /// - Throws: If none of a limit's or an acknowledgement's benchmarks has its figure, with its place.
  func check(_ file: BudgetFile, of benchmarks: [BenchmarkID]) async throws {
    let limits = file.rules.flatMap { rule in
      rule.limits.compactMap { limit -> (FigureName, IDPattern, Place)? in
        if case .figure(let name) = limit.key { (name, rule.pattern, limit.keyPlace) } else { nil }
      }
    }
    let acknowledged = file.acknowledgements.compactMap { entry in
      entry.figure.map { ($0, entry.pattern, entry.metricPlace) }
    }
    for (name, pattern, place) in limits + acknowledged {
      let matching = benchmarks.filter(pattern.matches)
      if let problem = try await problem(name, of: matching) {
        throw BudgetError(path: file.path, place: place, message: problem)
      }
    }
  }

  private func figures(of id: BenchmarkID) async throws -> Found? {
    let key = id.series
    if let found = known[key] { return found }
    let options = RunOptions()
    let worker = WorkerProcess(
      executablePath: programs.path(of: id), timeout: WorkerProcess.defaultTimeout(options, size: id.size))
    do {
      let run = try await worker.measure(WorkerRequest(benchmark: id, pass: .allocations, options: options))
      let found = (run.phases.map(\.name), Array(run.counters.keys))
      known[key] = found
      return found
    } catch is WorkerProcess.Failure { return nil }
  }
}

extension [BenchmarkID] {
  /// One of each scenario and strategy, in the order of their first ones.
  /// - Parameter isPreferred: Chooses by size.
  func oneOfEachSeries(by isPreferred: (Int, Int) -> Bool) -> [BenchmarkID] {
    reduce(into: []) { chosen, id in
      guard let known = chosen.firstIndex(where: id.isSameSeries) else { return chosen.append(id) }
      if isPreferred(id.size, chosen[known].size) { chosen[known] = id }
    }
  }
}
