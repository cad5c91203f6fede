extension AttachmentRangeBehavior {
  /// The state in which an item enters the range.
  public enum Entry: Hashable, Sendable {
    /// The item is on its anchor, without velocity.
    case atRest
    /// The item was just moved off its anchor by this frame's scroll, and has no velocity.
    case shifted(by: ScrollShift)
    /// The item has the displacement and velocity that it would have if it had always been in the range. Requires
    /// `remembersShifts: true` in the behavior's `init`.
    case remembered
  }

  /// A function that calls `place` with the index and the anchor of each item in `stretch`, in any order.
  public typealias Anchors = (_ stretch: Range<Int>, _ place: (_ index: Int, _ anchor: Point) -> Void) -> Void

  /// Changes the range. Detaches the items that leave the range, and attaches the items that enter it. `anchors`
  /// provides the anchors of the items that enter.
  /// - Complexity: O(items that enter).
  /// - Throws: If an anchor is not finite, or memory runs out. Items that the call has not attached yet stay outside
  ///   the range.
  public func setRange(_ newRange: Range<Int>, entering entry: Entry, anchors: Anchors) throws(DynamicsError) {
    guard newRange != range else { return }
    state.pointee.springs.settle()
    var kept = newRange.clamped(to: range)
    if kept.isEmpty {
      state.pointee.anchorsAscend = true
      state.pointee.springs.removeLast(state.pointee.springs.count)
      kept = newRange.lowerBound..<newRange.lowerBound
    } else {
      state.pointee.springs.removeFirst(kept.lowerBound - state.pointee.firstIndex)
      state.pointee.springs.removeLast(state.pointee.springs.count - kept.count)
    }
    state.pointee.firstIndex = kept.lowerBound
    try attach(kept.upperBound..<newRange.upperBound, entry, anchors)
    try attach(newRange.lowerBound..<kept.lowerBound, entry, anchors)
  }

  /// Adds springs at one end of the range. Removes them again if an anchor is not finite.
  private func attach(_ entering: Range<Int>, _ entry: Entry, _ anchors: Anchors) throws(DynamicsError) {
    guard !entering.isEmpty else { return }
    let isAtEnd = entering.lowerBound == range.upperBound
    if isAtEnd {
      try state.pointee.springs.append(entering.count)
    } else {
      try state.pointee.springs.prepend(entering.count)
      state.pointee.firstIndex = entering.lowerBound
    }
    do throws(DynamicsError) { try start(entering, entry, anchors) } catch {
      if isAtEnd {
        state.pointee.springs.removeLast(entering.count)
      } else {
        state.pointee.springs.removeFirst(entering.count)
        state.pointee.firstIndex = entering.upperBound
      }
      throw error
    }
  }

  /// Reads the anchors of springs that were just added at rest, and gives the items the state that `entry` specifies.
  private func start(_ entering: Range<Int>, _ entry: Entry, _ anchors: Anchors) throws(DynamicsError) {
    let anchorMain = state.pointee.springs.extra(0) - state.pointee.firstIndex
    let anchorCross = state.pointee.springs.extra(1) - state.pointee.firstIndex
    try read(anchors, of: entering, anchorMain, anchorCross)
    state.pointee.checkOrder(of: entering)
    switch entry {
    case .atRest: return
    case .shifted(let shift):
      guard shift.delta != 0 else { return }
      let projected = shift.projected(on: axis)
      setOff(entering) { index in
        (projected.distance(anchorMain: anchorMain[index], anchorCross: anchorCross[index]), 0)
      }
    case .remembered where state.pointee.past.isEmpty && state.pointee.additions.isEmpty:
      let window = state.pointee.allShifts(of: entering, anchorMain, anchorCross)
      setOff(entering) { index in window.response(anchorMain: anchorMain[index], anchorCross: anchorCross[index]) }
    case .remembered:
      let trails = state.pointee.followTrails(of: entering) { (anchorMain[$0], anchorCross[$0]) }
      setOff(entering) { index in
        let trail = trails[index - entering.lowerBound]
        return (trail.displacement, trail.velocity)
      }
    }
  }

  /// Writes the anchors of items to two columns, at the indices of the items.
  func read(
    _ anchors: Anchors, of items: Range<Int>, _ main: UnsafeMutablePointer<Double>,
    _ cross: UnsafeMutablePointer<Double>
  ) throws(DynamicsError) {
    var misplaced: (index: Int, anchor: Point)?
    anchors(items) { index, anchor in
      precondition(items.contains(index), "anchor of item \(index), which is not in \(items)")
      if !anchor.isFinite { misplaced = (index, anchor) }
      (main[index], cross[index]) = axis.coordinates(of: anchor)
    }
    if let misplaced { throw .anchorNotFinite(item: "item \(misplaced.index)", anchor: misplaced.anchor) }
  }

  private func setOff(_ entering: Range<Int>, _ motion: (Int) -> (displacement: Double, velocity: Double)) {
    let wasResting = state.pointee.isResting
    for index in entering { state.pointee.springs.place(index - state.pointee.firstIndex, motion(index)) }
    if wasResting, !state.pointee.isResting { animator?.resume() }
  }
}

extension AttachmentRangeBehavior.State {
  /// Clears `anchorsAscend` if the items that have entered are not in the order of their anchors.
  mutating func checkOrder(of entering: Range<Int>) {
    guard springs.count > 1 else { return }
    let anchors = springs.extra(0) - firstIndex
    for index in max(entering.lowerBound, firstIndex + 1)..<min(entering.upperBound + 1, firstIndex + springs.count)
    where anchors[index] < anchors[index - 1] { anchorsAscend = false }
  }
}
