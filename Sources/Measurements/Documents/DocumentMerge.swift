import FrameBench
import TextFormat

/// A document that may contain only a part of the benchmarks, because several machines share the work.
package protocol MergeableDocument: Sendable {
  var startedAt: String { get }
  /// The command line that made the document.
  var arguments: [String] { get }
  var shard: ShardRecord? { get set }
  /// All benchmarks that were measured or that failed.
  var allIDs: [BenchmarkID] { get }
  /// The conditions of the measurement that must be equal in all documents that are merged. The machine may differ.
  var factsOfMerge: [Fact] { get }
  /// - Parameter parts: The documents to join, the earliest first. There is at least one.
  init(joining parts: [Self])
}

extension MergeableDocument {
  /// The command line's options that select benchmarks, such as `--filter ^springs/`, in a fixed order. Empty if all
  /// benchmarks were selected.
  package var selection: [String] {
    var options: [[String]] = []
    var words = arguments[...]
    while let word = words.popFirst() {
      if word == "--quick" { options.append([word]) }
      let name = String(word.prefix { $0 != "=" })
      let names = ["--product", "--program", "--filter", "--skip", "--sizes", "--strategies", "--tag"]
      guard names.contains(name) else { continue }
      let value = name == word ? words.popFirst() : String(word.dropFirst(name.count + 1))
      var option = [name] + [value].compactMap(\.self)
      while name == "--program", let path = words.first, !path.hasPrefix("-") { option.append(words.removeFirst()) }
      options.append(option)
    }
    return options.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
  }
}

/// Which part of the benchmarks one machine measured, if several machines share the work: `--shard 2/3` is the second
/// of three parts.
public struct ShardRecord: Codable, Sendable, Hashable {
  /// The number of this part, counted from 1.
  public var index: Int
  /// The number of all parts.
  public var count: Int
  /// Hash of all benchmarks and of their distribution over the machines, 16 hexadecimal digits. All parts that belong
  /// together have the same hash.
  public var deal: String

  public init(index: Int, count: Int, deal: String) { (self.index, self.count, self.deal) = (index, count, deal) }
}

/// Combines the documents of several machines, each of which measured a part of the suite.
package struct DocumentMerge {
  /// Why documents cannot be merged: one line that includes the remedy.
  package typealias Failure = MessageError<DocumentMerge>

  /// Merges documents. In the result, `missing` lists the parts of the suite that no document contains, such as `2/3`.
  /// - Parameter documents: The documents in any order, with names for messages.
  /// - Throws: `Failure` if the documents do not belong together.
  package static func merged<Document: MergeableDocument>(_ documents: [(name: String, document: Document)])
    throws(Failure) -> (document: Document, missing: [String])
  {
    let ordered = documents.sorted { ($0.document.startedAt, $0.name) < ($1.document.startedAt, $1.name) }
    guard let first = ordered.first else { throw Failure("there is nothing to merge; name at least one document") }
    var owner: [BenchmarkID: String] = [:]
    for (name, document) in ordered {
      if let (what, own, other) = facts(first.document).differences(from: facts(document)).first {
        throw Failure(
          "\(what): \(own) in \(first.name), \(other) in \(name); merge documents of one build, measured in the same way"
        )
      }
      for id in document.allIDs {
        guard let other = owner.updateValue(name, forKey: id) else { continue }
        throw Failure("\(id) is in \(other) and in \(name); merge documents of different --shard parts")
      }
    }
    var whole = Document(joining: ordered.map(\.document))
    guard let shard = whole.shard else { return (whole, []) }
    let present = Set(ordered.compactMap(\.document.shard?.index))
    let missing = (1...shard.count).filter { !present.contains($0) }
    if missing.isEmpty { whole.shard = nil }
    return (whole, missing.map { "\($0)/\(shard.count)" })
  }

  /// Sorts elements by scenario, size and strategy. Scenarios and strategies keep the order in which they first occur,
  /// because the first strategy of a scenario is the one that the others are compared with.
  package static func inOrder<Element>(_ elements: [Element], by id: (Element) -> BenchmarkID) -> [Element] {
    var ranks: [String: Int] = [:]
    func names(_ id: BenchmarkID) -> [String] { ["s \(id.variant)", "t \(id.scenario)/\(id.strategy)"] }
    for name in elements.flatMap({ names(id($0)) }) where ranks[name] == nil { ranks[name] = ranks.count }
    func key(_ id: BenchmarkID) -> (Int, Int, Int) {
      let own = names(id).map { ranks[$0] ?? 0 }
      return (own[0], id.size, own[1])
    }
    return elements.sorted { key(id($0)) < key(id($1)) }
  }

  /// Joins dictionaries. If several contain a key, the first value is kept. Returns nil if the result is empty.
  package static func joined<Value>(_ maps: [[String: Value]?]) -> [String: Value]? {
    maps.compactMap(\.self).reduce([:]) { $0.merging($1) { own, _ in own } }.unlessEmpty
  }

  /// Joins lists into one. Returns nil if the result is empty.
  package static func joined<Element>(_ lists: [[Element]?]) -> [Element]? { lists.flatMap { $0 ?? [] }.unlessEmpty }

  private static func facts(_ document: some MergeableDocument) -> [Fact] {
    document.factsOfMerge + [
      Fact("selection", document.selection.joined(separator: " ").unlessEmpty ?? "all benchmarks"),
      Fact("parts", document.shard.map { "\($0.count)" } ?? "not of --shard"),
      Fact("benchmarks of all parts", document.shard.map { "those of hash \($0.deal)" } ?? "unknown"),
    ]
  }
}

