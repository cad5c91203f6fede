import Dynamics

/// The place and look of an item of a collection view, as an object that a dynamic animator can move
/// (UIKit: `UICollectionViewLayoutAttributes`).
///
/// The built-in layouts return values, `LayoutAttributes`, so that their frames allocate nothing. UIKit's
/// calls take and return these objects.
open class CollectionViewLayoutAttributes: DynamicItem {
  public final var indexPath: IndexPath
  /// Points, in the coordinates of the content.
  public final var center = Point.zero
  /// Size before the transform, points.
  public final var size = Size.zero
  /// The transform of the item about its centre.
  public final var transform = AffineTransform.identity
  /// 0 is invisible, 1 opaque.
  public final var alpha = 1.0
  /// Items with a larger index cover those with a smaller one.
  public final var zIndex = 0
  /// A hidden item is not shown.
  public final var isHidden = false

  /// The attributes of an item that has no place and no size yet.
  public required init(forCellWith indexPath: IndexPath) { self.indexPath = indexPath }

  /// Another object with the same values. A subclass copies its own properties.
  open func copy() -> Self {
    let copy = Self(forCellWith: indexPath)
    (copy.center, copy.size, copy.transform) = (center, size, transform)
    (copy.alpha, copy.zIndex, copy.isHidden) = (alpha, zIndex, isHidden)
    return copy
  }

  /// The smallest upright rectangle around the transformed item, points. Setting it ignores the transform.
  public final var frame: Rect {
    get {
      guard !transform.isIdentity else { return Rect(center: center, size: size) }
      return Rect(
        center: Point(x: center.x + transform.tx, y: center.y + transform.ty), size: size.applying(transform))
    }
    set { (center, size) = (newValue.center, newValue.size) }
  }

  /// The item's own rectangle, before the transform, points. Its origin is always zero.
  public final var bounds: Rect {
    get { Rect(origin: .zero, size: size) }
    set { size = newValue.size }
  }

  /// The rotation of the transform, radians, clockwise; the other parts stay when it is set.
  public final var angle: Double {
    get { transform.isIdentity ? 0 : transform.parts.rotation }
    set {
      var parts = transform.parts
      parts.rotation = newValue
      transform = AffineTransform(parts)
    }
  }

  /// A rectangle, unless a subclass says otherwise.
  open var collisionBoundsType: CollisionBoundsType { .rectangle }

  public final var dynamicItemName: String {
    indexPath.count == 2
      ? "item \(indexPath.item) of section \(indexPath.section)" : "the item at \(indexPath)"
  }
}

extension CollectionViewLayoutAttributes: Equatable {
  /// Whether both have the same values.
  public static func == (a: CollectionViewLayoutAttributes, b: CollectionViewLayoutAttributes) -> Bool {
    a.indexPath == b.indexPath && a.center == b.center && a.size == b.size && a.transform == b.transform
      && a.alpha == b.alpha && a.zIndex == b.zIndex && a.isHidden == b.isHidden
  }
}

// MARK: - Values

extension CollectionViewLayoutAttributes {
  convenience init(_ value: LayoutAttributes, at indexPath: IndexPath) {
    self.init(forCellWith: indexPath)
    (center, size, zIndex) = (value.center, value.size, value.zIndex)
  }

  /// The part that most queries need.
  /// - Parameter index: Index in the whole list.
  func value(at index: Int) -> LayoutAttributes {
    var value = LayoutAttributes(index: index, center: center, size: size)
    value.zIndex = zIndex
    return value
  }

  /// The full look.
  /// - Parameter index: Index in the whole list.
  func look(at index: Int) -> AnimatedAttributes {
    var look = AnimatedAttributes(value(at: index), alpha: isHidden ? 0 : alpha)
    if !transform.isIdentity { look.transform = transform }
    return look
  }

  /// Whether the value describes the full look.
  var isPlain: Bool { alpha == 1 && transform.isIdentity }
}
