import ArgumentParser

/// Which benchmarks of a suite; shared by the commands that run or list them.
struct SelectionOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only ids that match this regular expression anywhere; repeat it for alternatives.", valueName: "re"))
  var filter: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Leave out ids that match this regular expression.", valueName: "re"))
  var skip: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Numbers of items, instead of each scenario's own: 100,1000,10000.", valueName: "list"),
    transform: OptionValue.sizes)
  var sizes: [Int]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only these strategies: naive,tiled.", valueName: "list"), transform: OptionValue.list)
  var strategies: [String]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only scenarios with any of these tags: layout,memory.", valueName: "list"),
    transform: OptionValue.list)
  var tag: [String]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only this part, to split the work over machines: 2/3; see springbench merge.", valueName: "i/n"),
    transform: { text in
      guard let shard = Shard(text) else { throw ValueError("give a part of a whole, from 1/3 to 3/3") }
      return shard
    })
  var shard: Shard?

  var selection: BenchmarkSelection {
    BenchmarkSelection(
      filter: filter, skip: skip, sizes: sizes, strategies: strategies, tags: tag, shard: shard)
  }

  /// The options that were given, by name.
  var given: [String] {
    [
      filter.isEmpty ? nil : "--filter", skip.isEmpty ? nil : "--skip", sizes.map { _ in "--sizes" },
      strategies.map { _ in "--strategies" }, tag.map { _ in "--tag" }, shard.map { _ in "--shard" },
    ].compactMap(\.self)
  }
}
