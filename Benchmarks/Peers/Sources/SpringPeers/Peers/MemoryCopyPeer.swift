import Dynamics
import Glibc

/// A contestant without springs. A step copies as many bytes as the states of all springs occupy, and a frame also
/// copies their centers. An engine that reads and writes every state cannot be much faster.
final class MemoryCopyPeer: SpringPeer {
  private let byteCount: Int
  private let centerByteCount: Int
  private let memory: UnsafeMutableRawPointer
  private let target: UnsafeMutableRawPointer

  init(_ list: SpringList, axes: AxisSet) {
    byteCount = list.count * axes.rawValue * 2 * MemoryLayout<Double>.stride
    centerByteCount = list.count * 2 * MemoryLayout<Double>.stride
    let room = max(byteCount, centerByteCount)
    memory = .allocate(byteCount: room, alignment: 64)
    target = .allocate(byteCount: room, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 1, count: room)
    target.initializeMemory(as: UInt8.self, repeating: 0, count: room)
  }

  deinit {
    memory.deallocate()
    target.deallocate()
  }

  func rest() {}
  func shift(by shift: ScrollShift, along axis: Axis) {}

  func solve(steps: Int, timestep: Double) { for _ in 0..<steps { memcpy(target, memory, byteCount) } }

  func readCenters(into centers: CenterBuffer) { memcpy(centers, memory, centerByteCount) }
}
