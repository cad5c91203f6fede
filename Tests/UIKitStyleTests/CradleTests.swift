import CollectionLayout
import Testing
import UIKit

@Suite struct CradleTests {
  @Test func discsComeCollideAndFallAsInTheReadyLayout() throws {
    let numbers = Numbers(0)
    let view = UICollectionView(frame: phone, collectionViewLayout: NewtonianLayout())
    view.dataSource = numbers
    view.layoutIfNeeded()
    let ready = try CollectionView(layout: CradleLayout(), itemCount: 0, size: phoneSize)
    var script = Script(seed: 11)
    var largest = 0.0
    var mostSeen = 0
    for frame in 0..<600 {
      if frame < 240, frame % 40 == 0 {
        let index = numbers.counts[0]
        numbers.counts = [index + 1]
        view.insertItems(at: [IndexPath(item: index, section: 0)])
        try ready.performBatchUpdates([.insert(at: index)])
      } else if frame > 300, frame % 90 == 0, numbers.counts[0] > 2 {
        let index = script.next(below: numbers.counts[0])
        numbers.counts = [numbers.counts[0] - 1]
        view.deleteItems(at: [IndexPath(item: index, section: 0)])
        try ready.performBatchUpdates([.delete(at: index)])
      }
      try stepBoth(view, ready)
      let (ours, theirs) = (view.engine.visibleAttributes(), ready.visibleAttributes())
      #expect(ours.map(\.index) == theirs.map(\.index))
      mostSeen = max(mostSeen, ours.count)
      for (one, other) in zip(ours, theirs) {
        largest = max(largest, abs(one.center.x - other.center.x), abs(one.center.y - other.center.y))
      }
    }
    #expect(largest < 1e-6)
    #expect(mostSeen > 3)
  }
}
