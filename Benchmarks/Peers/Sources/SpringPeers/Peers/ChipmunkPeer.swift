import CChipmunkSprings
import Dynamics

/// The rows of a list as bodies of Chipmunk, each on a damped spring.
final class ChipmunkPeer: SpringPeer {
  /// How often a step visits each spring.
  static let usualIterations: Int32 = 10
  static let fewestIterations: Int32 = 1

  private let springs: OpaquePointer

  init(_ list: SpringList, iterations: Int32) {
    springs = chipmunk_springs_create(list.count, list.anchorPairs, list.frequency, list.damping, iterations)
  }

  deinit { chipmunk_springs_destroy(springs) }

  func rest() { chipmunk_springs_rest(springs) }

  func shift(by shift: ScrollShift, along axis: Axis) {
    chipmunk_springs_shift(
      springs, shift.delta, shift.touch.x, shift.touch.y, 1 / shift.resistance, axis == .horizontal ? 1 : 0)
  }

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { chipmunk_springs_step(springs, timestep) } }

  func readCenters(into centers: CenterBuffer) { chipmunk_springs_read(springs, centers) }

  static var version: String { String(cString: chipmunk_springs_version()) }
}
