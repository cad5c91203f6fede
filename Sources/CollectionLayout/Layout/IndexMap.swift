/// Maps the indices of items before a batch of updates to those after it, and back.
///
/// Its size depends on the batch, not on the list: runs of items that kept their order, and single moves.
public struct IndexMap: Sendable {
  /// Items before the batch.
  public let oldCount: Int
  /// Items after the batch.
  public let newCount: Int
  /// Items that were neither inserted nor moved by themselves, in ascending order.
  private(set) var runs: [Run] = []
  /// Ascending by index after the batch.
  private(set) var moves: [Move] = []
  private var movesByOld: [Move] = []

  /// Items whose indices changed by the same number.
  struct Run: Sendable {
    var newStart: Int
    var oldStart: Int
    var count: Int
  }

  struct Move: Sendable {
    var old: Int
    var new: Int
  }

  /// The map between lists that share the first items of the shorter one; the others were appended or
  /// removed at the end.
  public init(oldCount: Int, newCount: Int) {
    self.oldCount = oldCount
    self.newCount = newCount
    let count = min(oldCount, newCount)
    if count > 0 { runs = [Run(newStart: 0, oldStart: 0, count: count)] }
  }

  /// The map of a list of which only some items are left, in their order.
  /// - Parameters:
  ///   - kept: Indices before, in any order.
  ///   - oldCount: Items before.
  /// - Throws: If no item has an index, or it is given twice.
  public init(keeping kept: [Int], of oldCount: Int) throws(LayoutError) {
    self.oldCount = oldCount
    newCount = kept.count
    for (new, old) in kept.sorted().enumerated() {
      guard (0..<oldCount).contains(old) else { throw .noSuchItem(index: old, count: oldCount) }
      guard let last = runs.last, old <= last.oldStart + last.count else {
        runs.append(Run(newStart: new, oldStart: old, count: 1))
        continue
      }
      guard old == last.oldStart + last.count else { throw .itemSelectedTwice(index: old) }
      runs[runs.count - 1].count += 1
    }
  }

  /// The inverse map.
  public var inverse: IndexMap {
    var inverse = IndexMap(oldCount: newCount, newCount: oldCount)
    inverse.runs = runs.map { Run(newStart: $0.oldStart, oldStart: $0.newStart, count: $0.count) }
    inverse.moves = movesByOld.map { Move(old: $0.new, new: $0.old) }
    inverse.movesByOld = moves.map { Move(old: $0.new, new: $0.old) }
    return inverse
  }

  /// - Parameters:
  ///   - updates: In the order in which they were made.
  ///   - oldCount: Items before the batch.
  ///   - expected: Items after it according to the data source; nil: as many as the batch leaves.
  /// - Throws: If an index is out of range or used twice, or counts do not add up.
  public init(_ updates: [CollectionViewUpdate], oldCount: Int, newCount expected: Int? = nil) throws(LayoutError) {
    var (inserted, deleted) = (0, 0)
    for update in updates {
      switch update {
      case .insert: inserted += 1
      case .delete: deleted += 1
      case .move: break
      }
    }
    let left = oldCount + inserted - deleted
    if let expected, expected != left || expected < 0 {
      throw .inconsistentItemCount(before: oldCount, inserted: inserted, deleted: deleted, after: expected)
    }
    self.oldCount = oldCount
    newCount = left
    let gone = try Self.sorted(updates, \.indexBefore, count: oldCount)
    let come = try Self.sorted(updates, \.indexAfter, count: left)
    layOutRuns(gone: gone, come: come)
    for case .move(let from, let to) in updates { moves.append(Move(old: from, new: to)) }
    movesByOld = moves.sorted { $0.old < $1.old }
    moves.sort { $0.new < $1.new }
  }

  private static func sorted(_ updates: [CollectionViewUpdate], _ index: (CollectionViewUpdate) -> Int?, count: Int)
    throws(LayoutError) -> [Int]
  {
    var indices: [(index: Int, position: Int)] = []
    for (position, update) in updates.enumerated() {
      guard let index = index(update) else { continue }
      guard index >= 0, index < count else { throw .updateOutOfRange(update, count: count) }
      indices.append((index, position))
    }
    indices.sort { $0 < $1 }
    for (a, b) in zip(indices, indices.dropFirst()) where a.index == b.index {
      throw .conflictingUpdates(updates[a.position], updates[b.position])
    }
    return indices.map(\.index)
  }

  private mutating func layOutRuns(gone: [Int], come: [Int]) {
    var (old, new) = (0, 0)
    var (goneNext, comeNext) = (0, 0)
    while old < oldCount || new < newCount {
      if goneNext < gone.count, gone[goneNext] == old {
        (old, goneNext) = (old + 1, goneNext + 1)
      } else if comeNext < come.count, come[comeNext] == new {
        (new, comeNext) = (new + 1, comeNext + 1)
      } else {
        let untilGone = (goneNext < gone.count ? gone[goneNext] : oldCount) - old
        let untilCome = (comeNext < come.count ? come[comeNext] : newCount) - new
        let count = min(untilGone, untilCome)
        runs.append(Run(newStart: new, oldStart: old, count: count))
        (old, new) = (old + count, new + count)
      }
    }
  }
}

extension IndexMap {
  /// Items that exist both before and after the batch.
  var keptCount: Int { runs.reduce(moves.count) { $0 + $1.count } }

  /// Index before the batch of the item that has this index after it; nil: it was inserted, or there is none.
  public func oldIndex(ofItemAt new: Int) -> Int? {
    let run = Self.countNotAbove(new, runs.count) { runs[$0].newStart } - 1
    if run >= 0, new < runs[run].newStart + runs[run].count { return runs[run].oldStart + (new - runs[run].newStart) }
    let move = Self.countNotAbove(new, moves.count) { moves[$0].new } - 1
    return move >= 0 && moves[move].new == new ? moves[move].old : nil
  }

  /// The same, for indices that are mostly in the run of the one before.
  @inline(__always) func oldIndex(ofItemAt new: Int, near run: inout Int) -> Int? {
    if run >= runs.count || new < runs[run].newStart || new >= runs[run].newStart + runs[run].count {
      run = max(0, Self.countNotAbove(new, runs.count) { runs[$0].newStart } - 1)
      guard run < runs.count, runs[run].newStart <= new, new < runs[run].newStart + runs[run].count else {
        return oldIndex(ofItemAt: new)
      }
    }
    return runs[run].oldStart + (new - runs[run].newStart)
  }

  /// Index after the batch of the item that had this index before it; nil: it was deleted, or there was none.
  public func newIndex(ofItemAt old: Int) -> Int? {
    let run = Self.countNotAbove(old, runs.count) { runs[$0].oldStart } - 1
    if run >= 0, old < runs[run].oldStart + runs[run].count { return runs[run].newStart + (old - runs[run].oldStart) }
    let move = Self.countNotAbove(old, movesByOld.count) { movesByOld[$0].old } - 1
    return move >= 0 && movesByOld[move].old == old ? movesByOld[move].new : nil
  }

  /// Number of keys of an ascending list that are at most a value.
  private static func countNotAbove(_ value: Int, _ count: Int, _ key: (Int) -> Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(middle) <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
