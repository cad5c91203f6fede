import Foundation
import FrameBench

/// The two builds of a comparison.
enum Build: Int, CaseIterable {
  case baseline, candidate
}

/// Four processes, two of each build, that take turns on one core; what they measured of one benchmark.
///
/// Two of each, so that the same turns that compare the builds also compare the baseline with itself.
struct LockStepFour {
  /// What is timed: nil is the whole frame.
  var phases: [String]
  /// Per thing timed (the frame first, then `phases`), the time of a frame for each process, nanoseconds.
  var contrasts: [Contrast]
  var means: [[Double]]
  /// Per thing and process, the mean of every frame of the scroll.
  var frameByFrame: [[[Double]]]

  struct Contrast {
    /// ln(candidate ÷ baseline) and ln(baseline ÷ itself): medians over turns.
    var change: Double
    var control: Double
    var cross: Double
    var rounds: [[Double]]
  }
}

struct LockStepPlan {
  var executables: [String]
  var benchmark: BenchmarkID
  var options: RunOptions
  var core: Int?
  var preparationCores: [Int]
  var roundCount: Int
  var planting: [PlantingOptions?]
  var turnNanoseconds = 1e6
  var timeout: Duration = .seconds(60)
  var isCancelled: @Sendable () -> Bool
}

/// Starts the processes and runs their turns.
final class LockStepSession {
  private let plan: LockStepPlan
  private var random: SplitMix64
  private var next: [TurnProcess]?

  init(_ plan: LockStepPlan, seed: UInt64) {
    self.plan = plan
    random = SplitMix64(seed: seed)
  }

  static let builds: [Build] = [.baseline, .baseline, .candidate, .candidate]

  private func start() throws -> [TurnProcess] {
    var processes = [TurnProcess?](repeating: nil, count: 4)
    let seed = random.next()
    for (position, index) in Array(0..<4).shuffled(using: &random).enumerated() {
      let cores = plan.preparationCores
      let request = WorkerRequest(
        benchmark: plan.benchmark, pass: .frames, options: plan.options, core: plan.core,
        parentProcess: getpid(),
        turns: TurnOptions(
          preparationCore: cores.isEmpty ? nil : cores[position % cores.count], layoutSeed: seed,
          planting: plan.planting[Self.builds[index].rawValue]))
      processes[index] = try TurnProcess(
        executable: plan.executables[Self.builds[index].rawValue], request: request, timeout: plan.timeout,
        isCancelled: plan.isCancelled)
    }
    return processes.compactMap(\.self)
  }

  func four(isLast: Bool) throws -> LockStepFour {
    let processes = try next ?? start()
    next = nil
    let ready = try processes.map { try $0.readiness() }
    next = isLast ? nil : try start()
    let phases = ready[0].phases
    let cost = ready.map(\.frameNanoseconds).sorted()[1]
    let pair = ready.map(\.pairCostNanoseconds).reduce(0, +) / 4
    let count = max(1, Int((plan.turnNanoseconds / cost).rounded()))
    var rounds = [[[Double]]](repeating: [], count: 1 + phases.count)
    for round in 0..<(plan.roundCount * 2 + 2) {
      if plan.isCancelled() { throw CancellationError() }
      var values = [[Double]](repeating: [], count: 4)
      let isFrame = round % 2 == 0
      for index in Array(0..<4).shuffled(using: &random) {
        values[index] = try processes[index].run(isFrame ? .frames(count) : .phases(count))
      }
      guard round >= 2 else { continue }
      if isFrame {
        rounds[0].append(values.map { $0[0] / Double(count) - pair })
      } else {
        for phase in phases.indices {
          rounds[1 + phase].append(
            values.map { ($0[2 * phase] - $0[2 * phase + 1] * pair) / Double(count) })
        }
      }
    }
    let contrasts = rounds.map { rounds in
      let logs = rounds.map { $0.map { log(max($0, 0.1)) } }
      return LockStepFour.Contrast(
        change: median(logs.map { ($0[2] + $0[3] - $0[0] - $0[1]) / 2 }),
        control: median(logs.map { $0[1] - $0[0] }),
        cross: median(logs.map { ($0[0] + $0[2] - $0[1] - $0[3]) / 2 }),
        rounds: rounds)
    }
    for process in processes { process.stop() }
    return LockStepFour(
      phases: phases, contrasts: contrasts,
      means: rounds.map { rounds in (0..<4).map { index in median(rounds.map { $0[index] }) } },
      frameByFrame: [])
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
