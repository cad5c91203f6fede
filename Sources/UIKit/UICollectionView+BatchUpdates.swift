import CollectionLayout
import Dynamics
import Foundation

/// The changes requested within a batch.
struct PendingBatch {
  var inserted: [IndexPath] = []
  var deleted: [IndexPath] = []
  var moved: [(from: IndexPath, to: IndexPath)] = []
  var reloaded: [IndexPath] = []
  /// Items that move and also need new cells.
  var outdated: [IndexPath] = []
  /// Items whose cells are replaced without notifying the delegate.
  var reconfigured: [IndexPath] = []
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  var movedSections: [(from: Int, to: Int)] = []
  var reloadedSections = IndexSet()

  var changesSections: Bool {
    !movedSections.isEmpty || [insertedSections, deletedSections, reloadedSections].contains { !$0.isEmpty }
  }

  /// Returns the new index of a section that the batch neither deletes nor moves.
  func newSection(_ section: Int) -> Int {
    let gone = deletedSections.union(IndexSet(movedSections.map(\.from)))
    var later = section - gone.count { $0 < section }
    for come in insertedSections.union(IndexSet(movedSections.map(\.to))) where come <= later { later += 1 }
    return later
  }
}

/// A callback that runs when an animated change has ended.
struct AnimationCompletion {
  /// Seconds until the callback runs.
  var remaining: Double
  let body: (Bool) -> Void
}

extension [AnimationCompletion] {
  /// Advances the time by `timestep` seconds. Removes and returns the callbacks that are due.
  mutating func ended(after timestep: Double) -> [AnimationCompletion] {
    guard !isEmpty else { return [] }
    for index in indices { self[index].remaining -= timestep }
    // Tolerates rounding errors, because sums of timesteps hardly ever equal a duration.
    let ended = filter { $0.remaining <= 1e-9 }
    removeAll { $0.remaining <= 1e-9 }
    return ended
  }
}

