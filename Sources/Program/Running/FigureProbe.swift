import FrameBench
import Judging
import Measurements
import TextFormat

/// Which phases and counters benchmarks have, so that a mistyped one is refused before anything is built or measured:
/// one run of a program says it, in a fraction of a second.
actor FigureProbe {
  private let programs: ProgramPaths
  private var known: [String: Found] = [:]

  private struct Found {
    var phases: [String]
    var counters: [String]
  }

  /// - Parameter executable: The program that is asked; the default is this one.
  init(_ programs: ProgramPaths) { self.programs = programs }

  /// Why none of these benchmarks has the figure, with a remedy; nil if one has it, or it is unknown.
  ///
  /// Throws `CancellationError`.
  func problem(_ name: FigureName, of benchmarks: [BenchmarkID]) async throws -> String? {
    let isOurs = Metric.named(name.metric) != nil
    guard !isOurs || name.phase != nil else { return nil }
    var phases: [String] = []
    var counters: [String] = []
    for id in Self.representatives(benchmarks) {
      guard let found = try await figures(of: id) else { return nil }
      let hasMetric = isOurs || found.counters.contains(name.metric)
      if hasMetric, name.phase.map(found.phases.contains) ?? true { return nil }
      phases += found.phases.filter { !phases.contains($0) }
      counters += found.counters.filter { !counters.contains($0) }
    }
    guard !phases.isEmpty || !counters.isEmpty else { return nil }
    if isOurs || counters.contains(name.metric), let phase = name.phase {
      return "no phase \"\(phase)\"; "
        + Suggestion.remedy(for: phase, among: phases, called: "the phases are")
    }
    return "no metric \"\(name.metric)\"; "
      + Suggestion.remedy(
        for: name.metric, among: Metric.all.map(\.name) + counters.sorted(), called: "there are")
  }

  /// - Throws: For a limit or an acknowledgement of a figure that none of its benchmarks has, with its place.
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
      let run = try await worker.measure(WorkerRequest(benchmark: id, work: .allocations, options: options))
      let found = Found(phases: run.phases.map(\.name), counters: Array(run.counters.keys))
      known[key] = found
      return found
    } catch is WorkerProcess.Failure {
      return nil
    }
  }

  /// The smallest size of each strategy.
  private static func representatives(_ benchmarks: [BenchmarkID]) -> [BenchmarkID] {
    var smallest: [BenchmarkID] = []
    for id in benchmarks {
      let index = smallest.firstIndex { $0.isSameSeries(as: id) }
      guard let index else {
        smallest.append(id)
        continue
      }
      if id.size < smallest[index].size { smallest[index] = id }
    }
    return smallest
  }
}
