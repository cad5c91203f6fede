import CSpringKernels
import Glibc

/// The recent shifts of a scroll. They determine the state of every item that was at rest before them.
///
/// Springs are linear, so the state of an item is the sum of its responses to the shifts. Each response is weighted
/// with the first column of Mᵏ, where M is the transition matrix of a step and k is the age of the shift in steps. A
/// shift is forgotten once its remaining effect on any spring is negligible, after `ShiftWeights.depth` steps at most.
struct ShiftHistory: ~Copyable {
  private static let columns = 8
  /// The number of consecutive steps of an unusual length after which a table of weights is computed for that length.
  /// Computing a table costs about as much as a hundred steps without a table.
  private static let patience = 64

  let parameters: SpringParameters
  var weights: ShiftWeights { didSet { largestWeightBehind = weights.lasting(1).behind[0] } }
  /// The largest displacement that a spring can later reach on the other side of its anchor, as a fraction of its first
  /// displacement.
  private(set) var largestWeightBehind: Double
  /// The remembered steps: one entry for each step, or several if the step had several shifts. There are eight columns
  /// of `columnLength` each: delta (0 without a shift), touch along the axis, touch across it, time, and four columns
  /// of weights for steps of irregular length. The `count` entries from `start` on are in use, oldest first.
  var memory: UnsafeMutablePointer<Double>
  var columnLength: Int
  var start = 0
  var count = 0
  /// How many of the latest entries are regular. An entry is regular if it is the last one of its step and the step had
  /// the length `weights.timestep`.
  var regularCount = 0
  /// The latest step length other than `weights.timestep`, and how many steps in a row before the latest one had that
  /// length.
  private var oddSteps = (timestep: 0.0, count: 0)
  var now = 0.0
  var inverseResistance = 0.0
  /// The shift since the last step, which the next step turns into an entry, or nil if there is none.
  var pending: ScrollShift.Projected?
  /// The moves of anchors, oldest first: one element for each step in which anchors were moved.
  var moves: [Move] = []
  /// Whether `moves` has elements. Reading this flag is cheaper than reading the array.
  var hasMoves = false
  /// Upper bounds on present and later displacements of all springs, points: `forward` is towards larger coordinates,
  /// `backward` towards smaller ones. The bounds grow with every shift until `tightenReach()` recomputes them.
  var reach = (forward: 0.0, backward: 0.0)
  /// The number of entries made so far, including forgotten ones.
  var madeCount = 0
  /// The breakpoints of the shifts, which are used to find the springs at a position.
  var breakpoints = ShiftBreakpoints()
  /// For each shift, the displacement that is left of it, for each point of distance between the touch and a spring's
  /// anchor. The shift since the last step comes last.
  var shiftSizes = Buffer<Double>()
  var anchorStretches = Buffer<SpringStretch>()
  /// The result of the last `gather`: the shifts that move some springs in its ranges by less than their whole delta.
  /// The five columns of `count` each are deltas, touches along and across the axis, and weights of displacement and
  /// velocity.
  var gathered = Buffer<Double>()

  /// The effect that all moves of anchors between two steps have on the items.
  struct Move {
    /// The number of the history entry that the next step makes. The moves fade in the same way as that entry's shift.
    var entry: Int
    /// The range of the displacements that the moves give items, points. It includes 0, but may leave out a few items
    /// that are displaced much farther than the others.
    var displacements: ClosedRange<Double>
    /// The largest displacement of any item, including those few, points.
    var largest: Double
  }

  /// - Parameter timestep: The usual length of a step, seconds. Steps of other lengths are possible but cost more.
  init(_ parameters: SpringParameters, timestep: Double) throws(DynamicsError) {
    self.parameters = parameters
    weights = try ShiftWeights(parameters, timestep: timestep)
    largestWeightBehind = weights.lasting(1).behind[0]
    columnLength = 2 * weights.depth
    memory = .allocate(capacity: Self.columns * columnLength)
  }

  deinit { memory.deallocate() }

  /// Whether neither a shift nor a move of anchors is remembered. If so, items that nothing else has moved are at rest.
  var isEmpty: Bool { count == 0 && pending == nil && !hasMoves }
  var deltas: UnsafeMutablePointer<Double> { memory + start }
  var touchesMain: UnsafeMutablePointer<Double> { memory + (columnLength + start) }
  var touchesCross: UnsafeMutablePointer<Double> { memory + (2 * columnLength + start) }
  var times: UnsafeMutablePointer<Double> { memory + (3 * columnLength + start) }
  private var irregularWeights: UnsafeMutablePointer<Double> { memory + (4 * columnLength + start) }
  /// Whether the weights of the remembered entries come from the table `weights`, not from `irregularWeights`.
  private var isRegular: Bool { regularCount >= count }

