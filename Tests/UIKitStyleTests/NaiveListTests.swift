import CollectionLayout
import Testing
import UIKit
import UIKitScenarios

@Suite struct NaiveListTests {
  /// Returns the springy list, with the same insets and full lines as `fullLines()`.
  private func list() -> SpringyLayout {
    let layout = SpringyLayout()
    layout.sectionInset = UIEdgeInsets(top: 10, left: 30, bottom: 10, right: 30)
    return layout
  }

  @Test(arguments: 1...4) func itShowsWhatTheReadyLayoutShows(seed: Int) throws {
    let numbers = Numbers(300)
    let layout = list()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try CollectionView(layout: NaiveSpringLayout(flow: fullLines()), itemCount: 300, size: phoneSize)
    try expectAgreement(view, ready, seed: UInt64(seed))
  }

  @Test func itShowsNewItemsAfterReloadingAndResetting() throws {
    let numbers = Numbers(60)
    let layout = list()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    numbers.counts = [90]
    view.reloadData()
    layout.resetLayout()
    let ready = try CollectionView(layout: NaiveSpringLayout(flow: fullLines()), itemCount: 90, size: phoneSize)
    #expect(view.numberOfItems(inSection: 0) == 90)
    try expectAgreement(view, ready, seed: 9)
    numbers.counts = [3]
    view.reloadData()
    layout.resetLayout()
    view.contentOffset = .zero
    #expect(view.visibleAttributes().map(\.indexPath.item) == [0, 1, 2])
  }

  @Test func itsItemsAreFoundByIndexPath() throws {
    let numbers = Numbers(20)
    let view = UICollectionView(frame: phone, collectionViewLayout: list())
    view.dataSource = numbers
    let item = try #require(view.layoutAttributesForItem(at: IndexPath(item: 7, section: 0)))
    #expect(item.indexPath == IndexPath(item: 7, section: 0) && item.center == CGPoint(x: 160, y: 86))
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 20, section: 0)) == nil)
  }
}
