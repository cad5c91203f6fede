import UIKit

/// The attributes of a disc in the cradle.
final class DiscAttributes: UICollectionViewLayoutAttributes {
  override var collisionBoundsType: UIDynamicItemCollisionBoundsType { .ellipse }
}

/// The Newtonian collection view of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013). Discs fly in, hang
/// from attachments and collide, and a deleted disc falls.
final class NewtonianLayout: UICollectionViewLayout {
  private lazy var dynamicAnimator = UIDynamicAnimator(collectionViewLayout: self)
  private let itemBehavior = UIDynamicItemBehavior(items: [])
  private let gravityBehavior = UIGravityBehavior(items: [])
  private let collisionBehavior = UICollisionBehavior(items: [])
  private var falling: [UICollectionViewLayoutAttributes] = []
  private let itemSize = CGSize(width: 64, height: 64)

  override init() {
    super.init()
    // The discs of `CradleLayout` have neither friction nor resistance.
    (itemBehavior.elasticity, itemBehavior.friction, itemBehavior.resistance) = (1, 0, 0)
    itemBehavior.allowsRotation = false
    gravityBehavior.gravityDirection = CGVector(dx: 0, dy: 1)
    dynamicAnimator.addBehavior(itemBehavior)
    dynamicAnimator.addBehavior(gravityBehavior)
    dynamicAnimator.addBehavior(collisionBehavior)
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

  override var collectionViewContentSize: CGSize { collectionView?.bounds.size ?? .zero }

  /// Removes items that have fallen off the screen.
  override func prepare() {
    super.prepare()
    guard let bounds = collectionView?.bounds else { return }
    for item in falling where item.frame.minY > bounds.maxY {
      collisionBehavior.removeItem(item)
      gravityBehavior.removeItem(item)
      itemBehavior.removeItem(item)
    }
    falling.removeAll { $0.frame.minY > bounds.maxY }
  }

  override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect).compactMap { item in
      falling.contains { $0 === item } ? nil : item as? UICollectionViewLayoutAttributes
    }
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    attachment(of: indexPath)?.items.first as? UICollectionViewLayoutAttributes
  }

  private func anchor(of indexPath: IndexPath) -> CGPoint {
    CGPoint(x: (CGFloat(indexPath.item) + 0.5) * itemSize.width, y: 64)
  }

  private var attachments: [UIAttachmentBehavior] {
    dynamicAnimator.behaviors.compactMap { $0 as? UIAttachmentBehavior }
  }

  private func attachment(of indexPath: IndexPath) -> UIAttachmentBehavior? {
    attachments.first { ($0.items.first as? UICollectionViewLayoutAttributes)?.indexPath == indexPath }
  }

  override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
    super.prepare(forCollectionViewUpdates: updateItems)
    for update in updateItems {
      switch (update.updateAction, update.indexPathBeforeUpdate, update.indexPathAfterUpdate) {
      case (.insert, _, let path?): add(path)
      case (.delete, let path?, _): detach(path)
      default: break
      }
    }
  }

  private func add(_ indexPath: IndexPath) {
    guard let bounds = collectionView?.bounds else { return }
    let attributes = DiscAttributes(forCellWith: indexPath)
    let anchor = anchor(of: indexPath)
    attributes.size = itemSize
    attributes.center = CGPoint(x: max(bounds.maxX, anchor.x) + itemSize.width, y: 364)
    let attachment = UIAttachmentBehavior(item: attributes, attachedToAnchor: anchor)
    attachment.length = 300
    attachment.damping = 0.4
    attachment.frequency = 1
    dynamicAnimator.addBehavior(attachment)
    itemBehavior.addItem(attributes)
    gravityBehavior.addItem(attributes)
    collisionBehavior.addItem(attributes)
  }

  private func detach(_ indexPath: IndexPath) {
    guard let attachment = attachment(of: indexPath),
      let item = attachment.items.first as? UICollectionViewLayoutAttributes
    else { return }
    dynamicAnimator.removeBehavior(attachment)
    falling.append(item)
    for other in attachments {
      guard let item = other.items.first as? UICollectionViewLayoutAttributes, item.indexPath > indexPath else {
        continue
      }
      item.indexPath.item -= 1
      other.anchorPoint = anchor(of: item.indexPath)
    }
  }
}
