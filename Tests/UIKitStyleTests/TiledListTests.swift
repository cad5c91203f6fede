import CollectionLayout
import Dynamics
import Testing

/// The second list of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013), as the article writes it: only
/// the items near the screen have springs.
private final class TiledLayout: CollectionViewFlowLayout {
  private lazy var dynamicAnimator = DynamicAnimator(collectionViewLayout: self)
  private var visibleIndexPaths: Set<IndexPath> = []
  private var latestDelta = 0.0

  override init() {
    super.init()
    minimumInteritemSpacing = 5
    minimumLineSpacing = 5
    itemSize = Size(width: 310, height: 60)
    sectionInset = EdgeInsets(top: 5, left: 5, bottom: 5, right: 5)
  }

  var springCount: Int { dynamicAnimator.behaviors.count }

  override func prepare() {
    super.prepare()
    guard let collectionView else { return }
    let visibleRect = Rect(origin: collectionView.bounds.origin, size: collectionView.frame.size)
      .insetBy(dx: -100, dy: -100)
    let visible = super.layoutAttributesForElements(in: visibleRect) ?? []
    let paths = Set(visible.map(\.indexPath))
    let gone = dynamicAnimator.behaviors.filter { behavior in
      guard let spring = behavior as? AttachmentBehavior,
        let item = spring.items.first as? CollectionViewLayoutAttributes
      else { return false }
      return !paths.contains(item.indexPath)
    }
    for behavior in gone { do { try dynamicAnimator.removeBehavior(behavior) } catch { Issue.record(error) } }
    visibleIndexPaths.formIntersection(paths)
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for item in visible where !visibleIndexPaths.contains(item.indexPath) {
      let spring = AttachmentBehavior(item: item, attachedToAnchor: item.center)
      spring.length = 0
      spring.damping = 0.8
      spring.frequency = 1
      if touch != .zero { shift(item, of: spring, touch) }
      do { try dynamicAnimator.addBehavior(spring) } catch { Issue.record(error) }
      visibleIndexPaths.insert(item.indexPath)
    }
  }

  private func shift(_ item: CollectionViewLayoutAttributes, of spring: AttachmentBehavior, _ touch: Point) {
    let distance = abs(touch.y - spring.anchorPoint.y) + abs(touch.x - spring.anchorPoint.x)
    let resistance = distance / 1500
    item.center.y +=
      latestDelta < 0
      ? max(latestDelta, latestDelta * resistance) : min(latestDelta, latestDelta * resistance)
  }

  override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect) as? [CollectionViewLayoutAttributes]
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    dynamicAnimator.layoutAttributesForCell(at: indexPath)
  }

  override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    guard let collectionView else { return false }
    latestDelta = newBounds.origin.y - collectionView.bounds.origin.y
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for case let spring as AttachmentBehavior in dynamicAnimator.behaviors {
      guard let item = spring.items.first as? CollectionViewLayoutAttributes else { continue }
      shift(item, of: spring, touch)
      do { try dynamicAnimator.updateItem(usingCurrentState: item) } catch { Issue.record(error) }
    }
    return false
  }

  func resetLayout() {
    dynamicAnimator.removeAllBehaviors()
    visibleIndexPaths.removeAll()
    latestDelta = 0
    prepare()
  }
}

@Suite struct TiledListTests {
  private func messages(_ count: Int, offset: Double = 0) throws -> CollectionView {
    try CollectionView(
      layout: TiledSpringLayout(flow: .messages), itemCount: count, size: phone.size, contentOffset: offset)
  }

  @Test(arguments: 1...4)
  func itShowsWhatTheReadyLayoutShows(seed: Int) throws {
    let numbers = Numbers(1_000)
    let layout = TiledLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    try expectAgreement(view, messages(1_000), seed: UInt64(seed))
    #expect((8...14).contains(layout.springCount))
  }

  @Test func itShowsNewItemsAfterReloadingAndResetting() throws {
    let numbers = Numbers(200)
    let layout = TiledLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try messages(200)
    try expectAgreement(view, ready, seed: 5)
    numbers.counts = [400]
    view.reloadData()
    layout.resetLayout()
    try expectAgreement(view, messages(400, offset: view.contentOffset.y), seed: 6)
  }
}
