import FrameBench
import Measurements
import TextFormat

extension Suite {
  /// The stretches of all scenarios and sizes among the benchmarks, each once, in their order.
  /// - Throws: Where a scenario cannot name them, or names another number of frames than a run has.
  func stretches(
    in benchmarks: [PlannedBenchmark], _ options: RunOptions
  ) throws(UsageError) -> [StretchRecord] {
    var records: [StretchRecord] = []
    for benchmark in benchmarks {
      let (name, size) = (benchmark.id.variant, benchmark.id.size)
      guard let stretches = benchmark.scenario.options.stretches,
        !records.contains(where: { $0.scenario == name && $0.size == size })
      else { continue }
      records.append(try record(of: stretches, benchmark, options))
    }
    return records
  }

  private func record(
    of stretches: (ScenarioContext) throws -> [String], _ benchmark: PlannedBenchmark, _ options: RunOptions
  ) throws(UsageError) -> StretchRecord {
    let (name, size) = (benchmark.id.variant, benchmark.id.size)
    var reference = benchmark
    reference.id.strategy = benchmark.scenario.referenceStrategy
    let context = reference.context(options)
    let names: [String]
    do {
      names = try stretches(context)
    } catch {
      throw UsageError("\(benchmark.id) cannot name its stretches: \(oneLine("\(error)"))")
    }
    guard names.count == context.totalFrameCount else {
      throw UsageError(
        "scenario \"\(name)\" names the stretches of \(Format.plural(names.count, "frame")) at"
          + " \(Format.items(size)), and a run has \(Format.integer(context.totalFrameCount))",
        remedy: "return a name for each frame, the warm-up included")
    }
    return StretchRecord(scenario: name, size: size, frameNames: names.dropFirst(context.warmUpFrameCount))
  }
}
