// Computes the displacements and velocities of items outside the attached range, from the remembered shifts of the
// scroll. All members except `itemsAdded(from:)` and `firstAddedItem` end the program if `remembersShifts` was false in
// `init`.

extension AttachmentRangeBehavior {
  /// Upper bounds on the present and later displacements of any item, points: `forward` is towards larger coordinates,
  /// `backward` towards smaller ones. The bounds cover all shifts and updates so far. They grow with every shift until
  /// `tightenReach()` recomputes them.
  public var reach: (forward: Double, backward: Double) { state.pointee.remembered.pointee.reach }

  /// Recomputes `reach` from the remembered shifts.
  /// - Complexity: O(remembered shifts).
  public func tightenReach() {
    state.pointee.forgetPast()
    let history = state.pointee.remembered
    history.pointee.tightenReach()
  }

  /// Returns the position that an item outside the range would have if it had always been in the range. `anchor` is the
  /// item's present anchor.
  /// - Complexity: O(remembered shifts).
  public func rememberedCenter(ofItemAt index: Int, anchor: Point) -> Point {
    let anchor = axis.coordinates(of: anchor)
    let trails = state.pointee.followTrails(of: index..<index + 1) { _ in anchor }
    return axis.point(main: anchor.main + trails[0].displacement, cross: anchor.cross)
  }

  /// Returns bounds on the displacements along the axis, in points, of items outside the range with anchors in `rect`.
  /// - Complexity: O(remembered shifts).
  public func rememberedDisplacements(ofItemsAt indices: Range<Int>, anchorsIn rect: Rect) -> ClosedRange<Double> {
    let (low, high) = (axis.coordinates(of: rect.origin), axis.coordinates(of: Point(x: rect.maxX, y: rect.maxY)))
    let (main, cross) = (low.main...high.main, low.cross...high.cross)
    guard state.pointee.past.isEmpty else { return state.pointee.boundsAcrossUpdates(main: main, cross: cross) }
    let mark = State.mark(at: indices.upperBound - 1, state.pointee.additions)
    let history = state.pointee.remembered
    let bounds = history.pointee.bounds(
      main: main, cross: cross, sinceStart: mark == 0 || history.pointee.hasForgottenAllBefore(mark))
    return bounds.low...max(bounds.low, bounds.high)
  }

  /// Finds the anchors of items that have no springs now, but that earlier shifts still displace to positions in
  /// `shown`.
  /// - Parameters:
  ///   - shown: The range of the items' positions along the axis, points.
  ///   - cross: The range of the items' anchors across the axis, points.
  /// - Returns: Sections of the axis that contain these anchors, in ascending order and without overlaps. They are
  ///   valid until the next search, and cover only the items before `firstAddedItem`. Nil if updates of the list have
  ///   moved anchors.
  /// - Complexity: O(scroll shifts that still displace items), independent of the number of items.
  package func rememberedAnchors(shown: ClosedRange<Double>, cross: ClosedRange<Double>) -> UnsafeMutableBufferPointer<
    AnchorStretch
  >? {
    state.pointee.forgetPast()
    guard state.pointee.past.isEmpty else { return nil }
    let history = state.pointee.remembered
    return history.pointee.anchors(shown: shown, cross: cross)
  }

  /// The index of the first item that may be newer than a remembered shift. Such a shift did not move the item. Nil if
  /// there is no such item.
  package var firstAddedItem: Int? { state.pointee.additions.first?.firstIndex }

  /// Records that the items from this index on were just added, so no earlier shift has moved them.
  public func itemsAdded(from index: Int) {
    guard let history = state.pointee.history else { return }
    state.pointee.additions.removeAll { history.pointee.hasForgottenAllBefore($0.mark) }
    if !history.pointee.isEmpty { state.pointee.additions.append((index, history.pointee.mark)) }
  }
}

extension AttachmentRangeBehavior.State {
  /// The remembered shifts. Before a call that changes them, callers assign this pointer to a constant, because Swift
  /// 6.3 with the thread sanitizer cannot compile such a call on `remembered.pointee`.
  var remembered: UnsafeMutablePointer<ShiftHistory> {
    guard let history else { preconditionFailure("this behavior remembers no shifts") }
    return history
  }

  /// Returns bounds on displacements that hold even if updates have moved anchors or some items are newer than a shift.
  fileprivate mutating func boundsAcrossUpdates(main: ClosedRange<Double>, cross: ClosedRange<Double>) -> ClosedRange<
    Double
  > {
    let history = remembered
    var (first, last) = (main.lowerBound, main.upperBound)
    var (low, high) = (0.0, 0.0)
    // Without optimization, iterating over an array of large elements allocates. So the loop runs over indices.
    for index in past.indices {
      let displacements = past[index].displacements
      first += min(displacements.lowerBound, 0)
      last += max(displacements.upperBound, 0)
      let left = history.pointee.bounds(ofEntry: past[index].entry, displacements: displacements)
      low += left.lowerBound
      high += left.upperBound
    }
    let shifted = history.pointee.bounds(main: first...last, cross: cross, sinceStart: false)
    return low + min(shifted.low, 0)...high + max(shifted.high, 0)
  }

  /// Returns a window of all remembered shifts. The items must have had these anchors during all of them.
  mutating func allShifts(
    of items: Range<Int>, _ anchorMain: UnsafePointer<Double>, _ anchorCross: UnsafePointer<Double>
  ) -> ShiftHistory.Window {
    let history = remembered
    // For a few items, using all shifts is faster than selecting those that move the items by different distances.
    guard items.count > 3 else { return history.pointee.window(since: 0) }
    var main = anchorMain[items.lowerBound]...anchorMain[items.lowerBound]
    var cross = anchorCross[items.lowerBound]...anchorCross[items.lowerBound]
    for index in items {
      main.include(anchorMain[index])
      cross.include(anchorCross[index])
    }
    return history.pointee.gather(main: main, cross: cross)
  }

  /// Returns the mark (the position in the sequence of shifts) at which an item was added. Returns 0 for an item that
  /// is not among the additions, because all remembered shifts have moved it.
  static func mark(at index: Int, _ additions: [(firstIndex: Int, mark: Int)]) -> Int {
    additions.last { $0.firstIndex <= index }?.mark ?? 0
  }
}
