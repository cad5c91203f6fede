// Insertions, deletions and moves in the middle of the list.

extension AttachmentRangeBehavior {
  /// The anchor and the index of an item at some time.
  public struct Origin: Hashable, Sendable, BitwiseCopyable {
    /// Nil before it was inserted.
    public var index: Int?
    /// Points, in the same coordinates as the new anchors.
    public var anchor: Point

    public init(index: Int?, anchor: Point) {
      self.index = index
      self.anchor = anchor
    }
  }

  /// The effect of an update of the list on its items.
  public struct Rearrangement {
    /// Replaces indices and anchors of items after the update by those before it. Items without an index are left
    /// as they are.
    public var trace: (UnsafeMutableBufferPointer<Origin>) -> Void
    /// The range of displacements along the axis that moved anchors give their items, points, without items
    /// that were individually moved far.
    public var displacements: ClosedRange<Double>
    /// The largest displacement that any item gets, points.
    public var largestDisplacement: Double

    public init(
      displacements: ClosedRange<Double>, largestDisplacement: Double,
      trace: @escaping (UnsafeMutableBufferPointer<Origin>) -> Void
    ) {
      self.displacements = displacements
      self.largestDisplacement = largestDisplacement
      self.trace = trace
    }
  }

  /// Applies an update of the list: items get new indices and new anchors, some go and some are new.
  ///
  /// An item stays where it is, keeps its velocity, and is pulled along by its anchor, as when the anchor
  /// of a single attachment is set: nothing in the list jumps. New items rest on their anchors. Across the
  /// axis items have no springs, so there they follow their anchors at once.
  ///
  /// - Parameters:
  ///   - newRange: The items that hang on springs from now on. Those that were outside the range before
  ///   enter
  ///     with their remembered state, or without velocity if there is none.
  ///   - rearrangement: The new indices and anchors.
  ///   - anchors: Asked once, for the whole new range.
  /// - Complexity: O(items of the new range).
  /// - Throws: If an anchor is not finite, or there is no memory; nothing has changed then.
  public func rearrange(into newRange: Range<Int>, _ rearrangement: Rearrangement, anchors: Anchors)
    throws(DynamicsError)
  {
    var misplaced: (index: Int, anchor: Point)?
    try state.pointee.clearSpare(count: newRange.count)
    let anchorMain = state.pointee.spare.extra(0) - newRange.lowerBound
    let anchorCross = state.pointee.spare.extra(1) - newRange.lowerBound
    anchors(newRange) { index, anchor in
      precondition(newRange.contains(index), "anchor of item \(index), which is not in \(newRange)")
      if !anchor.isFinite { misplaced = (index, anchor) }
      (anchorMain[index], anchorCross[index]) = coordinates(of: anchor)
    }
    if let misplaced { throw .anchorNotFinite(item: "item \(misplaced.index)", anchor: misplaced.anchor) }
    state.pointee.trails.removeAll()
    state.pointee.origins.removeAll()
    for index in newRange { state.pointee.origins.append(Origin(index: index, anchor: .zero)) }
    rearrangement.trace(state.pointee.origins.elements)
    for position in 0..<newRange.count {
      let origin = state.pointee.origins[position]
      guard let old = origin.index else { continue }
      let (main, cross) = coordinates(of: origin.anchor)
      let way = main - anchorMain[newRange.lowerBound + position]
      if let motion = state.pointee.knownMotion(at: old) {
        state.pointee.placeSpare(position, displacement: motion.displacement + way, velocity: motion.velocity)
      } else {
        let trail = Trail(position: position, anchorMain: main, anchorCross: cross, way: way)
        state.pointee.origins[state.pointee.trails.count] = origin
        state.pointee.trails.append(trail)
      }
    }
    state.pointee.origins.truncate(to: state.pointee.trails.count)
    state.pointee.followTrails()
    for trail in state.pointee.trails.elements {
      state.pointee.placeSpare(trail.position, displacement: trail.displacement + trail.way, velocity: trail.velocity)
    }
    state.pointee.takeSpare(firstIndex: newRange.lowerBound)
    state.pointee.remember(rearrangement, axis: axis)
    if !state.pointee.isResting { animator?.resume() }
  }
}

extension AttachmentRangeBehavior {
  /// The last update whose moves of anchors are remembered; nil if there is none.
  public var latestRearrangement: Int? { state.pointee.past.last?.entry }

  /// Whether an update no longer affects its items.
  public func hasForgotten(rearrangement: Int) -> Bool {
    state.pointee.history?.pointee.hasForgotten(entry: rearrangement) ?? true
  }
}

/// An update since which not all shifts are forgotten.
struct PastRearrangement {
  let rearrangement: AttachmentRangeBehavior.Rearrangement
  let axis: Axis
  /// The history's entry with the weights of its displacements.
  let entry: Int
  /// Shifts from this mark on affected the items at their new anchors.
  let mark: Int
  /// Items appended between the previous update and this one.
  let additions: [(firstIndex: Int, mark: Int)]
}

extension AttachmentRangeBehavior.State {
  mutating func clearSpare(count: Int) throws(DynamicsError) {
    spare.removeAll()
    try spare.reserve(max(count, springs.capacity))
    try spare.append(count)
  }

  mutating func placeSpare(_ position: Int, displacement: Double, velocity: Double) {
    guard displacement != 0 || velocity != 0 else { return }
    spare.velocity[position] = velocity
    spare.displace(at: position, to: displacement)
  }

  /// The state of an item of the range, or at rest outside of it; nil if it follows from the shifts.
  func knownMotion(at index: Int) -> (displacement: Double, velocity: Double)? {
    let position = index - firstIndex
    if position >= 0, position < springs.count { return (springs.displacement[position], springs.velocity[position]) }
    return history == nil ? (0, 0) : nil
  }

  mutating func takeSpare(firstIndex: Int) {
    swap(&springs, &spare)
    self.firstIndex = firstIndex
  }

  /// Drops the updates whose effects are all forgotten.
  mutating func forgetPast() {
    guard let history else { return }
    while !past.isEmpty, history.pointee.hasForgotten(entry: past[0].entry),
      history.pointee.hasForgottenAllBefore(past[0].mark)
    { past.removeFirst() }
  }

  mutating func remember(_ rearrangement: AttachmentRangeBehavior.Rearrangement, axis: Axis) {
    guard let history else { return }
    forgetPast()
    guard !history.pointee.isEmpty || rearrangement.largestDisplacement > 0 else {
      additions.removeAll()
      return
    }
    let mark = history.pointee.mark
    let entry = history.pointee.recordMove(
      displacements: rearrangement.displacements, largest: rearrangement.largestDisplacement)
    past.append(
      PastRearrangement(rearrangement: rearrangement, axis: axis, entry: entry, mark: mark, additions: additions))
    additions.removeAll()
  }
}
