import ArgumentParser

/// Whether, and for how long, to search for the largest list that fits a frame.
struct CapacityOptions: ParsableArguments {
  static let defaultSeconds = 120.0

  @Flag(
    help: ArgumentHelp(
      """
      Also search, for each scenario and strategy, the largest number of items whose p99 frame fits the \
      budget of --hz and --share, to within 5%, or a range if time runs out.
      """))
  var capacity = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that one such search may take (default: \(Int(Self.defaultSeconds))); implies --capacity.",
      valueName: "s"),
    transform: OptionValue.seconds(0...1e6, like: 120))
  var capacitySeconds: Double?

  /// Nil where no search is asked for.
  var limit: Duration? { (capacitySeconds ?? (capacity ? Self.defaultSeconds : nil)).map { .seconds($0) } }
}
