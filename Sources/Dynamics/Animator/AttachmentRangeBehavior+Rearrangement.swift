// Applies insertions, deletions and moves in the middle of the list.

extension AttachmentRangeBehavior {
  /// The index and the anchor that an item has before or after an update of the list.
  public struct Origin: BitwiseCopyable {
    /// The index, or nil if the item did not exist yet.
    public var index: Int?
    /// The anchor in points, in the same coordinates as the new anchors.
    public var anchor: Point
  }

  /// A function that receives items after an update of the list, and replaces their indices and anchors by those before
  /// the update. Items that the update inserted get the index nil. Items whose index is already nil are not changed.
  public typealias Trace = (UnsafeMutableBufferPointer<Origin>) -> Void

  /// Applies an update of the list: items get new indices and new anchors, some are removed and some are new. An item
  /// that remains keeps its velocity and its place along the axis, so it does not jump in this direction. Its anchor
  /// then pulls it along, as when the anchor of a single attachment is set. Across the axis, items have no springs, so
  /// they jump to their new anchors. New items rest on their anchors.
  /// - Parameters:
  ///   - newRange: The items that are attached to springs from now on. Items that were outside the range before enter
  ///     with their remembered state, or without velocity if the behavior does not remember shifts.
  ///   - displacements: Moved anchors displace their items along the axis. This is the range of these displacements, in
  ///     points. It may leave out a few items that are displaced much farther than the others.
  ///   - largestDisplacement: The largest displacement of any item, including those few, points.
  ///   - anchors: Called once, for the whole new range.
  ///   - trace: Called during this call, and later as long as this update or an earlier shift still affects items.
  /// - Complexity: O(items of the new range).
  /// - Throws: If an anchor is not finite, or memory runs out. Nothing changes in that case.
  public func rearrange(
    into newRange: Range<Int>, displacements: ClosedRange<Double>, largestDisplacement: Double, anchors: Anchors,
    trace: @escaping Trace
  ) throws(DynamicsError) {
    state.pointee.springs.settle()
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
    state.pointee.anchorsAscend = true
    state.pointee.checkOrder(of: newRange)
    state.pointee.remember(displacements, largestDisplacement, axis, trace)
    if !state.pointee.isResting { animator?.resume() }
  }

  /// The number of the latest remembered update, for `hasForgotten(rearrangement:)`, or nil if there is none.
  public var latestRearrangement: Int? { state.pointee.past.last?.entry }

  /// Returns whether the update with this number no longer affects any item.
  public func hasForgotten(rearrangement: Int) -> Bool {
    state.pointee.history?.pointee.hasForgottenAllBefore(rearrangement + 1) ?? true
  }
}

/// An update of the list that is remembered because the update itself or an earlier shift still affects items.
struct PastRearrangement {
  let trace: AttachmentRangeBehavior.Trace
  let displacements: ClosedRange<Double>
  let axis: Axis
  /// The number of the history entry whose weight tells how much of these displacements is left.
  let entry: Int
  /// The position of the update in the history's sequence of shifts. Items had their old anchors during the shifts
  /// before this mark, and their new anchors during the shifts after it.
  let mark: Int
  /// The items appended between the previous update and this one, as in `State.additions`.
  let additions: [(firstIndex: Int, mark: Int)]
}

extension AttachmentRangeBehavior.State {
  fileprivate mutating func clearSpare(count: Int) throws(DynamicsError) {
    spare.removeAll()
    try spare.reserve(max(count, springs.capacity))
    try spare.append(count)
  }

  /// Returns the displacement and velocity of an item if they are known. Items of the range have springs. Without a
  /// history, all other items are at rest. Returns nil if the motion must be computed from the remembered shifts.
  fileprivate func knownMotion(at index: Int) -> (displacement: Double, velocity: Double)? {
    let position = index - firstIndex
    if position >= 0, position < springs.count { return (springs.displacement[position], springs.velocity[position]) }
    return history == nil ? (0, 0) : nil
  }

  /// Forgets an update once neither the update nor an earlier shift affects any item.
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
