import ArgumentParser
import Foundation
import FrameBench

/// Which benchmarks of a suite; shared by the commands that run or list them.
struct SelectionOptions: ParsableArguments {
  /// More items than any memory holds; below it, estimates of memory cannot overflow.
  static let largestSize = 1_000_000_000

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only ids in which this regular expression matches somewhere; several: any of them.", valueName: "re"))
  var filter: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Not the ids in which this regular expression matches.", valueName: "re"))
  var skip: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Numbers of items, instead of each scenario's own: 100,1000,10000.", valueName: "list")
  )
  var sizes: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these strategies: naive,tiled.", valueName: "list"))
  var strategies: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only this part, where several machines share the work: 2/3; see springbench merge.", valueName: "i/n"))
  var shard: String?

  /// The benchmarks in the order scenario, size, strategy of the suite.
  /// - Parameter isQuick: Whether those are left out that the suite leaves out of a first look.
  func benchmarks(of suite: Suite, isQuick: Bool = false) throws(UsageError) -> [PlannedBenchmark] {
    let leftOut = Set(isQuick ? try leftOutByQuick(of: suite).map(\.id) : [])
    let selected = try matching(suite).filter { !leftOut.contains($0.id) }
    guard !selected.isEmpty else { throw nothingMatched(in: suite, isQuick: isQuick) }
    guard let shard else { return selected }
    let part = try Shard(shard).part(of: selected.map(\.id))
    guard !part.isEmpty else {
      throw UsageError(
        "--shard", "nothing is left for \(shard)",
        remedy: "strategies of one scenario and size stay together; use fewer shards")
    }
    return selected.filter { part.contains($0.id) }
  }

  /// The benchmarks that `--quick` leaves out of this selection: none where `--filter` or `--sizes` says
  /// what is wanted.
  func leftOutByQuick(of suite: Suite) throws(UsageError) -> [PlannedBenchmark] {
    guard filter.isEmpty, sizes == nil else { return [] }
    return try matching(suite).filter { !$0.scenario.quickSizes.contains($0.id.size) }
  }

  private func matching(_ suite: Suite) throws(UsageError) -> [PlannedBenchmark] {
    let sizes = try parsedSizes()
    let strategies = try parsedStrategies(known: suite.strategies)
    let filters = try Self.expressions(filter, flag: "--filter")
    let skips = try Self.expressions(skip, flag: "--skip")
    return suite.benchmarks(sizes: sizes, strategies: strategies).filter { benchmark in
      let id = benchmark.id.description
      return (filters.isEmpty || filters.contains { id.contains($0) }) && !skips.contains { id.contains($0) }
    }
  }

  /// Whether a benchmark that a suite may not have any more would be selected.
  func selects(_ id: BenchmarkID) throws(UsageError) -> Bool {
    if let sizes = try parsedSizes(), !sizes.contains(id.size) { return false }
    if let strategies {
      let names = strategies.split(separator: ",", omittingEmptySubsequences: false).map(ListItem.trimmed)
      if !names.contains(id.strategy) { return false }
    }
    let filters = try Self.expressions(filter, flag: "--filter")
    let skips = try Self.expressions(skip, flag: "--skip")
    let text = id.description
    return (filters.isEmpty || filters.contains { text.contains($0) })
      && !skips.contains { text.contains($0) }
  }

  private func parsedSizes() throws(UsageError) -> [Int]? {
    guard let sizes else { return nil }
    var parsed: [Int] = []
    for text in sizes.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = ListItem.trimmed(text)
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), Int(digits) != 0 else {
        throw UsageError(
          "--sizes", "\"\(text)\" is not a positive whole number",
          remedy: "give numbers of items as in --sizes 100,1000,10000")
      }
      guard let size = Int(digits), size <= Self.largestSize else {
        throw UsageError(
          "--sizes", "\(digits) items are more than any machine holds",
          remedy: "give at most \(Self.largestSize)")
      }
      if !parsed.contains(size) { parsed.append(size) }
    }
    return parsed
  }

  private func parsedStrategies(known: [String]) throws(UsageError) -> [String]? {
    guard let strategies else { return nil }
    let names = strategies.split(separator: ",", omittingEmptySubsequences: false).map(ListItem.trimmed)
    for name in names where !known.contains(name) {
      throw UsageError(
        "--strategies", "unknown strategy \"\(name)\"",
        remedy: Suggestion.remedy(for: name, among: known, called: "known are"))
    }
    return names
  }

  private static func expressions(
    _ patterns: [String], flag: String
  ) throws(UsageError) -> [Regex<AnyRegexOutput>] {
    var expressions: [Regex<AnyRegexOutput>] = []
    for pattern in patterns {
      do {
        expressions.append(try Regex(pattern))
      } catch {
        throw UsageError(
          flag, "\"\(pattern)\" is not a regular expression (\(error))",
          remedy: "quote it for the shell, and put \\ before a character that is meant literally")
      }
    }
    return expressions
  }

  private func nothingMatched(in suite: Suite, isQuick: Bool) -> UsageError {
    guard !suite.scenarios.isEmpty else {
      return UsageError("suite \"\(suite.name)\" has no scenario", remedy: "add one with suite.add(…)")
    }
    let given = [
      filter.map { "--filter \($0)" }.joined(separator: " "),
      skip.map { "--skip \($0)" }.joined(separator: " "),
      sizes.map { "--sizes \($0)" } ?? "", strategies.map { "--strategies \($0)" } ?? "",
      isQuick ? "--quick" : "",
    ].filter { !$0.isEmpty }
    return UsageError(
      "nothing matched \(given.joined(separator: " "))",
      remedy: "springbench list shows every id; an expression is matched anywhere in scenario/strategy/size")
  }
}

/// One part of a list with commas.
enum ListItem {
  static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }
}
