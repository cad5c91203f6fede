import UIKit

/// The first list of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013), implemented as in the article. Each
/// layout pass requests the attributes of all items.
package final class SpringyLayout: UICollectionViewFlowLayout {
  private lazy var dynamicAnimator = UIDynamicAnimator(collectionViewLayout: self)

  package override init() {
    super.init()
    minimumInteritemSpacing = 10
    minimumLineSpacing = 10
    itemSize = CGSize(width: 44, height: 44)
    sectionInset = UIEdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
  }

  package required init?(coder: NSCoder) { super.init(coder: coder) }

  package override func prepare() {
    super.prepare()
    guard let collectionView else { return }
    let contents = CGRect(origin: .zero, size: collectionView.contentSize)
    let items = super.layoutAttributesForElements(in: contents) ?? []
    guard dynamicAnimator.behaviors.isEmpty else { return }
    for item in items {
      let spring = UIAttachmentBehavior(item: item, attachedToAnchor: item.center)
      spring.length = 0
      spring.damping = 0.8
      spring.frequency = 1
      dynamicAnimator.addBehavior(spring)
    }
  }

  package override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect) as? [UICollectionViewLayoutAttributes]
  }

  package override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    dynamicAnimator.layoutAttributesForCell(at: indexPath)
  }

  package override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let collectionView else { return false }
    let delta = newBounds.origin.y - collectionView.bounds.origin.y
    let touch = collectionView.panGestureRecognizer.location(in: collectionView)
    for case let spring as UIAttachmentBehavior in dynamicAnimator.behaviors {
      guard let item = spring.items.first as? UICollectionViewLayoutAttributes else { continue }
      let distance = abs(touch.y - spring.anchorPoint.y) + abs(touch.x - spring.anchorPoint.x)
      let resistance = distance / 1500
      item.center.y += delta < 0 ? max(delta, delta * resistance) : min(delta, delta * resistance)
      dynamicAnimator.updateItem(usingCurrentState: item)
    }
    return false
  }

  package func resetLayout() {
    dynamicAnimator.removeAllBehaviors()
    prepare()
  }
}
