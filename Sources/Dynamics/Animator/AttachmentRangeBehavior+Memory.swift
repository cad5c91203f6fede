// The behavior's knowledge of items outside its range. All calls but `itemsAdded(from:)` need a behavior that remembers
// shifts.

extension AttachmentRangeBehavior {
  /// Maximum displacement of an item by the shifts so far, now and later, wherever its anchor is, points: a bound that
  /// loosens with every shift until it is tightened.
  public var reach: (forward: Double, backward: Double) { state.pointee.remembered.pointee.reach }

  /// Recomputes the reach from the remembered shifts.
  /// - Complexity: O(shifts remembered).
  public func tightenReach() {
    state.pointee.forgetPast()
    let history = state.pointee.remembered
    history.pointee.tightenReach()
  }

  /// The place that an item outside the range would have if it had hung on this anchor all along.
  /// - Complexity: O(shifts remembered).
  public func rememberedCenter(ofItemAt index: Int, anchor: Point) -> Point {
    let anchor = axis.coordinates(of: anchor)
    let trails = state.pointee.followTrails(of: index..<index + 1) { _ in anchor }
    return axis.point(main: anchor.main + trails[0].displacement, cross: anchor.cross)
  }

  /// The range of displacements along the axis of items outside the range, for anchors in a rectangle, points.
  /// - Complexity: O(shifts remembered).
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

  /// Finds the anchors of all items outside the range that are in a stretch now.
  /// - Parameters:
  ///   - shown: Range of the items along the axis, points.
  ///   - cross: Range of their anchors across the axis, points.
  /// - Returns: Stretches of the axis, ascending and apart, valid until the next search. Outside them there are no such
  ///   anchors, except those of items from `firstAddedItem` on. Nil, without a search, if updates have moved anchors.
  /// - Complexity: O(shifts remembered), however many items there are.
  package func rememberedAnchors(shown: ClosedRange<Double>, cross: ClosedRange<Double>) -> UnsafeMutableBufferPointer<
    AnchorStretch
  >? {
    state.pointee.forgetPast()
    guard state.pointee.past.isEmpty else { return nil }
    let history = state.pointee.remembered
    return history.pointee.anchors(shown: shown, cross: cross)
  }

  /// The first item that was added while older shifts are still remembered; nil if there is none.
  package var firstAddedItem: Int? { state.pointee.additions.first?.firstIndex }

  /// Notes that the items from this index on were added just now, so no earlier shift has moved them.
  public func itemsAdded(from index: Int) {
    guard let history = state.pointee.history else { return }
    state.pointee.additions.removeAll { history.pointee.hasForgottenAllBefore($0.mark) }
    if !history.pointee.isEmpty { state.pointee.additions.append((index, history.pointee.mark)) }
  }
}

extension AttachmentRangeBehavior.State {
  /// Mutating callers assign it to a constant first: Swift 6.3 fails to compile a call on `remembered.pointee` for the
  /// thread sanitizer.
  var remembered: UnsafeMutablePointer<ShiftHistory> {
    guard let history else { preconditionFailure("this behavior remembers no shifts") }
    return history
  }

  /// Bounds for anchors that updates may have moved, and for items that may be newer than some shifts.
  fileprivate func boundsAcrossUpdates(main: ClosedRange<Double>, cross: ClosedRange<Double>) -> ClosedRange<Double> {
    var (first, last) = (main.lowerBound, main.upperBound)
    var (low, high) = (0.0, 0.0)
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in past.indices {
      let displacements = past[index].displacements
      first += min(displacements.lowerBound, 0)
      last += max(displacements.upperBound, 0)
      let left = remembered.pointee.bounds(ofEntry: past[index].entry, displacements: displacements)
      low += left.lowerBound
      high += left.upperBound
    }
    let shifted = remembered.pointee.bounds(main: first...last, cross: cross, sinceStart: false)
    return low + min(shifted.low, 0)...high + max(shifted.high, 0)
  }

  /// - Precondition: All of the items hung on these anchors through all shifts.
  func allShifts(of items: Range<Int>, _ anchorMain: UnsafePointer<Double>, _ anchorCross: UnsafePointer<Double>)
    -> ShiftHistory.Window
  {
    let history = remembered
    // Gathering shifts pays for more than a few items.
    guard items.count > 3 else { return history.pointee.window(since: 0) }
    var main = anchorMain[items.lowerBound]...anchorMain[items.lowerBound]
    var cross = anchorCross[items.lowerBound]...anchorCross[items.lowerBound]
    for index in items {
      main.include(anchorMain[index])
      cross.include(anchorCross[index])
    }
    return history.pointee.gather(main: main, cross: cross)
  }

  /// The mark at which an item was appended, as far as shifts from before are remembered.
  static func mark(at index: Int, _ additions: [(firstIndex: Int, mark: Int)]) -> Int {
    additions.last { $0.firstIndex <= index }?.mark ?? 0
  }
}
