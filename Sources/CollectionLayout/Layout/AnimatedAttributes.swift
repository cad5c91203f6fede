import Dynamics

/// The look of an animated item: its place, and what UIKit keeps in the same object.
public struct AnimatedAttributes: Hashable, Sendable {
  /// The place and size before scaling and rotating.
  public var attributes: LayoutAttributes
  /// Opacity: 0 is invisible, 1 opaque.
  public var alpha: Double
  /// Scale factor of both sides.
  public var scale: Double
  /// Rotation in radians, clockwise.
  public var rotation: Double
  /// The transform without uniform scaling and rotation.
  package var distortion = Distortion.none

  @inline(__always) public init(
    _ attributes: LayoutAttributes, alpha: Double = 1, scale: Double = 1, rotation: Double = 0
  ) { (self.attributes, self.alpha, self.scale, self.rotation) = (attributes, alpha, scale, rotation) }

  /// The rest of a transform, besides one scale and a rotation. Neutral numbers are 0, because most looks have no
  /// distortion, and every look is copied several times a frame.
  package struct Distortion: Hashable, Sendable {
    /// Factor of the height minus that of the width, which is `scale`.
    package var heightExcess = 0.0
    /// Sideways shift of a point as a share of its stretched height.
    package var shear = 0.0
    /// Points.
    package var translation = Vector.zero

    package init(heightExcess: Double = 0, shear: Double = 0, translation: Vector = .zero) {
      (self.heightExcess, self.shear, self.translation) = (heightExcess, shear, translation)
    }

    package static var none: Distortion { Distortion() }
  }

  /// The smallest upright rectangle around the item, points, which is scaled and sheared first, then turned, then
  /// moved.
  public var frame: Rect {
    guard !isUpright else { return attributes.frame }
    let (sine, cosine) = (PortableMath.sin(rotation), PortableMath.cos(rotation))
    let (size, center) = (attributes.size, attributes.center)
    guard distortion != .none else {
      let (s, c) = (abs(sine) * scale, abs(cosine) * scale)
      return Rect(
        center: center, size: Size(width: size.width * c + size.height * s, height: size.width * s + size.height * c))
    }
    let scaleY = scale + distortion.heightExcess
    let sheared = distortion.shear * scaleY
    let (a, b) = (abs(scale * cosine), abs(scale * sine))
    let (c, d) = (abs(sheared * cosine - scaleY * sine), abs(sheared * sine + scaleY * cosine))
    return Rect(
      center: Point(x: center.x + distortion.translation.dx, y: center.y + distortion.translation.dy),
      size: Size(width: a * size.width + c * size.height, height: b * size.width + d * size.height))
  }

  /// Whether the item fills the rectangle of its place and size.
  var isUpright: Bool { scale == 1 && rotation == 0 && distortion == .none }

  /// This look at another place.
  func moved(by offset: Point) -> AnimatedAttributes {
    var moved = self
    moved.attributes.center.x += offset.x
    moved.attributes.center.y += offset.y
    return moved
  }

  /// This look, but invisible: items fade in from it and out to it unless a layout says otherwise.
  var faded: AnimatedAttributes {
    var faded = self
    faded.alpha = 0
    return faded
  }

  /// Whether two items look the same except for the index.
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

/// The items that an update or a transition animates. Both cases look the same. An item that is on screen neither
/// before nor after is not shown even if its path crosses the screen, since UIKit makes no cell for it.
public enum AnimationScope: Hashable, Sendable {
  /// All items of the list, wherever they are; the reference for the other.
  case everything
  /// Items that are on the screen before the change or after it.
  case visible
}
