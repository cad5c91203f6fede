import CollectionLayout
import Testing
import UIKit
import UIKitScenarios

@Suite struct TiledListTests {
  private func messages(_ count: Int, offset: Double = 0) throws -> CollectionView {
    try CollectionView(
      layout: TiledSpringLayout(flow: .messages), itemCount: count, size: phoneSize, contentOffset: offset)
  }

  @Test(arguments: 1...4) func itShowsWhatTheReadyLayoutShows(seed: Int) throws {
    let numbers = Numbers(1_000)
    let layout = TiledLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    try expectAgreement(view, messages(1_000), seed: UInt64(seed))
    #expect((8...14).contains(layout.springCount))
  }

  @Test func itShowsNewItemsAfterReloadingAndResetting() throws {
    let numbers = Numbers(200)
    let layout = TiledLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try messages(200)
    try expectAgreement(view, ready, seed: 5)
    numbers.counts = [400]
    view.reloadData()
    layout.resetLayout()
    try expectAgreement(view, messages(400, offset: Double(view.contentOffset.y)), seed: 6)
  }
}
