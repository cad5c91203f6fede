import Dynamics

extension AnimatedAttributes {
  /// The rest of a transform, besides one scale and a rotation. Neutral numbers are 0, because most looks
  /// have no distortion, and every look is copied several times a frame.
  package struct Distortion: Hashable, Sendable {
    /// Factor of the height minus that of the width, which is `scale`.
    package var heightExcess = 0.0
    /// Sideways shift of a point as a share of its stretched height.
    package var shear = 0.0
    /// Points.
    package var translation = Vector.zero

    package init(heightExcess: Double = 0, shear: Double = 0, translation: Vector = .zero) {
      self.heightExcess = heightExcess
      self.shear = shear
      self.translation = translation
    }

    package static var none: Distortion { Distortion() }
  }

  /// The frame of a distorted item, which is scaled and sheared first, then turned, then moved.
  var distortedFrame: Rect {
    let (sine, cosine) = (PortableMath.sin(rotation), PortableMath.cos(rotation))
    let scaleY = scale + distortion.heightExcess
    let sheared = distortion.shear * scaleY
    let (a, b) = (abs(scale * cosine), abs(scale * sine))
    let (c, d) = (abs(sheared * cosine - scaleY * sine), abs(sheared * sine + scaleY * cosine))
    let (center, size) = (attributes.center, attributes.size)
    return Rect(
      center: Point(x: center.x + distortion.translation.dx, y: center.y + distortion.translation.dy),
      size: Size(width: a * size.width + c * size.height, height: b * size.width + d * size.height))
  }
}
