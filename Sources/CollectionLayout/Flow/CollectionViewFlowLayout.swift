import Dynamics

/// A flow layout to subclass with UIKit's calls (UIKit: `UICollectionViewFlowLayout`): `super` returns the
/// places of the flow, as new objects in each query, and a subclass returns others, or the items of a dynamic
/// animator.
///
/// The built-in layouts derive from `FlowLayout`, which returns values and allocates nothing.
open class CollectionViewFlowLayout: FlowLayout {
  /// With UIKit's defaults: items of 50×50 points, 10 points between them, no insets.
  public init() {
    var options = FlowOptions()
    options.itemSize = Size(width: 50, height: 50)
    options.sectionInset = EdgeInsets(all: 0)
    super.init(unchecked: options)
  }

  final override var answersWithObjects: Bool { true }

  open override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    super.layoutAttributes(in: rect).map(object)
  }

  open override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    index(at: indexPath).flatMap { placeForItem(at: $0) }.map(object)
  }

  public final override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { values(in: rect) }

  public final override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? { value(at: index) }
}
