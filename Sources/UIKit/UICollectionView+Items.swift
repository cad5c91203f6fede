import CollectionLayout
import Dynamics
import Foundation

extension UICollectionView {
  public var numberOfSections: Int { sections.count }

  public func numberOfItems(inSection section: Int) -> Int { items(of: section, in: sections).count }

  /// Paths of the items in view, in ascending order.
  public var indexPathsForVisibleItems: [IndexPath] {
    if isAsking { return pathsBeforeRotation ?? cells.keys.sorted() }
    layoutIfNeeded()
    return engine.visibleAttributes().map { sections.indexPath(at: $0.index) }
  }

  /// Paths of the supplementary views of this kind that are in view.
  public func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    isAsking ? [] : visibleAttributes().filter { $0.representedElementKind == elementKind }.map(\.indexPath)
  }

  /// The path of the item that covers a point of the content; nil if there is none.
  public func indexPathForItem(at point: CGPoint) -> IndexPath? {
    layoutIfNeeded()
    return engine.indexForItem(at: Point(point)).map { sections.indexPath(at: $0) }
  }

  /// Returns nil if no item has this path, or if the layout does not show the item.
  public func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    guard sections.contains(indexPath) else { return nil }
    layoutIfNeeded()
    return current.shown(current.layoutAttributesForItem(at: indexPath))
  }

  public func layoutAttributesForSupplementaryElement(ofKind kind: String, at indexPath: IndexPath)
    -> UICollectionViewLayoutAttributes?
  {
    layoutIfNeeded()
    return current.shown(current.layoutAttributesForSupplementaryView(ofKind: kind, at: indexPath))
  }
}
