import Dynamics

/// The look of an animated item: its layout attributes, and values that UIKit keeps in the same object but
/// most queries do not need.
public struct AnimatedAttributes: Hashable, Sendable {
  /// The place and size before scaling and rotating.
  public var attributes: LayoutAttributes
  /// Opacity: 0 is invisible, 1 opaque.
  public var alpha: Double
  /// Factor of both sides.
  public var scale: Double
  /// Rotation in radians, clockwise.
  public var rotation: Double
  /// The transform without uniform scaling and rotation.
  package var distortion = Distortion.none

  @inline(__always) public init(
    _ attributes: LayoutAttributes, alpha: Double = 1, scale: Double = 1, rotation: Double = 0
  ) {
    self.attributes = attributes
    self.alpha = alpha
    self.scale = scale
    self.rotation = rotation
  }

  /// The smallest upright rectangle around the item as it is scaled and rotated, points.
  public var frame: Rect {
    guard !isUpright else { return attributes.frame }
    guard distortion == .none else { return distortedFrame }
    let (size, center) = (attributes.size, attributes.center)
    let (sine, cosine) = (abs(PortableMath.sin(rotation)) * scale, abs(PortableMath.cos(rotation)) * scale)
    return Rect(
      center: center,
      size: Size(width: size.width * cosine + size.height * sine, height: size.width * sine + size.height * cosine))
  }

  /// Whether it fills the rectangle of its place and size.
  var isUpright: Bool { scale == 1 && rotation == 0 && distortion == .none }

  /// The same look elsewhere.
  func moved(by offset: Point) -> AnimatedAttributes {
    var moved = self
    moved.attributes.center.x += offset.x
    moved.attributes.center.y += offset.y
    return moved
  }

  /// The same look, but invisible: items fade in from it and out to it unless a layout says otherwise.
  var faded: AnimatedAttributes {
    var faded = self
    faded.alpha = 0
    return faded
  }

  /// Whether it looks the same except for the index.
  func looksLike(_ other: AnimatedAttributes) -> Bool {
    var renamed = self
    renamed.attributes.index = other.attributes.index
    return renamed == other
  }
}

/// The progress of an animation as a function of its share of the time.
public enum AnimationCurve: Hashable, Sendable {
  case linear
  /// Slow at both ends: 3t² − 2t³.
  case easeInOut

  package func share(at time: Double) -> Double {
    switch self {
    case .linear: time
    case .easeInOut: time * time * (3 - 2 * time)
    }
  }
}

/// The items that an update or a transition animates.
///
/// Both cases look the same. An item that is on screen neither before nor after is not shown even if its
/// path crosses the screen, since UIKit makes no cell for it.
public enum AnimationScope: Hashable, Sendable {
  /// All items of the list, wherever they are; the reference for the other.
  case everything
  /// Items that are on the screen before the change or after it.
  case visible
}
