import Dynamics

extension DynamicAnimator {
  /// An animator of a layout's items (UIKit: `UIDynamicAnimator.init(collectionViewLayout:)`). The layout's
  /// `step(by:)` steps it, and is invalid after each step of a running animator, so that `prepare()` is called.
  ///
  /// The layout does not retain the animator.
  public convenience init(collectionViewLayout layout: CollectionViewLayout) {
    self.init()
    layout.stepsAnimator(self)
  }

  /// The attributes among the items that have this index path; nil if there are none.
  /// - Complexity: O(items).
  public func layoutAttributesForCell(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    let everywhere = Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300)
    for item in items(in: everywhere) {
      if let attributes = item as? CollectionViewLayoutAttributes, attributes.indexPath == indexPath {
        return attributes
      }
    }
    return nil
  }
}

/// An animator that somebody else keeps alive.
struct WeakAnimator {
  weak var animator: DynamicAnimator?
}
