import FrameBench
import Measurements

/// How two builds are compared: what the commands have in common that do it.
package struct ComparisonSettings: Sendable {
  /// A change of a time within ± this fraction is none; nil: 1%, or what a scenario asks for.
  package var namedTolerance: Double?
  /// A fraction.
  package static let usualTolerance = 0.01
  package var tolerance: Double { namedTolerance ?? Self.usualTolerance }
  /// About how long each benchmark is measured, confirmation included.
  package var seconds = 5.0
  /// Of the order of benchmarks, processes and turns.
  package var seed = UInt64.random(in: 1...999_999)
  /// What both builds run; their number of runs does not matter.
  package var options = RunOptions()
  package var countsInstructions = false

  package init() {}

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
