import CSpringKernels
import Glibc

/// The recent scroll shifts, which determine the state of any item that was attached and at rest before
/// them.
///
/// Springs are linear: the state is the sum of the responses to the single shifts, each weighted with the
/// first column of Mᵏ, where M is the frame's transition and k the shift's age in steps. A shift is
/// forgotten once its rest cannot displace any spring; the number of steps depends only on the damping.
struct ShiftHistory: ~Copyable {
  private static let columns = 7

  let parameters: SpringParameters
  var weights: ShiftWeights { didSet { largestWeightBehind = weights.lasting(1).behind[0] } }
  /// The largest share of a displacement that a spring can show on the other side of its anchor.
  private(set) var largestWeightBehind: Double
  /// Delta, touch along and across, time, and three columns for weights of irregular steps; each of
  /// `columnLength`, of which the window from `start` on is live, oldest first.
  var memory: UnsafeMutablePointer<Double>
  var columnLength: Int
  var start = 0
  var count = 0
  /// Entries at the end of the window that came one per step, all of the weights' timestep.
  var regularCount = 0
  var now = 0.0
  var inverseResistance = 0.0
  /// The shift of the current step.
  var pending: ScrollShift.Projected?
  /// Moves of anchors, oldest first, one for each step with any.
  var moves: [Move] = []
  /// Whether there are moves; looking at the array costs more.
  var hasMoves = false
  /// Maximum displacement of a spring, now and later, towards larger coordinates and towards smaller ones,
  /// wherever its anchor is, points. It grows with every shift until it is tightened.
  var reach = (forward: 0.0, backward: 0.0)
  /// Number of entries ever made.
  var madeCount = 0
  /// Breakpoints of the shifts, for finding the springs at a place.
  var breakpoints = ShiftBreakpoints()
  /// The rest of each remembered shift at full displacement, points; the pending one comes last.
  var shiftSizes = Buffer<Double>()
  var anchorStretches = Buffer<SpringStretch>()
  /// The shifts that move springs in some stretch only partly, in five columns of `count`: deltas, touches
  /// along and across, weights of displacement and velocity; and the rest of all others.
  var gathered = Buffer<Double>()
  var gatheredCount = 0
  var gatheredWhole = (displacement: 0.0, velocity: 0.0)

  /// The effect of one step's moves of anchors on the items.
  struct Move {
    /// Entry of the step.
    var entry: Int
    /// Range of the items' displacements by this in general, points; 0 is among them.
    var displacements: ClosedRange<Double>
    /// The largest displacement of any item, points.
    var largest: Double
  }

  /// - Parameter timestep: Seconds. Steps of other lengths may follow, at a cost.
  init(_ parameters: SpringParameters, timestep: Double) throws(DynamicsError) {
    self.parameters = parameters
    weights = try ShiftWeights(parameters, timestep: timestep)
    largestWeightBehind = weights.lasting(1).behind[0]
    columnLength = 2 * weights.depth
    memory = .allocate(capacity: Self.columns * columnLength)
  }

  deinit { memory.deallocate() }

  /// Whether nothing is remembered: every item that was moved by shifts alone is at rest.
  var isEmpty: Bool { count == 0 && pending == nil && !hasMoves }

  var deltas: UnsafeMutablePointer<Double> { memory + start }
  var touchesMain: UnsafeMutablePointer<Double> { memory + (columnLength + start) }
  var touchesCross: UnsafeMutablePointer<Double> { memory + (2 * columnLength + start) }
  var times: UnsafeMutablePointer<Double> { memory + (3 * columnLength + start) }
  var irregularWeights: UnsafeMutablePointer<Double> { memory + 4 * columnLength }

  /// The weights of the live entries, oldest first.
  var liveWeights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    regularCount >= count
      ? weights.last(count) : (UnsafePointer(irregularWeights), UnsafePointer(irregularWeights + columnLength))
  }
}

// MARK: - Recording

extension ShiftHistory {
  /// Remembers a shift that was just applied.
  mutating func record(_ shift: ScrollShift.Projected) {
    if let earlier = pending { pushOutOfStep(earlier) }
    pending = shift
    widenReach(byPending: shift)
    inverseResistance = shift.inverseResistance
  }

