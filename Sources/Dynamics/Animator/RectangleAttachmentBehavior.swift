/// Holds an item at its initial offset from a point, like the `RectangleAttachmentBehavior` of Napier and Kumar ("iOS 7
/// Programming Pushing the Limits"). Four springs connect the item's center with the corners of a square around the
/// point. The length of each spring is the initial distance between its ends.
///
/// The further the item is from the point, the more nearly parallel the springs are. Parallel springs hold the item
/// firmly along their direction, but let it sway across that direction.
public final class RectangleAttachmentBehavior: DynamicBehavior {
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

  /// Creates a behavior that holds the item where it is. The values are checked when it is added to an animator.
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

  /// Moves the point. The springs then pull the item along.
  /// - Throws: If the point is not finite. Nothing changes in that case.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    guard newPoint.isFinite else { throw .anchorNotFinite(item: itemName, anchor: newPoint) }
    point = newPoint
    // Without optimization, iterating would allocate in every frame of a drag. So the loop runs over indices.
    for index in attachments.indices { try attachments[index].setAnchorPoint(newPoint + Self.corners[index]) }
  }

  /// Moves the point so that the springs pull the item's center to `center`.
  /// - Throws: If `center` is not finite. Nothing changes in that case.
  public func pullItem(to center: Point) throws(DynamicsError) { try setPoint(center - offset) }
}

/// Drags items. A `RectangleAttachmentBehavior` for each item holds it relative to a point.
public final class DragBehavior: DynamicBehavior {
  /// The behaviors that hold the items, in the order of the items.
  public private(set) var holds: [RectangleAttachmentBehavior]

  /// Holds all items relative to one point, as when a finger drags them. The items stay in formation.
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

  /// Moves the point relative to which all items are held. The springs then pull the items along.
  /// - Throws: If the point is not finite. Nothing changes in that case.
  public func setPoint(_ newPoint: Point) throws(DynamicsError) {
    for index in holds.indices { try holds[index].setPoint(newPoint) }
  }

  /// Keeps only the elements of `holds` at these positions, in this order, and lets go of all other items.
  /// - Parameter positions: Positions in `holds`, without duplicates.
  public func keep(_ positions: [Int]) {
    let kept = Set(positions)
    for (position, hold) in holds.enumerated() where !kept.contains(position) { try? removeChildBehavior(hold) }
    holds = positions.map { holds[$0] }
  }
}
