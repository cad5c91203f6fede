import ArgumentParser
import Foundation
import FrameBench
import TextFormat

/// Options that select benchmarks of a suite; shared by the commands that run or list them.
struct BenchmarkSelection: ParsableArguments {
  /// More items than any memory holds; below it, estimates of memory cannot overflow.
  static let largestSize = 1_000_000_000

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only ids that match this regular expression anywhere; repeat it for alternatives.", valueName: "re")) var filter:
    [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Leave out ids that match this regular expression.", valueName: "re")) var skip: [String] = []

  @Option("Numbers of items, instead of each scenario's own: 100,1000,10000.", "list", Self.sizes) var sizes: [Int]?

  @Option("Only these strategies: naive,tiled.", "list", OptionValue.list) var strategies: [String]?

  @Option("Only scenarios with any of these tags: layout,memory.", "list", OptionValue.list) var tag: [String]?

  @Option(
    "Only this part, to split the work over machines: 2/3; see springbench merge.", "i/n",
    { text in
      guard let shard = Shard(text) else { throw ValueError("give a part of a whole, from 1/3 to 3/3") }
      return shard
    }) var shard: Shard?

  /// Benchmarks that are left out in any case; not an option.
  var leftOut: Set<BenchmarkID> = []

  /// Duplicates count once.
  private static func sizes(_ text: String) throws -> [Int] {
    try OptionValue.list(text).reduce(into: []) { sizes, part in
      guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let size = Int(part), (1...largestSize).contains(size)
      else { throw ValueError("give numbers of items from 1 to \(largestSize), as in 100,1000,10000") }
      if !sizes.contains(size) { sizes.append(size) }
    }
  }

  /// The benchmarks in the order scenario, size, strategy of the catalogue.
  /// - Parameter isQuick: Whether to leave out benchmarks that the suite leaves out of `--quick`.
  func benchmarks(of catalogue: Catalogue, isQuick: Bool = false) throws(UsageError) -> [PlannedBenchmark] {
    let leftOut = Set(isQuick ? try leftOutByQuick(of: catalogue).map(\.id) : [])
    let selected = try matching(catalogue).filter { !leftOut.contains($0.id) }
    guard !selected.isEmpty else { throw nothingMatched(in: catalogue, isQuick: isQuick) }
    guard let shard else { return selected }
    let part = shard.part(of: selected.map(\.id))
    guard !part.isEmpty else { throw Self.emptyShard(shard) }
    return selected.filter { part.contains($0.id) }
  }

  static func emptyShard(_ shard: Shard) -> UsageError {
    UsageError(
      "--shard", "nothing is left for \(shard)",
      remedy: "strategies of one scenario and size stay together; use fewer shards")
  }

  /// The benchmarks that `--quick` leaves out of this selection: none if `--filter` or `--sizes` is given.
  func leftOutByQuick(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    guard filter.isEmpty, sizes == nil else { return [] }
    return try matching(catalogue).filter { !$0.scenario.quickSizes.contains($0.id.size) }
  }

  /// Whether a benchmark that a suite may no longer have would be selected, in any shard. Its tags are unknown.
  func selector() throws(UsageError) -> (BenchmarkID) -> Bool {
    let matches = try matcher()
    return { id in
      tag == nil && !leftOut.contains(id) && sizes?.contains(id.size) ?? true
        && strategies?.contains(id.strategy) ?? true && matches(id)
    }
  }

  /// The selected benchmarks of a catalogue, in any shard; throws if there are none.
  func selected(in catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    let selected = try matching(catalogue)
    guard !selected.isEmpty else { throw nothingMatched(in: catalogue, isQuick: false) }
    return selected
  }

  func check() throws(UsageError) { _ = try matcher() }

  /// The options that make the same selection from another build of the suite, without the shard.
  var arguments: [String] {
    var arguments: [String] = []
    for expression in filter { arguments += ["--filter", expression] }
    for expression in skip { arguments += ["--skip", expression] }
    if let sizes { arguments += ["--sizes", sizes.map(String.init).joined(separator: ",")] }
    if let strategies { arguments += ["--strategies", strategies.joined(separator: ",")] }
    if let tag { arguments += ["--tag", tag.joined(separator: ",")] }
    return arguments
  }

  private func matching(_ catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    let known = catalogue.strategies
    for name in strategies ?? [] where !known.contains(name) {
      throw UsageError(
        "--strategies", "unknown strategy \"\(name)\"",
        remedy: Suggestion.remedy(for: name, among: known, called: "known are"))
    }
    let knownTags = Set(catalogue.scenarios.flatMap(\.tags)).sorted()
    for tag in tag ?? [] where !knownTags.contains(tag) {
      throw UsageError(
        "--tag", "no scenario has the tag \"\(tag)\"",
        remedy: knownTags.isEmpty
          ? "give scenarios tags with suite.add(…, tags: […])"
          : Suggestion.remedy(for: tag, among: knownTags, called: "known are"))
    }
    let matches = try matcher()
    return catalogue.benchmarks(sizes: sizes, strategies: strategies).filter { benchmark in
      matches(benchmark.id) && tag.map { !benchmark.scenario.tags.filter($0.contains).isEmpty } ?? true
    }
  }

  private func matcher() throws(UsageError) -> (BenchmarkID) -> Bool {
    let filters = try Self.expressions(filter, flag: "--filter")
    let skips = try Self.expressions(skip, flag: "--skip")
    return { id in
      let text = id.description
      return (filters.isEmpty || filters.contains { text.contains($0) }) && !skips.contains { text.contains($0) }
    }
  }

  private static func expressions(_ patterns: [String], flag: String) throws(UsageError) -> [Regex<AnyRegexOutput>] {
    var expressions: [Regex<AnyRegexOutput>] = []
    for pattern in patterns {
      expressions.append(
        try attempt(try Regex(pattern)) {
          UsageError(
            flag, "\"\(pattern)\" is not a regular expression (\($0))",
            remedy: "quote it for the shell, and put \\ before a literal special character")
        })
    }
    return expressions
  }

  private func nothingMatched(in catalogue: Catalogue, isQuick: Bool) -> UsageError {
    guard !catalogue.scenarios.isEmpty else {
      return UsageError("suite \"\(catalogue.name)\" has no scenario", remedy: "add one with suite.add(…)")
    }
    let near = filter.first.flatMap { first in
      Suggestion.nearest(to: first, among: catalogue.benchmarks().map(\.id.description))
    }
    return UsageError(
      "nothing matched \((arguments + (isQuick ? ["--quick"] : [])).joined(separator: " "))",
      remedy: (near.map { "did you mean \($0)? " } ?? "")
        + "springbench list shows every id; an expression may match anywhere in an id")
  }
}

/// One of several machines' part of the benchmarks: `2/3` is the second of three.
///
/// Benchmarks of one scenario and size stay together, because strategies are compared with each other, and
/// times of two machines are not. The groups are dealt out in the order of a hash of their names, so that
/// every machine deals alike, whatever the suite's order, and no part is empty if there are enough groups.
struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// Counts from 1.
  var index: Int
  var count: Int

  static let largestCount = 10_000

  /// Nil for an invalid part, such as `4/3`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let index = Int(parts[0]), let count = Int(parts[1]), (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    (self.index, self.count) = (index, count)
  }

  var description: String { "\(index)/\(count)" }

  /// Whether it gets what stands at this place, if what there is is dealt out in its order.
  func deals(_ place: Int) -> Bool { place % count == index - 1 }

  /// The benchmarks of this shard, in their order.
  func part(of ids: [BenchmarkID]) -> Set<BenchmarkID> {
    let groups = Dictionary(grouping: ids) { "\($0.scenario)/\($0.size)" + $0.parameters.map { "/\($0)" }.joined() }
    let order = groups.keys.sorted { (Self.hash($0), $0) < (Self.hash($1), $1) }
    let own = order.indices.filter(deals).map { order[$0] }
    return Set(own.flatMap { groups[$0] ?? [] })
  }

  /// The same on every machine, so that all agree on the shards.
  static func hash(_ text: String) -> UInt64 { Checksum(text.utf8).value }
}
