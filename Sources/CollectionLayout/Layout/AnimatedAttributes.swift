import Dynamics

/// The look of an animated item: its place, opacity and transform. UIKit keeps all of these in the layout attributes.
public struct AnimatedAttributes: Hashable, Sendable {
  /// The place and size before scaling and rotating.
  public var attributes: LayoutAttributes
  /// Opacity, from 0 for invisible to 1 for opaque.
  public var alpha: Double
  /// Scale factor of width and height.
  public var scale: Double
  /// Rotation in radians, clockwise.
  public var rotation: Double
  /// The part of the transform that is neither uniform scaling nor rotation.
  package var distortion = Distortion.none

  @inline(__always) public init(
    _ attributes: LayoutAttributes, alpha: Double = 1, scale: Double = 1, rotation: Double = 0
  ) { (self.attributes, self.alpha, self.scale, self.rotation) = (attributes, alpha, scale, rotation) }

  /// The part of a transform that is neither uniform scaling nor rotation. Its neutral values are all 0, because zeros
  /// are cheap to write: most looks have no distortion, and every look is copied several times per frame.
  package struct Distortion: Hashable, Sendable {
    /// Scale factor of the height minus `scale`, the scale factor of the width.
    package var heightExcess = 0.0
    /// Horizontal shift of a point, divided by its vertical offset from the center after scaling.
    package var shear = 0.0
    /// Translation, points.
    package var translation = Vector.zero

    package init(heightExcess: Double = 0, shear: Double = 0, translation: Vector = .zero) {
      (self.heightExcess, self.shear, self.translation) = (heightExcess, shear, translation)
    }

    package static var none: Distortion { Distortion() }
  }

  /// The smallest upright rectangle around the transformed item, points. The transform scales and shears first, then
  /// rotates, then translates.
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

  /// Whether the item is untransformed, so that it fills the rectangle given by its place and size.
  package var isUpright: Bool { scale == 1 && rotation == 0 && distortion == .none }

  /// Returns this look with its center shifted by an offset in points.
  func moved(by offset: Point) -> AnimatedAttributes {
    var moved = self
    moved.attributes.center.x += offset.x
    moved.attributes.center.y += offset.y
    return moved
  }

  /// This look, but invisible. Items fade in from this look and fade out to it, unless the layout provides another one.
  var faded: AnimatedAttributes {
    var faded = self
    faded.alpha = 0
    return faded
  }

  /// Returns whether two looks are equal apart from the index.
  func looksLike(_ other: AnimatedAttributes) -> Bool {
    var renamed = self
    renamed.attributes.index = other.attributes.index
    return renamed == other
  }
}

/// The progress of an animation as a function of time. Progress and time run from 0 to 1.
public enum AnimationCurve: Hashable, Sendable {
  case linear
  /// Starts and ends slowly: 3t² − 2t³.
  case easeInOut

  package func share(at time: Double) -> Double {
    switch self {
    case .linear: time
    case .easeInOut: time * time * (3 - 2 * time)
    }
  }
}

/// The items that an update or a transition animates. Both scopes look the same on the screen: as in UIKit, an item
/// that is on the screen neither before nor after the change stays hidden, even if its path crosses the screen.
public enum AnimationScope: Hashable, Sendable {
  /// All items of the list, even off the screen. Tests compare `visible` with this scope.
  case everything
  /// Items that are on the screen before the change or after it.
  case visible
}