  // A method that does not mutate a large struct gets a copy of it, unless it is inlined. Copying takes longer than
  // most of the methods below, so these are inlined or declared as mutating.

  /// The weights of the remembered entries, oldest first: the displacement and velocity (1/s) that are left now if the
  /// entry displaced a spring by 1.
  @inline(__always) var liveWeights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>) {
    isRegular ? weights.last(count) : (UnsafePointer(irregularWeights), UnsafePointer(irregularWeights + columnLength))
  }

  /// Returns, for each remembered shift, how far the shift can displace a spring now or later, as a fraction of the
  /// shift: `ahead` in the direction of the shift, `behind` on the other side of the anchor.
  private mutating func lastingWeights() -> (ahead: UnsafePointer<Double>, behind: UnsafePointer<Double>) {
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
        irregularWeights, irregularWeights + columnLength, count, 0, transition.m00, transition.m01, transition.m10,
        transition.m11)
    }
    forget()
  }

  /// Adds an entry whose step has several entries, or a length other than `weights.timestep`. The table of weights
  /// cannot be used afterwards, because it assumes exactly one entry for each step of that length.
  @inline(never) private mutating func pushOutOfStep(_ shift: ScrollShift.Projected) {
    pending = nil
    let wasRegular = isRegular
    leaveTable()
    push(shift)
    regularCount = 0
    if wasRegular { tightenReach() }
  }

  /// Copies the weights of the remembered entries from the table, so that steps of any length can advance the copies.
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

  /// Computes weights for another timestep after many steps of that length, or at once if no shift is remembered and
  /// the length differs by more than 1%. Keeps the old weights if a history with the new timestep would be too long.
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

  /// Moves the remembered entries to the front of the memory. If they fill more than half of the memory, it also grows.
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

  /// The age of the oldest shift in steps of `weights.timestep` seconds. It is rounded down, so no shift is forgotten
  /// too early.
  private var ageOfOldest: Int { isRegular ? count : Int((now - times[0]) / weights.timestep) }

  /// Forgets the oldest move if it belongs to the entry and is negligible.
  /// - Returns: False if the entry has a move that must still be remembered.
  @inline(never) private mutating func forgetMove(ofEntry entry: Int, age: Int) -> Bool {
    guard let oldest = moves.first, oldest.entry == entry else { return true }
    guard weights.isForgettable(oldest.largest, age: age) else { return false }
    moves.removeFirst()
    hasMoves = !moves.isEmpty
    return true
  }

  /// The present position in the sequence of shifts. Shifts that are recorded from now on come after this mark.
  var mark: Int { madeCount + (pending == nil ? 0 : 1) }

  /// Returns whether all shifts from before the mark are forgotten.
  func hasForgottenAllBefore(_ mark: Int) -> Bool { mark <= madeCount - count }

  /// Returns the position of an entry among the remembered ones, or nil if the entry is forgotten or not yet made.
  func position(ofEntry entry: Int) -> Int? {
    let position = entry - (madeCount - count)
    return position >= 0 && position < count ? position : nil
  }

  // MARK: Effects on springs

  /// The shifts between two marks, which are positions in the sequence of shifts. A window points into the memory of
  /// the history, so it is valid until the history changes.
  struct Window {
    fileprivate let deltas: UnsafePointer<Double>
    fileprivate let touchesMain: UnsafePointer<Double>
    fileprivate let touchesCross: UnsafePointer<Double>
    fileprivate let weights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>)
    fileprivate let count: Int
    /// The total remaining effect of the shifts that `gather` left out of the columns above, because they move all
    /// springs by their whole delta.
    fileprivate var whole = (displacement: 0.0, velocity: 0.0)
    fileprivate let inverseResistance: Double
    fileprivate let pending: ScrollShift.Projected?

    /// Returns the remaining effect of the shifts on a spring that had this anchor during the shifts.
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

  mutating func window(since mark: Int, until end: Int = .max) -> Window {
    let skipped = min(max(0, mark - (madeCount - count)), count)
    let count = end > madeCount ? self.count : max(skipped, end - (madeCount - self.count))
    let weights = liveWeights
    return Window(
      deltas: deltas + skipped, touchesMain: touchesMain + skipped, touchesCross: touchesCross + skipped,
      weights: (weights.displacement + skipped, weights.velocity + skipped), count: count - skipped,
      inverseResistance: inverseResistance, pending: mark <= madeCount && end > madeCount ? pending : nil)
  }

  /// Returns a window of all shifts, for springs whose anchors stayed in these ranges during all shifts. Most shifts
  /// move all of these springs by their whole delta. The effects of such shifts are added up once for all springs.
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

  /// Returns bounds on the displacements, in points, of springs that were at rest before the shifts and whose anchors
  /// are in these ranges.
  /// - Parameter sinceStart: Whether the springs had these anchors during all remembered shifts. If not, some shifts
  ///   may not have moved the springs.
  mutating func bounds(main: ClosedRange<Double>, cross: ClosedRange<Double>, sinceStart: Bool) -> (
    low: Double, high: Double
  ) {
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

  /// Recomputes `reach` from the largest possible effect of each remembered shift and each remembered move of anchors.
  mutating func tightenReach() {
    reach = (0, 0)
    let lasting = lastingWeights()
    spring_reach(deltas, lasting.ahead, lasting.behind, count, &reach.forward, &reach.backward)
    if let pending { widenReach(byPending: pending) }
    guard hasMoves else { return }
    // Without optimization, iterating over an array of large elements allocates. So the loop runs over indices.
    for index in moves.indices {
      let position = position(ofEntry: moves[index].entry)
      let (ahead, behind) = position.map { (lasting.ahead[$0], lasting.behind[$0]) } ?? (0, 0)
      let isNew = moves[index].entry == madeCount
      widenReach(by: moves[index].displacements, isNew ? 1 : ahead, isNew ? largestNewWeightBehind : behind)
    }
  }

  // MARK: Moves of anchors

  // When an update of a list moves anchors, the items stay where they are. Each item is then displaced from its new
  // anchor by the distance that the anchor has moved. This is one more shift, whose size differs between the springs.

  /// Records that anchors were just moved.
  /// - Parameters:
  ///   - displacements: The range of the resulting displacements, points. It may leave out a few items that are
  ///     displaced much farther than the others.
  ///   - largest: The largest displacement of any item, those few included, points.
  /// - Returns: The number of the history entry that is as old as this move, so that both fade in the same way.
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

  /// Returns the displacement and velocity (1/s) left now if a spring was displaced by 1 at the time of an entry.
  @inline(__always) func weight(ofEntry entry: Int) -> (displacement: Double, velocity: Double) {
    guard entry < madeCount else { return (1, 0) }
    guard let position = position(ofEntry: entry) else { return (0, 0) }
    return (liveWeights.displacement[position], liveWeights.velocity[position])
  }

  /// A bound like `largestWeightBehind` that also holds while steps have irregular lengths.
  private var largestNewWeightBehind: Double {
    isRegular ? largestWeightBehind : min(1, largestWeightBehind * weights.slackBetweenSteps)
  }

  /// Adds to `reach` how far items can get from their anchors, now or later, after they were displaced by an amount in
  /// `displacements`. A spring swings past its anchor: `ahead` is how far it can get on the same side of the anchor,
  /// and `behind` on the opposite side, as fractions of the displacement.
  private mutating func widenReach(by displacements: ClosedRange<Double>, _ ahead: Double, _ behind: Double) {
    let (low, high) = (displacements.lowerBound, displacements.upperBound)
    reach.forward += max(high * ahead, -low * behind)
    reach.backward += max(-low * ahead, high * behind)
  }

  /// Adds to `reach` how far a shift that was just applied can move springs, on both sides of their anchors, because
  /// springs swing past them.
  mutating func widenReach(byPending shift: ScrollShift.Projected) {
    let ahead = abs(shift.delta)
    let behind = ahead * largestNewWeightBehind
    reach.forward += shift.delta > 0 ? ahead : behind
    reach.backward += shift.delta > 0 ? behind : ahead
  }

  /// Returns a range, in points, that contains 0 and the present displacements of springs that were displaced by
  /// `displacements` at the time of an entry.
  mutating func bounds(ofEntry entry: Int, displacements: ClosedRange<Double>) -> ClosedRange<Double> {
    let weight = weight(ofEntry: entry).displacement
    let (a, b) = (displacements.lowerBound * weight, displacements.upperBound * weight)
    return min(a, b, 0)...max(a, b, 0)
  }

  // MARK: Search for anchors

  /// Searches for the springs whose present position is in `shown`, and returns where their anchors are. The position
  /// of a spring is a piecewise linear function of its anchor, and the search inverts this function.
  /// - Parameters:
  ///   - shown: The range of the springs' positions along the axis, points.
  ///   - cross: The range of the springs' anchors across the axis, points.
  /// - Returns: Sections of the axis, in ascending order and without overlaps, valid until the next search. They
  ///   contain the anchors of all these springs. They may also contain other anchors, especially if `cross` is wide.
  /// - Complexity: O(remembered shifts), independent of the number of springs.
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
    // The margin covers rounding errors, which add up along the axis.
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

  /// Computes `shiftSizes`.
  /// - Returns: The sum of the remaining displacements, and the sum of their magnitudes, points.
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

/// A section of the axis from `low` to `high`, in points. `displacement` is the displacement of the springs whose
/// anchors stayed in the section during all shifts, in points. It is NaN if these springs are displaced differently.
package typealias AnchorStretch = SpringStretch
