import Dynamics

/// Parameters of a cradle. The defaults of length, damping and frequency come from the article on which `CradleLayout`
/// is based. The article specifies neither sizes, nor the height of the anchors, nor elasticity, nor shapes. In the
/// article, all items hang from one anchor, come in from the right, and may rotate.
public struct CradleOptions: Hashable, Sendable {
  /// Size of an item, points. The diameter of the disc is the smaller of width and height.
  public var itemSize = Size(width: 64, height: 64)
  /// Distance between neighboring discs at rest, points.
  public var spacing = 0.0
  /// Distance of the anchors from the top of the content, points.
  public var anchorHeight = 64.0
  /// Length of the attachments, points.
  public var length = 300.0
  /// Damping ratio of the attachments; 1 is critical.
  public var damping = 0.4
  /// Frequency in Hz. With 0, the attachments are rods instead of springs.
  public var frequency = 1.0
  /// Strength of the gravity, in units of 1,000 points per second².
  public var gravity = 1.0
  /// Elasticity of the discs, from 0 for discs that do not bounce to 1 for discs that lose no energy.
  public var elasticity = 1.0
  /// Seconds after which a deleted item is removed, regardless of its position. objc.io's article uses 2. Nil means
  /// that the item is removed when it has left the screen.
  public var fallSeconds: Double?

  public init() {}

  /// Distance between anchors, points.
  var pitch: Double { min(itemSize.width, itemSize.height) + spacing }

  /// Distance from an anchor to the center of its item at rest, points.
  public var restLength: Double {
    guard frequency > 0 else { return length }
    let ω = 2 * .pi * frequency
    return length + gravity * GravityBehavior.accelerationOfOne / (ω * ω)
  }

  func validate() throws(LayoutError) {
    let sides = 1e-9...1e9
    guard sides.contains(itemSize.width), sides.contains(itemSize.height) else { throw .invalidItemSize(itemSize) }
    let values = [
      ("spacing", spacing), ("anchorHeight", anchorHeight), ("length", length), ("damping", damping),
      ("frequency", frequency), ("gravity", gravity), ("elasticity", elasticity), ("fallSeconds", fallSeconds ?? 0),
    ]
    for (name, value) in values where !(value >= 0 && value < 1e9) { throw .invalidOption(name: name, value: value) }
    guard elasticity <= 1 else { throw .dynamics(.invalidProperty(name: "elasticity", value: elasticity)) }
    guard restLength < 1e12 else { throw .invalidOption(name: "frequency", value: frequency) }
  }
}

/// A disc of a cradle.
final class CradleItem: DynamicItem {
  var center: Point
  let size: Size
  /// The attachment to the anchor. Nil before the item is attached and after it is detached. While attached, the item
  /// and its attachment retain each other.
  var attachment: AttachmentBehavior?
  /// Seconds since the item was deleted. Counted only if `fallSeconds` is not nil.
  var fallen = 0.0

  var collisionBoundsType: CollisionBoundsType { .ellipse }

  init(_ center: Point, _ options: CradleOptions) { (self.center, size) = (center, options.itemSize) }

  func attributes(_ index: Int) -> LayoutAttributes { LayoutAttributes(index: index, center: center, size: size) }
}
