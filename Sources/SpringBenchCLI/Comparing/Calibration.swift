import Foundation
import FrameBench
import FrameReport

/// Comparisons of a program with itself, with and without work planted in one phase. Blocks its thread.
struct Calibration: Sendable {
  var plan: LockStepPlan
  var phase: String
  /// Fractions of the phase's time; 0 is a comparison of the same with the same.
  var planted: [Double]
  /// All are judged by the same measurements.
  var tolerances: [Double]
  var trialCount: Int
  var seconds: Double
  var seed: UInt64

  /// Throws `WorkerProcess.Failure`, or `CancellationError`.
  func run(
    _ ids: [BenchmarkID], progress: @Sendable (_ text: String, _ fraction: Double) -> Void
  ) throws -> CalibrationDocument {
    var random = SplitMix64(seed: seed)
    let conditions = ids.flatMap { id in planted.map { (id, $0) } }
    var cells = conditions.map { id, fraction in
      tolerances.map { CalibrationCell(id: id, planted: fraction, tolerance: $0) }
    }
    var doses: [Double] = []
    for (id, fraction) in conditions {
      progress("\(id), sizing \(fraction * 100)%", 0)
      doses.append(try dose(id, fraction, &random))
    }
    for trial in 0..<trialCount {
      // Shuffled, so that a busy hour does not fall on one condition.
      for condition in conditions.indices.shuffled(using: &random) {
        let (id, fraction) = conditions[condition]
        progress("\(id), \(fraction * 100)% planted", Double(trial) / Double(trialCount))
        let start = ContinuousClock.now
        let rows = try rows(id, doses[condition], &random)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        for index in tolerances.indices {
          cells[condition][index].add(rows[index], phase: phase, seconds: seconds)
        }
      }
    }
    return CalibrationDocument(
      phase: phase, secondsPerBenchmark: seconds, seed: seed, cells: cells.flatMap(\.self))
  }

  /// What to ask the workers for, so that as much more is measured as is wanted. Extra work overlaps with
  /// what the processor does anyway, or makes it wait; how much of it shows is found out by trying.
  private func dose(
    _ id: BenchmarkID, _ fraction: Double, _ random: inout SplitMix64
  ) throws -> Double {
    guard fraction > 0 else { return 0 }
    var plan = plan
    plan.planting = [0, fraction].map { PlantingOptions(phase: phase, fraction: $0) }
    let times = try LockStepSession(plan, id: id, seed: random.next()).measure(
      setCount: plan.pace.confirmingSetCount)
    guard let place = times.phases.firstIndex(of: phase), let change = times.times[place + 1].change,
      change > 0
    else { return fraction }
    return fraction * min(3, max(1.0 / 3, fraction / change))
  }

  /// By tolerance.
  private func rows(
    _ id: BenchmarkID, _ dose: Double, _ random: inout SplitMix64
  ) throws -> [[ComparisonRow]] {
    var plan = plan
    plan.planting = [0, dose].map { PlantingOptions(phase: phase, fraction: $0) }
    let times = try LockStepSession(plan, id: id, seed: random.next()).measure(
      setCount: plan.pace.screeningSetCount)
    let rules = tolerances.map(ComparisonRule.init)
    var screened = rules.map { Screened(id: id, times: times, rule: $0) }
    if screened.contains(where: { !$0.suspicions.isEmpty }) {
      let confirmation = try LockStepSession(plan, id: id, seed: random.next()).measure(
        setCount: plan.pace.confirmingSetCount)
      for index in screened.indices { screened[index].confirmation = confirmation }
    }
    return zip(screened, rules).map { screened, rule in
      var family = [screened]
      Screened.correct(&family, testCount: screened.testable.count)
      return family[0].rows(rule)
    }
  }
}
