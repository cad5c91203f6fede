/// A place in points.
public struct Point: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Grows to the right.
  public var x: Double
  /// Grows downwards.
  public var y: Double

  @inlinable public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The origin of the coordinates.
  public static let zero = Point(x: 0, y: 0)

  /// False if a coordinate is infinite or not a number.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
  @inline(__always) static func + (a: Point, b: Vector) -> Point { Point(x: a.x + b.dx, y: a.y + b.dy) }
  @inline(__always) static func - (a: Point, b: Vector) -> Point { Point(x: a.x - b.dx, y: a.y - b.dy) }
  @inline(__always) static func - (a: Point, b: Point) -> Vector { Vector(dx: a.x - b.x, dy: a.y - b.y) }
  public var description: String { "(\(x), \(y))" }
}

/// A direction with a length: an offset in points, a velocity in points per second.
public struct Vector: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Positive to the right.
  public var dx: Double
  /// Positive downwards.
  public var dy: Double

  @inlinable public init(dx: Double, dy: Double) { (self.dx, self.dy) = (dx, dy) }

  /// No offset, or rest; it has no direction.
  public static let zero = Vector(dx: 0, dy: 0)

  /// False if a part is infinite or not a number.
  @inlinable public var isFinite: Bool { dx.isFinite && dy.isFinite }
  @inline(__always) package var squared: Double { dx * dx + dy * dy }

  /// The component along a direction of length 1.
  @inline(__always) package func along(_ direction: Vector) -> Double { dx * direction.dx + dy * direction.dy }

  /// The cross product: the torque of a force, or of an impulse, on this lever.
  @inline(__always) package func cross(_ other: Vector) -> Double { dx * other.dy - dy * other.dx }
  @inline(__always) package func times(_ factor: Double) -> Vector { Vector(dx: factor * dx, dy: factor * dy) }
  @inline(__always) package static func + (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx + b.dx, dy: a.dy + b.dy) }
  @inline(__always) package static func - (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx - b.dx, dy: a.dy - b.dy) }
  public var description: String { "(\(dx), \(dy))" }
}

/// Width and height in points.
public struct Size: Hashable, Sendable, CustomStringConvertible {
  public var width: Double
  public var height: Double

  @inlinable public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  public static let zero = Size(width: 0, height: 0)

  /// The size of the upright rectangle around a turned rectangle of this size.
  @usableFromInline func turned(by angle: Double) -> Size {
    let (c, s) = (abs(PortableMath.cos(angle)), abs(PortableMath.sin(angle)))
    return Size(width: c * width + s * height, height: s * width + c * height)
  }

  public var description: String { "\(width)×\(height)" }
}

/// A rectangle in points, y growing downwards.
public struct Rect: Hashable, Sendable {
  /// The corner with the smallest coordinates.
  public var origin: Point
  /// Not checked: if a side is negative, the largest coordinate is below the smallest.
  public var size: Size

  @inlinable public init(origin: Point, size: Size) { (self.origin, self.size) = (origin, size) }

  /// Makes a rectangle from the coordinates of its origin and its size, points.
  @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The rectangle of a size about a point.
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

  /// Whether the rectangles share more than an edge.
  @inlinable public func intersects(_ other: Rect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// The rectangle grown by this many points to each side; shrunk by a negative number.
  @inlinable public func grown(by margin: Double) -> Rect {
    Rect(x: minX - margin, y: minY - margin, width: size.width + 2 * margin, height: size.height + 2 * margin)
  }
}

/// One of the two directions of the plane.
public enum Axis: Hashable, Sendable {
  case horizontal, vertical

  /// Coordinates along the axis and across it.
  @inline(__always) func coordinates(of point: Point) -> (main: Double, cross: Double) {
    self == .vertical ? (point.y, point.x) : (point.x, point.y)
  }

  @inline(__always) func point(main: Double, cross: Double) -> Point {
    self == .vertical ? Point(x: cross, y: main) : Point(x: main, y: cross)
  }
}

/// A place and an angle: where a body is.
struct Pose: BitwiseCopyable {
  var x, y: Double
  /// Radians.
  var angle: Double
  var cosine, sine: Double

  init(x: Double, y: Double, angle: Double) {
    self.x = x
    self.y = y
    self.angle = angle
    cosine = PortableMath.cos(angle)
    sine = PortableMath.sin(angle)
  }

  /// A vector of the body in the directions of the world.
  @inline(__always) func turned(_ vector: Vector) -> Vector {
    Vector(dx: cosine * vector.dx - sine * vector.dy, dy: sine * vector.dx + cosine * vector.dy)
  }
}
