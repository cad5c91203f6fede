import Glibc

/// Anchored springs of length 0 in one direction, as parallel columns of doubles: displacement and
/// velocity, and further columns for the caller (such as anchors).
///
/// The columns are a window that can grow and shrink at both ends without touching the springs in between,
/// so that a list's active range slides in time proportional to the springs that enter and leave. Memory is
/// requested only when the window outgrows it.
///
/// Springs that have come to rest are skipped, by chunks.
struct SpringArray: ~Copyable {
  /// Springs per chunk: its two columns fill half of a first-level cache, and the overhead of a call is
  /// negligible compared with its work.
  static let chunkSize = 1024
  /// Doubles in a cache line. Columns begin at one: a vector of 512 bits across two lines costs half as
  /// much again.
  private static let lineSize = 8

  private let columnCount: Int
  private var memory: UnsafeMutablePointer<Double>
  /// Number of springs that the memory of a column holds.
  private(set) var capacity: Int
  /// Index of the window's first spring in each column.
  private var start: Int
  private(set) var count = 0
  var chunks: [Chunk] = []
  /// An upper bound for the displacement of any spring, points.
  var displacementBound = 0.0
  var isResting = true
  /// The chunk of the last springs that were displaced one by one since the last step; -1: none.
  var wokenChunk = -1
  /// Seconds since a spring was displaced last.
  var quietTime = 0.0

  /// - Parameter extraColumns: Columns in addition to displacement and velocity.
  init(extraColumns: Int = 0) {
    columnCount = 2 + extraColumns
    guard let empty = malloc(1) else { preconditionFailure("no memory for an empty spring array") }
    memory = empty.assumingMemoryBound(to: Double.self)
    capacity = 0
    start = 0
  }

  deinit { free(memory) }

  /// Displacement from the anchor, points, `count` of them. After writing here, or to the velocity, call
  /// `wake`.
  var displacement: UnsafeMutablePointer<Double> { column(0) }
  /// Points per second, `count` of them.
  var velocity: UnsafeMutablePointer<Double> { column(1) }
  /// The first spring of the caller's column `index`.
  func extra(_ index: Int) -> UnsafeMutablePointer<Double> { column(2 + index) }

  private func column(_ index: Int) -> UnsafeMutablePointer<Double> { memory + (index &* capacity &+ start) }
}

// MARK: - Growing and shrinking

extension SpringArray {
  /// Makes room for this many springs in all, so that growing to that number allocates nothing.
  mutating func reserve(_ needed: Int) throws(DynamicsError) {
    if needed > capacity { try move(toCapacity: needed, start: 0) }
    chunks.reserveCapacity((needed + Self.chunkSize - 1) / Self.chunkSize)
  }

  /// Appends springs at rest; the caller's columns are uninitialized there.
  mutating func append(_ added: Int) throws(DynamicsError) {
    if start + count + added > capacity { try makeRoom(before: 0, after: added) }
    (displacement + count).update(repeating: 0, count: added)
    (velocity + count).update(repeating: 0, count: added)
    count += added
    chunksChanged()
  }

  /// Prepends springs at rest; the caller's columns are uninitialized there.
  mutating func prepend(_ added: Int) throws(DynamicsError) {
    if start < added { try makeRoom(before: added, after: 0) }
    start -= added
    count += added
    displacement.update(repeating: 0, count: added)
    velocity.update(repeating: 0, count: added)
    chunksChanged()
  }

  mutating func removeFirst(_ removed: Int) {
    precondition(removed <= count, "\(removed) of \(count) springs cannot be removed")
    start += removed
    count -= removed
    chunksChanged()
  }

  mutating func removeLast(_ removed: Int) {
    precondition(removed <= count, "\(removed) of \(count) springs cannot be removed")
    count -= removed
    chunksChanged()
  }

  /// Empties the array; its memory stays.
  mutating func removeAll() {
    (start, count, displacementBound) = (0, 0, 0)
    chunksChanged()
  }

  /// Removes one spring; the last takes its place.
  mutating func swapRemove(at position: Int) {
    precondition(position < count, "spring \(position) of \(count)")
    for index in 0..<columnCount { column(index)[position] = column(index)[count - 1] }
    removeLast(1)
  }

  /// Centres the window in the memory, or in twice as much if less than half of it would stay free: then a
  /// slide of the window has a constant cost per spring.
  private mutating func makeRoom(before: Int, after: Int) throws(DynamicsError) {
    let needed = before + count + after
    let (doubled, overflow) = (needed + Self.lineSize).multipliedReportingOverflow(by: 2)
    guard !overflow else { throw .outOfMemory(bytes: .max) }
    let newCapacity = doubled <= capacity ? capacity : doubled
    let margin = (newCapacity - needed) / 2
    try move(toCapacity: newCapacity, start: margin - margin % Self.lineSize + before)
  }

  private mutating func move(toCapacity wanted: Int, start newStart: Int) throws(DynamicsError) {
    var newCapacity = wanted
    if wanted > capacity {
      guard wanted <= .max - 2 * Self.lineSize else { throw .outOfMemory(bytes: .max) }
      newCapacity += (Self.lineSize - wanted % Self.lineSize) % Self.lineSize
      // Columns a multiple of a page apart would compete for the same cache sets.
      if newCapacity % 512 == 0 { newCapacity += Self.lineSize }
    }
    if newCapacity == capacity {
      for index in 0..<columnCount {
        (memory + (index * capacity + newStart)).update(from: column(index), count: count)
      }
      start = newStart
      return
    }
    let replacement = try Self.allocate(columns: columnCount, capacity: newCapacity)
    for index in 0..<columnCount {
      (replacement + (index * newCapacity + newStart)).initialize(from: column(index), count: count)
    }
    free(memory)
    memory = replacement
    capacity = newCapacity
    start = newStart
  }

  private static func allocate(columns: Int, capacity: Int) throws(DynamicsError) -> UnsafeMutablePointer<Double> {
    let (slots, slotOverflow) = columns.multipliedReportingOverflow(by: capacity)
    let (bytes, byteOverflow) = slots.multipliedReportingOverflow(by: MemoryLayout<Double>.stride)
    // The C call, because Swift's own traps if memory is refused.
    let line = lineSize * MemoryLayout<Double>.stride
    guard !slotOverflow, !byteOverflow, let memory = aligned_alloc(line, bytes) else {
      throw .outOfMemory(bytes: byteOverflow || slotOverflow ? .max : bytes)
    }
    return memory.bindMemory(to: Double.self, capacity: slots)
  }
}
