/// Keeps items from moving into each other and across boundaries (UIKit: `UICollisionBehavior`). Items
/// collide only with those of the same behavior. Items that overlap from the start are pushed apart softly.
public final class CollisionBehavior: GroupBehavior {
  /// Collision behaviors that an animator can run at once.
  static let limit = 64

  private struct Boundary {
    let identifier: String
    let from: Point
    let to: Point
    /// One of the reference bounds, which items cannot leave.
    var isWall = false
    /// Slot of its body while the behavior runs.
    var slot: Int32?
  }

  private var boundaries: [Boundary] = []
  private var walls: [Boundary] = []
  /// Keeps the items inside this rectangle, and brings back those that are outside (UIKit:
  /// `translatesReferenceBoundsIntoBoundary`, which takes the bounds of the animator's view).
  public private(set) var referenceBounds: Rect?
  /// Whether items collide with each other, and not only with boundaries.
  package var hasCollidingItems = true { didSet { modeChanged() } }
  /// The bit that colliding bodies share; 0 while the behavior does not run.
  private(set) var mask: UInt64 = 0

  public override init(items: [any DynamicItem] = []) { super.init(items: items) }

  /// In the order in which they were added.
  public var boundaryIdentifiers: [String] { boundaries.map(\.identifier) }

  /// Nil for the reference bounds.
  func boundary(inSlot slot: Int32) -> String? { boundaries.first { $0.slot == slot }?.identifier }

  override func apply(to body: inout BodyDefinition, of item: any DynamicItem) { body.collisionMask |= mask }

  override func join(_ animator: DynamicAnimator) throws(DynamicsError) {
    let free = ~animator.coupled.pointee.collisionBits
    guard free != 0 else { throw .tooManyCollisionBehaviors(limit: Self.limit) }
    mask = free & (~free &+ 1)
    do throws(DynamicsError) { try super.join(animator) } catch {
      mask = 0
      throw error
    }
    animator.coupled.pointee.collisionBits |= mask
    setItemBits(animator)
    for index in boundaries.indices { start(&boundaries[index], animator) }
    for index in walls.indices { start(&walls[index], animator) }
  }

  override func leave(_ animator: DynamicAnimator) {
    super.leave(animator)
    animator.coupled.pointee.collisionBits &= ~mask
    animator.coupled.pointee.world.broadPhase.itemBits |= mask
    for boundary in boundaries + walls { stop(boundary, animator) }
    forget()
  }

  override func forget() {
    mask = 0
    for index in boundaries.indices { boundaries[index].slot = nil }
    for index in walls.indices { walls[index].slot = nil }
  }
}

extension CollisionBehavior {
  /// Adds a segment that items of this behavior cannot cross, from either side.
  /// - Throws: If the identifier is taken, or the ends are not finite or are the same point.
  public func addBoundary(withIdentifier identifier: String, from: Point, to: Point) throws(DynamicsError) {
    guard !boundaries.contains(where: { $0.identifier == identifier }) else {
      throw .boundaryExists(identifier: identifier)
    }
    let length = (to.x - from.x).magnitude + (to.y - from.y).magnitude
    guard from.isFinite, to.isFinite, (1e-9...1e9).contains(length) else {
      throw .invalidBoundary(identifier: identifier, from: from, to: to)
    }
    var boundary = Boundary(identifier: identifier, from: from, to: to)
    if let animator { start(&boundary, animator) }
    boundaries.append(boundary)
    animator?.resumeIfAwake()
  }

  /// - Throws: `DynamicsError.unknownBoundary`.
  public func removeBoundary(withIdentifier identifier: String) throws(DynamicsError) {
    guard let index = boundaries.firstIndex(where: { $0.identifier == identifier }) else {
      throw .unknownBoundary(identifier: identifier)
    }
    let boundary = boundaries.remove(at: index)
    if let animator { stop(boundary, animator) }
    animator?.resumeIfAwake()
  }

  /// Removes the boundaries that were added by identifier; the reference bounds stay.
  public func removeAllBoundaries() {
    if let animator { for boundary in boundaries { stop(boundary, animator) } }
    boundaries = []
    animator?.resumeIfAwake()
  }

  /// Holds the items inside the rectangle, or no longer for nil.
  /// - Throws: `DynamicsError.invalidReferenceBounds`; the bounds are then as they were.
  public func setReferenceBounds(_ bounds: Rect?) throws(DynamicsError) {
    var corners: [Point] = []
    if let bounds {
      let sides = 1e-9...1e9
      guard bounds.origin.isFinite, sides.contains(bounds.size.width), sides.contains(bounds.size.height) else {
        throw .invalidReferenceBounds(bounds)
      }
      corners = [
        bounds.origin, Point(x: bounds.maxX, y: bounds.minY), Point(x: bounds.maxX, y: bounds.maxY),
        Point(x: bounds.minX, y: bounds.maxY), bounds.origin,
      ]
    }
    if let animator { for wall in walls { stop(wall, animator) } }
    referenceBounds = bounds
    walls = zip(corners, corners.dropFirst()).map { Boundary(identifier: "bounds", from: $0, to: $1, isWall: true) }
    if let animator { for index in walls.indices { start(&walls[index], animator) } }
    animator?.resumeIfAwake()
  }

  private func setItemBits(_ animator: DynamicAnimator) {
    let bits = animator.coupled.pointee.world.broadPhase.itemBits
    animator.coupled.pointee.world.broadPhase.itemBits = hasCollidingItems ? bits | mask : bits & ~mask
  }

  private func modeChanged() {
    guard let animator else { return }
    setItemBits(animator)
    animator.coupled.pointee.world.broadPhase.membersChanged = true
    for item in items { animator.wake(item) }
    animator.resumeIfAwake()
  }

  private func start(_ boundary: inout Boundary, _ animator: DynamicAnimator) {
    boundary.slot = animator.coupled.pointee.addBoundary(
      from: boundary.from, to: boundary.to, isWall: boundary.isWall, mask: mask)
    for item in items { animator.wake(item) }
  }

  /// Wakes the neighbours, which may fall now.
  private func stop(_ boundary: Boundary, _ animator: DynamicAnimator) {
    if let slot = boundary.slot { animator.coupled.pointee.world.removeBody(slot) }
    for item in items { animator.wake(item) }
  }
}
