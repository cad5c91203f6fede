// The behavior's knowledge of items outside its range, if it remembers shifts.

extension AttachmentRangeBehavior {
  /// Maximum displacement of an item by the shifts so far, now and later, wherever its anchor is, points: a
  /// bound that loosens with every shift until it is tightened.
  /// - Precondition: The behavior remembers shifts.
  public var reach: (forward: Double, backward: Double) { state.pointee.reach }

  /// Recomputes the reach from the remembered shifts.
  /// - Precondition: The behavior remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func tightenReach() { state.pointee.tightenReach() }

  /// The place that an item outside the range would have if it had hung on this anchor all along.
  /// - Precondition: The behavior remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func rememberedCenter(ofItemAt index: Int, anchor: Point) -> Point {
    let (main, cross) = coordinates(of: anchor)
    let state = state.pointee.response(at: index, anchorMain: main, anchorCross: cross)
    return point(main: main + state.0, cross: cross)
  }

  /// The range of displacements along the axis of items outside the range, for anchors in a rectangle,
  /// points.
  /// - Precondition: The behavior remembers shifts.
  /// - Complexity: O(shifts remembered).
  public func rememberedDisplacements(ofItemsAt indices: Range<Int>, anchorsIn rect: Rect) -> ClosedRange<Double> {
    let (low, high) = (coordinates(of: rect.origin), coordinates(of: Point(x: rect.maxX, y: rect.maxY)))
    return state.pointee.bounds(of: indices, main: low.main...high.main, cross: low.cross...high.cross)
  }

  /// Finds the anchors of all items outside the range that are in a stretch now.
  ///
  /// - Parameters:
  ///   - shown: Range of the items along the axis, points.
  ///   - cross: Range of their anchors across the axis, points.
  ///   - stretches: Gets stretches of the axis, ascending and apart. Outside them there are no such
  ///   anchors,
  ///     except those of items from `firstAddedItem` on.
  /// - Returns: False if updates have moved anchors; then nothing was searched.
  /// - Precondition: The behavior remembers shifts.
  /// - Complexity: O(shifts remembered), however many items there are.
  package func findRememberedAnchors(
    shownIn shown: ClosedRange<Double>, cross: ClosedRange<Double>, into stretches: inout [AnchorStretch]
  ) -> Bool { state.pointee.findAnchors(shown: shown, cross: cross, into: &stretches) }

  /// The first item that was added while older shifts are still remembered; nil if there is none.
  package var firstAddedItem: Int? { state.pointee.additions.first?.firstIndex }

  /// Notes that the items from this index on were added just now, so no earlier shift has moved them.
  public func itemsAdded(from index: Int) { state.pointee.itemsAdded(from: index) }
}

extension AttachmentRangeBehavior.State {
  /// Mutating callers assign it to a constant first: Swift 6.3 fails to compile a call on
  /// `remembered.pointee` for the thread sanitizer.
  var remembered: UnsafeMutablePointer<ShiftHistory> {
    guard let history else { preconditionFailure("this behavior remembers no shifts") }
    return history
  }

  var reach: (forward: Double, backward: Double) { remembered.pointee.reach }

  mutating func tightenReach() {
    forgetPast()
    let memory = remembered
    memory.pointee.tightenReach()
  }

  func bounds(of indices: Range<Int>, main: ClosedRange<Double>, cross: ClosedRange<Double>) -> ClosedRange<Double> {
    guard past.isEmpty else { return boundsAcrossUpdates(main: main, cross: cross) }
    let mark = Self.mark(at: indices.upperBound - 1, additions)
    let bounds = remembered.pointee.bounds(
      main: main, cross: cross, sinceStart: mark == 0 || remembered.pointee.hasForgottenAllBefore(mark))
    return bounds.low...max(bounds.low, bounds.high)
  }

  /// Bounds for anchors that updates may have moved, and for items that may be newer than some shifts.
  private func boundsAcrossUpdates(main: ClosedRange<Double>, cross: ClosedRange<Double>) -> ClosedRange<Double> {
    var (first, last) = (main.lowerBound, main.upperBound)
    var (low, high) = (0.0, 0.0)
    // By index: without optimisation, iterating over an array of large elements allocates.
    for index in past.indices {
      let update = past[index]
      let displacements = update.rearrangement.displacements
      first += min(displacements.lowerBound, 0)
      last += max(displacements.upperBound, 0)
      let left = remembered.pointee.bounds(ofEntry: update.entry, displacements: displacements)
      low += left.lowerBound
      high += left.upperBound
    }
    let shifted = remembered.pointee.bounds(main: first...last, cross: cross, sinceStart: false)
    return low + min(shifted.low, 0)...high + max(shifted.high, 0)
  }

  mutating func findAnchors(
    shown: ClosedRange<Double>, cross: ClosedRange<Double>, into stretches: inout [AnchorStretch]
  ) -> Bool {
    forgetPast()
    guard past.isEmpty else { return false }
    let memory = remembered
    memory.pointee.findAnchors(shown: shown, cross: cross, into: &stretches)
    return true
  }

  /// Prepares for `gatheredResponse`.
  /// - Returns: False if not all of the items hung on these anchors through all shifts, or if there are only
  ///   a few items.
  mutating func gather(_ items: Range<Int>, _ anchorMain: UnsafePointer<Double>, _ anchorCross: UnsafePointer<Double>)
    -> Bool
  {
    guard items.count > 3, past.isEmpty, additions.isEmpty else { return false }
    var (main, cross) = (Span(anchorMain[items.lowerBound]), Span(anchorCross[items.lowerBound]))
    for index in items {
      main.include(anchorMain[index])
      cross.include(anchorCross[index])
    }
    let memory = remembered
    memory.pointee.gather(main: main.range, cross: cross.range)
    return true
  }

  /// The state of an item of the gathered stretch.
  func gatheredResponse(anchorMain: Double, anchorCross: Double) -> (displacement: Double, velocity: Double) {
    remembered.pointee.response(anchorMain: anchorMain, anchorCross: anchorCross)
  }

  mutating func itemsAdded(from index: Int) {
    guard let history else { return }
    additions.removeAll { history.pointee.hasForgottenAllBefore($0.mark) }
    if !history.pointee.isEmpty { additions.append((index, history.pointee.mark)) }
  }

  /// The mark at which an item was appended, as far as shifts from before are remembered.
  static func mark(at index: Int, _ additions: [(firstIndex: Int, mark: Int)]) -> Int {
    for position in additions.indices.reversed() where additions[position].firstIndex <= index {
      return additions[position].mark
    }
    return 0
  }
}

private struct Span {
  private var low: Double
  private var high: Double

  init(_ value: Double) { (low, high) = (value, value) }

  var range: ClosedRange<Double> { low...high }

  mutating func include(_ value: Double) { (low, high) = (min(low, value), max(high, value)) }
}
