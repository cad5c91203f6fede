import UIKit

/// The second list of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013), implemented as in the article:
/// only the items near the screen have springs.
package final class TiledLayout: UICollectionViewFlowLayout {
  private lazy var dynamicAnimator = UIDynamicAnimator(collectionViewLayout: self)
  private var visibleIndexPaths: Set<IndexPath> = []
  private var latestDelta: CGFloat = 0

  package override init() {
    super.init()
    minimumInteritemSpacing = 5
    minimumLineSpacing = 5
    itemSize = CGSize(width: 310, height: 60)
    sectionInset = UIEdgeInsets(top: 5, left: 5, bottom: 5, right: 5)
  }

  package required init?(coder: NSCoder) { super.init(coder: coder) }

  package var springCount: Int { dynamicAnimator.behaviors.count }

  package override func prepare() {
    super.prepare()
    guard let collectionView else { return }
    let visibleRect = CGRect(origin: collectionView.bounds.origin, size: collectionView.frame.size).insetBy(
      dx: -100, dy: -100)
    let visible = super.layoutAttributesForElements(in: visibleRect) ?? []
    let paths = Set(visible.map(\.indexPath))
    let springs = dynamicAnimator.behaviors.compactMap { $0 as? UIAttachmentBehavior }
    for spring in springs {
      guard let item = spring.items.first as? UICollectionViewLayoutAttributes, !paths.contains(item.indexPath) else {
        continue
      }
      dynamicAnimator.removeBehavior(spring)
      visibleIndexPaths.remove(item.indexPath)
    }
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for item in visible where !visibleIndexPaths.contains(item.indexPath) {
      let spring = UIAttachmentBehavior(item: item, attachedToAnchor: item.center)
      spring.length = 0
      spring.damping = 0.8
      spring.frequency = 1
      if touch != .zero { shift(item, of: spring, touch) }
      dynamicAnimator.addBehavior(spring)
      visibleIndexPaths.insert(item.indexPath)
    }
  }

  private func shift(_ item: UICollectionViewLayoutAttributes, of spring: UIAttachmentBehavior, _ touch: CGPoint) {
    let distance = abs(touch.y - spring.anchorPoint.y) + abs(touch.x - spring.anchorPoint.x)
    let resistance = distance / 1500
    item.center.y +=
      latestDelta < 0 ? max(latestDelta, latestDelta * resistance) : min(latestDelta, latestDelta * resistance)
  }

  package override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect) as? [UICollectionViewLayoutAttributes]
  }

  package override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    dynamicAnimator.layoutAttributesForCell(at: indexPath)
  }

  package override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let collectionView else { return false }
    latestDelta = newBounds.origin.y - collectionView.bounds.origin.y
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for case let spring as UIAttachmentBehavior in dynamicAnimator.behaviors {
      guard let item = spring.items.first as? UICollectionViewLayoutAttributes else { continue }
      shift(item, of: spring, touch)
      dynamicAnimator.updateItem(usingCurrentState: item)
    }
    return false
  }

  package func resetLayout() {
    dynamicAnimator.removeAllBehaviors()
    visibleIndexPaths.removeAll()
    latestDelta = 0
    prepare()
  }
}
