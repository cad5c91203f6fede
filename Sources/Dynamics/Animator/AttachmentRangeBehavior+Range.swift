extension AttachmentRangeBehavior {
  /// The state in which an item enters the range.
  public enum Entry: Hashable, Sendable {
    /// On its anchor, without velocity.
    case atRest
    /// In flight: moved off its anchor by this frame's scroll, without velocity.
    case shifted(by: ScrollShift)
    /// With the displacement and velocity that it would have if it had been in the range all along. Needs a
    /// behavior that remembers shifts.
    case remembered
  }

  /// Calls back with every index of a stretch, in any order, and its anchor.
  public typealias Anchors = (_ stretch: Range<Int>, _ place: (_ index: Int, _ anchor: Point) -> Void) -> Void

  /// Releases the items outside the new range and attaches those that are new in it.
  ///
  /// - Parameters:
  ///   - newRange: Indices of the items that hang on springs from now on.
  ///   - entry: The state in which items enter.
  ///   - anchors: Asked for each stretch of entering indices.
  /// - Complexity: O(items that enter).
  /// - Throws: If an anchor is not finite, or there is no memory; then the items of that stretch are not
  ///   attached, and all others are unchanged.
  public func setRange(_ newRange: Range<Int>, entering entry: Entry, anchors: Anchors) throws(DynamicsError) {
    guard newRange != range else { return }
    let kept = newRange.clamped(to: range)
    if kept.isEmpty {
      state.pointee.springs.removeLast(state.pointee.springs.count)
      state.pointee.firstIndex = newRange.lowerBound
      try append(newRange.count, entry, anchors)
    } else {
      state.pointee.springs.removeFirst(kept.lowerBound - state.pointee.firstIndex)
      state.pointee.firstIndex = kept.lowerBound
      state.pointee.springs.removeLast(range.upperBound - kept.upperBound)
      try append(newRange.upperBound - kept.upperBound, entry, anchors)
      try prepend(kept.lowerBound - newRange.lowerBound, entry, anchors)
    }
  }

  private func append(_ added: Int, _ entry: Entry, _ anchors: Anchors) throws(DynamicsError) {
    guard added > 0 else { return }
    let entering = range.upperBound..<range.upperBound + added
    try state.pointee.springs.append(added)
    do throws(DynamicsError) { try start(entering, entry, anchors) } catch {
      state.pointee.springs.removeLast(added)
      throw error
    }
  }

  private func prepend(_ added: Int, _ entry: Entry, _ anchors: Anchors) throws(DynamicsError) {
    guard added > 0 else { return }
    let entering = state.pointee.firstIndex - added..<state.pointee.firstIndex
    try state.pointee.springs.prepend(added)
    state.pointee.firstIndex -= added
    do throws(DynamicsError) { try start(entering, entry, anchors) } catch {
      state.pointee.springs.removeFirst(added)
      state.pointee.firstIndex += added
      throw error
    }
  }

  /// Initializes springs that were just added at rest on their anchors.
  private func start(_ entering: Range<Int>, _ entry: Entry, _ anchors: Anchors) throws(DynamicsError) {
    let anchorMain = state.pointee.springs.extra(0) - state.pointee.firstIndex
    let anchorCross = state.pointee.springs.extra(1) - state.pointee.firstIndex
    var misplaced: (index: Int, anchor: Point)?
    anchors(entering) { index, anchor in
      precondition(entering.contains(index), "anchor of item \(index), which does not enter with \(entering)")
      if !anchor.isFinite { misplaced = (index, anchor) }
      (anchorMain[index], anchorCross[index]) = coordinates(of: anchor)
    }
    if let misplaced { throw .anchorNotFinite(item: "item \(misplaced.index)", anchor: misplaced.anchor) }
    switch entry {
    case .atRest: return
    case .shifted(let shift):
      guard shift.delta != 0 else { return }
      let projected = shift.projected(on: axis)
      setOff(entering) { index in
        (projected.distance(anchorMain: anchorMain[index], anchorCross: anchorCross[index]), 0)
      }
    case .remembered where state.pointee.gather(entering, anchorMain, anchorCross):
      setOff(entering) { index in
        state.pointee.gatheredResponse(anchorMain: anchorMain[index], anchorCross: anchorCross[index])
      }
    case .remembered where state.pointee.past.isEmpty && state.pointee.additions.isEmpty:
      let window = state.pointee.remembered.pointee.window(since: 0)
      setOff(entering) { index in window.response(anchorMain: anchorMain[index], anchorCross: anchorCross[index]) }
    case .remembered:
      state.pointee.trails.removeAll()
      state.pointee.origins.removeAll()
      for index in entering {
        state.pointee.addTrail(
          position: index - entering.lowerBound, index, anchorMain: anchorMain[index], anchorCross: anchorCross[index])
      }
      state.pointee.followTrails()
      let trails = state.pointee.trails.elements
      setOff(entering) { index in
        let trail = trails[index - entering.lowerBound]
        return (trail.displacement, trail.velocity)
      }
    }
  }

  private func setOff(_ entering: Range<Int>, _ motion: (Int) -> (displacement: Double, velocity: Double)) {
    let first = state.pointee.firstIndex
    for index in entering {
      let (displacement, velocity) = motion(index)
      guard displacement != 0 || velocity != 0 else { continue }
      state.pointee.springs.velocity[index - first] = velocity
      state.pointee.springs.displace(at: index - first, to: displacement)
    }
    if !state.pointee.isResting { animator?.resume() }
  }
}
