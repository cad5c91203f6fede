import ArgumentParser
import Foundation
import FrameBench

/// How to compare.
struct ComparingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A change of a time within ± this much is none: 1%, 0.3%, 0 (default: 1%).", valueName: "percent"))
  var tolerance: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "About how long to measure each benchmark, confirmation included (default: 5).", valueName: "s"))
  var seconds: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seed of the order of benchmarks and turns (default: drawn, and printed).", valueName: "n"))
  var seed: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames of the scroll, which repeats (default: 1200).", valueName: "n"))
  var frames: String?

  @Flag(
    help: "Compare the instructions of each phase too, counted under valgrind: a change beyond 0.2% counts.")
  var instructions = false

  /// As a fraction.
  func parsedTolerance() throws(UsageError) -> Double {
    guard let tolerance else { return 0.01 }
    let isPercent = tolerance.hasSuffix("%")
    guard let number = Double(isPercent ? String(tolerance.dropLast()) : tolerance), number >= 0,
      number < (isPercent ? 100 : 1)
    else {
      throw UsageError(
        "--tolerance", "\"\(tolerance)\" is no share of a time", remedy: "give one as in --tolerance 1%")
    }
    // 1 alone could mean either.
    return isPercent ? number / 100 : number
  }

  func parsedSeed() throws(UsageError) -> UInt64 {
    try seed.map(WholeNumber.seed) ?? UInt64.random(in: 1...999_999)
  }

  func plan(executables: [String]) throws(UsageError) -> LockStepPlan {
    var options = RunOptions()
    if let frames {
      options.frameCount = try WholeNumber.parse(
        frames, "--frames", 8...MeasuringOptions.largestFrameCount, example: 1_200)
    }
    let machine = Machine.current()
    let core = machine.measuringCore
    var plan = LockStepPlan(
      executables: executables, options: options, core: core,
      preparationCores: core == nil ? [] : (machine.allowedCores ?? []).filter { $0 != core },
      timeout: .seconds(120), pace: LockStepPlan.Pace(seconds: try parsedSeconds()))
    plan.countsInstructions = instructions
    return plan
  }

  func parsedSeconds() throws(UsageError) -> Double {
    guard let seconds else { return 5 }
    guard let number = Double(seconds), number >= 1, number <= 3_600 else {
      throw UsageError(
        "--seconds", "\"\(seconds)\" is not a number from 1 to 3600", remedy: "give one as in --seconds 5")
    }
    return number
  }
}

extension SelectionOptions {
  /// As another program of this kind understands them.
  var arguments: [String] {
    filter.flatMap { ["--filter", $0] } + skip.flatMap { ["--skip", $0] }
      + (sizes.map { ["--sizes", $0] } ?? []) + (strategies.map { ["--strategies", $0] } ?? [])
  }
}
