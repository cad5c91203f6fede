import Dynamics

extension SpringLayout {
  /// Moves the anchors of the springs to the new lines. The items stay where they are, until their springs pull them.
  final func takeOver(_ map: IndexMap, from oldLines: FlowLines) throws(LayoutError) {
    let axis = scrollDirection
    let lines = flow.pointee.lines
    let moves = AnchorMoves(map, from: oldLines, to: lines)
    noteMove(upTo: max(-moves.common.lowerBound, moves.common.upperBound))
    let range = rangeAfterUpdate(moves.common)
    do throws(DynamicsError) {
      try springs.rearrange(
        into: range, displacements: moves.common, largestDisplacement: moves.largest,
        anchors: { indices, place in
          lines.forEachItem(in: indices) { index, center in place(index, center.point(axis)) }
        }
      ) { items in
        var run = 0
        for position in items.indices {
          guard let index = items[position].index else { continue }
          items[position].index = map.oldIndex(ofItemAt: index, near: &run)
          guard let old = items[position].index else { continue }
          items[position].anchor = oldLines.center(at: old).point(axis)
        }
      }
    } catch { throw .dynamics(error) }
    didRearrange(map, distant: moves.distant)
  }
}

/// The displacements that an update causes, because it moves the anchors of items while the items stay in place. They
/// are in points along the scroll axis.
struct AnchorMoves {
  /// The largest distance of a `CollectionViewUpdate.move` whose item is treated like all others, points. Simulating a
  /// few more rows costs less than treating an item separately.
  private static let shortWay = 1_000.0

  /// The range of the displacements of all items except those in `distant`.
  private(set) var common = 0.0...0.0
  /// The items that a `CollectionViewUpdate.move` displaced further than `shortWay`, by their indices after the update.
  private(set) var distant: [Int] = []
  /// The largest displacement of any item, as a magnitude.
  private(set) var largest = 0.0

  /// - Complexity: O(number of updates in the batch).
  init(_ map: IndexMap, from old: FlowLines, to new: FlowLines) {
    for run in map.runsToOld where !run.isMove { include(run, old, new) }
    for move in map.runsToOld where move.isMove {
      let displacement = old.center(at: move.target).main - new.center(at: move.start).main
      largest = max(largest, abs(displacement))
      if abs(displacement) > Self.shortWay { distant.append(move.start) } else { common.include(displacement) }
    }
    largest = max(largest, -common.lowerBound, common.upperBound)
  }

  /// Extends `common` by the displacements of a run of items. Between the ends of the run, the displacement is linear
  /// in the index, apart from line breaks. A line break can change the displacement by the distance between two old
  /// lines plus that between two new lines, or by one such distance if old and new lines are alike.
  private mutating func include(_ run: IndexMap.Run, _ old: FlowLines, _ new: FlowLines) {
    let isAlike = old.columnCount == new.columnCount && old.linePitch == new.linePitch
    let keepsLines = old.columnCount == new.columnCount && (run.start - run.target).isMultiple(of: new.columnCount)
    let first = old.center(at: run.target).main - new.center(at: run.start).main
    let end = run.count - 1
    let last = old.center(at: run.target + end).main - new.center(at: run.start + end).main
    let line = keepsLines ? 0 : isAlike ? new.linePitch : old.linePitch + new.linePitch
    common.include(min(first, last) - line)
    common.include(max(first, last) + line)
  }
}
