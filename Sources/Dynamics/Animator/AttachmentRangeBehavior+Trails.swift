/// The way of an item back through the updates, and the state that it collects.
struct Trail: BitwiseCopyable {
  /// Position of the item's spring.
  let position: Int
  /// The anchor at the time that has been reached.
  var anchorMain: Double
  var anchorCross: Double
  /// Displacement of the item from its anchor by the current update, points.
  var way = 0.0
  var displacement = 0.0
  var velocity = 0.0

  @inline(__always) mutating func add(_ shifts: ShiftHistory.Window) {
    let state = shifts.response(anchorMain: anchorMain, anchorCross: anchorCross)
    displacement += state.displacement
    velocity += state.velocity
  }
}

// The states of items outside the range that updates have moved.

extension AttachmentRangeBehavior.State {
  /// The state of an item that was never in the range, or has left it.
  mutating func response(at index: Int, anchorMain: Double, anchorCross: Double) -> (
    displacement: Double, velocity: Double
  ) {
    trails.removeAll()
    origins.removeAll()
    addTrail(position: 0, index, anchorMain: anchorMain, anchorCross: anchorCross)
    followTrails()
    return (trails[0].displacement, trails[0].velocity)
  }

  mutating func addTrail(position: Int, _ index: Int, anchorMain: Double, anchorCross: Double) {
    trails.append(Trail(position: position, anchorMain: anchorMain, anchorCross: anchorCross))
    origins.append(AttachmentRangeBehavior.Origin(index: index, anchor: .zero))
  }

  /// Sums up the states of the items of all trails. Shifts have moved such an item at several anchors, one
  /// after the other: each stretch of shifts contributes, and so does each move of the anchor.
  ///
  /// Update by update for all items together, because their common part takes longer than an item.
  mutating func followTrails() {
    guard trails.count > 0 else { return }
    let (past, additions) = (past, additions)
    // In place: an array's subscript would copy the update, and retain its content.
    past.withUnsafeBufferPointer { past in
      var (level, end) = (past.count, Int.max)
      while true {
        addShifts(
          since: level > 0 ? past[level - 1].mark : 0, until: end,
          level < past.count ? past[level].additions : additions)
        guard level > 0 else { return }
        level -= 1
        end = past[level].mark
        past[level].rearrangement.trace(origins.elements)
        addMove(ofEntry: past[level].entry, past[level].axis)
      }
    }
  }

  /// Adds the remaining effect of an update that moved the anchors.
  private func addMove(ofEntry entry: Int, _ axis: Axis) {
    let weight = remembered.pointee.weight(ofEntry: entry)
    let (origins, trails) = (origins.elements, trails.elements)
    for position in origins.indices where origins[position].index != nil {
      let (x, y) = (origins[position].anchor.x, origins[position].anchor.y)
      let (main, cross) = axis == .vertical ? (y, x) : (x, y)
      let way = main - trails[position].anchorMain
      trails[position].displacement += weight.displacement * way
      trails[position].velocity += weight.velocity * way
      (trails[position].anchorMain, trails[position].anchorCross) = (main, cross)
    }
  }

  /// Adds the remaining effect of the shifts between two marks. Items added meanwhile were moved only by
  /// later ones.
  private func addShifts(since mark: Int, until end: Int, _ additions: [(firstIndex: Int, mark: Int)]) {
    let (origins, trails) = (origins.elements, trails.elements)
    let window = remembered.pointee.window(since: mark, until: end)
    for position in origins.indices {
      guard let index = origins[position].index else { continue }
      let added = additions.isEmpty ? 0 : Self.mark(at: index, additions)
      if added > mark {
        trails[position].add(remembered.pointee.window(since: added, until: end))
      } else {
        trails[position].add(window)
      }
      if added > 0 { origins[position].index = nil }
    }
  }
}
