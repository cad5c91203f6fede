import CollectionLayout
import Dynamics

/// A two-dimensional transform: a point (x, y) becomes (a·x + c·y + tx, b·x + d·y + ty).
public struct CGAffineTransform: Hashable, Sendable {
  public var a: CGFloat
  public var b: CGFloat
  public var c: CGFloat
  public var d: CGFloat
  /// The horizontal translation, points.
  public var tx: CGFloat
  /// The vertical translation, points.
  public var ty: CGFloat

  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  public init(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat, _ tx: CGFloat, _ ty: CGFloat) {
    self.init(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
  }

  /// A transform whose numbers are all 0.
  public init() { self.init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0) }

  public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// - Parameter angle: The angle in radians. A positive angle is clockwise if y grows downward.
  public init(rotationAngle angle: CGFloat) {
    let (sine, cosine) = (CGFloat(PortableMath.sin(Double(angle))), CGFloat(PortableMath.cos(Double(angle))))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Creates a translation by these distances, points.
  public init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

  public var isIdentity: Bool { self == .identity }

  /// Returns the transform that applies this transform first and `other` second.
  public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
      d: c * other.b + d * other.d, tx: tx * other.a + ty * other.c + other.tx,
      ty: tx * other.b + ty * other.d + other.ty)
  }

  /// Returns the transform that rotates first (in radians) and applies this transform second.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// Returns the transform that scales first and applies this transform second.
  public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: x, y: y).concatenating(self)
  }

  /// Returns the transform that translates first (in points) and applies this transform second.
  public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: x, y: y).concatenating(self)
  }

  /// Returns the inverse of this transform, or the transform itself if it has no inverse.
  public func inverted() -> CGAffineTransform {
    let determinant = a * d - b * c
    guard determinant != 0 else { return self }
    return CGAffineTransform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }
}

extension CGAffineTransform {
  /// Creates the transform of a look.
  init(_ look: AnimatedAttributes) {
    guard !look.isUpright else {
      self = .identity
      return
    }
    let (sine, cosine) = (PortableMath.sin(look.rotation), PortableMath.cos(look.rotation))
    let (scaleX, scaleY) = (look.scale, look.scale + look.distortion.heightExcess)
    let (sheared, translation) = (look.distortion.shear * scaleY, look.distortion.translation)
    self.init(
      a: CGFloat(scaleX * cosine), b: CGFloat(scaleX * sine), c: CGFloat(sheared * cosine - scaleY * sine),
      d: CGFloat(sheared * sine + scaleY * cosine), tx: CGFloat(translation.dx), ty: CGFloat(translation.dy))
  }

  /// Sets the transform of a look. It consists of parts, in the order in which they apply: scaling and shear, rotation,
  /// translation. Between two transforms, each part is interpolated separately, as in Core Animation.
  func write(to look: inout AnimatedAttributes) {
    guard !isIdentity else { return }
    let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
    let scaleX = (a * a + b * b).squareRoot()
    let scaleY = scaleX > 0 ? (a * d - b * c) / scaleX : (c * c + d * d).squareRoot()
    let shear = scaleX > 0 && scaleY != 0 ? (a * c + b * d) / (scaleX * scaleY) : 0
    let translation = Vector(dx: Double(tx), dy: Double(ty))
    (look.scale, look.rotation) = (scaleX, angle)
    // Ignores distortions that are only rounding errors.
    let hair = 1e-12
    if abs(scaleY - scaleX) <= hair * scaleX, abs(shear) <= hair, translation == .zero { return }
    look.distortion = AnimatedAttributes.Distortion(
      heightExcess: scaleY - scaleX, shear: shear, translation: translation)
  }

  /// The rotation, radians. It is that of the width, or of the height if the width is scaled to 0.
  var angle: Double {
    guard !isIdentity else { return 0 }
    let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
    if a * a + b * b > 0 { return atan2(b, a) }
    return c * c + d * d > 0 ? atan2(-c, d) : 0
  }
}

extension CGPoint {
  public func applying(_ transform: CGAffineTransform) -> CGPoint {
    CGPoint(x: transform.a * x + transform.c * y + transform.tx, y: transform.b * x + transform.d * y + transform.ty)
  }
}

extension CGSize {
  /// Returns the width and the height of the transformed diagonal, which may be negative.
  public func applying(_ transform: CGAffineTransform) -> CGSize {
    CGSize(width: transform.a * width + transform.c * height, height: transform.b * width + transform.d * height)
  }
}

extension CGRect {
  /// Returns the smallest upright rectangle around the transformed rectangle.
  public func applying(_ transform: CGAffineTransform) -> CGRect {
    let corners = [
      CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
    ]
    return CGRect(around: corners.map { $0.applying(transform) })
  }

  /// - Precondition: `points` is not empty.
  init(around points: [CGPoint]) {
    var (low, high) = (points[0], points[0])
    for point in points {
      (low.x, low.y) = (min(low.x, point.x), min(low.y, point.y))
      (high.x, high.y) = (max(high.x, point.x), max(high.y, point.y))
    }
    self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }
}

// Core Graphics has these functions for C, and some layouts call them from Swift.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGAffineTransformMakeRotation(_ angle: CGFloat) -> CGAffineTransform {
  CGAffineTransform(rotationAngle: angle)
}
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGAffineTransformMakeScale(_ sx: CGFloat, _ sy: CGFloat) -> CGAffineTransform {
  CGAffineTransform(scaleX: sx, y: sy)
}
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGAffineTransformMakeTranslation(_ tx: CGFloat, _ ty: CGFloat) -> CGAffineTransform {
  CGAffineTransform(translationX: tx, y: ty)
}
