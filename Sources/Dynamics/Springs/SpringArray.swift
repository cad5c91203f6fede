import CSpringKernels
import Glibc

/// Anchored springs of length 0 in one direction, as parallel columns of doubles: displacement and velocity, and
/// further columns for the caller (such as anchors). Springs that have come to rest are skipped, by chunks.
///
/// The columns are a window that grows and shrinks at both ends without touching the springs in between: a list's range
/// slides in time proportional to the springs that enter and leave.
struct SpringArray: ~Copyable {
  /// Two columns fill half of a first-level cache, and the overhead of a call is negligible compared with its work.
  static let chunkSize = 1024
  /// Doubles in a cache line. Columns begin at one: a vector of 512 bits across two lines costs half as much again.
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

  /// Displacement from the anchor, points, `count` of them. After writing here, or to the velocity, call `wake`.
  var displacement: UnsafeMutablePointer<Double> { column(0) }
  /// Points per second, `count` of them.
  var velocity: UnsafeMutablePointer<Double> { column(1) }
  /// The first spring of the caller's column `index`.
  func extra(_ index: Int) -> UnsafeMutablePointer<Double> { column(2 + index) }
  private func column(_ index: Int) -> UnsafeMutablePointer<Double> { memory + (index &* capacity &+ start) }

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

  /// Centres the window in the memory, or in twice as much if less than half of it would stay free: then a slide of the
  /// window has a constant cost per spring.
  private mutating func makeRoom(before: Int, after: Int) throws(DynamicsError) {
    let needed = before + count + after
    guard needed < .max / 4 else { throw .outOfMemory(bytes: .max) }
    let newCapacity = max(capacity, 2 * (needed + Self.lineSize))
    let margin = (newCapacity - needed) / 2
    try move(toCapacity: newCapacity, start: margin - margin % Self.lineSize + before)
  }

  private mutating func move(toCapacity wanted: Int, start newStart: Int) throws(DynamicsError) {
    var newCapacity = wanted
    if wanted > capacity {
      guard wanted < .max / (16 * columnCount) else { throw .outOfMemory(bytes: .max) }
      newCapacity += (Self.lineSize - wanted % Self.lineSize) % Self.lineSize
      // Columns a multiple of a page apart would compete for the same cache sets.
      if newCapacity % 512 == 0 { newCapacity += Self.lineSize }
    }
    var target = memory
    if newCapacity != capacity {
      // The C call is used because Swift's own traps if memory is refused.
      let (slots, size) = (columnCount * newCapacity, MemoryLayout<Double>.stride)
      guard let larger = aligned_alloc(Self.lineSize * size, slots * size) else {
        throw .outOfMemory(bytes: slots * size)
      }
      target = larger.bindMemory(to: Double.self, capacity: slots)
    }
    for index in 0..<columnCount {
      (target + (index * newCapacity + newStart)).update(from: column(index), count: count)
    }
    if target != memory { free(memory) }
    (memory, capacity, start) = (target, newCapacity, newStart)
  }

  /// Bounds on the springs of a chunk that hold without looking at them: the amplitude of a spring, √(d² + (v/ω)²),
  /// never grows by itself, so a chunk that was measured once can be stepped many times before one of its springs could
  /// be at rest.
  struct Chunk {
    var isResting = false
    /// At least one spring has this amplitude, points.
    var floor = 0.0
    /// No spring is displaced by more than this, points.
    var bound = 0.0
    /// No spring has a larger amplitude, points; nil if unknown.
    var ceiling: Double?

    /// Whether the bounds hold for a moving spring with this displacement, points.
    func knows(_ displacement: Double) -> Bool { !isResting && floor == 0 && ceiling == nil && displacement <= bound }
  }

  /// Advances all springs that move.
  ///
  /// A chunk falls asleep, and its springs onto their anchors, once none of them is displaced by more than the
  /// tolerance (points) or has enough energy to be: |v| ≤ tolerance·ω. It does so only after no spring has been
  /// displaced for as long as a motion takes to fade to 1/e: otherwise shifts smaller than the tolerance would be lost
  /// one by one, though together they are not small.
  /// - Parameter duration: The time that the transition takes, seconds.
  /// - Returns: Springs evaluated.
  mutating func step(
    _ transition: SpringTransition, _ parameters: SpringParameters, duration: Double, restTolerance: Double
  ) -> Int {
    guard !isResting else { return 0 }
    wokenChunk = -1
    quietTime += duration
    var evaluated = 0
    var largest = 0.0
    var moves = false
    // Adjacent chunks with moving springs; one call steps all of them.
    var moving = 0..<0
    let contraction = transition.leastContraction
    // A resting spring's amplitude is at most √2 tolerances. The rest is for rounding.
    let wakeful = max(2 * restTolerance, Double.leastNormalMagnitude * 1e3)
    for index in chunks.indices where !chunks[index].isResting {
      let first = index * Self.chunkSize
      let length = min(Self.chunkSize, count - first)
      evaluated += length
      let floor = chunks[index].floor * contraction
      if floor > wakeful {
        raiseBound(index, first, length, parameters.angularFrequency)
        chunks[index].floor = floor
        if first != moving.upperBound {
          advance(moving, transition)
          moving = first..<first
        }
        moving = moving.lowerBound..<first + length
      } else {
        measure(index, first, length, transition, parameters, restTolerance)
      }
      largest = max(largest, chunks[index].bound)
      moves = moves || !chunks[index].isResting
    }
    advance(moving, transition)
    displacementBound = largest
    isResting = !moves
    return evaluated
  }

