import CollectionLayout
import Testing
import UIKit

@Suite struct InsertionTests {
  @Test(arguments: 1...3) func insertedAndDeletedItemsFlyAsInTheReadyLayout(seed: Int) throws {
    let numbers = Numbers(120)
    let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(fullLines()), itemCount: 120, size: phoneSize)
    var script = Script(seed: UInt64(seed))
    for _ in 0..<12 {
      let deleted = [script.next(below: numbers.counts[0] / 2), numbers.counts[0] / 2 + 1]
      let inserted = [script.next(below: numbers.counts[0] / 2), numbers.counts[0] / 2 + 1]
      var completed = false
      view.performBatchUpdates(
        {
          view.deleteItems(at: deleted.map { IndexPath(item: $0, section: 0) })
          view.insertItems(at: inserted.map { IndexPath(item: $0, section: 0) })
        }, completion: { completed = $0 })
      try ready.performBatchUpdates(deleted.map { .delete(at: $0) } + inserted.map { .insert(at: $0) })
      // Some batches begin while the previous batch is still animated.
      for _ in 0..<(4 + script.next(below: 20)) {
        #expect(difference(view, ready) < 1e-6)
        try stepBoth(view, ready)
      }
      #expect(!completed || view.animatedItemCount == 0)
    }
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.animatedItemCount == 0)
  }

  @Test func aMovedItemGoesAndComesAsInTheReadyLayout() throws {
    let numbers = Numbers(60)
    let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(fullLines()), itemCount: 60, size: phoneSize)
    view.moveItem(at: IndexPath(item: 3, section: 0), to: IndexPath(item: 17, section: 0))
    try ready.performBatchUpdates([.move(from: 3, to: 17)])
    // The copy that leaves begins at full size, and the copy that arrives begins small. The third scale is that of the
    // item that moved up to index 3.
    let starts = ready.presentedAttributes().filter { [3, 17].contains($0.attributes.index) }.map(\.scale).sorted()
    #expect(starts == [0.2, 1, 1])
    for _ in 0..<20 {
      #expect(difference(view, ready) < 1e-6)
      try stepBoth(view, ready)
    }
    #expect(view.animatedItemCount == 0)
  }

  @Test func theLastItemsComeAndGoToo() throws {
    let numbers = Numbers(20)
    let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(fullLines()), itemCount: 20, size: phoneSize)
    view.layoutIfNeeded()
    numbers.counts = [18]
    view.deleteItems(at: [IndexPath(item: 18, section: 0), IndexPath(item: 19, section: 0)])
    try ready.performBatchUpdates([.delete(at: 18), .delete(at: 19)])
    for _ in 0..<10 {
      #expect(difference(view, ready) < 1e-6)
      try stepBoth(view, ready)
    }
    #expect(view.numberOfItems(inSection: 0) == 18)
  }

  @Test func aCompletionIsCalledWhenAllIsAnimated() throws {
    let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
    let numbers = Numbers(10)
    view.dataSource = numbers
    var frames = 0
    var completedIn: Int?
    view.performBatchUpdates(
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

  @Test func aBatchThatDoesNotFitTheDataSourceEndsTheProgramWithAMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
      let numbers = Numbers(10)
      view.dataSource = numbers
      view.performBatchUpdates({ view.deleteItems(at: [IndexPath(item: 3, section: 0)]) })
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("invalid number of items in section 0: 10 after the batch instead of 9"))
  }

  @Test func anItemThatIsNotThereEndsTheProgramWithAMessage() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let view = UICollectionView(frame: phone, collectionViewLayout: FlyingLayout())
      let numbers = Numbers(10)
      view.dataSource = numbers
      view.deleteItems(at: [IndexPath(item: 3, section: 1)])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("there is no item at the index path [1, 3] before the batch"))
  }
}
