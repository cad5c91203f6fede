import Dynamics

/// The changes requested by UIKit's calls within a batch.
struct PendingBatch {
  var inserted: [IndexPath] = []
  var deleted: [IndexPath] = []
  var moved: [(from: IndexPath, to: IndexPath)] = []
  var reloaded: [IndexPath] = []
}

/// A callback after an animated change.
struct AnimationCompletion {
  /// Seconds.
  var remaining: Double
  let body: (Bool) -> Void
}

// UIKit's calls that change the list.
extension CollectionView {
  /// Animates the insertions, deletions, moves and reloads made in the block, and its changes to the
  /// layout. The block also changes the data source.
  ///
  /// - Parameters:
  ///   - updates: Index paths of deletions, reloads and origins of moves are those before the batch, the
  ///   others those
  ///     after it, whatever their order.
  ///   - completion: Called when all animations have ended, as time passes by `step(by:)`.
  /// - Throws: If UIKit would raise an exception: if updates are impossible or do not fit the data source.
  ///   Changes made by the block stay then.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) throws(LayoutError) {
    guard pendingBatch == nil else {
      updates?()
      if let completion { completions.append(AnimationCompletion(remaining: 0, body: completion)) }
      return
    }
    let options = AnimationOptions()
    try runBatch(
      options,
      collect: { () throws(LayoutError) in
        pendingBatch = PendingBatch()
        updates?()
        defer { pendingBatch = nil }
        return try resolved(pendingBatch ?? PendingBatch())
      })
    if let completion {
      completions.append(AnimationCompletion(remaining: options.duration, body: completion))
      animationsChanged()
    }
  }

  /// Inserts items, on its own or as part of a batch.
  /// - Precondition: A change on its own fits the data source.
  public func insertItems(at indexPaths: [IndexPath]) { change { $0.inserted += indexPaths } }

  /// Deletes items, on its own or as part of a batch.
  /// - Precondition: A change on its own fits the data source.
  public func deleteItems(at indexPaths: [IndexPath]) { change { $0.deleted += indexPaths } }

  /// Moves an item, on its own or as part of a batch.
  /// - Precondition: A change on its own fits the data source.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    change { $0.moved.append((indexPath, newIndexPath)) }
  }

  /// Notes that items show something else now, on its own or as part of a batch.
  /// - Precondition: The items exist.
  public func reloadItems(at indexPaths: [IndexPath]) { change { $0.reloaded += indexPaths } }

  private func change(_ note: (inout PendingBatch) -> Void) {
    if var batch = pendingBatch {
      note(&batch)
      pendingBatch = batch
      return
    }
    do throws(LayoutError) {
      try runBatch(
        AnimationOptions(),
        collect: { () throws(LayoutError) in
          var batch = PendingBatch()
          note(&batch)
          return try resolved(batch)
        })
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The batch with indices in the whole list.
  private func resolved(_ batch: PendingBatch) throws(LayoutError) -> Batch {
    let old = layout.view.pointee.sections
    let change = batch.inserted.count - batch.deleted.count
    let newSections = dataSource?.sections(in: self)
    let newCount = dataSource?.itemCount(in: self) ?? (itemCount + change)
    func before(_ path: IndexPath) throws(LayoutError) -> Int {
      guard let index = CollectionViewLayout.index(at: path, old, itemCount: itemCount) else {
        throw .noItemAtIndexPath(path)
      }
      return index
    }
    func after(_ path: IndexPath) throws(LayoutError) -> Int {
      guard let index = CollectionViewLayout.index(at: path, newSections, itemCount: newCount) else {
        throw .noItemAtIndexPath(path)
      }
      return index
    }
    var updates: [CollectionViewUpdate] = []
    for path in batch.deleted { updates.append(.delete(at: try before(path))) }
    for path in batch.inserted { updates.append(.insert(at: try after(path))) }
    for move in batch.moved { updates.append(.move(from: try before(move.from), to: try after(move.to))) }
    var reloads: [CollectionViewUpdateItem] = []
    guard !batch.reloaded.isEmpty else { return Batch(updates: updates) }
    let map = try IndexMap(updates, oldCount: itemCount)
    for path in batch.reloaded {
      let new = map.newIndex(ofItemAt: try before(path))
      let newPath = new.map { newSections?.indexPath(at: $0) ?? IndexPath(item: $0, section: 0) }
      reloads.append(CollectionViewUpdateItem(before: path, after: newPath, .reload))
    }
    return Batch(updates: updates, reloads: reloads)
  }
}

// MARK: - Completions

extension CollectionView {
  func stepCompletions(by timestep: Double) {
    var waiting = completions
    for index in waiting.indices { waiting[index].remaining -= timestep }
    // Slightly early, because sums of timesteps hardly ever equal a duration.
    let ended = waiting.filter { $0.remaining <= 1e-9 }
    waiting.removeAll { $0.remaining <= 1e-9 }
    completions = waiting
    for completion in ended { completion.body(true) }
  }
}
