import Testing
import UIKit

/// Tests when a view asks its data source for the numbers of items.
@Suite struct DataSourceTests {
  /// A controller that loads its items when its view has been loaded, and reloads nothing afterward.
  private final class LateController: UICollectionViewController {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var items: [Int]!

    override func viewDidLoad() { items = [1, 2, 3] }
    override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      items.count
    }
  }

  @Test func aControllerMayLoadItsItemsAfterItsView() throws {
    let controller = LateController(collectionViewLayout: UICollectionViewFlowLayout())
    let list = try #require(controller.collectionView)
    #expect(list.numberOfItems(inSection: 0) == 3 && list.visibleAttributes().count == 3)
    controller.items.append(4)
    list.insertItems(at: [IndexPath(item: 3, section: 0)])
    #expect(list.visibleAttributes().count == 4)
  }

  @Test func itemsAreCountedWhenTheyAreFirstNeeded() {
    let numbers = Numbers(0)
    func make() -> UICollectionView {
      numbers.counts = [0]
      let list = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
      list.dataSource = numbers
      numbers.counts = [4, 2]
      return list
    }
    #expect(make().numberOfSections == 2 && make().visibleAttributes().count == 6)
    let (updated, changed, turned, moved) = (make(), make(), make(), make())
    updated.performBatchUpdates {
      numbers.counts = [5, 2]
      updated.insertItems(at: [IndexPath(item: 0, section: 0)])
    }
    #expect(updated.visibleAttributes().count == 7)
    numbers.counts = [4, 2]
    changed.setCollectionViewLayout(UICollectionViewFlowLayout(), animated: false)
    #expect(changed.visibleAttributes().count == 6)
    turned.rotate(to: CGSize(width: 568, height: 320))
    #expect(turned.visibleAttributes().count == 6)
    moved.startInteractiveTransition(to: UICollectionViewFlowLayout()).transitionProgress = 0.5
    #expect(moved.visibleAttributes().count == 6)
  }

  @Test func aLayoutMayCallAnOptionalMethod() {
    let numbers = Numbers(4, 2, 1)
    let list = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    #expect((list.dataSource?.numberOfSections?(in: list) ?? 1) == 1)
    list.dataSource = numbers
    #expect((list.dataSource?.numberOfSections?(in: list) ?? 1) == 3)
    #expect(list.dataSource?.numberOfSections(in: list) == 3)
  }

  private final class Chooser: NSObject, UICollectionViewDelegateFlowLayout {
    var chosen: [IndexPath] = []

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
      chosen.append(indexPath)
    }
  }

  private final class Watched: UICollectionView {
    var changes = 0
    override weak var delegate: UICollectionViewDelegate? { didSet { changes += 1 } }
  }

  @Test func theDelegateOfACollectionViewSelectsItems() {
    let (chooser, path) = (Chooser(), IndexPath(item: 1, section: 0))
    let list = Watched(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    list.delegate = chooser
    list.delegate?.collectionView?(list, didSelectItemAt: path)
    #expect(list.delegate?.collectionView?(list, shouldSelectItemAt: path) == true)
    #expect(chooser.chosen == [path] && list.changes == 1)
    let scroller: UIScrollView = list
    #expect(scroller.delegate === chooser)
    scroller.delegate = nil
    #expect(list.delegate == nil)
  }
}
