import Dynamics
import Foundation

@_exported import struct Foundation.AffineTransform

// Core Graphics' calls for Foundation's type, prefix dropped.
extension AffineTransform {
  /// A point (x, y) becomes (a·x + c·y + tx, b·x + d·y + ty).
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.init(m11: a, m12: b, m21: c, m22: d, tX: tx, tY: ty)
  }

  /// - Parameter angle: Radians, clockwise as seen with y growing downwards.
  public init(rotationAngle angle: Double) {
    let (sine, cosine) = (PortableMath.sin(angle), PortableMath.cos(angle))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  public init(scaleX x: Double, y: Double) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Points.
  public init(translationX x: Double, y: Double) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

  public var a: Double { Double(m11) }
  public var b: Double { Double(m12) }
  public var c: Double { Double(m21) }
  public var d: Double { Double(m22) }
  /// Points.
  public var tx: Double { Double(tX) }
  /// Points.
  public var ty: Double { Double(tY) }

  public var isIdentity: Bool { self == .identity }

  /// This transform first, and then the other.
  public func concatenating(_ other: AffineTransform) -> AffineTransform {
    AffineTransform(
      a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
      d: c * other.b + d * other.d, tx: tx * other.a + ty * other.c + other.tx,
      ty: tx * other.b + ty * other.d + other.ty)
  }

  /// A rotation first, radians, and then this transform.
  public func rotated(by angle: Double) -> AffineTransform {
    AffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// Scaling first, and then this transform.
  public func scaledBy(x: Double, y: Double) -> AffineTransform {
    AffineTransform(scaleX: x, y: y).concatenating(self)
  }

  /// A translation first, points, and then this transform.
  public func translatedBy(x: Double, y: Double) -> AffineTransform {
    AffineTransform(translationX: x, y: y).concatenating(self)
  }
}

extension AffineTransform {
  /// A transform decomposed: first scaling and shear, then rotation, then translation. Between two transforms
  /// each part is interpolated separately, as in Core Animation.
  struct Parts: Hashable, Sendable {
    /// Radians, clockwise.
    var rotation = 0.0
    /// Factor of the width.
    var scaleX = 1.0
    /// Factor of the height; negative for a mirror image.
    var scaleY = 1.0
    /// Sideways shift of a point as a share of its stretched height.
    var shear = 0.0
    /// Points.
    var translation = Vector.zero
  }

  var parts: Parts {
    let scaleX = (a * a + b * b).squareRoot()
    guard scaleX > 0 else {
      let scaleY = (c * c + d * d).squareRoot()
      let rotation = scaleY > 0 ? atan2(-c, d) : 0
      return Parts(rotation: rotation, scaleX: 0, scaleY: scaleY, translation: Vector(dx: tx, dy: ty))
    }
    let scaleY = (a * d - b * c) / scaleX
    return Parts(
      rotation: atan2(b, a), scaleX: scaleX, scaleY: scaleY,
      shear: scaleY == 0 ? 0 : (a * c + b * d) / (scaleX * scaleY),
      translation: Vector(dx: tx, dy: ty))
  }

  init(_ parts: Parts) {
    let (sine, cosine) = (PortableMath.sin(parts.rotation), PortableMath.cos(parts.rotation))
    let sheared = parts.shear * parts.scaleY
    self.init(
      a: parts.scaleX * cosine, b: parts.scaleX * sine, c: sheared * cosine - parts.scaleY * sine,
      d: sheared * sine + parts.scaleY * cosine, tx: parts.translation.dx, ty: parts.translation.dy)
  }
}

extension Point {
  public func applying(_ transform: AffineTransform) -> Point {
    Point(
      x: transform.a * x + transform.c * y + transform.tx, y: transform.b * x + transform.d * y + transform.ty
    )
  }
}

extension Size {
  /// The size of the smallest upright rectangle around a transformed one.
  public func applying(_ transform: AffineTransform) -> Size {
    Size(
      width: abs(transform.a) * width + abs(transform.c) * height,
      height: abs(transform.b) * width + abs(transform.d) * height)
  }
}
