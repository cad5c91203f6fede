import CSpringKernels
import Glibc

/// The recent scroll shifts, which determine the state of any item that was attached and at rest before them.
///
/// Springs are linear: the state is the sum of the responses to the single shifts, each weighted with the first column
/// of Mᵏ, where M is the frame's transition and k the shift's age in steps. A shift is forgotten once its rest cannot
/// displace any spring; the number of steps depends only on the damping.
struct ShiftHistory: ~Copyable {
  private static let columns = 8
  /// After this many steps of another length, weights are made for it. Making them costs as much as some hundred
  /// irregular steps.
  private static let patience = 64

  let parameters: SpringParameters
  var weights: ShiftWeights { didSet { largestWeightBehind = weights.lasting(1).behind[0] } }
  /// The largest share of a displacement that a spring can show on the other side of its anchor.
  private(set) var largestWeightBehind: Double
  /// Delta, touch along and across, time, and four columns for weights of irregular steps; each of `columnLength`, of
  /// which the window from `start` on is live, oldest first.
  var memory: UnsafeMutablePointer<Double>
  var columnLength: Int
  var start = 0
  var count = 0
  /// Entries at the end of the window that came one per step, all of the weights' timestep.
  var regularCount = 0
  /// The latest timestep that was not the weights', and how many steps before had it.
  private var oddSteps = (timestep: 0.0, count: 0)
  var now = 0.0
  var inverseResistance = 0.0
  /// The shift of the current step.
  var pending: ScrollShift.Projected?
  /// Moves of anchors, oldest first, one for each step with any.
  var moves: [Move] = []
  /// Whether there are moves; looking at the array costs more.
  var hasMoves = false
  /// Maximum displacement of a spring, now and later, towards larger coordinates and towards smaller ones, wherever its
  /// anchor is, points. It grows with every shift until it is tightened.
  var reach = (forward: 0.0, backward: 0.0)
  /// Number of entries ever made.
  var madeCount = 0
  /// Breakpoints of the shifts, for finding the springs at a place.
  var breakpoints = ShiftBreakpoints()
  /// The rest of each remembered shift at full displacement, points; the pending one comes last.
  var shiftSizes = Buffer<Double>()
  var anchorStretches = Buffer<SpringStretch>()
  /// The shifts that move springs in some stretch only partly, in five columns of `count`: deltas, touches along and
  /// across, weights of displacement and velocity.
  var gathered = Buffer<Double>()

  /// The effect of one step's moves of anchors on the items.
  struct Move {
    /// Entry of the step.
    var entry: Int
    /// Range of the displacements that the moves give most items, points; it includes 0.
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
  private var irregularWeights: UnsafeMutablePointer<Double> { memory + (4 * columnLength + start) }
  /// Whether the weights of the live entries are in their table, and not in columns of their own.
  private var isRegular: Bool { regularCount >= count }

  /// The weights of the live entries, oldest first.
  var liveWeights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    isRegular ? weights.last(count) : (UnsafePointer(irregularWeights), UnsafePointer(irregularWeights + columnLength))
  }

  /// The largest shares of a displacement that are left of the live entries at any time from now on, towards the
  /// displacement and on the other side of the anchor.
  private func lastingWeights() -> (ahead: UnsafePointer<Double>, behind: UnsafePointer<Double>) {
    guard !isRegular else { return weights.lasting(count) }
    let (depth, slack) = (weights.depth, weights.slackBetweenSteps)
    let table = weights.lasting(depth)
    let (ahead, behind) = (irregularWeights + 2 * columnLength, irregularWeights + 3 * columnLength)
    for index in 0..<count {
      let age = min(depth, Int((now - times[index]) / weights.timestep))
      ahead[index] = age == 0 ? 1 : min(1, table.ahead[depth - age] * slack)
      behind[index] = min(1, table.behind[depth - max(1, age)] * slack)
    }
    return (UnsafePointer(ahead), UnsafePointer(behind))
  }

  /// Remembers a shift that was just applied.
  mutating func record(_ shift: ScrollShift.Projected) {
    if let earlier = pending { pushOutOfStep(earlier) }
    pending = shift
    widenReach(byPending: shift)
    inverseResistance = shift.inverseResistance
  }

