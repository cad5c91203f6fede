import CSpringKernels
import Glibc

/// Anchored springs of length 0 in one direction, as parallel columns of doubles: displacement and velocity,
/// and further columns that a user of the array keeps beside them (the anchors, say).
///
/// The columns are a window that can grow and shrink at both ends without touching what lies between, so
/// that a list's active range slides in time proportional to what enters and leaves. Memory is asked for
/// only when the window outgrows it.
///
/// Springs that have come to rest are skipped, by chunks.
struct SpringArray: ~Copyable {
  /// Springs a chunk: two columns of it fill half of a first-level cache, and one call's overhead is lost
  /// in its work.
  static let chunkSize = 1024
  private static let headroom = 8

  private let columnCount: Int
  private var memory: UnsafeMutablePointer<Double>
  /// Springs that the memory holds a column.
  private(set) var capacity: Int
  /// Index of the window's first spring in each column.
  private var start: Int
  private(set) var count = 0
  /// A chunk's largest |displacement| after the last step; `resting` for a chunk that the step may skip.
  private var chunkMaxima: [Double] = []
  private static let resting = -1.0
  /// No spring is displaced by more, points.
  private(set) var maximumDisplacement = 0.0
  private(set) var isResting = true

  /// - Parameter extraColumns: Columns beside displacement and velocity.
  init(extraColumns: Int = 0) {
    columnCount = 2 + extraColumns
    guard let empty = malloc(1) else { preconditionFailure("no memory for an empty spring array") }
    memory = empty.assumingMemoryBound(to: Double.self)
    capacity = 0
    start = 0
  }

  deinit { free(memory) }

  /// Displacement from the anchor, points, `count` of them.
  var displacement: UnsafeMutablePointer<Double> { column(0) }
  /// Points per second, `count` of them.
  var velocity: UnsafeMutablePointer<Double> { column(1) }
  /// The first spring of the user's own column `index`.
  func extra(_ index: Int) -> UnsafeMutablePointer<Double> { column(2 + index) }

  private func column(_ index: Int) -> UnsafeMutablePointer<Double> { memory + (index * capacity + start) }
}

// MARK: - Growing and shrinking

extension SpringArray {
  /// Makes room for so many springs in all, so that growing to that number allocates nothing.
  mutating func reserve(_ needed: Int) throws(DynamicsError) {
    if needed > capacity { try move(toCapacity: needed, start: 0) }
    chunkMaxima.reserveCapacity((needed + Self.chunkSize - 1) / Self.chunkSize)
  }

  /// Adds springs at rest behind the last; the user's columns there hold nothing yet.
  mutating func append(_ added: Int) throws(DynamicsError) {
    if start + count + added > capacity { try makeRoom(before: 0, after: added) }
    (displacement + count).update(repeating: 0, count: added)
    (velocity + count).update(repeating: 0, count: added)
    count += added
    chunksChanged()
  }

  /// Adds springs at rest before the first; the user's columns there hold nothing yet.
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

  /// Removes one spring; the last takes its place.
  mutating func swapRemove(at position: Int) {
    precondition(position < count, "spring \(position) of \(count)")
    for index in 0..<columnCount {
      column(index)[position] = column(index)[count - 1]
    }
    removeLast(1)
  }

  /// Centres the window in the memory, or in twice as much where less than half of it would stay free: what
  /// a slide of the window costs is then a constant a spring.
  private mutating func makeRoom(before: Int, after: Int) throws(DynamicsError) {
    let needed = before + count + after
    let (doubled, overflow) = (needed + Self.headroom).multipliedReportingOverflow(by: 2)
    guard !overflow else { throw .outOfMemory(bytes: .max) }
    let newCapacity = doubled <= capacity ? capacity : doubled
    try move(toCapacity: newCapacity, start: (newCapacity - needed) / 2 + before)
  }

