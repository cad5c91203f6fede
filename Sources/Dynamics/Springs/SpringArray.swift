import CSpringKernels
import Glibc

/// Anchored springs of length 0 that move along one axis. They are stored as parallel columns of doubles: displacement,
/// velocity, and further columns for the caller, such as anchors. Steps skip chunks that have come to rest.
///
/// The springs occupy a window of each column's memory. The window grows and shrinks at both ends without touching the
/// springs in between, so the cost of sliding it along a list depends only on the springs that enter and leave.
struct SpringArray: ~Copyable {
  /// The number of springs in a chunk. A chunk's displacements and velocities fill half of a first-level cache, and the
  /// work of a step outweighs the overhead of a call.
  static let chunkSize = 1024
  /// The number of doubles in a cache line. Columns begin at a cache line, because reading 512 bits across two lines
  /// costs 50% more.
  private static let lineSize = 8
  /// The largest number of springs that a shift moves all at once, without leaving some to the next step. For so few
  /// springs, a search for those near the touch would take longer.
  private static let fewSprings = 256

  private let columnCount: Int
  private var memory: UnsafeMutablePointer<Double>
  /// The number of springs that fit into the memory of a column.
  private(set) var capacity: Int
  /// The index of the window's first spring in each column.
  private var start: Int
  private(set) var count = 0
  var chunks = Buffer<Chunk>()
  /// An upper bound for the displacement of any spring, points.
  var displacementBound = 0.0
  var isResting = true
  /// The index of the last chunk that `displaceUnmeasured` has woken since the last step, or -1 if there is none.
  var wokenChunk = -1
  /// Seconds since a call other than `step` last displaced a spring.
  var quietTime = 0.0
  /// The distance by which the last shift still has to move the springs outside `near`, points. The next step moves
  /// them, because moving them separately would take as long as the step. `settle()` moves them at once.
  private var owedShift = 0.0
  /// An upper bound for the distance by which any spring was shifted since the last step, points.
  private var shiftedDistance = 0.0
  /// The range of the springs that the last shift has already moved.
  private var near = 0..<0

  /// - Parameter extraColumns: The number of columns in addition to displacement and velocity.
  init(extraColumns: Int = 0) {
    columnCount = 2 + extraColumns
    guard let empty = malloc(1) else { preconditionFailure("no memory for an empty spring array") }
    memory = empty.assumingMemoryBound(to: Double.self)
    capacity = 0
    start = 0
  }

  deinit { free(memory) }

  /// The displacements from the anchors, `count` values in points. They may lack the last shift until `settle()` is
  /// called. After writing displacements or velocities, call `wake`.
  var displacement: UnsafeMutablePointer<Double> { column(0) }
  /// The velocities, `count` values in points per second.
  var velocity: UnsafeMutablePointer<Double> { column(1) }
  /// Returns the values of the caller's column `index`, one for each spring.
  func extra(_ index: Int) -> UnsafeMutablePointer<Double> { column(2 + index) }
  private func column(_ index: Int) -> UnsafeMutablePointer<Double> { memory + (index &* capacity &+ start) }

  /// Makes room for this many springs in total, so growing to that number allocates nothing.
  mutating func reserve(_ needed: Int) throws(DynamicsError) {
    if needed > capacity { try move(toCapacity: needed, start: 0) }
    chunks.reserve((needed + Self.chunkSize - 1) / Self.chunkSize)
  }

  /// Appends springs at rest. The caller's columns are uninitialized for these springs.
  mutating func append(_ added: Int) throws(DynamicsError) {
    if start + count + added > capacity { try makeRoom(before: 0, after: added) }
    (displacement + count).update(repeating: 0, count: added)
    (velocity + count).update(repeating: 0, count: added)
    count += added
    chunksChanged()
  }

