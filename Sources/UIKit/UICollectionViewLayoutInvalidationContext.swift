import Foundation

/// The parts of a layout to compute again.
open class UICollectionViewLayoutInvalidationContext: NSObject {
  /// Set by the view when it reloads everything.
  open internal(set) var invalidateEverything = false
  /// Set by the view when the numbers of items have changed.
  open internal(set) var invalidateDataSourceCounts = false
  /// Whether a compositional or flow layout keeps the places that it has computed. True if an animator only moves
  /// items, if the collection view only scrolls, or if the layout has already made room for a view that prefers another
  /// size.
  final var keepsPlaces = false
  open private(set) var invalidatedItemIndexPaths: [IndexPath]?
  open private(set) var invalidatedSupplementaryIndexPaths: [String: [IndexPath]]?
  open private(set) var invalidatedDecorationIndexPaths: [String: [IndexPath]]?
  /// The old index paths of the items that a finger moves.
  open internal(set) var previousIndexPathsForInteractivelyMovingItems: [IndexPath]?
  /// The index paths to which a finger moves the items.
  open internal(set) var targetIndexPathsForInteractivelyMovingItems: [IndexPath]?
  /// The position of the finger, points in the coordinates of the content. It is zero after the movement.
  open internal(set) var interactiveMovementTarget = CGPoint.zero
  /// The distance by which the view moves its content offset, points.
  open var contentOffsetAdjustment = CGPoint.zero
  /// Has no effect, because the view reads the size of the content again anyway.
  open var contentSizeAdjustment = CGSize.zero

  public required override init() { super.init() }

  open func invalidateItems(at indexPaths: [IndexPath]) {
    invalidatedItemIndexPaths = (invalidatedItemIndexPaths ?? []) + indexPaths
  }

  open func invalidateSupplementaryElements(ofKind elementKind: String, at indexPaths: [IndexPath]) {
    invalidatedSupplementaryIndexPaths = (invalidatedSupplementaryIndexPaths ?? [:]).merging([elementKind: indexPaths])
    { $0 + $1 }
  }

  open func invalidateDecorationElements(ofKind elementKind: String, at indexPaths: [IndexPath]) {
    invalidatedDecorationIndexPaths = (invalidatedDecorationIndexPaths ?? [:]).merging([elementKind: indexPaths]) {
      $0 + $1
    }
  }
}

/// The parts of a flow layout to compute again.
open class UICollectionViewFlowLayoutInvalidationContext: UICollectionViewLayoutInvalidationContext {
  /// Whether to ask the delegate for sizes and distances again.
  open var invalidateFlowLayoutDelegateMetrics = true
  open var invalidateFlowLayoutAttributes = true
}
