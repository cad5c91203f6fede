import Foundation
import FrameBench
import Judging
import Statistics

/// Compares a program with itself, with and without work planted in one phase.
struct Calibration: Sendable {
  private var plan: LockStepPlan
  var phase: String
  /// Fractions of the phase's time; 0 is a comparison of the same with the same.
  var planted: [Double]
  /// All are judged by the same measurements.
  var tolerances: [Double]
  var trialCount: Int
  private let settings: ComparisonSettings
  var conditions: CalibrationConditions

  /// - Parameter executables: Baseline, candidate.
  init(
    executables: [String], settings: ComparisonSettings, phase: String, planted: [Double],
    tolerances: [Double], trialCount: Int, conditions: CalibrationConditions
  ) {
    plan = settings.plan(executables: executables)
    self.phase = phase
    self.planted = planted
    self.tolerances = tolerances
    self.trialCount = trialCount
    self.settings = settings
    self.conditions = conditions
  }

  /// Throws `RunError` where a worker failed, `CancellationError`.
  func run(
    _ ids: [BenchmarkID], progress: @escaping @Sendable (_ text: String, _ fraction: Double) -> Void
  ) async throws -> CalibrationDocument {
    do {
      return try await DedicatedThread.run { isCancelled in
        var calibration = self
        calibration.plan.isCancelled = isCancelled
        return try calibration.runHere(ids, progress: progress)
      }
    } catch let failure as WorkerProcess.Failure {
      throw RunError(failure.reason + lastLine(ofStandardError: failure.standardError))
    }
  }

  private func runHere(
    _ ids: [BenchmarkID], progress: @Sendable (_ text: String, _ fraction: Double) -> Void
  ) throws -> CalibrationDocument {
    var random = SplitMix64(seed: settings.seed)
    let start = ContinuousClock.now
    var circumstances = conditions
    let conditions = ids.flatMap { id in planted.map { (id, $0) } }
    var cells = conditions.map { id, fraction in
      tolerances.map { CalibrationCell(id: id, planted: fraction, tolerance: $0) }
    }
    for trial in 0..<trialCount {
      if let load = Machine.current().loadAverage { circumstances.loadAverages.append(load) }
      // Shuffled, so that a busy hour does not fall on one condition.
      for condition in conditions.indices.shuffled(using: &random) {
        let (id, fraction) = conditions[condition]
        progress("\(id), \(fraction * 100)% planted", Double(trial) / Double(trialCount))
        let start = ContinuousClock.now
        let rows = try rows(id, fraction, &random)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        for index in tolerances.indices {
          cells[condition][index].add(rows[index], phase: phase, seconds: seconds)
        }
      }
    }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    circumstances.durationSeconds = duration.rounded()
    var document = CalibrationDocument(
      phase: phase, secondsPerBenchmark: settings.seconds, seed: settings.seed, cells: cells.flatMap(\.self))
    document.conditions = circumstances
    return document
  }

  /// Has the sets run from a build of the working tree, each in another link order.
  ///
  /// - Returns: What has to live as long as they run.
  mutating func spreadOverLinkOrders(
    _ building: BuildSettings, console: Console
  ) async throws -> BuiltRevision {
    let builder = try await building.builder(console: console)
    let product = Paths.name(plan.executable(.candidate))
    let build = try await Interruption.cancelling { try await builder.executable(product, for: .workingTree) }
    do {
      let pool = try LinkOrderPool([build, build], store: builder.store)
      plan.executables = [build.url.path, build.url.path]
      plan.orders = pool
      // More tests than one benchmark has, so that the orders do for all of them.
      let last = plan.confirmingOrders(plan.pace.confirming(testCount: 64, familyAlpha: 0.01)).upperBound
      try await Interruption.cancelling { try await pool.link(0..<last) }
    } catch let problem as LinkProblem {
      throw RunError("--layouts: the working tree cannot be linked in several orders: \(problem)")
    }
    builder.store.evict()
    conditions.layoutCount = plan.screeningOrders.count
    return build
  }

  /// By tolerance.
  private func rows(
    _ id: BenchmarkID, _ fraction: Double, _ random: inout SplitMix64
  ) throws -> [[ComparisonRow]] {
    var plan = plan
    plan.planting = [0, fraction].map { PlantingOptions(phase: phase, fraction: $0) }
    let times = try LockStepSession(plan, id: id, orders: plan.screeningOrders, seed: random.next())
      .measure(plan.pace.screening)
    let rules = tolerances.map(ComparisonRule.init)
    var screened = rules.map { Screened(id: id, times: times, rule: $0) }
    if let doubtful = zip(screened, rules).first(where: { !$0.0.suspicions.isEmpty }) {
      let quota = plan.pace.confirming(
        testCount: doubtful.0.testable.count, familyAlpha: doubtful.1.familyAlpha)
      let orders = plan.confirmingOrders(quota)
      let confirmation = try LockStepSession(plan, id: id, orders: orders, seed: random.next()).measure(quota)
      for index in screened.indices where !screened[index].suspicions.isEmpty {
        screened[index].confirmation = confirmation
      }
    }
    return zip(screened, rules).map { screened, rule in
      var family = [screened]
      Screened.correct(&family, testCount: screened.testable.count)
      return family[0].rows(rule)
    }
  }
}
