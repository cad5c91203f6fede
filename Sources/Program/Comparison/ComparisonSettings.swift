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

  init() {}

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
