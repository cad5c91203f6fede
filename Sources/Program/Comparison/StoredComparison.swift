import Execution
import Foundation
import FrameBench
import Judging
import Measurements
import Platform
import TextFormat

/// Compares the documents of runs that were measured earlier.
package struct StoredComparison {
  /// The tolerance from the command line, as a fraction. Nil means the scenario's tolerance in the baseline, or else
  /// the default tolerance.
  var tolerance: Double?
  var isForced: Bool
  /// Selects the benchmarks to compare. Nil means all.
  var selection: BenchmarkSelection?
  var arguments: [String]

  package init(tolerance: Double?, isForced: Bool, arguments: [String]) {
    self.tolerance = tolerance
    self.isForced = isForced
    self.arguments = arguments
  }

  /// - Parameters:
  ///   - name: The baseline's name in reports.
  ///   - candidateName: The candidate's name in reports.
  package func compare(baseline: Baseline, named name: String, with candidate: RunDocument, named candidateName: String)
    throws -> ComparisonDocument
  {
    let (baseline, candidate, shard) = try selected(baseline, candidate)
    var rule = ComparisonRule(tolerance)
    var changes: [RuleChange] = []
    for scenario in candidate.benchmarks.map(\.id.scenario).unique {
      let last = baseline.filter { $0.key.scenario == scenario }.compactMap(\.value.last)
      guard let newest = last.max(by: { $0.startedAt < $1.startedAt }) else { continue }
      if tolerance == nil { rule.scenarioTolerances[scenario] = (newest.tolerancesPercent?[scenario]).map { $0 / 100 } }
      rule.allocationTolerances[scenario] = newest.allocationTolerances?[scenario]
      changes += RuleChange.all(of: scenario, newest, candidate)
    }
    var rows: [ComparisonRow] = []
    var failures = candidate.failures
    var differences: [String] = []
    var comparableCounts: [Int] = []
    for record in candidate.benchmarks {
      let documents = baseline[record.id] ?? []
      if documents.isEmpty { rows.append(.missing(record.id, isNew: true)) }
      var measurements: [ComparisonRule.Measurement] = []
      var comparable = measurements
      var others: [String] = []
      var obstacle: (reason: String, isOfAll: Bool)?
      for document in documents {
        guard let measurement = document.measurement(of: record.id) else { continue }
        obstacle = nil
        let facts = [(document, measurement.record), (candidate, record)].map { $0.factsOfWork(of: $1) }
        if let (what, old, new) = facts[0].differences(from: facts[1]).first {
          let reason = "\(what) differ (\(old) in \(name), \(new) in \(candidateName)); measure both in the same way"
          obstacle = (reason, document.options.factsOfWork != candidate.options.factsOfWork)
          continue
        }
        measurements.append(measurement)
        let environments = [document, candidate].map {
          $0.environment(of: record.id).timingFacts($0.options.of(record.id))
        }
        let found = environments[0].changes(to: environments[1])
        if found.isEmpty || isForced { comparable.append(measurement) }
        others += found
      }
      // If the newest baseline measurement was made with different options, the benchmark fails. Older measurements
      // with different options are ignored.
      if let obstacle {
        // If options of the command line differ, no benchmark is comparable. If options of a scenario differ, only the
        // benchmarks of that scenario are not comparable.
        guard !obstacle.isOfAll else { throw NotComparable("\(record.id): \(obstacle.reason)") }
        let reason = "it cannot be compared: \(obstacle.reason)"
        failures.append(BenchmarkFailure(id: record.id, reason: reason, standardError: ""))
        continue
      }
      // Differences between environments are reported only if no measurement of the baseline is from the candidate's
      // environment, or if the comparison is forced.
      if comparable.isEmpty || isForced { differences += others }
      if !comparable.isEmpty { comparableCounts.append(comparable.count) }
      guard let last = measurements.last?.record, let new = candidate.measurement(of: record.id) else { continue }
      changes += ExactComparison(baseline: last, candidate: record).changedCounters
      rows += rule.of(scenario: record.id.scenario).rows(baseline: measurements, comparable: comparable, candidate: new)
    }
    let present = Set(candidate.allIDs)
    for id in baseline.ids where !present.contains(id) { rows.append(.missing(id, isNew: false)) }
    var method = ComparisonMethod(source: .documents, rule, seed: candidate.options.seed)
    method.testCount = rows.count { $0.suspicionPValue != nil }
    let commits = Set(baseline.values.compactMap { $0.last?.environment.commit })
    var document = ComparisonDocument(
      startedAt: Date().iso8601, durationSeconds: 0, arguments: arguments,
      baseline: BuildName(name: name, commit: commits.count == 1 ? commits.first : nil),
      candidate: BuildName(name: candidateName, commit: candidate.environment.commit), options: candidate.options,
      method: method, rows: rows, failures: failures,
      warnings: warnings(rows, differences.unique, comparableCounts.min()))
    document.correct()
    document.ruleChanges = changes.unique.unlessEmpty
    document.shard = shard
    return document
  }

  private func selected(_ baseline: Baseline, _ candidate: RunDocument) throws(UsageError) -> (
    Baseline, RunDocument, ShardRecord?
  ) {
    guard let selection else { return (baseline, candidate, nil) }
    let selects = try selection.selector()
    var ids = Set(baseline.keys).union(candidate.allIDs).filter(selects)
    guard !ids.isEmpty else {
      throw UsageError(
        "nothing matched \(selection.arguments.joined(separator: " ")) in either document",
        remedy: "springbench report RUN --format csv shows what is in one")
    }
    let part = try selection.part(of: Array(ids))
    if let part { ids = part.ids }
    var candidate = candidate
    candidate.benchmarks.removeAll { !ids.contains($0.id) }
    candidate.failures.removeAll { !ids.contains($0.id) }
    return (baseline.filter { ids.contains($0.key) }, candidate, part?.record)
  }

  /// - Parameter count: The smallest number of comparable baseline measurements that any benchmark has. Nil if there
  ///   are none.
  private func warnings(_ rows: [ComparisonRow], _ differences: [String], _ count: Int?) -> [Warning] {
    var warnings: [Warning] = []
    if !differences.isEmpty {
      let what = differences.joined(separator: "; ")
      let message =
        isForced
        ? "The environments differ (\(what)); times were compared because of --force."
        : "Times were not compared, because the environments differ (\(what)); --force compares them anyway."
      warnings.append(Warning(message))
    }
    if let count, rows.contains(where: { $0.verdict == .notJudged && $0.metric.isTimed }) {
      warnings.append(
        Warning(
          "How far measurements at different times differ without a change takes"
            + " \(ComparisonRule.leastMeasurementCount) of the baseline to know, and there"
            + " \(count == 1 ? "is" : "are") \(Format.plural(count, "measurement"))."
            + " Compare two revisions, or add more with springbench baseline save --add."))
    }
    return warnings
  }
}

extension RunDocument {
  /// Returns the facts that determine the work of a benchmark's frames. They include whether frames are calls of a
  /// function, because calls are timed differently.
  fileprivate func factsOfWork(of record: BenchmarkRecord) -> [Fact] {
    options.of(record.id).factsOfWork + [
      Fact("contents of frames", record.isFunction ? "calls of a function" : "any work")
    ]
  }

  fileprivate func measurement(of id: BenchmarkID) -> ComparisonRule.Measurement? {
    benchmarks.first { $0.id == id }.map { ($0, environment(of: id).clock.perCall([$0]).resolutionNanoseconds) }
  }
}
