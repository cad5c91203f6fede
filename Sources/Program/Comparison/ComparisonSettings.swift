import ArgumentParser
import FrameBench
import Measurements

/// How two builds are compared: what the commands have in common that do it.
struct ComparisonSettings: Sendable {
  /// A change of a time within ± this fraction is none; nil: 1%, or what a scenario asks for.
  var namedTolerance: Double?
  /// A fraction.
  static let usualTolerance = 0.01
  var tolerance: Double { namedTolerance ?? Self.usualTolerance }
  /// About how long each benchmark is measured, confirmation included.
  var seconds = 5.0
  /// Of the order of benchmarks, processes and turns.
  var seed = UInt64.random(in: 1...999_999)
  /// What both builds run; their number of runs does not matter.
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

/// How two builds are compared.
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
