import CollectionLayout
import Dynamics
import Foundation

/// The changes requested within a batch.
struct PendingBatch {
  var inserted: [IndexPath] = []
  var deleted: [IndexPath] = []
  var moved: [(from: IndexPath, to: IndexPath)] = []
  var reloaded: [IndexPath] = []
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  var movedSections: [(from: Int, to: Int)] = []
  var reloadedSections = IndexSet()
}

/// A callback after an animated change.
struct AnimationCompletion {
  /// Seconds.
  var remaining: Double
  let body: (Bool) -> Void
}

// Changes of the list. If they are impossible or do not fit the data source, the program ends with a message, as
// by UIKit's exception.
extension UICollectionView {
  /// Animates the insertions, deletions, moves and reloads made in the block, and its changes to the
  /// layout. The block also changes the data source.
  ///
  /// - Parameters:
  ///   - updates: Index paths of deletions, reloads and origins of moves are those before the batch, the others those
  ///     after it, whatever their order.
  ///   - completion: Called when all animations have ended, as time passes by `step(by:)`.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    guard pendingBatch == nil else {
      updates?()
      if let completion { completions.append(AnimationCompletion(remaining: 0, body: completion)) }
      return
    }
    runBatch { updates?() }
    if let completion { completions.append(AnimationCompletion(remaining: ItemAnimation().duration, body: completion)) }
  }

  private func runBatch(_ updates: () -> Void) {
    let layout = current
    mustSucceed { () throws(LayoutError) in
      try engine.runBatch(
        ItemAnimation(),
        collecting: { () throws(LayoutError) in
          layout.changeBegins()
          pendingBatch = PendingBatch()
          updates()
          let batch = pendingBatch ?? PendingBatch()
          pendingBatch = nil
          return try resolve(batch)
        })
    }
    layout.change = nil
    adjustOffset()
  }

  public func insertItems(at indexPaths: [IndexPath]) { change { $0.inserted += indexPaths } }
  public func deleteItems(at indexPaths: [IndexPath]) { change { $0.deleted += indexPaths } }
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.moved.append((indexPath, newIndexPath)) }
  }
  /// Notes that items show something else now.
  public func reloadItems(at indexPaths: [IndexPath]) { change { $0.reloaded += indexPaths } }
  public func reconfigureItems(at indexPaths: [IndexPath]) { reloadItems(at: indexPaths) }
  public func insertSections(_ sections: IndexSet) { change { $0.insertedSections.formUnion(sections) } }
  public func deleteSections(_ sections: IndexSet) { change { $0.deletedSections.formUnion(sections) } }
  public func moveSection(_ section: Int, toSection newSection: Int) {
    change { $0.movedSections.append((section, newSection)) }
  }
  /// The sections' items go and come again, in any number.
  public func reloadSections(_ sections: IndexSet) { change { $0.reloadedSections.formUnion(sections) } }

  private func change(_ note: (inout PendingBatch) -> Void) {
    guard var batch = pendingBatch else { return runBatch { change(note) } }
    note(&batch)
    pendingBatch = batch
  }

  /// Counts the items anew, and returns the updates by indices in the whole list.
  private func resolve(_ batch: PendingBatch) throws(LayoutError) -> [CollectionViewUpdate] {
    let (old, new) = (sections, countSections())
    var updates: [CollectionViewUpdate] = []
    for path in batch.deleted { updates.append(.delete(at: index(path, in: old, "before"))) }
    for path in batch.inserted { updates.append(.insert(at: index(path, in: new, "after"))) }
    for move in batch.moved {
      updates.append(.move(from: index(move.from, in: old, "before"), to: index(move.to, in: new, "after")))
    }
    for section in batch.deletedSections.union(batch.reloadedSections) {
      updates += items(of: section, in: old).map { .delete(at: $0) }
    }
    for section in batch.insertedSections { updates += items(of: section, in: new).map { .insert(at: $0) } }
    for section in batch.reloadedSections {
      let later = Self.newSection(section, batch)
      updates += items(of: later, in: new).map { .insert(at: $0) }
    }
    for move in batch.movedSections {
      updates += zip(items(of: move.from, in: old), items(of: move.to, in: new)).map { .move(from: $0, to: $1) }
    }
    let map = try IndexMap(updates, oldCount: old.itemCount, newCount: new.itemCount)
    let reloads = batch.reloaded.map { path in
      let place = map.newIndex(ofItemAt: index(path, in: old, "before"))
      return UICollectionViewUpdateItem(before: path, after: place.map { new.indexPath(at: $0) }, .reload)
    }
    current.change = ListChange(oldSections: old, map: map, others: reloads)
    sections = new
    return updates
  }

  /// Where a section is after the batch.
  private static func newSection(_ section: Int, _ batch: PendingBatch) -> Int {
    var later = section - batch.deletedSections.count { $0 < section }
    for inserted in batch.insertedSections where inserted <= later { later += 1 }
    return later
  }

  private func index(_ path: IndexPath, in sections: Sections, _ moment: String) -> Int {
    guard let index = sections.index(at: path) else {
      raise("there is no item at the index path \(Array(path)) \(moment) the batch")
    }
    return index
  }

  private func items(of section: Int, in sections: Sections) -> Range<Int> {
    guard (0..<sections.count).contains(section) else {
      raise("section \(section), of \(sections.count); sections are counted from 0")
    }
    return sections.items(of: section)
  }

  /// Scrolls to where the layout and the delegate want the view after a change.
  final func adjustOffset() {
    let offset = contentOffset
    var target = current.targetContentOffset(forProposedContentOffset: offset)
    if let delegate = delegate as? any UICollectionViewDelegate {
      target = delegate.collectionView(self, targetContentOffsetForProposedContentOffset: target)
    }
    if target != offset { moveBounds(to: target) }
  }

  final func stepCompletions(by timestep: Double) {
    guard !completions.isEmpty else { return }
    for index in completions.indices { completions[index].remaining -= timestep }
    // Slightly early, because sums of timesteps hardly ever equal a duration.
    let ended = completions.filter { $0.remaining <= 1e-9 }
    completions.removeAll { $0.remaining <= 1e-9 }
    for completion in ended { completion.body(true) }
  }
}