  private mutating func move(toCapacity wanted: Int, start newStart: Int) throws(DynamicsError) {
    // Columns a multiple of a page apart would compete for the same cache sets.
    let newCapacity = wanted > capacity && wanted % 512 == 0 ? wanted + Self.headroom : wanted
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

  private static func allocate(
    columns: Int, capacity: Int
  ) throws(DynamicsError) -> UnsafeMutablePointer<Double> {
    let (slots, slotOverflow) = columns.multipliedReportingOverflow(by: capacity)
    let (bytes, byteOverflow) = slots.multipliedReportingOverflow(by: MemoryLayout<Double>.stride)
    // The C call, because Swift's own traps where memory is refused.
    guard !slotOverflow, !byteOverflow, let memory = malloc(bytes) else {
      throw .outOfMemory(bytes: byteOverflow || slotOverflow ? .max : bytes)
    }
    return memory.bindMemory(to: Double.self, capacity: slots)
  }
}

// MARK: - Moving

extension SpringArray {
  /// Advances all springs that move.
  ///
  /// A chunk falls asleep, and its springs onto their anchors, once none of them is displaced by more than
  /// the tolerance (points) nor has energy left to be: |v| ≤ tolerance·ω.
  /// - Returns: Springs evaluated.
  mutating func step(
    _ transition: SpringTransition, restTolerance: Double, angularFrequency: Double
  ) -> Int {
    guard !isResting else { return 0 }
    var evaluated = 0
    var largest = 0.0
    var moves = false
    let displacement = displacement
    let velocity = velocity
    for chunk in chunkMaxima.indices where chunkMaxima[chunk] != Self.resting {
      let first = chunk * Self.chunkSize
      let length = min(Self.chunkSize, count - first)
      let maximum = spring_step(
        displacement + first, velocity + first, length, transition.m00, transition.m01, transition.m10,
        transition.m11)
      evaluated += length
      if maximum <= restTolerance,
        spring_maximum(velocity + first, length) <= restTolerance * angularFrequency
      {
        (displacement + first).update(repeating: 0, count: length)
        (velocity + first).update(repeating: 0, count: length)
        chunkMaxima[chunk] = Self.resting
      } else {
        chunkMaxima[chunk] = maximum
        largest = max(largest, maximum)
        moves = true
      }
    }
    maximumDisplacement = largest
    isResting = !moves
    return evaluated
  }

  /// Tells that all springs may move, by up to so many points more than after the last step.
  mutating func wake(displacedBy distance: Double) {
    for chunk in chunkMaxima.indices where chunkMaxima[chunk] == Self.resting { chunkMaxima[chunk] = 0 }
    maximumDisplacement += distance
    isResting = count == 0
  }

  /// Puts one spring at a displacement from its anchor, points; its velocity stays.
  mutating func displace(at position: Int, to distance: Double) {
    precondition(position < count, "spring \(position) of \(count)")
    displacement[position] = distance
    wake(at: position, displacement: abs(distance))
  }

  /// Tells that one spring may move, and is displaced by so many points.
  mutating func wake(at position: Int, displacement: Double) {
    let chunk = position / Self.chunkSize
    chunkMaxima[chunk] = max(chunkMaxima[chunk], 0)
    maximumDisplacement = max(maximumDisplacement, displacement)
    isResting = false
  }

  /// Chunks are counted from the window's start, so after a slide none of them is known to rest.
  private mutating func chunksChanged() {
    let chunkCount = (count + Self.chunkSize - 1) / Self.chunkSize
    if chunkMaxima.count > chunkCount {
      chunkMaxima.removeLast(chunkMaxima.count - chunkCount)
    }
    while chunkMaxima.count < chunkCount { chunkMaxima.append(0) }
    if !isResting {
      for chunk in chunkMaxima.indices { chunkMaxima[chunk] = max(chunkMaxima[chunk], 0) }
    }
    if count == 0 { isResting = true }
  }
}
