import Glibc

/// One number per frame. Its pages come zeroed from the system and are first touched by the frame that
/// writes them, so unused room costs nothing.
struct Column {
  private let base: UnsafeMutablePointer<UInt64>

  init(_ frameCount: Int) {
    guard let memory = calloc(max(frameCount, 1), MemoryLayout<UInt64>.stride) else {
      preconditionFailure("no memory to record \(frameCount) frames")
    }
    base = memory.bindMemory(to: UInt64.self, capacity: max(frameCount, 1))
  }

  func deallocate() { free(base) }

  subscript(frame: Int) -> UInt64 {
    get { base[frame] }
    nonmutating set { base[frame] = newValue }
  }

  func values(_ count: Int) -> [UInt64] { Array(UnsafeBufferPointer(start: base, count: count)) }
}

/// Columns for phases, or for counters.
struct Table {
  private let frameCount: Int
  private let cells: Column

  init(_ frameCount: Int, columnCount: Int = FrameState.capacity) {
    self.frameCount = frameCount
    cells = Column(frameCount * columnCount)
  }

  func deallocate() { cells.deallocate() }

  subscript(column: Int, frame: Int) -> UInt64 {
    get { cells[column * frameCount + frame] }
    nonmutating set { cells[column * frameCount + frame] = newValue }
  }

  func column(_ index: Int, _ count: Int) -> [UInt64] { (0..<count).map { self[index, $0] } }

  func series(_ index: Int, _ count: Int) -> CountSeries {
    CountSeries(column(index, count).lazy.map { Int(truncatingIfNeeded: $0) })
  }
}
