import CBareLoop
import Dynamics

/// Plain loops in C over plain arrays. Their cost is a lower bound for the cost of the springs.
final class BareLoopPeer: SpringPeer {
  private let list: SpringList
  private let axes: AxisSet
  private let matrix: SpringMatrix
  /// The arrays, in this order: x and y of the anchors, y and x of the displacements, y and x of the velocities.
  private let columns: [UnsafeMutablePointer<Double>]
  private let memory: UnsafeMutableRawPointer

  init(_ list: SpringList, axes: AxisSet) {
    self.list = list
    self.axes = axes
    matrix = SpringMatrix(frequency: list.frequency, damping: list.damping, timestep: list.timestep)
    // Pads each column to whole cache lines and adds a gap. Columns that start at multiples of a page would compete for
    // the same cache sets.
    let length = (list.count + 7) / 8 * 8 + 24
    memory = .allocate(byteCount: 6 * length * MemoryLayout<Double>.stride, alignment: 64)
    let start = memory.bindMemory(to: Double.self, capacity: 6 * length)
    start.initialize(repeating: 0, count: 6 * length)
    columns = (0..<6).map { start + $0 * length }
    for row in 0..<list.count { (columns[0][row], columns[1][row]) = (list.anchor(row).x, list.anchor(row).y) }
  }

  deinit { memory.deallocate() }

  func rest() { for column in columns[2...] { column.update(repeating: 0, count: list.count) } }

  func shift(by shift: ScrollShift, along axis: Axis) {
    guard axis == .vertical || axes == .xy else { return }
    bare_shift(
      axis == .vertical ? columns[2] : columns[3], columns[0], columns[1], list.count, shift.delta, shift.touch.x,
      shift.touch.y, 1 / shift.resistance)
  }

  func solve(steps: Int, timestep: Double) {
    precondition(timestep == list.timestep, "a timestep of \(timestep) s, made for \(list.timestep) s")
    let (count, matrix) = (list.count, matrix)
    let (y, x, vy, vx) = (columns[2], columns[3], columns[4], columns[5])
    for _ in 0..<steps {
      bare_step(y, vy, count, matrix.m00, matrix.m01, matrix.m10, matrix.m11)
      if axes == .xy { bare_step(x, vx, count, matrix.m00, matrix.m01, matrix.m10, matrix.m11) }
    }
  }

  func readCenters(into centers: CenterBuffer) {
    switch axes {
    case .y: bare_read_y(centers, columns[0], columns[1], columns[2], list.count)
    case .xy: bare_read_xy(centers, columns[0], columns[1], columns[3], columns[2], list.count)
    }
  }
}

/// The axes along which bodies move.
enum AxisSet: Int, Sendable {
  case y = 1
  case xy = 2
}
