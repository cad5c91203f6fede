/// Holds an item at a point by four springs, at the corners of a square about both: the item stays upright
/// without being stiff (the `RectangleAttachmentBehavior` of Napier and Kumar, "iOS 7 Programming Pushing the
/// Limits").
public final class RectangleAttachmentBehavior: DynamicBehavior {
  /// Its centre is pulled to `point`; kept alive by the behavior.
  public let item: any DynamicItem
  /// Where the item is pulled to, points.
  public private(set) var point: Point

  /// Sides of the square, points.
  public static let side = 40.0
  /// Hz.
  public static let frequency = 8.0
  /// Ratio.
  public static let damping = 0.6

  private static let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
    Vector(dx: $0 * side / 2, dy: $1 * side / 2)
  }

  private let attachments: [AttachmentBehavior]

  /// Values are checked when the behavior is added to an animator.
  public init(item: any DynamicItem, point: Point) {
    self.item = item
    self.point = point
    attachments = Self.corners.map { corner in
      AttachmentBehavior(
        item: item, offsetFromCenter: corner, attachedToAnchor: point + corner, damping: Self.damping,
        frequency: Self.frequency)
    }
    super.init()
    adopt(attachments)
  }

  /// Moves the point; the item stays where it is and is pulled after.
  /// - Throws: For a point that is not finite; nothing has changed then.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    guard newPoint.isFinite else { throw .anchorNotFinite(item: itemName, anchor: newPoint) }
    point = newPoint
    // By index: without optimisation, iterating would allocate in every frame of a drag.
    for index in attachments.indices { try attachments[index].setAnchorPoint(newPoint + Self.corners[index]) }
  }
}

/// Drags items: each is held at a point by a `RectangleAttachmentBehavior` of its own.
public final class DragBehavior: DynamicBehavior {
  /// In the order of the items.
  public let holds: [RectangleAttachmentBehavior]

  /// Holds all items at one point, as when a finger gathers them.
  public init(items: [any DynamicItem], point: Point) {
    holds = items.map { RectangleAttachmentBehavior(item: $0, point: point) }
    super.init()
    adopt(holds)
  }

  /// Holds each item where it is.
  public init(items: [any DynamicItem]) {
    holds = items.map { RectangleAttachmentBehavior(item: $0, point: $0.center) }
    super.init()
    adopt(holds)
  }

  /// Pulls all items to the point.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    for index in holds.indices { try holds[index].setPoint(newPoint) }
  }
}

extension Point {
  fileprivate static func + (point: Point, offset: Vector) -> Point {
    Point(x: point.x + offset.dx, y: point.y + offset.dy)
  }
}
