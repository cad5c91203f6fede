import CPeerMachine
import Scenarios
import Statistics

/// Measures whole frames of lists. In each round, every contestant has one turn and gets one cost, as in `Race`.
struct ListRace {
  struct Options: Sendable {
    var scenes = ListScene.judged
    var roundCount = 41
    var seed: UInt64 = 2013
  }

  struct Heat: Equatable {
    var scene: ListScene
    /// Nanoseconds per frame, round by round.
    var costs: [ListContestant: [Double]]
  }

  enum Failure: Error, Equatable, CustomStringConvertible {
    /// The contestants show different rows in this frame.
    case disagreement(ListScene, frame: Int)
    /// This engine did not step all springs.
    case skippedSprings(ListScene, evaluated: Int)

    var description: String {
      switch self {
      case .disagreement(let scene, let frame):
        "\(scene.name): in frame \(frame) the bare C loop does not show what this engine shows"
      case .skippedSprings(let scene, let evaluated):
        "\(scene.name): this engine stepped only \(evaluated) springs, so its times are not for the same work"
      }
    }
  }

  let options: Options
  let clockCost: UInt64

  /// - Parameter progress: Called with the name of the next scene.
  func run(progress: (String) -> Void) throws -> [Heat] {
    try options.scenes.map { scene in
      progress(scene.name)
      try Self.check(scene, seed: options.seed)
      return try heat(scene)
    }
  }

  /// Throws if in any frame the contestants' rows differ by more than a millionth of a point. Also throws if this
  /// engine skips springs of a naive list in any frame but the first, which does not scroll.
  static func check(_ scene: ListScene, seed: UInt64) throws {
    let frames = scene.frames(seed: seed)
    let peers = try ListContestant.allCases.map { try $0.make(scene, at: frames[0]) }
    for frame in frames.indices {
      for peer in peers { peer.play(frames[frame...frame]) }
      let (rows, others) = (peers[0].shown, peers[1].shown)
      let agree =
        !rows.isEmpty && rows.count == others.count
        && zip(rows, others).allSatisfy { row, other in
          row.index == other.index && abs(row.center.y - other.center.y) + abs(row.center.x - other.center.x) <= 1e-6
        }
      guard agree else { throw Failure.disagreement(scene, frame: frame) }
    }
    guard case .naive(let count) = scene, let evaluated = peers[0].evaluationCount else { return }
    guard evaluated >= count * (frames.count - 1) else { throw Failure.skippedSprings(scene, evaluated: evaluated) }
  }

  private func heat(_ scene: ListScene) throws -> Heat {
    let frames = scene.frames(seed: options.seed)
    let peers = try ListContestant.allCases.map { ($0, try $0.make(scene, at: frames[0])) }
    // Plays the scroll once without timing, so that the springs swing and the caches are filled.
    for (_, peer) in peers { peer.play(frames[...]) }
    var costs: [ListContestant: [Double]] = [:]
    var order = Array(peers.indices)
    var random = SplitMix64(seed: options.seed)
    for _ in 0..<options.roundCount {
      random.shuffle(&order)
      for index in order { costs[peers[index].0, default: []].append(turn(peers[index].1, frames)) }
    }
    return Heat(scene: scene, costs: costs)
  }

  /// Plays the whole scroll once.
  /// - Returns: Nanoseconds per frame, without the parts of the scroll in which another process used the core.
  private func turn(_ peer: any ListPeer, _ frames: [ScrollTrace.Frame]) -> Double {
    let parts = 12
    var (elapsed, counted) = (0.0, 0)
    for part in 0..<parts {
      let played = frames[part * frames.count / parts..<(part + 1) * frames.count / parts]
      let preemptions = machine_preemption_count()
      let begin = machine_nanoseconds()
      peer.play(played)
      let took = machine_nanoseconds() - begin
      guard machine_preemption_count() == preemptions || (part == parts - 1 && counted == 0) else { continue }
      elapsed += Double(took > clockCost ? took - clockCost : 0)
      counted += played.count
    }
    return max(1, elapsed) / Double(counted)
  }
}

extension ListRace.Heat {
  /// Returns the median over the rounds, nanoseconds per frame. Nil if the contestant did not run.
  func cost(of contestant: ListContestant) -> Double? { costs[contestant].map(Quantile.median) }

  /// The cost of the engine's frame relative to the bare loop's.
  var ratio: Ratio? {
    guard let engine = costs[.engine], let bare = costs[.bareLoop] else { return nil }
    return Ratio(engine, to: bare)
  }
}
