import ArgumentParser
import FrameBench
import Measurements

/// Settings of a comparison of two builds that several commands share.
struct ComparisonSettings: Sendable {
  /// Changes of a time within ± this fraction are ignored; nil: 1%, or the scenario's own tolerance.
  var namedTolerance: Double?
  /// A fraction.
  static let usualTolerance = 0.01
  var tolerance: Double { namedTolerance ?? Self.usualTolerance }
  /// Approximate measuring time of each benchmark, confirmation included.
  var seconds = 5.0
  /// Seeds the order of benchmarks, processes and turns.
  var seed = UInt64.random(in: 1...999_999)
  /// Options of both builds; the number of runs is ignored.
  var options = RunOptions()
  var countsInstructions = false

  /// - Parameter executables: Baseline, candidate.
  func plan(executables: [String]) -> LockStepPlan {
    let machine = Machine.current()
    let core = machine.measuringCore
    var plan = LockStepPlan(
      executables: executables, options: options, core: core,
      preparationCores: core == nil ? [] : (machine.allowedCores ?? []).filter { $0 != core },
      timeout: .seconds(120), pace: LockStepPlan.Pace(seconds: seconds))
    plan.countsInstructions = countsInstructions
    return plan
  }
}

/// Options of a comparison of two builds.
struct ComparingOptions: ParsableArguments {
  @Option(
    "Ignore changes of a time within ± this: 1%, 0.3%, 0% (default: 1%).", "percent", OptionValue.percentage)
  var tolerance: Double?

  @Option(
    "About how long to measure each benchmark, confirmation included (default: 5).", "s",
    OptionValue.seconds(1...3_600, like: 5))
  var seconds: Double?

  @Option("Seed of the order of benchmarks and turns (default: drawn, and printed).", "n", OptionValue.seed)
  var seed: UInt64?

  @Option(
    "Frames of the scroll, after which it repeats (default: 1200).", "n",
    OptionValue.wholeNumber(8...MeasuringOptions.largestFrameCount, like: 1_200))
  var frames: Int?

  @Flag(
    help: "Also compare the instructions of each phase, counted under valgrind; changes beyond 0.2% count.")
  var instructions = false

  var settings: ComparisonSettings {
    var settings = ComparisonSettings()
    if let tolerance { settings.namedTolerance = tolerance }
    if let seconds { settings.seconds = seconds }
    if let seed { settings.seed = seed }
    if let frames {
      settings.options.frameCount = frames
      settings.options.namesFrameCount = true
    }
    settings.countsInstructions = instructions
    return settings
  }
}
