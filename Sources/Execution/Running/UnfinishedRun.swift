import FrameBench
import Measurements
import Platform
import TextFormat

/// A stored run with failed benchmarks. Another run measures only these benchmarks, and both runs are combined.
package struct UnfinishedRun: Sendable {
  package let path: String
  package let document: RunDocument

  /// Reads the newest run below a folder of results.
  package init(results: String) throws {
    let stored = try StoredRun(argument: StoredRun.latest, results: results)
    path = stored.path
    document = try stored.read()
  }

  package func failed(in catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    let failed = document.failures.map(\.id)
    let known = catalogue.benchmarks(sizes: Set(failed.map(\.size)).sorted())
    if let gone = failed.first(where: { id in !known.contains { $0.id == id } }) {
      throw UsageError(
        "--failed", "\(gone) failed in \(path), and the suite no longer has it", remedy: "run everything again")
    }
    return known.filter { failed.contains($0.id) }
  }

  /// Returns the stored run with new measurements in place of the failed benchmarks.
  ///
  /// If the two runs are of different builds or machines, returns only the new measurements, and a sentence with the
  /// reason.
  package func completed(by rest: RunDocument, of catalogue: Catalogue) async throws -> (RunDocument, note: String?) {
    var (kept, rest) = (document, rest)
    // The combined run keeps the command line and the part (shard) of the earlier run.
    (rest.shard, rest.arguments) = (kept.shard, kept.arguments)
    let measured = Set(rest.allIDs)
    kept.benchmarks.removeAll { measured.contains($0.id) }
    kept.failures.removeAll { measured.contains($0.id) }
    kept.warnings.removeAll { $0.benchmark.map(measured.contains) ?? $0.saysInterrupted }
    if kept.warnings.count < document.warnings.count, document.warnings.contains(where: \.saysInterrupted) {
      kept.warnings.append(
        Warning(
          "An interrupted run measured \(Format.plural(kept.benchmarks.count, "benchmark")) in fewer runs than usual."))
    }
    for index in (kept.parts ?? []).indices { kept.parts?[index].benchmarks.removeAll(where: measured.contains) }
    guard !kept.allIDs.isEmpty else { return (rest, nil) }
    let separate = "the figures are kept separate from those of \(path)"
    if let change = document.environment.timingFacts().changes(to: rest.environment.timingFacts()).first {
      return (rest, "\(separate): \(change)")
    }
    // Builds of uncommitted code cannot be told apart by their commit.
    if rest.environment.isDirty != false, let start = UTCTime(iso8601: document.startedAt),
      catalogue.programs.wereBuilt(after: start)
    {
      return (rest, "\(separate): the program was built again since")
    }
    var whole: RunDocument
    do throws(DocumentMerge.Failure) {
      whole = try DocumentMerge.merged([(path, kept), ("this run", rest)]).document
    } catch { return (rest, "\(separate): \(error)") }
    let order = catalogue.benchmarks(sizes: Set(whole.allIDs.map(\.size)).sorted())
    let rank = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.id, $0) })
    whole.benchmarks.sort { rank[$0.id] ?? .max < rank[$1.id] ?? .max }
    // Compares the strategies that the earlier run could not compare, because their reference strategy was missing.
    let runner = Runner(options: whole.options, programs: catalogue.programs)
    for benchmark in order where !Task.isCancelled {
      guard let reference = benchmark.referenceID, measured.contains(reference),
        whole.benchmarks.contains(where: { $0.id == reference }),
        let index = whole.benchmarks.firstIndex(where: { $0.id == benchmark.id && $0.deviation == nil })
      else { continue }
      do {
        whole.benchmarks[index].deviation = try await runner.measure(benchmark.id, .output, reference).deviation
        whole.warnings.removeAll { $0.saysUndeviated(benchmark.id) }
      } catch is CancellationError {
        break  // What was measured is written, with the earlier warnings.
      } catch is WorkerProcess.Failure {
        // The comparison failed, so the earlier warning about this benchmark stays.
      }
    }
    return (whole, nil)
  }
}
