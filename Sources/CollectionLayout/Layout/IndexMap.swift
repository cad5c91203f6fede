import Dynamics

/// Maps the indices of items before a batch of updates to the indices after it, and back. Its size depends on the size
/// of the batch, not of the list.
public struct IndexMap: Sendable {
  /// The number of items before the batch.
  public private(set) var oldCount: Int
  /// The number of items after the batch.
  public private(set) var newCount: Int
  /// The runs that map indices after the batch to indices before it, in ascending order of `start`.
  private(set) var runsToOld: [Run] = []
  /// The runs that map indices before the batch to indices after it, in ascending order of `start`.
  private var runsToNew: [Run] = []

  /// Consecutive indices that map to consecutive indices: `start` to `target`, `start + 1` to `target + 1`, and so on.
  struct Run: Sendable {
    var start: Int
    var target: Int
    var count = 1
    /// Whether the run is a single item that the batch moves explicitly.
    var isMove = false

    var inverse: Run { Run(start: target, target: start, count: count, isMove: isMove) }
  }

  /// Creates the map of a batch that only appends items at the end of a list, or deletes items there.
  public init(oldCount: Int, newCount: Int) {
    (self.oldCount, self.newCount) = (oldCount, newCount)
    let count = min(oldCount, newCount)
    if count > 0 { runsToOld = [Run(start: 0, target: 0, count: count)] }
    runsToNew = runsToOld
  }

  /// Creates the map of a batch that keeps only some items of a list, in their order.
  /// - Parameter kept: Indices before the batch, in any order.
  /// - Throws: If there is no item at an index, or if an index is given twice.
  public init(keeping kept: [Int], of oldCount: Int) throws(LayoutError) {
    (self.oldCount, newCount) = (oldCount, kept.count)
    for (new, old) in kept.sorted().enumerated() {
      guard (0..<oldCount).contains(old) else { throw .noSuchItem(index: old, count: oldCount) }
      guard let last = runsToOld.last, old <= last.target + last.count else {
        runsToOld.append(Run(start: new, target: old))
        continue
      }
      guard old == last.target + last.count else { throw .itemSelectedTwice(index: old) }
      runsToOld[runsToOld.count - 1].count += 1
    }
    runsToNew = runsToOld.map(\.inverse)
  }

  /// The map in the other direction, from after the batch to before it.
  public var inverse: IndexMap {
    var inverse = self
    swap(&inverse.oldCount, &inverse.newCount)
    swap(&inverse.runsToOld, &inverse.runsToNew)
    return inverse
  }

  /// Creates the map of a batch of updates.
  /// - Parameter expected: The number of items after the batch according to the data source; nil if it is unknown.
  /// - Throws: If an index is out of range or used twice, or if the batch does not leave `expected` items.
  public init(_ updates: [CollectionViewUpdate], oldCount: Int, newCount expected: Int? = nil) throws(LayoutError) {
    let (inserted, deleted) = (updates.count { $0.indexBefore == nil }, updates.count { $0.indexAfter == nil })
    let left = oldCount + inserted - deleted
    if let expected, expected != left || expected < 0 {
      throw .inconsistentItemCount(before: oldCount, inserted: inserted, deleted: deleted, after: expected)
    }
    (self.oldCount, newCount) = (oldCount, left)
    let gone = try Self.sorted(updates, \.indexBefore, count: oldCount)
    let come = try Self.sorted(updates, \.indexAfter, count: left)
    layOutRuns(gone: gone, come: come)
    for case .move(let from, let to) in updates { runsToOld.append(Run(start: to, target: from, isMove: true)) }
    runsToNew = updates.isEmpty ? runsToOld : runsToOld.map(\.inverse)
    guard runsToOld.last?.isMove == true else { return }
    runsToOld.sort { $0.start < $1.start }
    runsToNew.sort { $0.start < $1.start }
  }

  private static func sorted(_ updates: [CollectionViewUpdate], _ index: (CollectionViewUpdate) -> Int?, count: Int)
    throws(LayoutError) -> [(index: Int, position: Int)]
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
    return indices
  }

  private mutating func layOutRuns(gone: [(index: Int, position: Int)], come: [(index: Int, position: Int)]) {
    var (old, new) = (0, 0)
    var (goneNext, comeNext) = (0, 0)
    runsToOld.reserveCapacity(gone.count + come.count + 1)
    while old < oldCount || new < newCount {
      let nextGone = goneNext < gone.count ? gone[goneNext].index : oldCount
      let nextCome = comeNext < come.count ? come[comeNext].index : newCount
      if nextGone == old, old < oldCount {
        (old, goneNext) = (old + 1, goneNext + 1)
      } else if nextCome == new, new < newCount {
        (new, comeNext) = (new + 1, comeNext + 1)
      } else {
        let count = min(nextGone - old, nextCome - new)
        runsToOld.append(Run(start: new, target: old, count: count))
        (old, new) = (old + count, new + count)
      }
    }
  }

  /// The number of items that exist both before and after the batch.
  var keptCount: Int { runsToOld.reduce(0) { $0 + $1.count } }

  /// Returns the old index of the item whose index after the batch is `new`. Nil if the item was inserted, or if there
  /// is no such item.
  public func oldIndex(ofItemAt new: Int) -> Int? {
    var run = 0
    return Self.target(of: new, runsToOld, near: &run)
  }

  /// Returns the same as `oldIndex(ofItemAt:)`. It is faster if the index is in the run at position `run`, and sets
  /// `run` to the position where it found the index.
  @inline(__always) func oldIndex(ofItemAt new: Int, near run: inout Int) -> Int? {
    Self.target(of: new, runsToOld, near: &run)
  }

  /// Returns the new index of the item whose index before the batch was `old`. Nil if the item was deleted, or if there
  /// was no such item.
  public func newIndex(ofItemAt old: Int) -> Int? {
    var run = 0
    return Self.target(of: old, runsToNew, near: &run)
  }

  @inline(__always) private static func target(of index: Int, _ runs: [Run], near run: inout Int) -> Int? {
    if run >= runs.count || index < runs[run].start || index >= runs[run].start + runs[run].count {
      run = max(0, runs.indices.partitioningIndex { runs[$0].start > index } - 1)
      guard run < runs.count, runs[run].start <= index, index < runs[run].start + runs[run].count else { return nil }
    }
    return runs[run].target + (index - runs[run].start)
  }
}