// These methods change the list. If a change is impossible or contradicts the data source, the program ends with a
// message, because UIKit raises an exception.
extension UICollectionView {
  /// Animates the insertions, deletions, moves and reloads that the block makes, and its changes to the layout. The
  /// block must also change the data source.
  ///
  /// - Parameters:
  ///   - updates: Deletions, reloads and origins of moves use the index paths before the batch. Insertions and
  ///     destinations of moves use the index paths after the batch. The order of the calls does not matter.
  ///   - completion: Called by `step(by:)` when the duration of this batch's animations has passed.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    if pendingBatch == nil { runBatch { updates?() } } else { updates?() }
    if let completion { completeLater(completion) }
  }

  private var itemAnimation: ItemAnimation {
    var animation = ItemAnimation()
    if !UIView.areAnimationsEnabled { animation.duration = 0 }
    return animation
  }

  final func completeLater(_ completion: @escaping (Bool) -> Void) {
    completions.append(AnimationCompletion(remaining: itemAnimation.duration, body: completion))
  }

  private func runBatch(_ updates: () -> Void) {
    settleTransition()
    countItems()
    var offset = contentOffset
    mustSucceed { () throws(LayoutError) in
      try engine.runBatch(itemAnimation) { () throws(LayoutError) -> IndexMap in
        current.changeBegins()
        pendingBatch = PendingBatch()
        updates()
        let batch = pendingBatch ?? PendingBatch()
        pendingBatch = nil
        offset = contentOffset
        return try resolve(batch)
      }
    }
    formerSections[engine.latestChange] = current.change?.oldSections
    current.changeEnds()
    if contentOffset != offset { scrollDelegate?.scrollViewDidScroll(self) }
  }

  public func insertItems(at indexPaths: [IndexPath]) { change { $0.inserted += indexPaths } }
  public func deleteItems(at indexPaths: [IndexPath]) { change { $0.deleted += indexPaths } }
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.moved.append((indexPath, newIndexPath)) }
  }
  /// Marks items whose content has changed.
  public func reloadItems(at indexPaths: [IndexPath]) { change { $0.reloaded += indexPaths } }
  /// Marks items whose cells the data source must configure again. They stay selected.
  public func reconfigureItems(at indexPaths: [IndexPath]) { change { $0.reconfigured += indexPaths } }
  public func insertSections(_ sections: IndexSet) { change { $0.insertedSections.formUnion(sections) } }
  public func deleteSections(_ sections: IndexSet) { change { $0.deletedSections.formUnion(sections) } }
  public func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }
  /// Reloads sections: deletes their items and inserts the new ones, whose number may differ.
  public func reloadSections(_ sections: IndexSet) { change { $0.reloadedSections.formUnion(sections) } }

  final func change(_ note: (inout PendingBatch) -> Void) {
    guard var batch = pendingBatch else { return runBatch { change(note) } }
    note(&batch)
    pendingBatch = batch
  }

  /// Counts the items again, updates the layout and the selection, and returns the map from old to new indices.
  private func resolve(_ batch: PendingBatch) throws(LayoutError) -> IndexMap {
    let (old, new) = (sections, countSections())
    let updates = updates(of: batch, old, new)
    check(batch, old, new)
    let map = try IndexMap(updates, oldCount: old.itemCount, newCount: new.itemCount)
    func newPath(_ path: IndexPath) -> IndexPath? {
      old.index(at: path).flatMap { map.newIndex(ofItemAt: $0) }.map { new.indexPath(at: $0) }
    }
    for path in batch.reloaded + batch.reconfigured { _ = index(path, in: old, "before") }
    let items = Self.updateItems(of: batch, newPath)
    current.change = ListChange(oldSections: old, map: map, updateItems: items)
    sections = new
    current.listChanged(from: old, to: new, map)
    let reloaded = Set(batch.reloaded + batch.outdated)
    func keptPath(_ path: IndexPath) -> IndexPath? { reloaded.contains(path) ? nil : newPath(path) }
    endDisplaying { $0.kind == nil ? keptPath($0.indexPath) : new.contains(section: $0.indexPath) ? $0.indexPath : nil }
    let reconfigured = Set(batch.reconfigured)
    moveCells { reconfigured.contains($0) ? nil : keptPath($0) }
    // Discards all supplementary views, because they are stored by index path, and other sections may have these index
    // paths now.
    if batch.changesSections { keepSupplementaryViews { _ in false } }
    selection = Set(selection.compactMap(keptPath))
    highlighted = highlighted.flatMap(keptPath)
    let context = current.makeInvalidationContext()
    // UICollectionViewLayout.h says that the view sets this "when items are inserted or deleted".
    context.invalidateDataSourceCounts =
      old != new || items.contains { $0.updateAction == .insert || $0.updateAction == .delete }
    let paths = items.flatMap { [$0.indexPathBeforeUpdate, $0.indexPathAfterUpdate] }.compactMap { $0 }
    let changed = Set(paths.filter { $0.item != NSNotFound }).sorted()
    if !changed.isEmpty { context.invalidateItems(at: changed) }
    current.asked { current.invalidate(using: context) }
    return map
  }

  /// Ends the program if the batch reloads an item that it deletes or moves as well, or if the numbers of sections and
  /// items are not those before the batch plus its changes.
  private func check(_ batch: PendingBatch, _ old: Sections, _ new: Sections) {
    let (deleted, movers) = (Set(batch.deleted), Set(batch.moved.map(\.from)))
    if let path = batch.reloaded.first(where: { deleted.contains($0) || movers.contains($0) }) {
      // A reload counts as a deletion and an insertion.
      let conflict = deleted.contains(path) ? "delete and reload" : "perform a delete and a move from"
      raise("attempt to \(conflict) the same index path \(Array(path))")
    }
    let count = old.count + batch.insertedSections.count - batch.deletedSections.count
    if new.count != count { raise("invalid number of sections: \(new.count) after the batch instead of \(count)") }
    let left = batch.deletedSections.union(IndexSet(batch.movedSections.map(\.from)))
    let entered = batch.insertedSections.union(IndexSet(batch.movedSections.map(\.to)))
    let staying = zip((0..<old.count).filter { !left.contains($0) }, (0..<new.count).filter { !entered.contains($0) })
    let gone = Dictionary(deleted.union(movers).map { ($0.section, 1) }, uniquingKeysWith: +)
    let come = Dictionary(Set(batch.inserted + batch.moved.map(\.to)).map { ($0.section, 1) }, uniquingKeysWith: +)
    for (from, to) in staying + batch.movedSections where !batch.reloadedSections.contains(from) {
      let count = old.items(of: from).count - gone[from, default: 0] + come[to, default: 0]
      let now = new.items(of: to).count
      if now != count { raise("invalid number of items in section \(to): \(now) after the batch instead of \(count)") }
    }
  }

  /// Converts the changes of a batch to updates with indices in the whole list.
  private func updates(of batch: PendingBatch, _ old: Sections, _ new: Sections) -> [CollectionViewUpdate] {
    var updates: [CollectionViewUpdate] = []
    for path in batch.deleted { updates.append(.delete(at: index(path, in: old, "before"))) }
    for path in batch.inserted { updates.append(.insert(at: index(path, in: new, "after"))) }
    for move in batch.moved {
      updates.append(.move(from: index(move.from, in: old, "before"), to: index(move.to, in: new, "after")))
    }
    // Leaves out items of a changed section that the batch also deletes, inserts or moves individually.
    let (gone, come) = (Set(updates.compactMap(\.indexBefore)), Set(updates.compactMap(\.indexAfter)))
    func before(_ section: Int) -> [Int] { items(of: section, in: old).filter { !gone.contains($0) } }
    func after(_ section: Int) -> [Int] { items(of: section, in: new).filter { !come.contains($0) } }
    for section in batch.deletedSections.union(batch.reloadedSections) {
      updates += before(section).map { .delete(at: $0) }
    }
    let reloaded = IndexSet(batch.reloadedSections.map { batch.newSection($0) })
    for section in batch.insertedSections.union(reloaded) { updates += after(section).map { .insert(at: $0) } }
    for move in batch.movedSections {
      updates += zip(before(move.from), after(move.to)).map { .move(from: $0, to: $1) }
    }
    return updates
  }

  /// Returns the update items for the layout, sorted separately for each action, as in UIKit. A changed section is one
  /// update item; its items are not listed.
  private static func updateItems(of batch: PendingBatch, _ newPath: (IndexPath) -> IndexPath?)
    -> [UICollectionViewUpdateItem]
  {
    func section(_ section: Int) -> IndexPath { IndexPath(item: NSNotFound, section: section) }
    typealias Item = UICollectionViewUpdateItem
    let deleted = (batch.deletedSections.map(section) + batch.deleted).sorted(by: >)
    let inserted = (batch.insertedSections.map(section) + batch.inserted).sorted()
    var reloaded = batch.reloaded.map { (from: $0, to: newPath($0)) }
    reloaded += batch.reloadedSections.map { (from: section($0), to: section(batch.newSection($0))) }
    let moved = batch.moved + batch.movedSections.map { (from: section($0.from), to: section($0.to)) }
    var items = deleted.map { Item(before: $0, after: nil, .delete) }
    items += inserted.map { Item(before: nil, after: $0, .insert) }
    items += reloaded.sorted { $0.from < $1.from }.map { Item(before: $0.from, after: $0.to, .reload) }
    return items + moved.sorted { $0.from < $1.from }.map { Item(before: $0.from, after: $0.to, .move) }
  }

  private func index(_ path: IndexPath, in sections: Sections, _ moment: String) -> Int {
    guard let index = sections.index(at: path) else {
      raise("there is no item at the index path \(Array(path)) \(moment) the batch")
    }
    return index
  }

  final func items(of section: Int, in sections: Sections) -> Range<Int> {
    guard (0..<sections.count).contains(section) else {
      raise("section \(section), of \(sections.count); sections are counted from 0")
    }
    return sections.items(of: section)
  }

  /// Returns the offset after an update or a change of the layout. First the layout may change it, then the delegate.
  final func targetContentOffset(of layout: UICollectionViewLayout, proposed: CGPoint) -> CGPoint {
    let limits = scrollLimits(of: layout.collectionViewContentSize)
    // If the content has become shorter, the view stays within it, unless a finger is holding the view.
    let within = CGPoint(x: min(proposed.x, limits.x.high), y: min(proposed.y, limits.y.high))
    let target = layout.asked { layout.targetContentOffset(forProposedContentOffset: isTracking ? proposed : within) }
    return delegate?.collectionView(self, targetContentOffsetForProposedContentOffset: target) ?? target
  }
}
