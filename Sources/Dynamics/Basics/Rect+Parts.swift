// Core Graphics' calls.
extension Rect {
  @inlinable public var width: Double { size.width }
  @inlinable public var height: Double { size.height }
  @inlinable public var midX: Double { minX + size.width / 2 }
  @inlinable public var midY: Double { minY + size.height / 2 }

  /// The rectangle with its sides moved inwards by this many points; outwards by negative ones.
  @inlinable public func insetBy(dx: Double, dy: Double) -> Rect {
    Rect(x: minX + dx, y: minY + dy, width: size.width - 2 * dx, height: size.height - 2 * dy)
  }

  /// The rectangle moved by this many points.
  @inlinable public func offsetBy(dx: Double, dy: Double) -> Rect {
    Rect(origin: Point(x: minX + dx, y: minY + dy), size: size)
  }

  /// Whether the point is inside, or on the left or the upper edge.
  @inlinable public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }
}
