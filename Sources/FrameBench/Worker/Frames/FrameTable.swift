import Glibc

/// A table of numbers with a row for each frame and one or several columns. Its memory pages come zeroed from the
/// system and use no physical memory until they are written.
struct FrameTable: ~Copyable {
  let frameCount: Int
  private let cells: UnsafeMutablePointer<UInt64>

  init(_ frameCount: Int, columnCount: Int = 1) {
    let count = max(frameCount * columnCount, 1)
    guard let memory = calloc(count, MemoryLayout<UInt64>.stride) else {
      preconditionFailure("no memory to record \(frameCount) frames")
    }
    self.frameCount = frameCount
    cells = memory.bindMemory(to: UInt64.self, capacity: count)
  }

  deinit { free(cells) }

  subscript(frame: Int, column: Int = 0) -> UInt64 {
    get { cells[column * frameCount + frame] }
    nonmutating set { cells[column * frameCount + frame] = newValue }
  }

  func values(column: Int = 0) -> [UInt64] { (0..<frameCount).map { self[$0, column] } }

  func series(column: Int) -> CountSeries {
    CountSeries(values(column: column).lazy.map { Int(truncatingIfNeeded: $0) })
  }
}
