import CollectionLayout
import Dynamics
import Testing

/// The list of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013), as the article writes it.
private final class SpringyLayout: CollectionViewFlowLayout {
  private lazy var dynamicAnimator = DynamicAnimator(collectionViewLayout: self)

  override init() {
    super.init()
    minimumInteritemSpacing = 10
    minimumLineSpacing = 10
    itemSize = Size(width: 44, height: 44)
    sectionInset = EdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
  }

  override func prepare() {
    super.prepare()
    guard let collectionView, dynamicAnimator.behaviors.isEmpty else { return }
    let contents = Rect(origin: .zero, size: collectionView.contentSize)
    for item in super.layoutAttributesForElements(in: contents) ?? [] {
      let spring = AttachmentBehavior(item: item, attachedToAnchor: item.center)
      spring.length = 0
      spring.damping = 0.8
      spring.frequency = 1
      do { try dynamicAnimator.addBehavior(spring) } catch { Issue.record(error) }
    }
  }

  override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect) as? [CollectionViewLayoutAttributes]
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    dynamicAnimator.layoutAttributesForCell(at: indexPath)
  }

  override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    guard let collectionView else { return false }
    let delta = newBounds.origin.y - collectionView.bounds.origin.y
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for case let spring as AttachmentBehavior in dynamicAnimator.behaviors {
      guard let item = spring.items.first as? CollectionViewLayoutAttributes else { continue }
      let distance = abs(touch.y - spring.anchorPoint.y) + abs(touch.x - spring.anchorPoint.x)
      let resistance = distance / 1500
      item.center.y += delta < 0 ? max(delta, delta * resistance) : min(delta, delta * resistance)
      do { try dynamicAnimator.updateItem(usingCurrentState: item) } catch { Issue.record(error) }
    }
    return false
  }

  func resetLayout() {
    dynamicAnimator.removeAllBehaviors()
    prepare()
  }
}

@Suite struct NaiveListTests {
  @Test(arguments: 1...4)
  func itShowsWhatTheReadyLayoutShows(seed: Int) throws {
    let numbers = Numbers(300)
    let layout = SpringyLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try CollectionView(layout: NaiveSpringLayout(), itemCount: 300, size: phone.size)
    try expectAgreement(view, ready, seed: UInt64(seed))
  }

  @Test func itShowsNewItemsAfterReloadingAndResetting() throws {
    let numbers = Numbers(60)
    let layout = SpringyLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    numbers.counts = [90]
    view.reloadData()
    layout.resetLayout()
    let ready = try CollectionView(layout: NaiveSpringLayout(), itemCount: 90, size: phone.size)
    #expect(view.numberOfItems(inSection: 0) == 90)
    try expectAgreement(view, ready, seed: 9)
    numbers.counts = [3]
    view.reloadData()
    layout.resetLayout()
    view.contentOffset = .zero
    #expect(view.visibleAttributes().map(\.index) == [0, 1, 2])
  }

  @Test func itsItemsAreFoundByIndexPath() throws {
    let numbers = Numbers(20)
    let view = CollectionView(frame: phone, collectionViewLayout: SpringyLayout())
    view.dataSource = numbers
    let item = try #require(view.layoutAttributesForItem(at: IndexPath(item: 7, section: 0)))
    #expect(item.indexPath == IndexPath(item: 7, section: 0) && item.center == Point(x: 140, y: 86))
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 20, section: 0)) == nil)
  }
}
