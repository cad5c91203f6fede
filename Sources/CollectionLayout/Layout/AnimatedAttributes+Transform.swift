import Dynamics

extension AnimatedAttributes {
  /// The rest of a transform, beside one scale and a rotation.
  struct Distortion: Hashable, Sendable {
    /// Factor of the height; `scale` is that of the width.
    var heightScale: Double
    /// As in `AffineTransform.Parts`.
    var shear: Double
    /// Points.
    var translation: Vector
  }

  /// The transform of the item about its centre. When a look is between two others, each part of it is:
  /// scales, rotation, shear and translation.
  public var transform: AffineTransform {
    get { AffineTransform(parts) }
    set {
      let parts = newValue.parts
      (scale, rotation) = (parts.scaleX, parts.rotation)
      // What rounding leaves is not a distortion.
      let hair = 1e-12
      let isPlain =
        abs(parts.scaleY - parts.scaleX) <= hair * parts.scaleX && abs(parts.shear) <= hair
        && parts.translation == .zero
      distortion =
        isPlain
        ? nil : Distortion(heightScale: parts.scaleY, shear: parts.shear, translation: parts.translation)
    }
  }

  private var parts: AffineTransform.Parts {
    let rest = rest
    return AffineTransform.Parts(
      rotation: rotation, scaleX: scale, scaleY: rest.heightScale, shear: rest.shear,
      translation: rest.translation)
  }

  private var rest: Distortion {
    distortion ?? Distortion(heightScale: scale, shear: 0, translation: .zero)
  }

  var distortedFrame: Rect {
    let transform = transform
    let center = attributes.center
    return Rect(
      center: Point(x: center.x + transform.tx, y: center.y + transform.ty),
      size: attributes.size.applying(transform))
  }

  mutating func mixDistortion(
    of one: AnimatedAttributes, _ other: AnimatedAttributes, _ between: (Double, Double) -> Double
  ) {
    let (a, b) = (one.rest, other.rest)
    distortion = Distortion(
      heightScale: between(a.heightScale, b.heightScale), shear: between(a.shear, b.shear),
      translation: Vector(
        dx: between(a.translation.dx, b.translation.dx), dy: between(a.translation.dy, b.translation.dy)))
  }
}
