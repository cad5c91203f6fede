import Foundation
import FrameBench
import FrameReport
import Statistics

/// Measures one benchmark in sets of four fresh processes, two of each build, that take turns on one core.
///
/// Two of each, so that the same turns that compare the builds also compare the baseline with itself. All
/// four of a set have the same layout of their address space, where the system allows that, and each set
/// has another: what is luck of the layout is the same for both builds, and differs from set to set.
///
/// Used from one thread.
final class LockStepSession {
  private let plan: LockStepPlan
  private let id: BenchmarkID
  private var random: SplitMix64
  private var prepared: [TurnProcess] = []
  private var framesPerTurn: Int?

  private static let builds: [Build] = [.baseline, .baseline, .candidate, .candidate]

  init(_ plan: LockStepPlan, id: BenchmarkID, seed: UInt64) {
    self.plan = plan
    self.id = id
    random = SplitMix64(seed: seed)
  }

  /// - Parameter wantsFrames: Whether to ask what each frame of the scroll cost.
  func measure(setCount: Int, wantsFrames: Bool = false) throws -> LockStepTimes {
    var times = LockStepTimes()
    for index in 0..<setCount {
      let processes = prepared.isEmpty ? try start() : prepared
      prepared = []
      let readiness = try processes.map { try $0.readiness() }
      // The next set gets ready on the other cores while this one takes its turns.
      if index + 1 < setCount { prepared = try start() }
      try measure(processes, readiness, into: &times)
      if wantsFrames { try times.addFrames(processes, builds: Self.builds, plan.options.frameCount) }
      for process in processes { process.stop() }
    }
    return times
  }

  private func start() throws -> [TurnProcess] {
    let layoutSeed = random.next()
    let copies = Build.allCases.map { ProgramCopy(of: plan.executable($0)) }
    var processes = [TurnProcess?](repeating: nil, count: Self.builds.count)
    for (position, index) in Self.builds.indices.shuffled(using: &random).enumerated() {
      let build = Self.builds[index]
      processes[index] = try TurnProcess(
        program: copies[build.rawValue],
        request: plan.request(id, build, layoutSeed: layoutSeed, position: position),
        timeout: plan.timeout, isCancelled: plan.isCancelled)
    }
    return processes.compactMap(\.self)
  }

  private func measure(
    _ processes: [TurnProcess], _ readiness: [TurnReadiness], into times: inout LockStepTimes
  ) throws {
    let cost = Self.frameCost(readiness)
    let count = framesPerTurn ?? Self.framesPerTurn(cost, plan.pace.turnNanoseconds)
    framesPerTurn = count
    // A frame that is longer than a turn should be gets fewer turns, not more time.
    let fitting = Double(plan.pace.roundCount) * plan.pace.turnNanoseconds / (Double(count) * cost)
    let roundCount = min(plan.pace.roundCount, max(8, Int(min(fitting * 1.5, 1e6))))
    var set = TurnSet(readiness: readiness, framesPerTurn: count)
    for round in 0..<(roundCount + 1) {
      if plan.isCancelled() { throw CancellationError() }
      let frames = try turn(processes, .frames(count))
      let phases = try turn(processes, .phases(count))
      // The first round finds cold caches.
      if round > 0 { set.add(frames: frames, phases: phases) }
    }
    times.add(set)
  }

  private func turn(_ processes: [TurnProcess], _ command: TurnCommand) throws -> [[Double]] {
    var values = [[Double]](repeating: [], count: processes.count)
    for index in processes.indices.shuffled(using: &random) {
      values[index] = try processes[index].run(command)
    }
    return values
  }

  /// Nanoseconds.
  private static func frameCost(_ readiness: [TurnReadiness]) -> Double {
    max(1, Quantile.type7(sorted: readiness.map(\.frameNanoseconds).sorted(), at: 0.5))
  }

  private static func framesPerTurn(_ cost: Double, _ turnNanoseconds: Double) -> Int {
    Int(min(max((turnNanoseconds / cost).rounded(), 1), 1_000_000))
  }
}
