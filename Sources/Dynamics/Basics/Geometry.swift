/// A position in points.
public struct Point: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// The horizontal coordinate, growing to the right.
  public var x: Double
  /// The vertical coordinate, growing downwards.
  public var y: Double

  @inlinable public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The origin of the coordinates.
  public static let zero = Point(x: 0, y: 0)

  /// Whether both coordinates are finite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
  @inline(__always) static func + (a: Point, b: Vector) -> Point { Point(x: a.x + b.dx, y: a.y + b.dy) }
  @inline(__always) static func - (a: Point, b: Vector) -> Point { Point(x: a.x - b.dx, y: a.y - b.dy) }
  @inline(__always) static func - (a: Point, b: Point) -> Vector { Vector(dx: a.x - b.x, dy: a.y - b.y) }
  public var description: String { "(\(x), \(y))" }
}

/// A direction with a length, such as an offset in points or a velocity in points per second.
public struct Vector: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// The horizontal component, positive to the right.
  public var dx: Double
  /// The vertical component, positive downwards.
  public var dy: Double

  @inlinable public init(dx: Double, dy: Double) { (self.dx, self.dy) = (dx, dy) }

  /// The vector of length 0, which has no direction.
  public static let zero = Vector(dx: 0, dy: 0)

  /// Whether both components are finite.
  @inlinable public var isFinite: Bool { dx.isFinite && dy.isFinite }
  @inline(__always) package var squared: Double { dx * dx + dy * dy }

  /// Returns the component along `direction`, whose length must be 1.
  @inline(__always) package func along(_ direction: Vector) -> Double { dx * direction.dx + dy * direction.dy }

  /// Returns the cross product. For a lever and a force it is a torque, and for a lever and an impulse it is an angular
  /// impulse.
  @inline(__always) package func cross(_ other: Vector) -> Double { dx * other.dy - dy * other.dx }
  @inline(__always) package func times(_ factor: Double) -> Vector { Vector(dx: factor * dx, dy: factor * dy) }
  @inline(__always) package static func + (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx + b.dx, dy: a.dy + b.dy) }
  @inline(__always) package static func - (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx - b.dx, dy: a.dy - b.dy) }
  public var description: String { "(\(dx), \(dy))" }
}

/// A width and a height in points.
public struct Size: Hashable, Sendable, CustomStringConvertible {
  public var width: Double
  public var height: Double

  @inlinable public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  public static let zero = Size(width: 0, height: 0)

  /// Returns the size of the upright rectangle around a rectangle of this size that is turned by an angle in radians.
  @usableFromInline func turned(by angle: Double) -> Size {
    let (c, s) = (abs(PortableMath.cos(angle)), abs(PortableMath.sin(angle)))
    return Size(width: c * width + s * height, height: s * width + c * height)
  }

  public var description: String { "\(width)×\(height)" }
}

/// A rectangle in points; y grows downwards.
public struct Rect: Hashable, Sendable {
  /// The corner with the smallest coordinates.
  public var origin: Point
  /// The width and height, which are not checked. If one is negative, `maxX` is below `minX`, or `maxY` below `minY`.
  public var size: Size

  @inlinable public init(origin: Point, size: Size) { (self.origin, self.size) = (origin, size) }

  /// Creates a rectangle from the coordinates of its origin and from its sides, in points.
  @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// Creates a rectangle from its center and its size.
  @inlinable public init(center: Point, size: Size) {
    self.init(x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
  }

  /// The left edge.
  @inlinable public var minX: Double { origin.x }
  /// The top edge.
  @inlinable public var minY: Double { origin.y }
  /// The right edge.
  @inlinable public var maxX: Double { origin.x + size.width }
  /// The bottom edge.
  @inlinable public var maxY: Double { origin.y + size.height }
  @inlinable public var center: Point { Point(x: minX + size.width / 2, y: minY + size.height / 2) }

  /// Returns whether the rectangles overlap. Touching at an edge does not count.
  @inlinable public func intersects(_ other: Rect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// Returns the rectangle extended by `margin` points on each side. A negative margin shrinks it.
  @inlinable public func grown(by margin: Double) -> Rect {
    Rect(x: minX - margin, y: minY - margin, width: size.width + 2 * margin, height: size.height + 2 * margin)
  }
}

/// The horizontal or the vertical axis.
public enum Axis: Hashable, Sendable {
  case horizontal, vertical

  /// Returns the coordinates of the point along the axis (`main`) and across it (`cross`).
  @inline(__always) func coordinates(of point: Point) -> (main: Double, cross: Double) {
    self == .vertical ? (point.y, point.x) : (point.x, point.y)
  }

  @inline(__always) func point(main: Double, cross: Double) -> Point {
    self == .vertical ? Point(x: cross, y: main) : Point(x: main, y: cross)
  }
}

/// The position and the rotation of a body.
struct Pose: BitwiseCopyable {
  var x, y: Double
  /// The angle in radians, from which `init` computes `cosine` and `sine`.
  var angle: Double
  var cosine, sine: Double

  init(x: Double, y: Double, angle: Double) {
    self.x = x
    self.y = y
    self.angle = angle
    cosine = PortableMath.cos(angle)
    sine = PortableMath.sin(angle)
  }

  /// Converts a vector from the body's coordinates to the world's.
  @inline(__always) func turned(_ vector: Vector) -> Vector {
    Vector(dx: cosine * vector.dx - sine * vector.dy, dy: sine * vector.dx + cosine * vector.dy)
  }
}