  /// Advances time, and forgets negligible shifts.
  /// - Parameter transition: The transition of a spring in this step.
  mutating func step(by timestep: Double, _ transition: SpringTransition) {
    guard !isEmpty else { return }
    if timestep != weights.timestep { adapt(to: timestep) } else if oddSteps.count > 0 { oddSteps.count = 0 }
    let shift = pending ?? ScrollShift.Projected(delta: 0, touchMain: 0, touchCross: 0, inverseResistance: 0)
    pending = nil
    if timestep == weights.timestep { push(shift) } else { pushOutOfStep(shift) }
    now += timestep
    if !isRegular {
      spring_advance(
        irregularWeights, irregularWeights + columnLength, count, transition.m00, transition.m01, transition.m10,
        transition.m11)
    }
    forget()
  }

  /// Another timestep, or two shifts in a step, break the rule of one entry a step, by which the weights are aligned.
  @inline(never) private mutating func pushOutOfStep(_ shift: ScrollShift.Projected) {
    pending = nil
    let wasRegular = isRegular
    leaveTable()
    push(shift)
    regularCount = 0
    if wasRegular { tightenReach() }
  }

  /// Gives each live entry a weight of its own, which is carried on from step to step.
  private mutating func leaveTable() {
    guard isRegular else { return }
    let (displacement, velocity) = weights.last(count)
    irregularWeights.update(from: displacement, count: count)
    (irregularWeights + columnLength).update(from: velocity, count: count)
    regularCount = -1
  }

  private mutating func push(_ shift: ScrollShift.Projected) {
    if start + count == columnLength { makeRoom(atLeast: 2 * count) }
    deltas[count] = shift.delta
    touchesMain[count] = shift.touchMain
    touchesCross[count] = shift.touchCross
    times[count] = now
    if !isRegular { (irregularWeights[count], irregularWeights[columnLength + count]) = (1, 0) }
    count += 1
    regularCount += 1
    madeCount += 1
  }

  /// Makes weights for another timestep once that has lasted, or at once while nothing is remembered; makes none if the
  /// timestep is too short.
  private mutating func adapt(to timestep: Double) {
    oddSteps = (timestep, timestep == oddSteps.timestep ? oddSteps.count + 1 : 0)
    let isOtherRate = abs(timestep - weights.timestep) > 0.01 * weights.timestep
    guard oddSteps.count >= Self.patience || count == 0 && isOtherRate,
      let newWeights = try? ShiftWeights(parameters, timestep: timestep)
    else { return }
    let wasRegular = isRegular
    leaveTable()
    regularCount = 0
    weights = newWeights
    if columnLength < 2 * weights.depth { makeRoom(atLeast: 2 * weights.depth) }
    if wasRegular, count > 0 { tightenReach() }
  }

