// What the behaviour knows of items outside its range, where it remembers shifts.

extension AttachmentRangeBehavior {
  /// How far an item can be displaced at the most by the shifts so far, now and later, wherever its anchor
  /// is, points: a bound that loosens with every shift, until it is tightened.
  /// - Precondition: The behaviour remembers shifts.
  public var reach: (forward: Double, backward: Double) { state.pointee.reach }

  /// Finds the reach anew from the shifts that are remembered.
  /// - Precondition: The behaviour remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func tightenReach() { state.pointee.tightenReach() }

  /// Where an item would be that hung on this anchor all along, though it is outside the range.
  /// - Precondition: The behaviour remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func rememberedCenter(ofItemAt index: Int, anchor: Point) -> Point {
    let (main, cross) = coordinates(of: anchor)
    let state = state.pointee.response(at: index, anchorMain: main, anchorCross: cross)
    return point(main: main + state.0, cross: cross)
  }

  /// Between which displacements along the axis items outside the range lie, given where their anchors are,
  /// points.
  /// - Precondition: The behaviour remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func rememberedDisplacements(ofItemsAt indices: Range<Int>, anchorsIn rect: Rect)
    -> ClosedRange<Double>
  {
    let (low, high) = (coordinates(of: rect.origin), coordinates(of: Point(x: rect.maxX, y: rect.maxY)))
    return state.pointee.bounds(
      of: indices, main: low.main...high.main, cross: low.cross...high.cross)
  }

  /// Tells that the items from this index on were added just now: no earlier shift has moved them.
  public func itemsAdded(from index: Int) { state.pointee.itemsAdded(from: index) }
}

extension AttachmentRangeBehavior.State {
  private var remembered: UnsafeMutablePointer<ShiftHistory> {
    guard let history else { preconditionFailure("this behaviour remembers no shifts") }
    return history
  }

  var reach: (forward: Double, backward: Double) { remembered.pointee.reach }

  func tightenReach() { remembered.pointee.tightenReach() }

  func bounds(
    of indices: Range<Int>, main: ClosedRange<Double>, cross: ClosedRange<Double>
  ) -> ClosedRange<Double> {
    let mark = mark(at: indices.upperBound - 1)
    let bounds = remembered.pointee.bounds(
      main: main, cross: cross,
      sinceStart: mark == 0 || remembered.pointee.hasForgottenAllBefore(mark))
    return bounds.low...max(bounds.low, bounds.high)
  }

  mutating func itemsAdded(from index: Int) {
    guard let history else { return }
    additions.removeAll { history.pointee.hasForgottenAllBefore($0.mark) }
    if !history.pointee.isEmpty { additions.append((index, history.pointee.mark)) }
  }

  /// When an item was added, as far as shifts from before are remembered.
  private func mark(at index: Int) -> Int {
    for position in additions.indices.reversed() where additions[position].firstIndex <= index {
      return additions[position].mark
    }
    return 0
  }

  /// The state of an item that was never in the range, or has left it.
  func response(at index: Int, anchorMain: Double, anchorCross: Double) -> (Double, Double) {
    remembered.pointee.response(
      anchorMain: anchorMain, anchorCross: anchorCross,
      since: mark(at: index))
  }
}
