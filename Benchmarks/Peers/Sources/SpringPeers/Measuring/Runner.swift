import CPeerMachine
import Dynamics

/// The work that is timed.
enum Work: String, CaseIterable, Sendable {
  /// Only steps of the simulation.
  case solve
  /// Whole frames: the shift of a scroll, a step, and reading all centers.
  case frame
}

/// Runs and times steps of one contestant with one list.
///
/// Springs come to rest, so they are displaced again after every `period` steps, outside the timed part. Otherwise,
/// some timed steps would skip springs at rest or compute with subnormal numbers, and take a different time.
final class Runner {
  /// The number of steps between two restarts. They simulate two seconds, after which less than a ten thousandth of the
  /// motion is left.
  static let period = 120
  /// How often a turn may repeat steps because another process used the core.
  static let patience = 4
  /// The initial displacements of the springs, points along y and along x.
  static let startDisplacement = (y: 100.0, x: 70.0)

  let contestant: Contestant
  let list: SpringList
  private let peer: any SpringPeer
  private let shifts: [ScrollShift]
  private let centers: CenterBuffer
  private let clockCost: UInt64
  /// Steps since the last restart.
  private var position = Runner.period
  private var stepCount = 0

  init(_ contestant: Contestant, _ list: SpringList, seed: UInt64, clockCost: UInt64) throws {
    self.contestant = contestant
    self.list = list
    self.clockCost = clockCost
    peer = try contestant.make(list)
    shifts = list.scriptedScroll(seed: seed, frameCount: Self.period)
    centers = .allocate(capacity: 2 * list.count)
    centers.initialize(repeating: 0, count: 2 * list.count)
  }

  deinit { centers.deallocate() }

  /// Runs the given number of steps. Steps during which another process used the core are repeated and do not count, up
  /// to `patience` times.
  /// - Returns: Nanoseconds of the steps that count.
  func run(_ work: Work, steps: Int) throws -> UInt64 {
    var elapsed: UInt64 = 0
    var left = steps
    var patience = Self.patience
    while left > 0 {
      if position == Self.period { try start() }
      let length = min(left, Self.period - position)
      let preemptions = machine_preemption_count()
      let begin = machine_nanoseconds()
      switch work {
      case .solve: peer.solve(steps: length, timestep: list.timestep)
      case .frame: peer.scroll(shifts[position..<position + length], timestep: list.timestep, into: centers)
      }
      let took = machine_nanoseconds() - begin
      position += length
      stepCount += length
      if patience > 0, machine_preemption_count() != preemptions {
        patience -= 1
        continue
      }
      elapsed += took > clockCost ? took - clockCost : 0
      left -= length
    }
    return elapsed
  }

  private func start() throws {
    try peer.rest()
    peer.shift(by: list.shiftOfAll(by: Self.startDisplacement.y), along: .vertical)
    peer.shift(by: list.shiftOfAll(by: Self.startDisplacement.x), along: .horizontal)
    position = 0
  }

  /// How many times the engine skipped a spring at rest. Nil if the engine does not count the springs that it steps.
  var skippedCount: Int? { peer.evaluationCount.map { stepCount * list.count * contestant.axes.rawValue - $0 } }

  /// Whether any row is away from its anchor. Always true for contestants without springs.
  var moves: Bool {
    guard contestant.oscillates else { return true }
    peer.readCenters(into: centers)
    return (0..<list.count).contains { row in
      let anchor = list.anchor(row)
      return abs(centers[2 * row] - anchor.x) + abs(centers[2 * row + 1] - anchor.y) > 1e-6
    }
  }
}

enum Clock {
  /// Returns the shortest time between two consecutive reads of the clock, nanoseconds.
  static func pairCost() -> UInt64 {
    (0..<10_000).reduce(UInt64.max) { least, _ in
      let begin = machine_nanoseconds()
      return min(least, machine_nanoseconds() - begin)
    }
  }
}
