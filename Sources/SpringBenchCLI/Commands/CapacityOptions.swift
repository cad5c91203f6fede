import ArgumentParser

/// Whether, and for how long, to search for the largest list that fits a frame.
struct CapacityOptions: ParsableArguments {
  static let defaultSeconds = 120.0

  @Flag(
    help: ArgumentHelp(
      """
      Also search, for each scenario and strategy, the largest number of items whose p99 frame fits the \
      budget of --hz and --share, to within 5%, or a range where time runs out.
      """))
  var capacity = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that one such search may take (default: \(Int(Self.defaultSeconds))); implies --capacity.",
      valueName: "s"))
  var capacitySeconds: String?

  /// Nil where no search is asked for.
  func limit() throws(UsageError) -> Duration? {
    guard let capacitySeconds else { return capacity ? .seconds(Self.defaultSeconds) : nil }
    guard let seconds = Double(capacitySeconds), seconds > 0, seconds < 1e6 else {
      throw UsageError(
        "--capacity-seconds", "\"\(capacitySeconds)\" is not a positive number of seconds",
        remedy: "give one as in --capacity-seconds 120")
    }
    return .seconds(seconds)
  }
}
