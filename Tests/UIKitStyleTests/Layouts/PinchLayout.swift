import QuartzCore
import UIKit

/// A layout that makes a pinched item as large as the fingers are apart (objc.io's "Animating Collection Views", issue
/// 12, 2014).
final class PinchLayout: FlyingLayout {
  var pinchedItemPath: IndexPath?
  var pinchedItemSize = CGSize.zero

  func resizeItem(at indexPath: IndexPath, withPinchDistance distance: CGFloat) {
    pinchedItemPath = indexPath
    pinchedItemSize = CGSize(width: distance, height: distance)
    invalidateLayout()
  }

  func resetPinchedItem() { pinchedItemPath = nil }

  override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    let attributes = super.layoutAttributesForElements(in: rect)
    attributes?.forEach(resizeIfPinched)
    return attributes
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    let attributes = super.layoutAttributesForItem(at: indexPath)
    resizeIfPinched(attributes)
    return attributes
  }

  private func resizeIfPinched(_ attributes: UICollectionViewLayoutAttributes?) {
    guard let attributes, attributes.indexPath == pinchedItemPath else { return }
    attributes.size = pinchedItemSize
    attributes.zIndex = 100
  }
}
