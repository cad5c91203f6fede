import Comparing
import Foundation
import FrameBench
import Measurements

/// Compares runs that were measured before.
package struct StoredComparison {
  var tolerance: Double
  /// Compares times though the environments differ.
  var isForced: Bool
  /// Of both; what it leaves out is not compared.
  var selection = BenchmarkSelection()
  var arguments: [String]

  package init(
    tolerance: Double, isForced: Bool, selection: BenchmarkSelection = BenchmarkSelection(),
    arguments: [String]
  ) {
    self.tolerance = tolerance
    self.isForced = isForced
    self.selection = selection
    self.arguments = arguments
  }

  /// - Parameters:
  ///   - baseline: By benchmark, each with the run that it is from.
  ///   - name: As the reports call it.
  package func compare(
    baseline: [BenchmarkID: RunDocument], named name: String, with candidate: RunDocument,
    named candidateName: String
  ) throws -> ComparisonDocument {
    let (baseline, candidate) = try selected(baseline, candidate)
    var rows: [ComparisonRow] = []
    var differences: [String] = []
    for record in candidate.benchmarks {
      guard let document = baseline[record.id],
        let old = document.benchmarks.first(where: { $0.id == record.id })
      else {
        rows.append(ExecutableComparison.missing(record.id, from: .baseline))
        continue
      }
      do throws(DocumentComparison.Obstacle) {
        try DocumentComparison.check(document, candidate)
      } catch {
        switch error {
        case .otherWork(let what, let old, let new):
          throw NotComparable(
            "\(record.id): \(what) differ (\(old) in \(name), \(new) in \(candidateName)); measure both in the same way"
          )
        }
      }
      let environments = DocumentComparison.differences(
        document.environment(of: record.id), candidate.environment(of: record.id))
      for difference in environments where !differences.contains(difference) {
        differences.append(difference)
      }
      let comparison = DocumentComparison(
        tolerance: tolerance, comparesTimes: environments.isEmpty || isForced)
      rows += comparison.rows(baseline: old, candidate: record)
    }
    let present = Set(candidate.benchmarks.map(\.id) + candidate.failures.map(\.id))
    for id in baseline.keys.sorted(by: { "\($0)" < "\($1)" }) where !present.contains(id) {
      rows.append(ExecutableComparison.missing(id, from: .candidate))
    }
    return document(rows, differences, baseline: baseline, name, candidate, candidateName)
  }

  private func selected(
    _ baseline: [BenchmarkID: RunDocument], _ candidate: RunDocument
  ) throws(UsageError) -> ([BenchmarkID: RunDocument], RunDocument) {
    let selects = try selection.selector()
    var ids = Set(baseline.keys).union(candidate.benchmarks.map(\.id)).union(candidate.failures.map(\.id))
      .filter(selects)
    if let shard = selection.shard { ids = shard.part(of: Array(ids)) }
    guard !ids.isEmpty else {
      throw UsageError(
        "nothing matched \(selection.arguments.joined(separator: " ")) in either document",
        remedy: "springbench report RUN --format csv shows what is in one")
    }
    var candidate = candidate
    candidate.benchmarks.removeAll { !ids.contains($0.id) }
    candidate.failures.removeAll { !ids.contains($0.id) }
    return (baseline.filter { ids.contains($0.key) }, candidate)
  }

  private func document(
    _ rows: [ComparisonRow], _ differences: [String], baseline: [BenchmarkID: RunDocument], _ name: String,
    _ candidate: RunDocument, _ candidateName: String
  ) -> ComparisonDocument {
    var warnings: [Warning] = []
    if !differences.isEmpty {
      let what = differences.joined(separator: "; ")
      warnings.append(
        Warning(
          isForced
            ? "The environments differ (\(what)); times were compared because of --force."
            : "Times were not compared, because the environments differ (\(what)); --force compares them anyway."
        ))
    }
    let commits = Set(baseline.values.map(\.environment.commit))
    return ComparisonDocument(
      startedAt: Timestamp(date: Date()).iso8601, durationSeconds: 0, arguments: arguments,
      baseline: BuildName(name: name, commit: commits.count == 1 ? commits.first.flatMap(\.self) : nil),
      candidate: BuildName(name: candidateName, commit: candidate.environment.commit),
      options: candidate.options,
      method: ComparisonMethod(
        source: .documents, tolerance: tolerance, familyAlpha: 0, testCount: 0,
        seed: candidate.options.seed),
      rows: rows, failures: candidate.failures, warnings: warnings)
  }
}
