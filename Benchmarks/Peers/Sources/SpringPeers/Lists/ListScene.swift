import CollectionLayout
import Dynamics
import Scenarios

/// A springy list in a view. Whole frames are compared: a scroll, a step, and a query of the visible rows.
enum ListScene: Hashable, Sendable {
  /// All rows are simulated.
  case naive(Int)
  /// The rows in the view or near it are simulated.
  case tiled(Int)

  var count: Int {
    switch self {
    case .naive(let count), .tiled(let count): count
    }
  }

  var name: String {
    switch self {
    case .naive(let count): "list of \(Figure.count(count)), naive"
    case .tiled(let count): "list of \(Figure.count(count)), tiled"
    }
  }

  /// The key of the scene in the JSON document.
  var key: String {
    switch self {
    case .naive(let count): "naiveList\(count)"
    case .tiled(let count): "tiledList\(count)"
    }
  }

  /// The scenes about which the report makes claims.
  static let judged: [ListScene] = [.naive(10_000), .naive(100_000), .tiled(10_000)]

  static let viewSize = Size(width: 320, height: 568)
  /// The number of frames of the scripted scroll, including idle frames.
  static let frameCount = 600

  /// Returns a scroll in the middle of the list, forward and then backward, so that it can be repeated without a jump.
  /// Idle frames are left out, because this engine skips springs at rest in them, whereas the C loop steps all springs.
  func frames(seed: UInt64) -> [ScrollTrace.Frame] {
    let script = ScrollScript.messages(seed: seed, duration: Double(Self.frameCount) / 60)
    let middle = Double(count) * SpringyListParts.pitch / 2
    let trace = ScrollTrace(script, refreshRateHertz: 60, frameCount: Self.frameCount).rebased(toOffset: middle)
    let there = trace.frames.filter { $0.phase != .idle }
    return there + there.reversed()
  }
}

/// The dimensions of the list, points.
enum SpringyListParts {
  static let flow = FlowOptions.messages
  static let pitch = flow.itemSize.height + flow.minimumLineSpacing
  static let firstCenter = Point(
    x: flow.sectionInset.left + flow.itemSize.width / 2, y: flow.sectionInset.top + flow.itemSize.height / 2)
}