extension RunDocument: MergeableDocument {
  /// Joins several documents. The options and the environment of the result are those of the earliest one.
  package init(joining documents: [RunDocument]) {
    self = documents[0]
    let parts = documents.flatMap(\.allParts)
    self.parts = parts.count > 1 ? parts : nil
    durationSeconds = parts.reduce(0) { $0 + $1.durationSeconds }
    benchmarks = DocumentMerge.inOrder(documents.flatMap(\.benchmarks), by: \.id)
    failures = documents.flatMap(\.failures)
    warnings = documents.flatMap(\.warnings).unique
    options.scenarioFrames = DocumentMerge.joined(documents.map(\.options.scenarioFrames))
    summaries = DocumentMerge.joined(documents.map(\.summaries))
    tolerancesPercent = DocumentMerge.joined(documents.map(\.tolerancesPercent))
    allocationTolerances = DocumentMerge.joined(documents.map(\.allocationTolerances))
    cores = DocumentMerge.joined(documents.map(\.cores))
    claims = DocumentMerge.joined(documents.map(\.claims)).map(\.unique)
    // Parts that measured different strategies of one scenario and size contain equal records. One of them is kept.
    stretches = DocumentMerge.joined(documents.map(\.stretches))?.unique { [$0.scenario, "\($0.size)"] }
    capacities = DocumentMerge.joined(documents.map(\.capacities))
    let machines = Set(parts.map { "\($0.environment.machine) \($0.environment.cpuModel ?? "")" })
    if machines.count > 1 {
      calibration = nil
      warnings += [Warning("Measured on \(machines.count) machines: compare times only within one scenario and size.")]
    }
  }

  /// The conditions that must be equal in all documents. Facts about the machine are not among them, because several
  /// machines may share the work.
  package var factsOfMerge: [Fact] {
    [
      Fact("suite", suite), Fact("commit", environment.commit ?? "none"),
      Fact("work tree", environment.isDirty == true ? "changed" : "clean"),
    ] + environment.buildFacts + options.factsOfWork + [
      Fact("measuring", options.measuringText), Fact("share", "\(options.frameBudget.share)"),
    ]
  }
}
