// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Dynamics
import Foundation

/// A three-dimensional transform. It multiplies the row vector (x, y, z, 1) by the matrix, and divides the product by
/// its fourth component.
public struct CATransform3D: Hashable, Sendable {
  public var m11: CGFloat = 0
  public var m12: CGFloat = 0
  public var m13: CGFloat = 0
  public var m14: CGFloat = 0
  public var m21: CGFloat = 0
  public var m22: CGFloat = 0
  public var m23: CGFloat = 0
  public var m24: CGFloat = 0
  public var m31: CGFloat = 0
  public var m32: CGFloat = 0
  public var m33: CGFloat = 0
  /// Determines the perspective, which is that of a camera at a distance of −1/m34 points.
  public var m34: CGFloat = 0
  public var m41: CGFloat = 0
  public var m42: CGFloat = 0
  public var m43: CGFloat = 0
  public var m44: CGFloat = 0

  /// A transform whose numbers are all 0.
  public init() {}

  public init(
    m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat, m21: CGFloat, m22: CGFloat, m23: CGFloat, m24: CGFloat,
    m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat, m41: CGFloat, m42: CGFloat, m43: CGFloat, m44: CGFloat
  ) { rows = [[m11, m12, m13, m14], [m21, m22, m23, m24], [m31, m32, m33, m34], [m41, m42, m43, m44]] }

  fileprivate var rows: [[CGFloat]] {
    get { [[m11, m12, m13, m14], [m21, m22, m23, m24], [m31, m32, m33, m34], [m41, m42, m43, m44]] }
    set {
      (m11, m12, m13, m14) = (newValue[0][0], newValue[0][1], newValue[0][2], newValue[0][3])
      (m21, m22, m23, m24) = (newValue[1][0], newValue[1][1], newValue[1][2], newValue[1][3])
      (m31, m32, m33, m34) = (newValue[2][0], newValue[2][1], newValue[2][2], newValue[2][3])
      (m41, m42, m43, m44) = (newValue[3][0], newValue[3][1], newValue[3][2], newValue[3][3])
    }
  }

  /// Returns the place where a point of the layer appears. Both points are relative to the layer's anchor point.
  func project(_ point: CGPoint) -> CGPoint {
    let depth = m14 * point.x + m24 * point.y + m44
    let share = depth == 0 ? 1 : 1 / depth
    return CGPoint(x: (m11 * point.x + m21 * point.y + m41) * share, y: (m12 * point.x + m22 * point.y + m42) * share)
  }
}

public let CATransform3DIdentity = CATransform3DMakeScale(1, 1, 1)

public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
  var scale = CATransform3D()
  (scale.m11, scale.m22, scale.m33, scale.m44) = (sx, sy, sz, 1)
  return scale
}

/// Returns a translation by these distances, points.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
  var translation = CATransform3DIdentity
  (translation.m41, translation.m42, translation.m43) = (tx, ty, tz)
  return translation
}

/// Returns a rotation about an axis, or the identity if the axis has no length. The angle is in radians.
public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
  let length = (x * x + y * y + z * z).squareRoot()
  guard length > 0 else { return CATransform3DIdentity }
  let (x, y, z) = (x / length, y / length, z / length)
  let (s, c) = (CGFloat(PortableMath.sin(Double(angle))), CGFloat(PortableMath.cos(Double(angle))))
  let t = 1 - c
  return CATransform3D(
    m11: t * x * x + c, m12: t * x * y + s * z, m13: t * x * z - s * y, m14: 0, m21: t * x * y - s * z,
    m22: t * y * y + c, m23: t * y * z + s * x, m24: 0, m31: t * x * z + s * y, m32: t * y * z - s * x,
    m33: t * z * z + c, m34: 0, m41: 0, m42: 0, m43: 0, m44: 1)
}

/// Returns the transform that applies `a` first and `b` second.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
  let (left, right) = (a.rows, b.rows)
  var product = CATransform3D()
  product.rows = (0..<4).map { row in
    (0..<4).map { column in (0..<4).reduce(0) { $0 + left[row][$1] * right[$1][column] } }
  }
  return product
}

/// Returns the transform that scales first and applies `t` second.
public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
  CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}

/// Returns the transform that translates first (in points) and applies `t` second.
public func CATransform3DTranslate(_ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
  CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}

/// Returns the transform that rotates first (in radians) and applies `t` second.
public func CATransform3DRotate(_ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat)
  -> CATransform3D
{ CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t) }

/// Returns the inverse of `t`, or `t` itself if it has no inverse.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
  // This is Gaussian elimination. The largest number of a column is its pivot, which keeps rounding errors small.
  var (rows, inverse) = (t.rows, CATransform3DIdentity.rows)
  for column in 0..<4 {
    var pivot = column
    for row in column..<4 where abs(rows[row][column]) > abs(rows[pivot][column]) { pivot = row }
    let scale = rows[pivot][column]
    guard scale != 0 else { return t }
    rows.swapAt(column, pivot)
    inverse.swapAt(column, pivot)
    for index in 0..<4 {
      rows[column][index] /= scale
      inverse[column][index] /= scale
    }
    for row in 0..<4 where row != column {
      let factor = rows[row][column]
      for index in 0..<4 {
        rows[row][index] -= factor * rows[column][index]
        inverse[row][index] -= factor * inverse[column][index]
      }
    }
  }
  var result = CATransform3D()
  result.rows = inverse
  return result
}

public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }

public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }

public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
  var transform = CATransform3DIdentity
  (transform.m11, transform.m12, transform.m21, transform.m22) = (m.a, m.b, m.c, m.d)
  (transform.m41, transform.m42) = (m.tx, m.ty)
  return transform
}

/// Whether a `CGAffineTransform` can express the transform.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool {
  CATransform3DMakeAffineTransform(CATransform3DGetAffineTransform(t)) == t
}

/// Returns the two-dimensional part of the transform, which ignores z.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform {
  CGAffineTransform(a: t.m11, b: t.m12, c: t.m21, d: t.m22, tx: t.m41, ty: t.m42)
}

/// Returns the seconds since the system started. A layout that uses this time behaves differently in each run.
public func CACurrentMediaTime() -> Double { ProcessInfo.processInfo.systemUptime }
