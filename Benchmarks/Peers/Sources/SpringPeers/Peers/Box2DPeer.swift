import CBox2DSprings
import Dynamics

/// The rows of a list as bodies of Box2D, each on a mouse joint (Box2D's soft spring to a point).
final class Box2DPeer: SpringPeer {
  /// How often a step visits each joint.
  struct Iterations {
    var velocity: Int32
    var position: Int32

    /// The numbers that Box2D's manual recommends.
    static let usual = Iterations(velocity: 8, position: 3)
    /// One iteration is enough for springs that are not coupled with each other.
    static let fewest = Iterations(velocity: 1, position: 1)
  }

  private let springs: OpaquePointer

  init(_ list: SpringList, _ iterations: Iterations) {
    springs = box2d_springs_create(
      list.count, list.anchorPairs, list.frequency, list.damping, iterations.velocity, iterations.position)
  }

  deinit { box2d_springs_destroy(springs) }

  func rest() { box2d_springs_rest(springs) }

  func shift(by shift: ScrollShift, along axis: Axis) {
    box2d_springs_shift(
      springs, shift.delta, shift.touch.x, shift.touch.y, 1 / shift.resistance, axis == .horizontal ? 1 : 0)
  }

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { box2d_springs_step(springs, timestep) } }

  func readCenters(into centers: CenterBuffer) { box2d_springs_read(springs, centers) }

  static var version: String {
    var numbers: [Int32] = [0, 0, 0]
    box2d_springs_version(&numbers)
    return numbers.map(String.init).joined(separator: ".")
  }
}
