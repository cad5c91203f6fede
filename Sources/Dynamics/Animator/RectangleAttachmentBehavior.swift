/// Holds an item at its offset from a point: by springs from its centre to the corners of a square around the point,
/// each as long as that distance is at first (the `RectangleAttachmentBehavior` of Napier and Kumar, "iOS 7 Programming
/// Pushing the Limits").
///
/// The further away the item is, the more the springs pull in one direction: the item then follows readily in that
/// direction, and sways across it.
public final class RectangleAttachmentBehavior: DynamicBehavior {
  public let item: any DynamicItem
  /// The point that the item is held at, points.
  public private(set) var point: Point
  /// Resting place of the item's centre relative to the point, points.
  public let offset: Vector

  /// Sides of the square, points.
  public static let side = 40.0
  /// Hz.
  public static let frequency = 8.0
  /// Damping ratio.
  public static let damping = 0.6

  private static let corners = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map {
    Vector(dx: $0 * side / 2, dy: $1 * side / 2)
  }

  private let attachments: [AttachmentBehavior]

  /// Values are checked when the behavior is added to an animator.
  public init(item: any DynamicItem, point: Point) {
    self.item = item
    self.point = point
    offset = item.center - point
    attachments = Self.corners.map { corner in
      AttachmentBehavior(item: item, attachedToAnchor: point + corner, damping: Self.damping, frequency: Self.frequency)
    }
    super.init()
    adopt(attachments)
  }

  /// Moves the point, which pulls the item along.
  /// - Throws: If the point is not finite; nothing has changed then.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    guard newPoint.isFinite else { throw .anchorNotFinite(item: itemName, anchor: newPoint) }
    point = newPoint
    // By index: without optimisation, iterating would allocate in every frame of a drag.
    for index in attachments.indices { try attachments[index].setAnchorPoint(newPoint + Self.corners[index]) }
  }

  /// Moves the point so that it holds the item's centre here; it must be finite.
  public func pullItem(to center: Point) throws(DynamicsError) { try setPoint(center - offset) }
}

/// Drags items: a `RectangleAttachmentBehavior` for each holds it relative to a point.
public final class DragBehavior: DynamicBehavior {
  /// The attachments, in the order of the items.
  public private(set) var holds: [RectangleAttachmentBehavior]

  /// Holds all items relative to one point, as when a finger drags them: they stay in formation.
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

  /// Moves the point; all items are pulled to their places relative to it.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    for index in holds.indices { try holds[index].setPoint(newPoint) }
  }

  /// Releases all items except those of these holds, which are in this order from now on.
  /// - Parameter positions: Positions of holds, each once.
  public func keep(_ positions: [Int]) {
    let kept = Set(positions)
    for (position, hold) in holds.enumerated() where !kept.contains(position) { try? removeChildBehavior(hold) }
    holds = positions.map { holds[$0] }
  }
}
