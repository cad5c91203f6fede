import FrameBench

/// Combines the documents of several machines, each of which ran a part of the suite.
public struct RunMerge {
  /// Why documents cannot be merged.
  public enum Failure: Error, Equatable {
    /// Two documents have measured the same benchmark.
    case overlap(BenchmarkID, String, String)
    /// They differ in something that all figures depend on.
    case incompatible(what: String, first: String, firstValue: String, second: String, secondValue: String)
    case nothing
  }

  /// - Parameter documents: With their names for messages, in any order.
  /// - Returns: The document, whose environment is that of its earliest part.
  public static func merged(_ documents: [(name: String, document: RunDocument)]) throws(Failure) -> RunDocument {
    let ordered = documents.sorted { ($0.document.startedAt, $0.name) < ($1.document.startedAt, $1.name) }
    guard let first = ordered.first else { throw .nothing }
    var owner: [BenchmarkID: String] = [:]
    for (name, document) in ordered {
      if let difference = facts(first.document).differences(from: facts(document)).first {
        throw .incompatible(
          what: difference.name, first: first.name, firstValue: difference.own, second: name,
          secondValue: difference.other)
      }
      for id in document.allParts.flatMap(\.benchmarks) {
        if let other = owner[id] { throw .overlap(id, other, name) }
        owner[id] = name
      }
    }
    var result = first.document
    let parts = ordered.flatMap(\.document.allParts)
    result.parts = parts.count > 1 ? parts : nil
    result.durationSeconds = parts.reduce(0) { $0 + $1.durationSeconds }
    result.benchmarks = inOrder(ordered.flatMap(\.document.benchmarks))
    result.failures = ordered.flatMap(\.document.failures)
    result.warnings = ordered.flatMap(\.document.warnings).unique
    result.summaries = merged(ordered.map(\.document.summaries))
    result.tolerancesPercent = merged(ordered.map(\.document.tolerancesPercent))
    result.claims = joined(ordered.map(\.document.claims)).map(\.unique)
    // Parts may have measured different strategies of one scenario and size.
    result.stretches = joined(ordered.map(\.document.stretches)).map { all in
      all.indices.filter { index in
        all.firstIndex { $0.scenario == all[index].scenario && $0.size == all[index].size } == index
      }.map { all[$0] }
    }
    result.capacities = joined(ordered.map(\.document.capacities))
    if parts.count > 1 { result.calibration = nil }
    let machines = Set(parts.map { "\($0.environment.machine) \($0.environment.cpuModel ?? "")" })
    if machines.count > 1 {
      result.warnings.append(
        Warning("Measured on \(machines.count) machines: compare times only within one scenario and size."))
    }
    return result
  }

  /// Leaves out facts of the machine, since parts come from several.
  private static func facts(_ document: RunDocument) -> [Fact] {
    let environment = document.environment
    let options = document.options
    return [
      Fact("suite", document.suite), Fact("commit", environment.commit ?? "none"),
      Fact("work tree", environment.isDirty == true ? "changed" : "clean"),
    ] + environment.buildFacts + options.factsOfWork + [
      Fact("runs", "\(options.runCount)"), Fact("share", "\(options.frameBudget.share)"),
    ]
  }

  /// Sorted by scenario, size and strategy; scenarios and strategies in the order in which they first occur.
  private static func inOrder(_ records: [BenchmarkRecord]) -> [BenchmarkRecord] {
    var ranks: [String: Int] = [:]
    for record in records {
      for name in ["s \(record.id.variant)", "t \(record.id.strategy)"] where ranks[name] == nil {
        ranks[name] = ranks.count
      }
    }
    func key(_ id: BenchmarkID) -> (Int, Int, Int) {
      (ranks["s \(id.variant)"] ?? 0, id.size, ranks["t \(id.strategy)"] ?? 0)
    }
    return records.sorted { key($0.id) < key($1.id) }
  }

  /// Nil if no list has elements.
  private static func joined<Element>(_ lists: [[Element]?]) -> [Element]? {
    let all = lists.flatMap { $0 ?? [] }
    return all.isEmpty ? nil : all
  }

  private static func merged<Value>(_ maps: [[String: Value]?]) -> [String: Value]? {
    let all = maps.compactMap(\.self).reduce([:]) { $0.merging($1) { own, _ in own } }
    return all.isEmpty ? nil : all
  }
}

extension RunMerge.Failure: CustomStringConvertible {
  /// One line, with the remedy.
  public var description: String {
    switch self {
    case .overlap(let id, let first, let second):
      "\(id) is in \(first) and in \(second); merge documents of different --shard parts"
    case .incompatible(let what, let first, let firstValue, let second, let secondValue):
      "\(what): \(firstValue) in \(first), \(secondValue) in \(second); merge documents of one build,"
        + " measured in the same way"
    case .nothing: "there is nothing to merge; name at least one document"
    }
  }
}
