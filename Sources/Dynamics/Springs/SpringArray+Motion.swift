import CSpringKernels
import Glibc

extension SpringArray {
  /// Bounds on the springs of a chunk that need no look at them.
  ///
  /// The amplitude of a spring, √(d² + (v/ω)²), never grows by itself. So a chunk that was measured once
  /// can be stepped many times before one of its springs could be at rest, and before it has to be measured
  /// again.
  struct Chunk {
    var isResting = false
    /// At least one spring has this amplitude, points.
    var floor = 0.0
    /// No spring is displaced by more, points.
    var bound = 0.0
    /// No spring has a larger amplitude, points; nil if unknown.
    var ceiling: Double?

    /// Whether the bounds hold for a moving spring with this displacement, points.
    func knows(_ displacement: Double) -> Bool { !isResting && floor == 0 && ceiling == nil && displacement <= bound }
  }
}

extension SpringArray {
  /// Advances all springs that move.
  ///
  /// A chunk falls asleep, and its springs onto their anchors, once none of them is displaced by more than
  /// the tolerance (points) nor has enough energy for it: |v| ≤ tolerance·ω. But first no spring must have
  /// been displaced for the time in which a motion fades to 1/e: otherwise shifts smaller than the
  /// tolerance would be lost one by one, though together they are not small.
  /// - Parameters:
  ///   - parameters: Parameters of all springs.
  ///   - duration: Duration of the transition, seconds.
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

  /// Puts one spring at a displacement from its anchor, points; its velocity stays. No bound is known for its
  /// chunk until the next step.
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
