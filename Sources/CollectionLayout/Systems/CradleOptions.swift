import Dynamics

/// Parameters of a cradle. Of the defaults, length, damping and frequency are the article's. It gives no size, height of
/// the anchors, elasticity or shape, all its items hang from one anchor and come in from the right, and they may turn.
public struct CradleOptions: Hashable, Sendable {
  /// Size of an item, points; the discs' diameter is the smaller side.
  public var itemSize = Size(width: 64, height: 64)
  /// Distance between discs at rest, points.
  public var spacing = 0.0
  /// Distance of the anchors from the top of the content, points.
  public var anchorHeight = 64.0
  /// Length of the attachments, points.
  public var length = 300.0
  /// Damping ratio.
  public var damping = 0.4
  /// Frequency in Hz; 0 for rods.
  public var frequency = 1.0
  /// Strength of the gravity; 1 is 1,000 points per second².
  public var gravity = 1.0
  /// 0 for discs that do not bounce, 1 for discs that lose nothing; at most 1.
  public var elasticity = 1.0
  /// Seconds after which a deleted item is gone, wherever it is then; the article's are 2. Nil: once it has left the
  /// screen.
  public var fallSeconds: Double?

  public init() {}

  /// Distance between anchors, points.
  var pitch: Double { min(itemSize.width, itemSize.height) + spacing }

  /// Distance from an anchor to the centre of its item at rest, points.
  public var restLength: Double {
    guard frequency > 0 else { return length }
    let ω = 2 * .pi * frequency
    return length + gravity * GravityBehavior.accelerationOfOne / (ω * ω)
  }

  func validate() throws(LayoutError) {
    let sides = 1e-9...1e9
    guard sides.contains(itemSize.width), sides.contains(itemSize.height) else {
      throw .invalidItemSize(index: nil, size: itemSize)
    }
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
  /// What the item hangs on; nil before it is attached and after it has been cut off. Item and attachment retain each
  /// other until then.
  var attachment: AttachmentBehavior?
  /// Seconds since it was deleted, if that is how long it falls.
  var fallen = 0.0

  var collisionBoundsType: CollisionBoundsType { .ellipse }

  init(_ center: Point, _ options: CradleOptions) { (self.center, size) = (center, options.itemSize) }

  func attributes(_ index: Int) -> LayoutAttributes { LayoutAttributes(index: index, center: center, size: size) }
}