  /// Moves the live window to the front, or to larger memory if it fills more than half.
  private mutating func makeRoom(atLeast wanted: Int) {
    let newLength = max(wanted, columnLength)
    let target = newLength == columnLength ? memory : .allocate(capacity: Self.columns * newLength)
    for column in 0..<6 {
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

  /// The age of the oldest shift in steps of this length, rounded down: it is then forgotten no earlier.
  private var ageOfOldest: Int { isRegular ? count : Int((now - times[0]) / weights.timestep) }

  /// - Returns: Whether no move of the entry has to be remembered.
  @inline(never) private mutating func forgetMove(ofEntry entry: Int, age: Int) -> Bool {
    guard let oldest = moves.first, oldest.entry == entry else { return true }
    guard weights.isForgettable(oldest.largest, age: age) else { return false }
    moves.removeFirst()
    hasMoves = !moves.isEmpty
    return true
  }

  /// A moment in the sequence of shifts: those recorded from now on come after it.
  var mark: Int { madeCount + (pending == nil ? 0 : 1) }

  /// Whether no shift from before the mark is remembered.
  func hasForgottenAllBefore(_ mark: Int) -> Bool { mark <= madeCount - count }

  /// Place of an entry in the window; nil: it is forgotten.
  func position(ofEntry entry: Int) -> Int? {
    let position = entry - (madeCount - count)
    return position >= 0 && position < count ? position : nil
  }

  // MARK: Effects on springs

  /// The shifts between two marks, in place; valid until the history changes.
  struct Window {
    fileprivate let deltas: UnsafePointer<Double>
    fileprivate let touchesMain: UnsafePointer<Double>
    fileprivate let touchesCross: UnsafePointer<Double>
    fileprivate let weights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>)
    fileprivate let count: Int
    /// The remaining effect of shifts that move all springs fully.
    fileprivate var whole = (displacement: 0.0, velocity: 0.0)
    fileprivate let inverseResistance: Double
    fileprivate let pending: ScrollShift.Projected?

    /// The remaining effect of the shifts on a spring that hung on this anchor then.
    @inline(__always) func response(anchorMain: Double, anchorCross: Double) -> (displacement: Double, velocity: Double)
    {
      var state = (displacement: 0.0, velocity: 0.0)
      if count > 0 {
        spring_respond(
          deltas, touchesMain, touchesCross, weights.displacement, weights.velocity, count, anchorMain, anchorCross,
          inverseResistance, &state.displacement, &state.velocity)
      }
      state.displacement += whole.displacement
      state.velocity += whole.velocity
      if let pending { state.displacement += pending.distance(anchorMain: anchorMain, anchorCross: anchorCross) }
      return state
    }
  }

  func window(since mark: Int, until end: Int = .max) -> Window {
    let skipped = min(max(0, mark - (madeCount - count)), count)
    let count = end > madeCount ? self.count : max(skipped, end - (madeCount - self.count))
    let weights = liveWeights
    return Window(
      deltas: deltas + skipped, touchesMain: touchesMain + skipped, touchesCross: touchesCross + skipped,
      weights: (weights.displacement + skipped, weights.velocity + skipped), count: count - skipped,
      inverseResistance: inverseResistance, pending: mark <= madeCount && end > madeCount ? pending : nil)
  }

  /// All shifts, for springs that hung on anchors in these ranges through all of them: most shifts move them fully.
  mutating func gather(main: ClosedRange<Double>, cross: ClosedRange<Double>) -> Window {
    gathered.reserve(5 * count)
    let (weights, base) = (liveWeights, UnsafePointer(gathered.base))
    var whole = (displacement: 0.0, velocity: 0.0)
    let gatheredCount = spring_gather(
      deltas, touchesMain, touchesCross, weights.displacement, weights.velocity, count, main.lowerBound,
      main.upperBound, cross.lowerBound, cross.upperBound, inverseResistance, gathered.base, &whole.displacement,
      &whole.velocity)
    return Window(
      deltas: base, touchesMain: base + count, touchesCross: base + 2 * count,
      weights: (base + 3 * count, base + 4 * count), count: gatheredCount, whole: whole,
      inverseResistance: inverseResistance, pending: pending)
  }

  /// The range of displacements of springs that were at rest before, on anchors in these ranges, points.
  /// - Parameter sinceStart: Whether they hung there through all remembered shifts.
  func bounds(main: ClosedRange<Double>, cross: ClosedRange<Double>, sinceStart: Bool) -> (low: Double, high: Double) {
    var bounds = (low: 0.0, high: 0.0)
    spring_bounds(
      deltas, touchesMain, touchesCross, liveWeights.displacement, count, main.lowerBound, main.upperBound,
      cross.lowerBound, cross.upperBound, inverseResistance, sinceStart ? 1 : 0, &bounds.low, &bounds.high)
    if let pending {
      bounds.low += min(pending.delta, 0)
      bounds.high += max(pending.delta, 0)
    }
    return bounds
  }

  /// Recomputes the reach from the possible effect of each remembered shift and move of anchors.
  mutating func tightenReach() {
    reach = (0, 0)
    let lasting = lastingWeights()
    spring_reach(deltas, lasting.ahead, lasting.behind, count, &reach.forward, &reach.backward)
    if let pending { widenReach(byPending: pending) }
    guard hasMoves else { return }
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in moves.indices {
      let position = position(ofEntry: moves[index].entry)
      let (ahead, behind) = position.map { (lasting.ahead[$0], lasting.behind[$0]) } ?? (0, 0)
      let isNew = moves[index].entry == madeCount
      widenReach(by: moves[index].displacements, isNew ? 1 : ahead, isNew ? largestNewWeightBehind : behind)
    }
  }

  // MARK: Moves of anchors

  // Updates of a list move anchors and leave the items where they are, so each item is displaced from its new anchor by
  // the distance that the anchor moved. For the spring that is one more shift, with a size of its own.

  /// Records that anchors were just moved.
  /// - Parameter displacements: Range of the items' resulting displacements, without exceptional items, points.
  /// - Returns: The entry with the weights of the move.
  mutating func recordMove(displacements: ClosedRange<Double>, largest: Double) -> Int {
    let (low, high) = (min(displacements.lowerBound, 0), max(displacements.upperBound, 0))
    if let last = moves.last, last.entry == madeCount {
      moves[moves.count - 1].displacements = last.displacements.lowerBound + low...last.displacements.upperBound + high
      moves[moves.count - 1].largest += largest
    } else {
      moves.append(Move(entry: madeCount, displacements: low...high, largest: largest))
    }
    hasMoves = true
    widenReach(by: low...high, 1, largestNewWeightBehind)
    return madeCount
  }

  /// The rest of a unit displacement that an item was given with an entry.
  func weight(ofEntry entry: Int) -> (displacement: Double, velocity: Double) {
    guard entry < madeCount else { return (1, 0) }
    guard let position = position(ofEntry: entry) else { return (0, 0) }
    return (liveWeights.displacement[position], liveWeights.velocity[position])
  }

  /// The share that a displacement can have on the other side of the anchor, if it begins now.
  private var largestNewWeightBehind: Double {
    isRegular ? largestWeightBehind : min(1, largestWeightBehind * weights.slackBetweenSteps)
  }

  /// Adds the maximum effect of displacements on items from now on to the reach.
  private mutating func widenReach(by displacements: ClosedRange<Double>, _ ahead: Double, _ behind: Double) {
    let (low, high) = (displacements.lowerBound, displacements.upperBound)
    reach.forward += max(high * ahead, -low * behind)
    reach.backward += max(-low * ahead, high * behind)
  }

  /// Adds the possible effect of a shift that was just applied, including behind the anchors, where springs swing
  /// through them.
  mutating func widenReach(byPending shift: ScrollShift.Projected) {
    let ahead = abs(shift.delta)
    let behind = ahead * largestNewWeightBehind
    reach.forward += shift.delta > 0 ? ahead : behind
    reach.backward += shift.delta > 0 ? behind : ahead
  }

  /// Range of the remaining displacements of items by an entry, points; 0 is among them.
  func bounds(ofEntry entry: Int, displacements: ClosedRange<Double>) -> ClosedRange<Double> {
    let weight = weight(ofEntry: entry).displacement
    let (a, b) = (displacements.lowerBound * weight, displacements.upperBound * weight)
    return min(a, b, 0)...max(a, b, 0)
  }

  // MARK: Search for anchors

  /// Finds the anchors of all springs that are in a stretch now, by inverting the displacement, which is a piecewise
  /// linear function of the anchor.
  /// - Parameters:
  ///   - shown: Range of the springs along the axis, points.
  ///   - cross: Range of their anchors across the axis, points.
  /// - Returns: Stretches of the axis, ascending and apart, valid until the next search; outside of them there is no
  ///   such anchor. In them there may be others, more of them the broader `cross` is.
  /// - Complexity: O(shifts remembered), however many springs there are.
  mutating func anchors(shown: ClosedRange<Double>, cross: ClosedRange<Double>) -> UnsafeMutableBufferPointer<
    AnchorStretch
  > {
    let (first, made, pending) = (madeCount - count, madeCount, pending)
    let (deltas, touchesMain, touchesCross) = (deltas, touchesMain, touchesCross)
    breakpoints.update(
      cross: cross, inverseResistance: inverseResistance, entries: first..<made + (pending == nil ? 0 : 1)
    ) { entry in
      guard entry < made else { return pending.map { (main: $0.touchMain, cross: $0.touchCross) } }
      return deltas[entry - first] == 0 ? nil : (touchesMain[entry - first], touchesCross[entry - first])
    }
    let (total, size) = weighShifts()
    // More than rounding can add on the way along the axis.
    let margin = 0.01 + 1e-12 * size
    anchorStretches.removeAll()
    anchorStretches.reserve(breakpoints.sorted.count + 1)
    anchorStretches.extend(
      by: spring_find_anchors(
        breakpoints.sorted.base, breakpoints.sorted.count, Int64(first), shiftSizes.base, total,
        shown.lowerBound - margin, shown.upperBound + margin, cross.lowerBound == cross.upperBound ? 1 : 0,
        anchorStretches.base))
    return anchorStretches.elements
  }

  /// Computes the rest of each shift at full displacement, over the resistance.
  /// - Returns: The sum of the rests, and that of their magnitudes, points.
  private mutating func weighShifts() -> (total: Double, size: Double) {
    shiftSizes.fill(count + 1, with: 0)
    let (weights, deltas) = (liveWeights.displacement, deltas)
    var (total, size) = (0.0, 0.0)
    for slot in 0...count {
      let shift = slot < count ? weights[slot] * deltas[slot] : pending?.delta ?? 0
      shiftSizes[slot] = shift * inverseResistance
      total += shift
      size += abs(shift)
    }
    return (total, size)
  }
}

/// A stretch of the axis with anchors, from `low` to `high`, points, and the common displacement of all springs that
/// hung there through all shifts, points; NaN if they differ.
package typealias AnchorStretch = SpringStretch
