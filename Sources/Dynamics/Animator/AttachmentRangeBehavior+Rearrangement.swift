// Insertions, deletions and moves in the middle of the list.

extension AttachmentRangeBehavior {
  /// The anchor and the index of an item at some time.
  public struct Origin: BitwiseCopyable {
    /// Nil before it was inserted.
    public var index: Int?
    /// Points, in the same coordinates as the new anchors.
    public var anchor: Point
  }

  /// Replaces indices and anchors of items after an update by those before it. Items without an index are left as they
  /// are.
  public typealias Trace = (UnsafeMutableBufferPointer<Origin>) -> Void

  /// Applies an update of the list: items get new indices and new anchors, some go and some are new. An item stays
  /// where it is, keeps its velocity, and is pulled along by its anchor, as when the anchor of a single attachment is
  /// set: nothing in the list jumps. New items rest on their anchors. Across the axis items have no springs, so there
  /// they follow their anchors at once.
  /// - Parameters:
  ///   - newRange: The items that hang on springs from now on. Those that were outside the range before enter with
  ///     their remembered state, or without velocity if there is none.
  ///   - displacements: The range of displacements along the axis that moved anchors give their items, points, without
  ///     items that were individually moved far.
  ///   - largestDisplacement: The largest that any item gets, points.
  ///   - anchors: Asked once, for the whole new range.
  ///   - trace: Called as long as the update has an effect.
  /// - Complexity: O(items of the new range).
  /// - Throws: If an anchor is not finite, or there is no memory; nothing has changed then.
  public func rearrange(
    into newRange: Range<Int>, displacements: ClosedRange<Double>, largestDisplacement: Double, anchors: Anchors,
    trace: @escaping Trace
  ) throws(DynamicsError) {
    try state.pointee.clearSpare(count: newRange.count)
    let anchorMain = state.pointee.spare.extra(0) - newRange.lowerBound
    let anchorCross = state.pointee.spare.extra(1) - newRange.lowerBound
    try read(anchors, of: newRange, anchorMain, anchorCross)
    state.pointee.trails.removeAll()
    state.pointee.origins.removeAll()
    for index in newRange { state.pointee.origins.append(Origin(index: index, anchor: .zero)) }
    trace(state.pointee.origins.elements)
    for position in 0..<newRange.count {
      let origin = state.pointee.origins[position]
      guard let old = origin.index else { continue }
      let anchor = axis.coordinates(of: origin.anchor)
      let way = anchor.main - anchorMain[newRange.lowerBound + position]
      if let motion = state.pointee.knownMotion(at: old) {
        state.pointee.spare.place(position, (motion.displacement + way, motion.velocity))
      } else {
        state.pointee.origins[state.pointee.trails.count] = origin
        state.pointee.trails.append(Trail(position: position, anchor: anchor, way: way))
      }
    }
    state.pointee.origins.truncate(to: state.pointee.trails.count)
    state.pointee.followTrails()
    for trail in state.pointee.trails.elements {
      state.pointee.spare.place(trail.position, (trail.displacement + trail.way, trail.velocity))
    }
    swap(&state.pointee.springs, &state.pointee.spare)
    state.pointee.firstIndex = newRange.lowerBound
    state.pointee.remember(displacements, largestDisplacement, axis, trace)
    if !state.pointee.isResting { animator?.resume() }
  }

  /// The last update whose moves of anchors are remembered; nil if there is none.
  public var latestRearrangement: Int? { state.pointee.past.last?.entry }

  /// Whether an update no longer affects its items.
  public func hasForgotten(rearrangement: Int) -> Bool {
    state.pointee.history?.pointee.hasForgottenAllBefore(rearrangement + 1) ?? true
  }
}

/// An update since which not all shifts are forgotten.
struct PastRearrangement {
  let trace: AttachmentRangeBehavior.Trace
  let displacements: ClosedRange<Double>
  let axis: Axis
  /// The history's entry with the weights of its displacements.
  let entry: Int
  /// Shifts from this mark on affected the items at their new anchors.
  let mark: Int
  /// Items appended between the previous update and this one.
  let additions: [(firstIndex: Int, mark: Int)]
}

extension AttachmentRangeBehavior.State {
  fileprivate mutating func clearSpare(count: Int) throws(DynamicsError) {
    spare.removeAll()
    try spare.reserve(max(count, springs.capacity))
    try spare.append(count)
  }

  /// The state of an item of the range, or at rest outside of it; nil if it follows from the shifts.
  fileprivate func knownMotion(at index: Int) -> (displacement: Double, velocity: Double)? {
    let position = index - firstIndex
    if position >= 0, position < springs.count { return (springs.displacement[position], springs.velocity[position]) }
    return history == nil ? (0, 0) : nil
  }

  /// Drops the updates whose effects are all forgotten.
  mutating func forgetPast() {
    guard let history else { return }
    while !past.isEmpty, history.pointee.hasForgottenAllBefore(past[0].entry + 1) { past.removeFirst() }
  }

  fileprivate mutating func remember(
    _ displacements: ClosedRange<Double>, _ largest: Double, _ axis: Axis,
    _ trace: @escaping AttachmentRangeBehavior.Trace
  ) {
    guard let history else { return }
    forgetPast()
    if !history.pointee.isEmpty || largest > 0 {
      let mark = history.pointee.mark
      let entry = history.pointee.recordMove(displacements: displacements, largest: largest)
      past.append(
        PastRearrangement(
          trace: trace, displacements: displacements, axis: axis, entry: entry, mark: mark, additions: additions))
    }
    additions.removeAll()
  }
}
