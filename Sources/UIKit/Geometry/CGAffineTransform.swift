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
  /// The parts of a transform, in the order in which they apply: scaling and shear, rotation, translation. Between two
  /// transforms, each part is interpolated separately, as in Core Animation.
  struct Parts: Hashable, Sendable {
    /// The rotation, radians clockwise.
    var rotation = 0.0
    /// The factor by which the width is scaled.
    var scaleX = 1.0
    /// The factor by which the height is scaled. It is negative for a mirror image.
    var scaleY = 1.0
    /// The sideways shift of a point, as a fraction of its y after scaling.
    var shear = 0.0
    /// The translation, points.
    var translation = Vector.zero
  }

  var parts: Parts {
    let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
    let translation = Vector(dx: Double(tx), dy: Double(ty))
    let scaleX = (a * a + b * b).squareRoot()
    guard scaleX > 0 else {
      let scaleY = (c * c + d * d).squareRoot()
      let rotation = scaleY > 0 ? atan2(-c, d) : 0
      return Parts(rotation: rotation, scaleX: 0, scaleY: scaleY, translation: translation)
    }
    let scaleY = (a * d - b * c) / scaleX
    return Parts(
      rotation: atan2(b, a), scaleX: scaleX, scaleY: scaleY,
      shear: scaleY == 0 ? 0 : (a * c + b * d) / (scaleX * scaleY), translation: translation)
  }

  init(_ parts: Parts) {
    let (sine, cosine) = (PortableMath.sin(parts.rotation), PortableMath.cos(parts.rotation))
    let sheared = parts.shear * parts.scaleY
    self.init(
      a: CGFloat(parts.scaleX * cosine), b: CGFloat(parts.scaleX * sine),
      c: CGFloat(sheared * cosine - parts.scaleY * sine), d: CGFloat(sheared * sine + parts.scaleY * cosine),
      tx: CGFloat(parts.translation.dx), ty: CGFloat(parts.translation.dy))
  }

  /// The rotation, radians.
  var angle: Double { isIdentity ? 0 : parts.rotation }
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
