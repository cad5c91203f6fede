import Dynamics

extension AnimatedAttributes {
  /// The rest of a transform, besides one scale and a rotation. Neutral numbers are 0, because most looks
  /// have no distortion, and every look is copied several times a frame.
  struct Distortion: Hashable, Sendable {
    /// Factor of the height minus that of the width, which is `scale`.
    var heightExcess = 0.0
    /// As in `AffineTransform.Parts`.
    var shear = 0.0
    /// Points.
    var translation = Vector.zero

    static let none = Distortion()
  }

  /// The transform of the item about its centre. Interpolating two looks interpolates its parts: scales,
  /// rotation, shear and translation.
  public var transform: AffineTransform {
    get { AffineTransform(parts) }
    set {
      let parts = newValue.parts
      (scale, rotation) = (parts.scaleX, parts.rotation)
      // Rounding errors are not a distortion.
      let hair = 1e-12
      let isPlain =
        abs(parts.scaleY - parts.scaleX) <= hair * parts.scaleX && abs(parts.shear) <= hair
        && parts.translation == .zero
      distortion =
        isPlain
        ? .none
        : Distortion(
          heightExcess: parts.scaleY - parts.scaleX, shear: parts.shear, translation: parts.translation)
    }
  }

  private var parts: AffineTransform.Parts {
    AffineTransform.Parts(
      rotation: rotation, scaleX: scale, scaleY: scale + distortion.heightExcess, shear: distortion.shear,
      translation: distortion.translation)
  }

  var distortedFrame: Rect {
    let transform = transform
    let center = attributes.center
    return Rect(
      center: Point(x: center.x + transform.tx, y: center.y + transform.ty),
      size: attributes.size.applying(transform))
  }
}
