/// Follows an item back through the updates of the list, and adds up its displacement and velocity on the way.
struct Trail: BitwiseCopyable {
  /// The position of the item in the range for which the trails were requested.
  let position: Int
  /// The anchor that the item had at the point in time that the trail has reached.
  var anchor: (main: Double, cross: Double)
  /// How far the update that is being applied displaces the item by moving its anchor, points.
  var way = 0.0
  var displacement = 0.0
  var velocity = 0.0
}

// Computes the displacements and velocities of items outside the range whose anchors were moved by updates.

extension AttachmentRangeBehavior.State {
  /// Returns displacements and velocities of items outside the range or entering it. The next call overwrites them.
  mutating func followTrails(of items: Range<Int>, _ anchor: (_ index: Int) -> (main: Double, cross: Double))
    -> UnsafeMutableBufferPointer<Trail>
  {
    trails.removeAll()
    origins.removeAll()
    for index in items {
      trails.append(Trail(position: index - items.lowerBound, anchor: anchor(index)))
      origins.append(AttachmentRangeBehavior.Origin(index: index, anchor: .zero))
    }
    followTrails()
    return trails.elements
  }

  /// Computes the displacements and velocities of all trails. Shifts between two updates contribute to them, and so
  /// does each update that moved an item's anchor. Each update is applied to all items together, because most of its
  /// work does not depend on the number of items.
  mutating func followTrails() {
    guard trails.count > 0 else { return }
    let (past, additions) = (past, additions)
    // Uses the updates in place, because the array's subscript would copy and retain them.
    past.withUnsafeBufferPointer { past in
      var (level, end) = (past.count, Int.max)
      while true {
        addShifts(
          since: level > 0 ? past[level - 1].mark : 0, until: end,
          level < past.count ? past[level].additions : additions)
        guard level > 0 else { return }
        level -= 1
        end = past[level].mark
        past[level].trace(origins.elements)
        addMove(ofEntry: past[level].entry, past[level].axis)
      }
    }
  }

  /// Adds to the trails the remaining effect of an update that moved the anchors.
  private mutating func addMove(ofEntry entry: Int, _ axis: Axis) {
    let history = remembered
    let weight = history.pointee.weight(ofEntry: entry)
    let (origins, trails) = (origins.elements, trails.elements)
    for position in origins.indices where origins[position].index != nil {
      let anchor = axis.coordinates(of: origins[position].anchor)
      let way = anchor.main - trails[position].anchor.main
      trails[position].displacement += weight.displacement * way
      trails[position].velocity += weight.velocity * way
      trails[position].anchor = anchor
    }
  }

  /// Adds the remaining effect of the shifts between two marks (positions in the sequence of shifts). Items that were
  /// added in between were moved only by the shifts after their addition.
  private mutating func addShifts(since mark: Int, until end: Int, _ additions: [(firstIndex: Int, mark: Int)]) {
    let (origins, trails) = (origins.elements, trails.elements)
    let history = remembered
    let all = history.pointee.window(since: mark, until: end)
    for position in origins.indices {
      guard let index = origins[position].index else { continue }
      let added = additions.isEmpty ? 0 : Self.mark(at: index, additions)
      let shifts = added > mark ? history.pointee.window(since: added, until: end) : all
      let (main, cross) = trails[position].anchor
      let state = shifts.response(anchorMain: main, anchorCross: cross)
      trails[position].displacement += state.displacement
      trails[position].velocity += state.velocity
      if added > 0 { origins[position].index = nil }
    }
  }
}
