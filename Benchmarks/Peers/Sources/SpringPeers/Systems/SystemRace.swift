import CPeerMachine
import Scenarios
import Statistics

/// Times each scene on the engines that can simulate it. In each round, every contestant has one turn, and one cost is
/// recorded for it, as in `Race`.
struct SystemRace {
  struct Options: Sendable {
    var scenes = SystemScene.judged
    var roundCount = 41
    var seed: UInt64 = 2013
  }

  struct Heat: Equatable {
    var scene: SystemScene
    /// Nanoseconds per frame, round by round.
    var costs: [SystemContestant: [Double]]
    /// The mean number of awake bodies, counted at the end of each turn.
    var awake: [SystemContestant: Double]
  }

  static let turnFrameCount = 60
  /// The number of turns after which a scene is set up again. The setup is not timed.
  static let turnsOfScene = 8

  let options: Options
  let clockCost: UInt64

  /// - Parameter progress: Called with the name of the next scene.
  func run(progress: (String) -> Void) throws -> [Heat] {
    try options.scenes.map { scene in
      progress(scene.name)
      return try heat(scene)
    }
  }

  private func heat(_ scene: SystemScene) throws -> Heat {
    let centers = CenterBuffer.allocate(capacity: 2 * scene.count)
    centers.initialize(repeating: 0, count: 2 * scene.count)
    defer { centers.deallocate() }
    let contestants = SystemContestant.all(scene)
    var heat = Heat(scene: scene, costs: [:], awake: [:])
    var peers: [any SystemPeer] = []
    var order = Array(contestants.indices)
    var random = SplitMix64(seed: options.seed)
    for round in 0..<options.roundCount {
      if round.isMultiple(of: Self.turnsOfScene) { peers = try contestants.map { try $0.make(scene) } }
      random.shuffle(&order)
      for index in order {
        let contestant = contestants[index]
        heat.costs[contestant, default: []].append(turn(peers[index], into: centers))
        heat.awake[contestant, default: 0] += Double(peers[index].awakeCount) / Double(options.roundCount)
      }
    }
    return heat
  }

  /// - Returns: Nanoseconds per frame, without the parts of the turn in which another process used the core.
  private func turn(_ peer: any SystemPeer, into centers: CenterBuffer) -> Double {
    // Loads the data back into the caches after the turns of the other contestants.
    peer.run(frames: 1, into: centers)
    let parts = 4
    var (elapsed, counted) = (0.0, 0)
    for part in 0..<parts {
      let preemptions = machine_preemption_count()
      let begin = machine_nanoseconds()
      peer.run(frames: Self.turnFrameCount / parts, into: centers)
      let took = machine_nanoseconds() - begin
      guard machine_preemption_count() == preemptions || (part == parts - 1 && counted == 0) else { continue }
      elapsed += Double(took > clockCost ? took - clockCost : 0)
      counted += 1
    }
    return max(1, elapsed) / Double(counted * Self.turnFrameCount / parts)
  }
}

extension SystemRace.Heat {
  /// Returns the median over the rounds, nanoseconds per frame. Nil if the contestant did not run.
  func cost(of contestant: SystemContestant) -> Double? { costs[contestant].map(Quantile.median) }

  func ratio(of contestant: SystemContestant, to other: SystemContestant) -> Ratio? {
    guard let costs = costs[contestant], let others = self.costs[other] else { return nil }
    return Ratio(costs, to: others)
  }
}