  /// Loosens a chunk's bound so that it also holds after a step, whatever the phase of its springs.
  private mutating func raiseBound(_ index: Int, _ first: Int, _ length: Int, _ angularFrequency: Double) {
    let known = chunks[index].ceiling
    let ceiling = known ?? hypot(chunks[index].bound, spring_maximum(velocity + first, length) / angularFrequency)
    // More than a step can add by rounding.
    chunks[index].ceiling = ceiling * (1 + 1e-12)
    chunks[index].bound = ceiling * (1 + 1e-12)
  }

  private mutating func advance(_ springs: Range<Int>, _ transition: SpringTransition) {
    guard !springs.isEmpty else { return }
    spring_advance(
      displacement + springs.lowerBound, velocity + springs.lowerBound, springs.count, transition.m00, transition.m01,
      transition.m10, transition.m11)
  }

  /// Steps a chunk, and puts it to rest if all of its springs are.
  private mutating func measure(
    _ index: Int, _ first: Int, _ length: Int, _ transition: SpringTransition, _ parameters: SpringParameters,
    _ restTolerance: Double
  ) {
    let (displacement, velocity) = (displacement + first, velocity + first)
    let maximum = spring_step(
      displacement, velocity, length, transition.m00, transition.m01, transition.m10, transition.m11)
    // Springs that are exactly at rest need not wait.
    let tolerance = quietTime * parameters.decayRate >= 1 ? restTolerance : 0
    if maximum <= tolerance, spring_maximum(velocity, length) <= tolerance * parameters.angularFrequency {
      displacement.update(repeating: 0, count: length)
      velocity.update(repeating: 0, count: length)
      chunks[index] = Chunk(isResting: true, ceiling: 0)
    } else {
      chunks[index] = Chunk(floor: maximum, bound: maximum)
    }
  }

  /// The largest |displacement|, points.
  /// - Complexity: O(springs).
  func maximumDisplacement() -> Double { spring_maximum(displacement, count) }

  /// Notes that all springs were displaced by up to this many points.
  mutating func wake(displacedBy distance: Double) {
    quietTime = 0
    for index in chunks.indices {
      chunks[index].isResting = false
      chunks[index].floor = max(0, chunks[index].floor - distance)
      chunks[index].bound += distance
      chunks[index].ceiling = chunks[index].ceiling.map { $0 + distance }
    }
    displacementBound += distance
    isResting = count == 0
  }

  /// Puts one spring at a displacement from its anchor, points; its velocity stays.
  @inline(__always) mutating func displace(at position: Int, to distance: Double) {
    precondition(position < count, "spring \(position) of \(count)")
    displacement[position] = distance
    // If many items are moved one by one, the bounds mostly hold already.
    guard isResting || !chunks[position / Self.chunkSize].knows(abs(distance)) else { return }
    wake(at: position, displacement: abs(distance))
  }

  /// Gives a spring at rest on its anchor a displacement, points, and a velocity, points per second.
  mutating func place(_ position: Int, _ motion: (displacement: Double, velocity: Double)) {
    guard motion.displacement != 0 || motion.velocity != 0 else { return }
    velocity[position] = motion.velocity
    displace(at: position, to: motion.displacement)
  }

  /// Puts one spring at a displacement from its anchor, points; its velocity stays. No bound is known for its chunk
  /// until the next step.
  @inline(__always) mutating func displaceUnmeasured(at position: Int, to distance: Double) {
    displacement[position] = distance
    if position / Self.chunkSize != wokenChunk { wakeUnmeasured(at: position) }
  }

  @inline(never) private mutating func wakeUnmeasured(at position: Int) {
    precondition(position < count, "spring \(position) of \(count)")
    wake(at: position, displacement: .infinity)
    wokenChunk = position / Self.chunkSize
  }

  /// Notes that one spring may move, and is displaced by this many points.
  mutating func wake(at position: Int, displacement: Double) {
    quietTime = 0
    let index = position / Self.chunkSize
    chunks[index] = Chunk(bound: max(chunks[index].bound, displacement))
    displacementBound = max(displacementBound, displacement)
    isResting = false
  }

  /// Chunks are counted from the window's start, so after a slide nothing is known about any of them.
  mutating func chunksChanged() {
    wokenChunk = -1
    let chunkCount = (count + Self.chunkSize - 1) / Self.chunkSize
    if chunks.count > chunkCount { chunks.removeLast(chunks.count - chunkCount) }
    while chunks.count < chunkCount { chunks.append(Chunk()) }
    if !isResting { for index in chunks.indices { chunks[index] = Chunk(bound: displacementBound) } }
    if count == 0 { isResting = true }
  }
}
