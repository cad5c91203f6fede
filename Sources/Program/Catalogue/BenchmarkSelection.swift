import ArgumentParser
import Execution
import Foundation
import FrameBench
import Measurements
import Platform
import TextFormat

struct BenchmarkSelection: ParsableArguments {
  @Option("Only ids that match this regular expression anywhere; repeat it for alternatives.", "re") var filter:
    [String] = []
  @Option("Leave out ids that match this regular expression.", "re") var skip: [String] = []
  @Option("Numbers of items, instead of each scenario's own: 100,1000,10000.", "list", Self.sizes) var sizes: [Int]?
  @Option("Only these strategies: naive,tiled.", "list", OptionValue.list) var strategies: [String]?
  @Option("Only scenarios with any of these tags: layout,memory.", "list", OptionValue.list) var tag: [String]?
  @Option(
    "Only this part, to split the work over machines: 2/3, or auto in a job of an array; see docs/ci.md.", "i/n",
    { text in
      if text == "auto" { return try Shard(environment: ProcessInfo.processInfo.environment) }
      guard let shard = Shard(text) else { throw ValueError("give a part of a whole, from 1/3 to 3/3, or auto") }
      return shard
    }) var shard: Shard?
  @Option("Make parts of equal length, by how long benchmarks took in this run.json or comparison.", "file")
  var shardDurations: String?

  /// Benchmarks to leave out even if the options select them. This is not a command-line option.
  var leftOut: Set<BenchmarkID> = []
  /// If set, exactly these benchmarks are selected, whatever the options say. This is not a command-line option.
  var only: Set<BenchmarkID>?

  static func only(_ id: BenchmarkID) throws -> BenchmarkSelection {
    try parse(["--filter", RegexText.whole("\(id)"), "--sizes", "\(id.size)"])
  }

  /// Parses a list of sizes. Duplicates count once.
  private static func sizes(_ text: String) throws -> [Int] {
    try OptionValue.list(text).reduce(into: []) { sizes, part in
      guard let size = OptionValue.digits(part), (1...Catalogue.largestSize).contains(size) else {
        throw ValueError("give numbers of items from 1 to \(Catalogue.largestSize), as in 100,1000,10000")
      }
      if !sizes.contains(size) { sizes.append(size) }
    }
  }

  /// Returns the selected benchmarks of this machine's part (shard), in the catalogue's order.
  func benchmarks(of catalogue: Catalogue, isQuick: Bool = false) throws(UsageError) -> [PlannedBenchmark] {
    let all = try selected(in: catalogue, isQuick: isQuick)
    let part = try part(of: all.map(\.id))
    return all.filter { part?.ids.contains($0.id) ?? true && !leftOut.contains($0.id) }
  }

  /// Returns the selected benchmarks of all parts (shards).
  /// - Throws: If no benchmark is selected.
  func selected(in catalogue: Catalogue, isQuick: Bool = false) throws(UsageError) -> [PlannedBenchmark] {
    if let only { return catalogue.benchmarks(sizes: sizes).filter { only.contains($0.id) } }
    let leftOut = Set(isQuick ? try leftOutByQuick(of: catalogue).map(\.id) : [])
    let selected = try matching(catalogue).filter { !leftOut.contains($0.id) }
    guard !selected.isEmpty else { throw nothingMatched(in: catalogue, isQuick: isQuick) }
    return selected
  }

  func part(of ids: [BenchmarkID]) throws(UsageError) -> (ids: Set<BenchmarkID>, record: ShardRecord)? {
    guard only == nil, let shard else {
      try refuse(
        only != nil ? [] : given.filter { $0 == "--shard-durations" }, because: "there are no parts",
        remedy: "give --shard")
      return nil
    }
    let part = shard.part(of: ids, seconds: try shardDurations.map(Self.durations) ?? [:])
    guard !part.ids.isEmpty else {
      throw UsageError(
        "--shard", "nothing is left for \(shard)",
        remedy: "strategies of one scenario and size stay together; use fewer shards")
    }
    return part
  }

  /// Returns the seconds that benchmarks took, by id.
  private static func durations(_ path: String) throws(UsageError) -> [String: Double] {
    let seconds = try attempt(try MeasuredDocument(path).seconds) { UsageError("--shard-durations: \($0)") }
    guard !seconds.isEmpty else {
      throw UsageError("--shard-durations", "\(path) does not say how long benchmarks took", remedy: "measure again")
    }
    return seconds
  }

  /// Returns the selected benchmarks that `--quick` leaves out. With `--filter` or `--sizes`, it leaves out none.
  func leftOutByQuick(of catalogue: Catalogue) throws(UsageError) -> [PlannedBenchmark] {
    guard only == nil, filter.isEmpty, sizes == nil else { return [] }
    return try matching(catalogue).filter { !$0.scenario.quickSizes.contains($0.id.size) }
  }

  /// Returns a function that tells whether a benchmark would be selected, in any shard, even if the suite no longer has
  /// it. With `--tag`, the function always returns false, because tags of removed benchmarks are unknown.
  func selector() throws(UsageError) -> (BenchmarkID) -> Bool {
    let matches = try matcher()
    return { id in
      tag == nil && !leftOut.contains(id) && sizes?.contains(id.size) ?? true
        && strategies?.contains(id.strategy) ?? true && matches(id)
    }
  }

  func check() throws(UsageError) { _ = try matcher() }

  /// The command-line options that make the same selection from another build of the suite, without `--shard`.
  var arguments: [String] {
    let lists = [("--sizes", sizes?.map(String.init)), ("--strategies", strategies), ("--tag", tag)]
    return filter.flatMap { ["--filter", $0] } + skip.flatMap { ["--skip", $0] }
      + lists.flatMap { option, values in values.map { [option, $0.joined(separator: ",")] } ?? [] }
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
    try patterns.map { pattern throws(UsageError) in
      try attempt(try Regex(pattern)) {
        UsageError(
          flag, "\"\(pattern)\" is not a regular expression (\($0))",
          remedy: "quote it for the shell, and put \\ before a literal special character")
      }
    }
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
