import Dynamics
import Foundation

/// A direction with a length.
public struct CGVector: Hashable, Sendable {
  public var dx: CGFloat
  public var dy: CGFloat

  public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }
  public init() { self.init(dx: 0, dy: 0) }

  public static let zero = CGVector(dx: 0, dy: 0)

  /// - Parameter angle: The direction, radians clockwise from the right.
  init(angle: CGFloat, magnitude: CGFloat) {
    self.init(
      dx: magnitude * CGFloat(PortableMath.cos(Double(angle))), dy: magnitude * CGFloat(PortableMath.sin(Double(angle)))
    )
  }

  var length: CGFloat { (dx * dx + dy * dy).squareRoot() }
  var angle: CGFloat { CGFloat(atan2(Double(dy), Double(dx))) }
}

/// An offset from a point, in points. In an attachment, it starts at the center of an item.
public struct UIOffset: Hashable, Sendable {
  public var horizontal: CGFloat
  public var vertical: CGFloat

  public init(horizontal: CGFloat, vertical: CGFloat) { (self.horizontal, self.vertical) = (horizontal, vertical) }
  public init() { self.init(horizontal: 0, vertical: 0) }

  public static let zero = UIOffset(horizontal: 0, vertical: 0)
}

// MARK: - Core Graphics' calls

extension CGPoint { public func equalTo(_ other: CGPoint) -> Bool { self == other } }

extension CGSize { public func equalTo(_ other: CGSize) -> Bool { self == other } }

extension CGRect { public func equalTo(_ other: CGRect) -> Bool { self == other } }

// MARK: - The engine's types

extension Point { init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) } }

extension Size { init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) } }

extension Rect { init(_ rect: CGRect) { self.init(origin: Point(rect.origin), size: Size(rect.size)) } }

extension Vector {
  init(_ vector: CGVector) { self.init(dx: Double(vector.dx), dy: Double(vector.dy)) }
  init(_ point: CGPoint) { self.init(dx: Double(point.x), dy: Double(point.y)) }
  init(_ offset: UIOffset) { self.init(dx: Double(offset.horizontal), dy: Double(offset.vertical)) }

  /// - Parameter angle: The angle in radians. A positive angle is clockwise if y grows downward.
  func turned(_ angle: Double) -> Vector {
    let (sine, cosine) = (PortableMath.sin(angle), PortableMath.cos(angle))
    return Vector(dx: cosine * dx - sine * dy, dy: sine * dx + cosine * dy)
  }
}

extension CGPoint {
  init(_ point: Point) { self.init(x: point.x, y: point.y) }

  func distance(to other: CGPoint) -> CGFloat { CGVector(dx: other.x - x, dy: other.y - y).length }
}

extension CGSize { init(_ size: Size) { self.init(width: size.width, height: size.height) } }

extension CGRect {
  init(_ rect: Rect) { self.init(origin: CGPoint(rect.origin), size: CGSize(rect.size)) }

  init(center: CGPoint, size: CGSize) {
    self.init(x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
  }

  var center: CGPoint { CGPoint(x: midX, y: midY) }

  /// Whether the rectangles have a point in common. Unlike `intersects`, this method does not end the program on Linux
  /// if a number is NaN.
  func overlaps(_ other: CGRect) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}
