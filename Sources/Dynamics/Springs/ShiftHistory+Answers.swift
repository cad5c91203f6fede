import CSpringKernels

// Effects of the remembered shifts on springs.

extension ShiftHistory {
  /// A moment in the sequence of shifts: those recorded from now on come after it.
  var mark: Int { madeCount + (pending == nil ? 0 : 1) }

  /// Whether no shift from before the mark is remembered.
  func hasForgottenAllBefore(_ mark: Int) -> Bool { mark <= madeCount - count }

  /// The shifts between two marks, in place; valid until the history changes.
  struct Window {
    fileprivate let deltas: UnsafePointer<Double>
    fileprivate let touchesMain: UnsafePointer<Double>
    fileprivate let touchesCross: UnsafePointer<Double>
    fileprivate let weights: (displacement: UnsafePointer<Double>, velocity: UnsafePointer<Double>)
    fileprivate let count: Int
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

  /// Prepares for `response(anchorMain:anchorCross:)`: most shifts move all springs of a stretch fully.
  /// - Parameters:
  ///   - main, cross: Ranges of the anchors.
  mutating func gather(main: ClosedRange<Double>, cross: ClosedRange<Double>) {
    gathered.reserve(5 * count)
    let weights = liveWeights
    gatheredCount = spring_gather(
      deltas, touchesMain, touchesCross, weights.displacement, weights.velocity, count, main.lowerBound,
      main.upperBound, cross.lowerBound, cross.upperBound, inverseResistance, gathered.base,
      &gatheredWhole.displacement, &gatheredWhole.velocity)
  }

  /// The remaining effect of all shifts on a spring that always hung on an anchor of the last gathered
  /// stretch.
  func response(anchorMain: Double, anchorCross: Double) -> (displacement: Double, velocity: Double) {
    var state = (displacement: 0.0, velocity: 0.0)
    let (base, stride) = (gathered.base, count)
    spring_respond(
      base, base + stride, base + 2 * stride, base + 3 * stride, base + 4 * stride, gatheredCount, anchorMain,
      anchorCross, inverseResistance, &state.displacement, &state.velocity)
    state.displacement += gatheredWhole.displacement
    state.velocity += gatheredWhole.velocity
    if let pending { state.displacement += pending.distance(anchorMain: anchorMain, anchorCross: anchorCross) }
    return state
  }

  /// The range of displacements of springs that were at rest before, points.
  /// - Parameters:
  ///   - main, cross: Ranges of their anchors.
  ///   - sinceStart: Whether they hung there through all remembered shifts.
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
    let lasting =
      regularCount >= count
      ? weights.lasting(count)
      : (
        ahead: UnsafePointer(irregularWeights + 2 * columnLength),
        behind: UnsafePointer(irregularWeights + 2 * columnLength)
      )
    spring_reach(deltas, lasting.ahead, lasting.behind, count, &reach.forward, &reach.backward)
    if let pending { widenReach(byPending: pending) }
    if hasMoves { addReachOfMoves() }
  }
}
