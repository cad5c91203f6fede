import Statistics
import Testing
import UIKit

/// Tests snapshots of a list, and how the view changes from one to the next.
@Suite struct DiffableDataSourceTests {
  typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  /// Records the updates of the last batch.
  private final class Recorder: UICollectionViewFlowLayout {
    var updates: [UICollectionViewUpdateItem] = []

    override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
      super.prepare(forCollectionViewUpdates: updateItems)
      updates = updateItems
    }
  }

  private struct Shown {
    let layout = Recorder()
    let view: UICollectionView
    let source: UICollectionViewDiffableDataSource<String, Int>

    init() {
      layout.itemSize = CGSize(width: 100, height: 40)
      view = UICollectionView(frame: CGRect(x: 0, y: 0, width: 320, height: 4_000), collectionViewLayout: layout)
      source = UICollectionViewDiffableDataSource(collectionView: view) { _, _, _ in nil }
    }

    func apply(_ snapshot: Snapshot, animated: Bool = true) {
      source.apply(snapshot, animatingDifferences: animated)
      view.layoutIfNeeded()
    }

    /// The positions of the items after all animations have ended.
    var places: [IndexPath: CGPoint] {
      for _ in 0..<60 {
        view.step(by: 1 / 60)
        view.layoutIfNeeded()
      }
      let all = view.presentedAttributes().map { ($0.indexPath, $0.center) }
      return Dictionary(all) { first, _ in first }
    }
  }

  private static func snapshot(_ sections: KeyValuePairs<String, [Int]>) -> Snapshot {
    var snapshot = Snapshot()
    for (section, items) in sections {
      snapshot.appendSections([section])
      snapshot.appendItems(items)
    }
    return snapshot
  }

  @Test func anItemThatIsInsertedAgainMoves() {
    var snapshot = Self.snapshot(["a": [1, 2, 3], "b": [4, 5]])
    snapshot.appendItems([2, 6])
    #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 3])
    #expect(snapshot.itemIdentifiers(inSection: "b") == [4, 5, 2, 6])
    snapshot.insertItems([5, 3], beforeItem: 4)
    #expect(snapshot.itemIdentifiers == [1, 5, 3, 4, 2, 6] && snapshot.sectionIdentifier(containingItem: 3) == "b")
    snapshot.insertItems([6], afterItem: 1)
    #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 6] && snapshot.numberOfItems == 6)
  }

  @Test func anItemCannotBeInsertedTwiceAtOnce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
      snapshot.appendSections(["a"])
      snapshot.appendItems([1, 2, 1])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the item 1 is inserted twice"))
  }

  @Test func aSnapshotIsChangedByIdentifiers() {
    var snapshot = Self.snapshot(["a": [1, 2, 3], "b": [4]])
    snapshot.insertItems([9], afterItem: 1)
    snapshot.moveItem(4, beforeItem: 1)
    snapshot.deleteItems([2, 77])
    snapshot.insertSections(["c"], beforeSection: "b")
    snapshot.appendItems([5], toSection: "c")
    snapshot.moveSection("b", beforeSection: "a")
    #expect(snapshot.sectionIdentifiers == ["b", "a", "c"] && snapshot.itemIdentifiers == [4, 1, 9, 3, 5])
    #expect(
      snapshot.sectionIdentifier(containingItem: 4) == "a" && snapshot.sectionIdentifier(containingItem: 2) == nil)
    #expect(snapshot.numberOfItems == 5 && snapshot.numberOfItems(inSection: "b") == 0)
    #expect(snapshot.indexOfItem(9) == 2 && snapshot.indexOfSection("c") == 2)
    snapshot.deleteSections(["a"])
    #expect(snapshot.itemIdentifiers == [5])
  }

  @Test func theBatchHasWhatChangedAndNoMore() {
    let shown = Shown()
    shown.apply(Self.snapshot(["a": [1, 2, 3, 4, 5, 6], "b": [7, 8]]))
    // One item moves to the end, one to another section. One is deleted and one inserted.
    var next = Self.snapshot(["a": [2, 4, 5, 6, 1], "b": [7, 3, 9]])
    next.reloadItems([5])
    shown.apply(next)
    func paths(_ action: UICollectionViewUpdateItem.Action) -> [[IndexPath?]] {
      shown.layout.updates.filter { $0.updateAction == action }.map {
        [$0.indexPathBeforeUpdate, $0.indexPathAfterUpdate]
      }
    }
    #expect(paths(.delete) == [[IndexPath(item: 1, section: 1), nil]])
    #expect(paths(.insert) == [[nil, IndexPath(item: 2, section: 1)]])
    #expect(
      Set(paths(.move)) == [
        [IndexPath(item: 0, section: 0), IndexPath(item: 4, section: 0)],
        [IndexPath(item: 2, section: 0), IndexPath(item: 1, section: 1)],
      ])
    #expect(paths(.reload).first?.first == IndexPath(item: 4, section: 0))
    #expect(shown.source.itemIdentifier(for: IndexPath(item: 1, section: 1)) == 3)
    #expect(shown.source.indexPath(for: 9) == IndexPath(item: 2, section: 1))
    #expect(shown.source.snapshot().reloadedItemIdentifiers.isEmpty)
  }

  @Test func whatIsMovedAndReloadedAtOnceIsShownAnew() throws {
    let shown = Shown()
    shown.apply(Self.snapshot(["a": [1, 2, 3], "b": [4, 5], "c": [6]]))
    let before = try #require(shown.view.cellForItem(at: IndexPath(item: 0, section: 0)))
    var next = shown.source.snapshot()
    next.moveSection("b", afterSection: "c")
    next.reloadSections(["b"])
    next.moveItem(1, afterItem: 3)
    next.moveItem(6, afterItem: 4)
    next.reloadItems([1, 6])
    shown.apply(next)
    // Item 6 moves into a section that is reloaded, so the batch deletes the item and must not reload it.
    #expect(!shown.layout.updates.contains { $0.updateAction == .reload && $0.indexPathAfterUpdate == nil })
    let fresh = Shown()
    fresh.apply(next)
    #expect(shown.places == fresh.places)
    #expect(shown.source.itemIdentifier(for: IndexPath(item: 2, section: 0)) == 1)
    let after = shown.view.cellForItem(at: IndexPath(item: 2, section: 0))
    #expect(after != nil && after !== before)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func afterAnySnapshotItemsAreWhereAFreshViewHasThem(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let shown = Shown()
    for _ in 0..<25 {
      let sections = ["a", "b", "c", "d", "e"].shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
      var items = Array((0..<60).shuffled(using: &random).prefix(Int.random(in: 0...60, using: &random)))
      // About half of the snapshots are made by changing the previous one instead of from scratch, because most changes
      // of a list are small.
      var next = shown.source.snapshot()
      if Bool.random(using: &random) || next.numberOfSections == 0 {
        next = Snapshot()
        for section in sections {
          next.appendSections([section])
          let count = Int.random(in: 0...items.count, using: &random)
          next.appendItems(Array(items.prefix(count)))
          items.removeFirst(count)
        }
      } else {
        next.deleteItems(Array(items.prefix(3)))
        next.appendItems(Array(100..<103).filter { next.sectionIdentifier(containingItem: $0) == nil })
        if let one = next.itemIdentifiers.randomElement(using: &random), one != next.itemIdentifiers[0] {
          next.moveItem(one, beforeItem: next.itemIdentifiers[0])
          next.reloadItems([one])
        }
        if let last = next.sectionIdentifiers.last, last != next.sectionIdentifiers[0] {
          next.moveSection(next.sectionIdentifiers[0], afterSection: last)
        }
        next.reloadSections(next.sectionIdentifiers.filter { _ in Int.random(in: 0..<8, using: &random) == 0 })
      }
      shown.apply(next, animated: Int.random(in: 0..<5, using: &random) > 0)
      let fresh = Shown()
      fresh.apply(next)
      let places = fresh.places
      #expect(places.count == next.numberOfItems && shown.places == places)
    }
  }

  @Test func aRegistrationSetsUpCellsThatAreAskedFor() throws {
    let layout = UICollectionViewFlowLayout()
    let view = UICollectionView(frame: CGRect(x: 0, y: 0, width: 320, height: 480), collectionViewLayout: layout)
    let registration = UICollectionView.CellRegistration<UICollectionViewCell, Int> { cell, _, item in cell.tag = item }
    let source = UICollectionViewDiffableDataSource<String, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var ended = false
    source.apply(Self.snapshot(["a": [7, 8]])) { ended = true }
    view.layoutIfNeeded()
    #expect(view.cellForItem(at: IndexPath(item: 1, section: 0))?.tag == 8 && ended)
  }
}
