import Dynamics

/// Holds an item at its initial offset from a point, like the `RectangleAttachmentBehavior` of Napier and Kumar ("iOS 7
/// Programming Pushing the Limits"). Four springs connect the item's center with the corners of a square around the
/// point. The length of each spring is the initial distance between its ends.
///
/// The further the item is from the point, the more nearly parallel the springs are. Parallel springs hold the item
/// firmly along their direction, but let it sway across that direction.
public final class RectangleAttachmentBehavior {
  public let item: any DynamicItem
  /// The point relative to which the item is held, points.
  public private(set) var point: Point
  /// The offset from the point to the item's center when the item is at rest, points.
  public let offset: Vector

  /// The length of the square's sides, points.
  public static let side = 40.0
  /// The frequency of the springs, Hz.
  public static let frequency = 8.0
  /// The damping ratio of the springs.
  public static let damping = 0.6

  private static let corners = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map {
    Vector(dx: $0 * side / 2, dy: $1 * side / 2)
  }

  private let attachments: [AttachmentBehavior]

  /// Creates a behavior that holds the item where it is. The values are checked when an animator runs it.
  public init(item: any DynamicItem, point: Point) {
    self.item = item
    self.point = point
    offset = Vector(dx: item.center.x - point.x, dy: item.center.y - point.y)
    attachments = Self.corners.map { corner in
      AttachmentBehavior(
        item: item, attachedToAnchor: Self.place(point, corner), damping: Self.damping, frequency: Self.frequency)
    }
  }

  fileprivate func start(in animator: DynamicAnimator) throws(DynamicsError) {
    for attachment in attachments { try animator.addBehavior(attachment) }
  }

  fileprivate func end() {
    for attachment in attachments.reversed() { try? attachment.dynamicAnimator?.removeBehavior(attachment) }
  }

  /// Moves the point. The springs then pull the item along.
  /// - Throws: If the point is not finite. Nothing changes in that case.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    guard newPoint.isFinite else { throw .anchorNotFinite(item: item.dynamicItemName, anchor: newPoint) }
    point = newPoint
    // Without optimization, iterating would allocate in every frame of a drag. So the loop runs over indices.
    for index in attachments.indices {
      try attachments[index].setAnchorPoint(Self.place(newPoint, Self.corners[index]))
    }
  }

  private static func place(_ point: Point, _ corner: Vector) -> Point {
    Point(x: point.x + corner.dx, y: point.y + corner.dy)
  }

  /// Moves the point so that the springs pull the item's center to `center`.
  /// - Throws: If `center` is not finite. Nothing changes in that case.
  public func pullItem(to center: Point) throws(DynamicsError) {
    try setPoint(Point(x: center.x - offset.dx, y: center.y - offset.dy))
  }
}

/// Drags items. A `RectangleAttachmentBehavior` for each item holds it relative to a point.
public final class DragBehavior {
  /// The behaviors that hold the items, in the order of the items.
  public private(set) var holds: [RectangleAttachmentBehavior]

  /// Holds all items relative to one point, as when a finger drags them. The items stay in formation.
  public init(items: [any DynamicItem], point: Point) {
    holds = items.map { RectangleAttachmentBehavior(item: $0, point: point) }
  }

  /// Holds each item where it is.
  public init(items: [any DynamicItem]) {
    holds = items.map { RectangleAttachmentBehavior(item: $0, point: $0.center) }
  }

  /// Makes an animator run the springs.
  /// - Throws: If the point or the center of an item is not finite.
  public func start(in animator: DynamicAnimator) throws(DynamicsError) {
    for hold in holds { try hold.start(in: animator) }
  }

  /// Lets go of all items.
  public func end() { for hold in holds.reversed() { hold.end() } }

  /// Moves the point relative to which all items are held. The springs then pull the items along.
  /// - Throws: If the point is not finite. Nothing changes in that case.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    for index in holds.indices { try holds[index].setPoint(newPoint) }
  }

  /// Keeps only the elements of `holds` at these positions, in this order, and lets go of all other items.
  /// - Parameter positions: Positions in `holds`, without duplicates.
  public func keep(_ positions: [Int]) {
    let kept = Set(positions)
    for (position, hold) in holds.enumerated() where !kept.contains(position) { hold.end() }
    holds = positions.map { holds[$0] }
  }
}
