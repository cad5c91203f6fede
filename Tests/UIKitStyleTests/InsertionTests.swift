import CollectionLayout
import Dynamics
import Testing

/// Inserted items fly up from the middle of the lower edge, and deleted ones back (objc.io's "Animating Collection
/// Views", issue 12, 2014).
class FlyingLayout: CollectionViewFlowLayout {
  private var insertedIndexPaths: [IndexPath] = []
  private var deletedIndexPaths: [IndexPath] = []

  override init() {
    super.init()
    itemSize = Size(width: 44, height: 44)
    sectionInset = EdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
  }

  override func prepare(forCollectionViewUpdates updateItems: [CollectionViewUpdateItem]) {
    super.prepare(forCollectionViewUpdates: updateItems)
    for item in updateItems {
      switch item.updateAction {
      case .insert: if let path = item.indexPathAfterUpdate { insertedIndexPaths.append(path) }
      case .delete: if let path = item.indexPathBeforeUpdate { deletedIndexPaths.append(path) }
      case .move, .reload: break
      }
    }
  }

  override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    insertedIndexPaths.removeAll()
    deletedIndexPaths.removeAll()
  }

  override func initialLayoutAttributesForAppearingItem(
    at indexPath: IndexPath
  ) -> CollectionViewLayoutAttributes? {
    guard insertedIndexPaths.contains(indexPath) else {
      return super.initialLayoutAttributesForAppearingItem(at: indexPath)
    }
    let attributes = layoutAttributesForItem(at: indexPath)
    letFly(attributes)
    return attributes
  }

  override func finalLayoutAttributesForDisappearingItem(
    at indexPath: IndexPath
  ) -> CollectionViewLayoutAttributes? {
    let attributes = super.finalLayoutAttributesForDisappearingItem(at: indexPath)
    guard deletedIndexPaths.contains(indexPath) else { return attributes }
    attributes?.alpha = 1
    letFly(attributes)
    return attributes
  }

  private func letFly(_ attributes: CollectionViewLayoutAttributes?) {
    guard let attributes, let bounds = collectionView?.bounds else { return }
    attributes.transform = AffineTransform(scaleX: 0.2, y: 0.2).rotated(by: .pi)
    attributes.center = Point(x: bounds.midX, y: bounds.maxY)
  }
}

@Suite struct InsertionTests {
  @Test(arguments: 1...3)
  func insertedAndDeletedItemsFlyAsInTheReadyLayout(seed: Int) throws {
    let numbers = Numbers(120)
    let view = CollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(), itemCount: 120, size: phone.size)
    var script = Script(seed: UInt64(seed))
    for _ in 0..<12 {
      let deleted = [script.next(below: numbers.counts[0] / 2), numbers.counts[0] / 2 + 1]
      let inserted = [script.next(below: numbers.counts[0] / 2), numbers.counts[0] / 2 + 1]
      var completed = false
      try view.performBatchUpdates(
        {
          view.deleteItems(at: deleted.map { IndexPath(item: $0, section: 0) })
          view.insertItems(at: inserted.map { IndexPath(item: $0, section: 0) })
        }, completion: { completed = $0 })
      try ready.performBatchUpdates(
        deleted.map { .delete(at: $0) } + inserted.map { .insert(at: $0) })
      // Some batches begin while the one before is still animated.
      for _ in 0..<(4 + script.next(below: 20)) {
        #expect(difference(view, ready) < 1e-6)
        for view in [view, ready] {
          view.step(by: 1 / 60)
          try view.prepareLayout()
        }
      }
      #expect(!completed || view.animatedItemCount == 0)
    }
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.animatedItemCount == 0)
  }

  @Test func theLastItemsComeAndGoToo() throws {
    let numbers = Numbers(20)
    let view = CollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(), itemCount: 20, size: phone.size)
    numbers.counts = [18]
    view.deleteItems(at: [IndexPath(item: 18, section: 0), IndexPath(item: 19, section: 0)])
    try ready.performBatchUpdates([.delete(at: 18), .delete(at: 19)])
    for _ in 0..<10 {
      #expect(difference(view, ready) < 1e-6)
      for view in [view, ready] { view.step(by: 1 / 60) }
    }
    #expect(view.numberOfItems(inSection: 0) == 18)
  }

  @Test func aCompletionIsCalledWhenAllIsAnimated() throws {
    let view = CollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    let numbers = Numbers(10)
    view.dataSource = numbers
    var frames = 0
    var completedIn: Int?
    try view.performBatchUpdates(
      {
        numbers.counts = [11]
        view.insertItems(at: [IndexPath(item: 3, section: 0)])
      }, completion: { _ in completedIn = frames })
    for _ in 0..<30 {
      frames += 1
      view.step(by: 1 / 60)
    }
    #expect(completedIn == 15)
  }

  @Test func aBatchThatDoesNotFitTheDataSourceIsRefused() throws {
    let view = CollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    let numbers = Numbers(10)
    view.dataSource = numbers
    #expect(throws: LayoutError.inconsistentItemCount(before: 10, inserted: 0, deleted: 1, after: 10)) {
      try view.performBatchUpdates { view.deleteItems(at: [IndexPath(item: 3, section: 0)]) }
    }
    #expect(throws: LayoutError.noItemAtIndexPath(IndexPath(item: 3, section: 1))) {
      try view.performBatchUpdates { view.deleteItems(at: [IndexPath(item: 3, section: 1)]) }
    }
    #expect(view.numberOfItems(inSection: 0) == 10)
  }
}
