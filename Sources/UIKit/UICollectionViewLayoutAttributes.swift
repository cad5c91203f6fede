import CollectionLayout
import Dynamics
import Foundation

/// The place and appearance of an item, a supplementary view or a decoration view. A dynamic animator can move them.
///
/// The properties that every frame reads do without Swift's checks of exclusive access, because the checks would take a
/// fifth of the frame's time in a list with springs.
open class UICollectionViewLayoutAttributes: NSObject, NSCopying, UIDynamicItem {
  @exclusivity(unchecked) open var indexPath = IndexPath(item: 0, section: 0)
  /// The center of the item, points in the coordinates of the content.
  @exclusivity(unchecked) open var center = CGPoint.zero
  /// Size before the transform, points.
  @exclusivity(unchecked) open var size = CGSize.zero
  /// The opacity, from 0 (invisible) to 1 (opaque).
  @exclusivity(unchecked) open var alpha: CGFloat = 1
  /// Items with a larger z index cover items with a smaller one.
  @exclusivity(unchecked) open var zIndex = 0
  /// A hidden item is not shown.
  @exclusivity(unchecked) open var isHidden = false
  @exclusivity(unchecked) public private(set) final var representedElementCategory: UICollectionView.ElementCategory =
    .cell
  /// The kind of a supplementary or a decoration view; nil for an item.
  @exclusivity(unchecked) public private(set) final var representedElementKind: String?
  @exclusivity(unchecked) private final var affine = CGAffineTransform.identity
  /// The transform if it is three-dimensional, otherwise nil.
  @exclusivity(unchecked) private final var spatial: Spatial?
  /// The index in the whole list when the view last sorted the elements in view; -1 if the element is no cell.
  @exclusivity(unchecked) final var shownIndex = -1

  /// This is a class, because a struct of 128 bytes would be copied whenever a frame checks whether `spatial` is nil.
  private final class Spatial {
    let transform: CATransform3D
    init(_ transform: CATransform3D) { self.transform = transform }
  }

  /// Creates attributes of the first item, without a place and a size yet.
  public required override init() { super.init() }

  // The initializers are required, so that a layout can call them on its `layoutAttributesClass`.
  public required convenience init(forCellWith indexPath: IndexPath) {
    self.init()
    self.indexPath = indexPath
  }

  public required convenience init(forSupplementaryViewOfKind kind: String, with indexPath: IndexPath) {
    self.init()
    self.indexPath = indexPath
    represent(.supplementaryView, kind)
  }

  public required convenience init(forDecorationViewOfKind kind: String, with indexPath: IndexPath) {
    self.init()
    self.indexPath = indexPath
    represent(.decorationView, kind)
  }

  final func represent(_ category: UICollectionView.ElementCategory, _ kind: String) {
    (representedElementCategory, representedElementKind) = (category, kind)
  }

  /// The transform around the center of the item. It is the two-dimensional part of `transform3D`.
  open var transform: CGAffineTransform {
    get { affine }
    set { (affine, spatial) = (newValue, nil) }
  }

  open var transform3D: CATransform3D {
    get { spatial?.transform ?? CATransform3DMakeAffineTransform(affine) }
    set {
      affine = CATransform3DGetAffineTransform(newValue)
      spatial = CATransform3DIsAffine(newValue) ? nil : Spatial(newValue)
    }
  }

  /// The smallest upright rectangle around the transformed item, points. Setting the frame ignores the transform.
  open var frame: CGRect {
    get {
      let plain = CGRect(center: center, size: size)
      if spatial == nil, affine.isIdentity { return plain }
      let (x, y) = (size.width / 2, size.height / 2)
      let transform = transform3D
      let corners = [(-x, -y), (x, -y), (-x, y), (x, y)].map { transform.project(CGPoint(x: $0.0, y: $0.1)) }
      return CGRect(around: corners).offsetBy(dx: center.x, dy: center.y)
    }
    set { (center, size) = (newValue.center, newValue.size) }
  }

  /// The item's own rectangle, before the transform, points. Its origin is always zero.
  open var bounds: CGRect {
    get { CGRect(origin: .zero, size: size) }
    set { size = newValue.size }
  }

  /// The outline by which the item collides: a rectangle, unless a subclass says otherwise.
  open var collisionBoundsType: UIDynamicItemCollisionBoundsType { .rectangle }
  open var collisionBoundingPath: UIBezierPath { UIBezierPath(rect: CGRect(center: .zero, size: size)) }

  /// Returns another object with the same values. A subclass must copy its own properties.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    (copy.indexPath, copy.center, copy.size) = (indexPath, center, size)
    (copy.affine, copy.spatial) = (affine, spatial)
    (copy.alpha, copy.zIndex, copy.isHidden) = (alpha, zIndex, isHidden)
    copy.representedElementKind = representedElementKind
    copy.representedElementCategory = representedElementCategory
    return copy
  }

  /// Whether `object` has the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UICollectionViewLayoutAttributes else { return false }
    return indexPath == other.indexPath && representedElementCategory == other.representedElementCategory
      && representedElementKind == other.representedElementKind && center == other.center && size == other.size
      && affine == other.affine && spatial?.transform == other.spatial?.transform && alpha == other.alpha
      && zIndex == other.zIndex && isHidden == other.isHidden
  }

  open override var hash: Int { indexPath.hashValue }

  /// Makes the attributes equal to new attributes of an item with this frame.
  final func reset(_ indexPath: IndexPath, _ frame: CGRect) {
    (self.indexPath, center, size, affine, spatial) = (indexPath, frame.center, frame.size, .identity, nil)
    (alpha, zIndex, isHidden) = (1, 0, false)
    (representedElementCategory, representedElementKind) = (.cell, nil)
  }

  final func isSupplementary(_ kind: String) -> Bool {
    representedElementCategory == .supplementaryView && representedElementKind == kind
  }

  final var element: UICollectionView.Element {
    UICollectionView.Element(
      kind: representedElementKind, indexPath: indexPath, isDecoration: representedElementCategory == .decorationView)
  }

  final func copy(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    let copy = copy() as? UICollectionViewLayoutAttributes
    copy?.indexPath = indexPath
    return copy
  }

  /// Whether the item is shown opaque and without a transform.
  final var isPlain: Bool { alpha == 1 && spatial == nil && affine.isIdentity }
}

// MARK: - The engine's values

extension UICollectionViewLayoutAttributes {
  /// Converts the attributes to those of the module CollectionLayout, without the opacity and the transform.
  /// - Parameter index: The index in the whole list.
  final func value(at index: Int) -> LayoutAttributes {
    var value = LayoutAttributes(index: index, center: Point(center), size: Size(size))
    value.zIndex = zIndex
    return value
  }

  /// Converts the attributes to `AnimatedAttributes`, which also have an opacity and a two-dimensional transform.
  /// - Parameter index: The index in the whole list.
  final func look(at index: Int) -> AnimatedAttributes {
    var look = AnimatedAttributes(value(at: index), alpha: isHidden ? 0 : Double(alpha))
    affine.write(to: &look)
    return look
  }

  /// Sets the place and the appearance to those that an animation has computed.
  final func adopt(_ look: AnimatedAttributes) {
    (center, size) = (CGPoint(look.attributes.center), CGSize(look.attributes.size))
    (alpha, zIndex) = (CGFloat(look.alpha), look.attributes.zIndex)
    transform = CGAffineTransform(look)
  }
}
