import CoreGraphics
import UIKit

/// Inserted items fly in from the middle of the screen's lower edge, and deleted items fly back there (objc.io's
/// "Animating Collection Views", issue 12, 2014).
class FlyingLayout: UICollectionViewFlowLayout {
  private var insertedIndexPaths: [IndexPath] = []
  private var deletedIndexPaths: [IndexPath] = []

  override init() {
    super.init()
    itemSize = CGSize(width: 44, height: 44)
    sectionInset = UIEdgeInsets(top: 10, left: 30, bottom: 10, right: 30)
  }

  required init?(coder: NSCoder) { super.init(coder: coder) }

  override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
    super.prepare(forCollectionViewUpdates: updateItems)
    for item in updateItems {
      switch item.updateAction {
      case .insert: if let path = item.indexPathAfterUpdate { insertedIndexPaths.append(path) }
      case .delete: if let path = item.indexPathBeforeUpdate { deletedIndexPaths.append(path) }
      case .move:
        if let path = item.indexPathBeforeUpdate { deletedIndexPaths.append(path) }
        if let path = item.indexPathAfterUpdate { insertedIndexPaths.append(path) }
      default: break
      }
    }
  }

  override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    insertedIndexPaths.removeAll()
    deletedIndexPaths.removeAll()
  }

  override func initialLayoutAttributesForAppearingItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard insertedIndexPaths.contains(indexPath) else {
      return super.initialLayoutAttributesForAppearingItem(at: indexPath)
    }
    let attributes = layoutAttributesForItem(at: indexPath)
    letFly(attributes)
    return attributes
  }

  override func finalLayoutAttributesForDisappearingItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    let attributes = super.finalLayoutAttributesForDisappearingItem(at: indexPath)
    guard deletedIndexPaths.contains(indexPath) else { return attributes }
    attributes?.alpha = 1
    letFly(attributes)
    return attributes
  }

  private func letFly(_ attributes: UICollectionViewLayoutAttributes?) {
    guard let attributes, let bounds = collectionView?.bounds else { return }
    attributes.transform = CGAffineTransform(scaleX: 0.2, y: 0.2).rotated(by: .pi)
    attributes.center = CGPoint(x: bounds.midX, y: bounds.maxY)
  }
}