  /// Prepends springs at rest. The caller's columns are uninitialized for these springs.
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
    guard removed > 0 else { return }
    start += removed
    count -= removed
    chunksChanged()
  }

  mutating func removeLast(_ removed: Int) {
    precondition(removed <= count, "\(removed) of \(count) springs cannot be removed")
    guard removed > 0 else { return }
    count -= removed
    chunksChanged()
  }

  /// Removes all springs, but keeps the memory.
  mutating func removeAll() {
    (start, count, displacementBound) = (0, 0, 0)
    chunksChanged()
  }

  /// Removes one spring. The last spring moves to its position.
  mutating func swapRemove(at position: Int) {
    precondition(position < count, "spring \(position) of \(count)")
    for index in 0..<columnCount { column(index)[position] = column(index)[count - 1] }
    removeLast(1)
  }

  /// Centers the window in the memory. If less than half would stay free, first allocates memory of twice the needed
  /// size. This gives sliding the window a constant cost per spring.
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
      // Columns whose distance is a multiple of a page would compete for the same cache sets.
      if newCapacity % 512 == 0 { newCapacity += Self.lineSize }
    }
    var target = memory
    if newCapacity != capacity {
      // Calls C, because Swift's own allocation traps if memory is refused.
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

  /// Bounds on the springs of a chunk, which is `chunkSize` consecutive springs. The amplitude of a spring never grows
  /// by itself, so a chunk can be stepped many times before its springs must be checked for rest.
  struct Chunk: BitwiseCopyable {
    var isResting = false
    /// At least one spring has this amplitude (in points) or a larger one.
    var floor = 0.0
    /// No spring is displaced by more points than this.
    var bound = 0.0
    /// No spring has a larger amplitude than this, in points. `SpringTransition.Envelope` defines the amplitude. Nil if
    /// unknown.
    var ceiling: Double?

    /// Returns whether the bounds of a moving chunk stay valid if one of its springs gets this displacement, in points.
    func knows(_ displacement: Double) -> Bool { !isResting && floor == 0 && ceiling == nil && displacement <= bound }
  }

  /// Advances all springs that move.
  ///
  /// A chunk comes to rest, and its springs move exactly onto their anchors, once all springs are displaced by at most
  /// the tolerance (points) and too slow to exceed it: |v| ≤ tolerance·ω. In addition, a motion must have had time to
  /// fade to 1/e since a spring was last displaced from outside. Otherwise shifts smaller than the tolerance would be
  /// lost one by one, although their sum is not small.
  /// - Parameter duration: The duration of the transition, seconds.
  /// - Returns: The number of springs evaluated.
  mutating func step(
    _ transition: SpringTransition, _ parameters: SpringParameters, duration: Double, restTolerance: Double
  ) -> Int {
    guard !isResting else { return 0 }
    defer { (owedShift, shiftedDistance) = (0, 0) }
    wokenChunk = -1
    quietTime += duration
    var evaluated = 0
    var largest = 0.0
    var moves = false
    // The springs of adjacent moving chunks. One call steps all of them.
    var moving = 0..<0
    let contraction = transition.leastContraction
    // While this is false, the tolerance is 0, so only springs without any motion come to rest.
    let mayRest = quietTime * parameters.decayRate >= 1
    // Springs come to rest with amplitudes of at most √2 tolerances. The factor is 2, to cover rounding errors.
    let wakeful = max(2 * restTolerance, Double.leastNormalMagnitude * 1e3)
    for index in 0..<chunks.count where !chunks[index].isResting {
      let first = index * Self.chunkSize
      let length = min(Self.chunkSize, count - first)
      evaluated += length
      let floor = chunks[index].floor * contraction
      // This is false if an update of the list has just placed springs. All of them may be at rest then, so the chunk
      // must be measured.
      let isKnown = chunks[index].bound < .infinity && (shiftedDistance > 0 || chunks[index].ceiling != nil)
      if floor > wakeful || !mayRest && isKnown && transition.envelope.decay < 1 {
        raiseBound(index, first, length, transition.envelope, parameters.angularFrequency)
        chunks[index].floor = floor
        if first != moving.upperBound {
          advance(moving, transition)
          moving = first..<first
        }
        moving = moving.lowerBound..<first + length
      } else {
        measure(index, first, length, transition, parameters.angularFrequency, mayRest ? restTolerance : 0)
      }
      largest = max(largest, chunks[index].bound)
      moves = moves || !chunks[index].isResting
    }
    advance(moving, transition)
    displacementBound = largest
    isResting = !moves
    return evaluated
  }

  /// Updates a chunk's bounds for a step that does not measure its displacements.
  private mutating func raiseBound(
    _ index: Int, _ first: Int, _ length: Int, _ envelope: SpringTransition.Envelope, _ angularFrequency: Double
  ) {
    let known = chunks[index].ceiling.map { $0 + envelope.stretch * shiftedDistance }
    let ceiling =
      known ?? envelope.stretch * (chunks[index].bound + spring_maximum(velocity + first, length) / angularFrequency)
    // The factor 1 + 1e-12 covers the rounding errors of a step.
    chunks[index].ceiling = ceiling * envelope.decay * (1 + 1e-12)
    chunks[index].bound = ceiling * envelope.decay * (1 + 1e-12)
  }

  private func advance(_ springs: Range<Int>, _ transition: SpringTransition) {
    forEachPart(of: springs) { part, shift in
      spring_advance(
        displacement + part.lowerBound, velocity + part.lowerBound, part.count, shift, transition.m00, transition.m01,
        transition.m10, transition.m11)
    }
  }

  /// Calls `body` for each part of a range, and passes the shift by which its springs must still be moved, points.
  @inline(__always) private func forEachPart(of springs: Range<Int>, _ body: (Range<Int>, _ shift: Double) -> Void) {
    guard owedShift != 0 else { return springs.isEmpty ? () : body(springs, 0) }
    let (before, near, behind) = (
      springs.clamped(to: 0..<near.lowerBound), springs.clamped(to: near), springs.clamped(to: near.upperBound..<count)
    )
    if !before.isEmpty { body(before, owedShift) }
    if !near.isEmpty { body(near, 0) }
    if !behind.isEmpty { body(behind, owedShift) }
  }

  /// Shifts all springs as a scroll does. The caller's first two columns must contain their anchors along the axis and
  /// across it.
  /// - Parameter ascends: Whether the springs are in the order of their anchors along the axis.
  mutating func shift(by shift: ScrollShift.Projected, anchorsAscend ascends: Bool) {
    settle()
    near = 0..<count
    if ascends, count > Self.fewSprings {
      // Springs further than this from the touch move by the whole delta. The factor covers rounding errors.
      let far = (1 + 1e-9) / shift.inverseResistance
      near = firstPosition(at: shift.touchMain - far)..<firstPosition(at: shift.touchMain + far)
      if near.count < count { owedShift = shift.delta }
    }
    spring_shift(
      displacement + near.lowerBound, extra(0) + near.lowerBound, extra(1) + near.lowerBound, near.count, shift.delta,
      shift.touchMain, shift.touchCross, shift.inverseResistance)
    wake(displacedBy: abs(shift.delta))
  }

  /// Applies the rest of the last shift, if no step has done so.
  @inline(__always) mutating func settle() { if owedShift != 0 { applyOwedShift() } }

  @inline(never) private mutating func applyOwedShift() {
    forEachPart(of: 0..<count) { part, shift in for position in part { displacement[position] += shift } }
    owedShift = 0
  }

  /// Returns the first position whose anchor along the axis is at least `limit` points, or `count` if there is none.
  /// - Precondition: The anchors ascend.
  private func firstPosition(at limit: Double) -> Int {
    var (low, high) = (0, count)
    let anchors = extra(0)
    let guess = (limit - anchors[0]) / (anchors[count - 1] - anchors[0]) * Double(count - 1)
    // If the anchors are evenly spaced, the guess is almost exact, and the search ends at once.
    if guess >= 1, guess < Double(count - 2) {
      if anchors[Int(guess) - 1] < limit { low = Int(guess) }
      if anchors[Int(guess) + 2] >= limit { high = Int(guess) + 2 }
    }
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Steps a chunk, and puts it to rest if all of its springs are at rest.
  private mutating func measure(
    _ index: Int, _ first: Int, _ length: Int, _ transition: SpringTransition, _ angularFrequency: Double,
    _ tolerance: Double
  ) {
    var maximum = 0.0
    forEachPart(of: first..<first + length) { part, shift in
      let largest = spring_step(
        displacement + part.lowerBound, velocity + part.lowerBound, part.count, shift, transition.m00, transition.m01,
        transition.m10, transition.m11)
      maximum = max(maximum, largest)
    }
    if maximum <= tolerance, spring_maximum(velocity + first, length) <= tolerance * angularFrequency {
      (displacement + first).update(repeating: 0, count: length)
      (velocity + first).update(repeating: 0, count: length)
      chunks[index] = Chunk(isResting: true, ceiling: 0)
    } else {
      chunks[index] = Chunk(floor: maximum, bound: maximum)
    }
  }

  /// Returns the largest magnitude of a displacement, points.
  /// - Complexity: O(springs).
  func maximumDisplacement() -> Double { spring_maximum(displacement, count) }

  /// Updates the bounds after all springs were displaced by up to this many points.
  mutating func wake(displacedBy distance: Double) {
    quietTime = 0
    for index in 0..<chunks.count {
      chunks[index].isResting = false
      chunks[index].floor = max(0, chunks[index].floor - distance)
      chunks[index].bound += distance
    }
    shiftedDistance += distance
    displacementBound += distance
    isResting = count == 0
  }

  /// Sets the displacement of one spring from its anchor, points. Its velocity stays the same.
  @inline(__always) mutating func displace(at position: Int, to distance: Double) {
    precondition(position < count, "spring \(position) of \(count)")
    displacement[position] = distance
    // When many items are moved one after the other, the chunk's bounds usually stay valid.
    guard isResting || !chunks[position / Self.chunkSize].knows(abs(distance)) else { return }
    wake(at: position, displacement: abs(distance))
  }

  /// Displaces a spring that rests on its anchor, and sets its velocity, in points and points per second.
  mutating func place(_ position: Int, _ motion: (displacement: Double, velocity: Double)) {
    guard motion.displacement != 0 || motion.velocity != 0 else { return }
    velocity[position] = motion.velocity
    displace(at: position, to: motion.displacement)
  }

  /// Sets the displacement of one spring from its anchor, points. Its velocity stays the same. Makes the bound of the
  /// chunk infinite until the next step, so displacing further springs of the chunk is cheap.
  @inline(__always) mutating func displaceUnmeasured(at position: Int, to distance: Double) {
    displacement[position] = distance
    if position / Self.chunkSize != wokenChunk { wakeUnmeasured(at: position) }
  }

  @inline(never) private mutating func wakeUnmeasured(at position: Int) {
    precondition(position < count, "spring \(position) of \(count)")
    wake(at: position, displacement: .infinity)
    wokenChunk = position / Self.chunkSize
  }

  /// Wakes the chunk of a spring that was displaced by this many points and may have a velocity.
  mutating func wake(at position: Int, displacement: Double) {
    quietTime = 0
    let index = position / Self.chunkSize
    chunks[index] = Chunk(bound: max(chunks[index].bound, displacement))
    displacementBound = max(displacementBound, displacement)
    isResting = false
  }

  /// Adapts the chunks to the number of springs. Chunks are counted from the start of the window, so after the window
  /// slides, only the bound for all springs still holds for each chunk.
  mutating func chunksChanged() {
    assert(owedShift == 0, "a shift of \(owedShift) points would move other springs")
    wokenChunk = -1
    let chunkCount = (count + Self.chunkSize - 1) / Self.chunkSize
    if chunks.count > chunkCount { chunks.truncate(to: chunkCount) }
    while chunks.count < chunkCount { chunks.append(Chunk()) }
    if !isResting { for index in 0..<chunks.count { chunks[index] = Chunk(bound: displacementBound) } }
    if count == 0 { isResting = true }
  }
}
