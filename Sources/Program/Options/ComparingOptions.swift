import ArgumentParser

/// How two builds are compared.
struct ComparingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Ignore changes of a time within ± this: 1%, 0.3%, 0% (default: 1%).", valueName: "percent"),
    transform: Percentage.init)
  var tolerance: Percentage?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "About how long to measure each benchmark, confirmation included (default: 5).", valueName: "s"),
    transform: OptionValue.seconds(1...3_600, like: 5))
  var seconds: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seed of the order of benchmarks and turns (default: drawn, and printed).", valueName: "n"),
    transform: OptionValue.seed)
  var seed: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames of the scroll, after which it repeats (default: 1200).", valueName: "n"),
    transform: OptionValue.wholeNumber(8...MeasuringOptions.largestFrameCount, like: 1_200))
  var frames: Int?

  @Flag(
    help: "Also compare the instructions of each phase, counted under valgrind; changes beyond 0.2% count.")
  var instructions = false

  var settings: ComparisonSettings {
    var settings = ComparisonSettings()
    if let tolerance { settings.namedTolerance = tolerance.fraction }
    if let seconds { settings.seconds = seconds }
    if let seed { settings.seed = seed }
    if let frames {
      settings.options.frameCount = frames
      settings.options.namesFrameCount = true
    }
    settings.countsInstructions = instructions
    return settings
  }

  /// The options that were given and concern building or measuring, by name.
  var given: [String] {
    [
      seconds.map { _ in "--seconds" }, seed.map { _ in "--seed" }, frames.map { _ in "--frames" },
      instructions ? "--instructions" : nil,
    ].compactMap(\.self)
  }
}