  /// Advances time, and forgets negligible shifts.
  mutating func step(by timestep: Double) {
    guard !isEmpty else { return }
    if timestep != weights.timestep { change(timestep) }
    push(pending ?? ScrollShift.Projected(delta: 0, touchMain: 0, touchCross: 0, inverseResistance: 0))
    pending = nil
    if timestep != weights.timestep { regularCount = 0 }
    now += timestep
    forget()
    guard regularCount < count else { return }
    weighIrregularEntries()
    tightenReach()
  }

  /// Two shifts in a step break the rule of one entry a step, by which the weights are aligned.
  @inline(never) private mutating func pushOutOfStep(_ shift: ScrollShift.Projected) {
    push(shift)
    regularCount = 0
    weighIrregularEntries()
  }

  private mutating func push(_ shift: ScrollShift.Projected) {
    if start + count == columnLength { makeRoom(atLeast: 2 * count) }
    deltas[count] = shift.delta
    touchesMain[count] = shift.touchMain
    touchesCross[count] = shift.touchCross
    times[count] = now
    count += 1
    regularCount += 1
    madeCount += 1
  }

  /// Switches to the weights of another timestep; if it is too short for a table, each step weighs all
  /// entries again.
  private mutating func change(_ timestep: Double) {
    regularCount = 0
    guard let newWeights = try? ShiftWeights(parameters, timestep: timestep) else { return }
    weights = newWeights
    if columnLength < 2 * weights.depth { makeRoom(atLeast: 2 * weights.depth) }
  }

  /// Moves the live window to the front, or to larger memory if it fills more than half.
  private mutating func makeRoom(atLeast wanted: Int) {
    let newLength = max(wanted, columnLength)
    let target = newLength == columnLength ? memory : .allocate(capacity: Self.columns * newLength)
    for column in 0..<4 {
      memmove(
        target + column * newLength, memory + (column * columnLength + start), count * MemoryLayout<Double>.stride)
    }
    if target != memory { memory.deallocate() }
    (memory, columnLength, start) = (target, newLength, 0)
  }

  private mutating func forget() {
    while count > 0, weights.isForgettable(deltas[0], age: ageOfOldest) {
      if hasMoves, !forgetMove(ofEntry: madeCount - count, age: ageOfOldest) { break }
      start += 1
      count -= 1
    }
    regularCount = min(regularCount, count)
    guard count == 0 else { return }
    (start, now) = (0, 0)
    tightenReach()
  }

  /// In steps of this length, rounded down: a shift is then forgotten no earlier.
  private var ageOfOldest: Int { regularCount >= count ? count : Int((now - times[0]) / weights.timestep) }

  /// - Returns: Whether no move of the entry has to be remembered.
  @inline(never) private mutating func forgetMove(ofEntry entry: Int, age: Int) -> Bool {
    guard let oldest = moves.first, oldest.entry == entry else { return true }
    guard weights.isForgettable(oldest.largest, age: age) else { return false }
    moves.removeFirst()
    hasMoves = !moves.isEmpty
    return true
  }

  private func weighIrregularEntries() {
    for index in 0..<count {
      let transition = SpringTransition(parameters, duration: now - times[index])
      irregularWeights[index] = transition.m00
      irregularWeights[columnLength + index] = transition.m10
      irregularWeights[2 * columnLength + index] = weights.largestLaterWeight(transition)
    }
  }
}

// MARK: - Moves of anchors

extension ShiftHistory {
  /// The number of the entry that the next step makes.
  var nextEntry: Int { madeCount }

  /// Whether the entry is forgotten.
  func hasForgotten(entry: Int) -> Bool { hasForgottenAllBefore(entry + 1) }

  /// Place of an entry in the window; nil: it is forgotten.
  func position(ofEntry entry: Int) -> Int? {
    let position = entry - (madeCount - count)
    return position >= 0 && position < count ? position : nil
  }

  func lastingWeights(ofEntry entry: Int) -> (ahead: Double, behind: Double) {
    guard entry < madeCount else { return (1, largestWeightBehind) }
    guard let position = position(ofEntry: entry) else { return (0, 0) }
    guard regularCount >= count else {
      let weight = irregularWeights[2 * columnLength + position]
      return (weight, weight)
    }
    let lasting = weights.lasting(count)
    return (lasting.ahead[position], lasting.behind[position])
  }
}
