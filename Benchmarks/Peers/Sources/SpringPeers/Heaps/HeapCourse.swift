import CPeerMachine
import Dynamics
import Scenarios

/// The frames in which a heap of boxes or discs falls and comes to rest on one engine.
struct HeapCourse: Equatable {
  struct Frame: Equatable {
    var nanoseconds: Double
    /// The deepest overlap of two items, points.
    var overlap: Double
    /// Kinetic and potential energy, as a fraction of the initial energy.
    var energy: Double
    var awakeCount: Int
  }

  /// The kind and the number of the items in a heap.
  struct Heap: Equatable, Hashable, Sendable {
    var strategy: Scenarios.Heap.Strategy
    var count: Int

    var name: String { "\(Figure.count(count)) \(strategy == .both ? "boxes and discs" : strategy.rawValue)" }
    var key: String { "\(strategy.rawValue)\(count)" }

    static let all: [Heap] = [
      Heap(strategy: .boxes, count: 1_000), Heap(strategy: .discs, count: 1_000), Heap(strategy: .both, count: 1_000),
      Heap(strategy: .both, count: 300), Heap(strategy: .both, count: 100),
    ]
  }

  var heap: Heap
  var contestant: HeapContestant
  var frames: [Frame]

  /// The number of frames in ten seconds at 60 Hz.
  static let frameCount = 600

  /// Runs each frame on all engines before the next frame starts. A frame's cost is its minimum over the runs.
  static func measure(_ heap: Heap, seed: UInt64, runs: Int = 3, frames: Int = frameCount) throws -> [HeapCourse] {
    let contestants = HeapContestant.allCases
    var courses = contestants.map { HeapCourse(heap: heap, contestant: $0, frames: []) }
    let motions = CenterBuffer.allocate(capacity: 6 * heap.count)
    defer { motions.deallocate() }
    for run in 0..<runs {
      let (items, width) = Scenarios.Heap.items(heap.strategy, count: heap.count, seed: seed)
      let peers = try contestants.map {
        try $0.make(Scenarios.Heap.items(heap.strategy, count: heap.count, seed: seed).items, width: width)
      }
      let state = HeapState(items)
      let starts = peers.map { peer in
        peer.readMotions(into: motions)
        return state.energy(motions)
      }
      for frame in 0..<frames {
        for (index, peer) in peers.enumerated() {
          let begin = machine_nanoseconds()
          peer.step()
          let took = Double(machine_nanoseconds() - begin)
          guard run == 0 else {
            courses[index].frames[frame].nanoseconds = min(took, courses[index].frames[frame].nanoseconds)
            continue
          }
          peer.readMotions(into: motions)
          courses[index].frames.append(
            Frame(
              nanoseconds: took, overlap: state.deepestOverlap(motions), energy: state.energy(motions) / starts[index],
              awakeCount: peer.awakeCount))
        }
      }
    }
    return courses
  }
}

extension HeapCourse {
  /// Nanoseconds per frame, averaged over the frames in which an item is awake.
  var cost: Double { Self.meanCost(frames.filter { $0.awakeCount > 0 }) }

  /// Nanoseconds per frame, averaged over all frames.
  var meanCost: Double { Self.meanCost(frames) }

  private static func meanCost(_ frames: [Frame]) -> Double {
    frames.reduce(0) { $0 + $1.nanoseconds } / Double(max(frames.count, 1))
  }

  var deepestOverlap: Double { frames.map(\.overlap).max() ?? 0 }
  var finalOverlap: Double { frames.last?.overlap ?? 0 }

  /// Seconds until all items sleep. Nil if some are still awake at the end.
  var timeToSleep: Double? {
    guard frames.last?.awakeCount == 0 else { return nil }
    return Double((frames.lastIndex { $0.awakeCount > 0 } ?? -1) + 2) / 60
  }

  /// The largest rise of the energy above its previous minimum, as a fraction of the initial energy.
  var growth: Double {
    var (least, growth) = (1.0, 0.0)
    for frame in frames {
      least = min(least, frame.energy)
      growth = max(growth, frame.energy - least)
    }
    return growth
  }
}
