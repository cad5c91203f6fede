/// Keeps items from moving into each other and across boundaries (UIKit: `UICollisionBehavior`). Items collide only
/// with items of the same behavior. Items that overlap from the start are pushed apart softly.
public final class CollisionBehavior: GroupBehavior {
  /// The largest number of collision behaviors that an animator can run at once. Each needs one bit of a 64-bit mask.
  static let limit = 64

  private struct Boundary {
    /// The identifier, or nil for a side of the reference bounds, which items cannot leave.
    let identifier: String?
    let from: Point
    let to: Point
    /// The slot (index) of the boundary's body while the behavior runs.
    var slot: Int32?
  }

  /// The boundaries. The sides of the reference bounds come last.
  private var boundaries: [Boundary] = []
  /// A rectangle that items cannot leave, or nil if there is none. Items outside of it are brought back (UIKit:
  /// `translatesReferenceBoundsIntoBoundary`, which uses the bounds of the animator's view).
  public private(set) var referenceBounds: Rect?
  /// Whether items collide with each other. If not, they collide only with boundaries.
  package var hasCollidingItems = true { didSet { modeChanged() } }
  /// The bit that this behavior sets in the collision masks of its bodies, or 0 while the behavior does not run.
  private(set) var mask: UInt64 = 0

  public override init(items: [any DynamicItem] = []) { super.init(items: items) }

  /// The identifiers of the boundaries, in the order in which they were added.
  public var boundaryIdentifiers: [String] { boundaries.compactMap(\.identifier) }

  /// Returns the identifier of the boundary whose body has this slot, or nil for the reference bounds.
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
  }

  override func leave(_ animator: DynamicAnimator) {
    super.leave(animator)
    animator.coupled.pointee.collisionBits &= ~mask
    animator.coupled.pointee.world.broadPhase.itemBits |= mask
    for boundary in boundaries { stop(boundary, animator) }
    forget()
  }

  override func forget() {
    mask = 0
    for index in boundaries.indices { boundaries[index].slot = nil }
  }

  /// Adds a segment that items of this behavior cannot cross from either side.
  /// - Throws: If the identifier is taken, an end is not finite, or the ends are not between 1e-9 and 1e9 points apart.
  public func addBoundary(withIdentifier identifier: String, from: Point, to: Point) throws(DynamicsError) {
    guard !boundaries.contains(where: { $0.identifier == identifier }) else {
      throw .boundaryExists(identifier: identifier)
    }
    let length = (to - from).squared.squareRoot()
    guard from.isFinite, to.isFinite, (1e-9...1e9).contains(length) else {
      throw .invalidBoundary(identifier: identifier, from: from, to: to)
    }
    add(Boundary(identifier: identifier, from: from, to: to))
  }

  /// Removes the boundary with this identifier.
  /// - Throws: `DynamicsError.unknownBoundary`.
  public func removeBoundary(withIdentifier identifier: String) throws(DynamicsError) {
    guard boundaries.contains(where: { $0.identifier == identifier }) else {
      throw .unknownBoundary(identifier: identifier)
    }
    removeBoundaries { $0.identifier == identifier }
  }

  /// Removes the boundaries that were added with an identifier. The reference bounds stay.
  public func removeAllBoundaries() { removeBoundaries { $0.identifier != nil } }

  /// Keeps the items inside the rectangle from now on. Nil removes the reference bounds.
  /// - Throws: `DynamicsError.invalidReferenceBounds`. The previous bounds stay in that case.
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
    removeBoundaries { $0.identifier == nil }
    referenceBounds = bounds
    for (from, to) in zip(corners, corners.dropFirst()) { add(Boundary(identifier: nil, from: from, to: to)) }
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

  private func add(_ boundary: Boundary) {
    var boundary = boundary
    if let animator { start(&boundary, animator) }
    let place = boundary.identifier == nil ? nil : boundaries.firstIndex { $0.identifier == nil }
    boundaries.insert(boundary, at: place ?? boundaries.count)
    animator?.resumeIfAwake()
  }

  private func removeBoundaries(where isRemoved: (Boundary) -> Bool) {
    if let animator { for boundary in boundaries where isRemoved(boundary) { stop(boundary, animator) } }
    boundaries.removeAll(where: isRemoved)
    animator?.resumeIfAwake()
  }

  private func start(_ boundary: inout Boundary, _ animator: DynamicAnimator) {
    boundary.slot = animator.coupled.pointee.addBoundary(
      from: boundary.from, to: boundary.to, isWall: boundary.identifier == nil, mask: mask)
    for item in items { animator.wake(item) }
  }

  /// Removes the body of a boundary, and wakes the items, which may fall now.
  private func stop(_ boundary: Boundary, _ animator: DynamicAnimator) {
    if let slot = boundary.slot { animator.coupled.pointee.world.removeBody(slot) }
    for item in items { animator.wake(item) }
  }

  package struct Touch {
    package let item: any DynamicItem
    /// The second item, or nil if the first item touches a boundary.
    package let otherItem: (any DynamicItem)?
    /// The identifier of the boundary, or nil for a side of the reference bounds or if two items touch.
    package let boundary: String?
    /// The position half-way between the surfaces, points.
    package let point: Point
  }

  /// Makes the animator also record bodies that hit each other within a step but have separated again by its end.
  package func noteTouches() { animator?.coupled.pointee.world.notesHits = true }

  /// Returns the items that touch each other or a boundary after the last step, in a fixed order. If `noteTouches()`
  /// was called, the result also contains items that touched only during the step.
  /// - Complexity: O(contacts).
  package func touches() -> [Touch] {
    guard let animator else { return [] }
    let coupled = animator.coupled
    var hits: Set<UInt64> = []
    for pair in coupled.pointee.world.hits.elements { hits.insert(Self.key(pair.a, pair.b)) }
    var touches: [Touch] = []
    for contact in coupled.pointee.world.contacts.elements {
      let isPressed = contact.first.normal + contact.second.normal > 0
      guard isPressed || contact.separation <= 0 || hits.contains(Self.key(contact.a, contact.b)),
        let touch = touch(contact.a, contact.b, animator)
      else { continue }
      touches.append(touch)
    }
    return touches
  }

  private static func key(_ a: Int32, _ b: Int32) -> UInt64 { UInt64(a) << 32 | UInt64(b) }

  /// Returns how two bodies touch, or nil if they do not belong to this behavior.
  private func touch(_ a: Int32, _ b: Int32, _ animator: DynamicAnimator) -> Touch? {
    let coupled = animator.coupled
    let (first, second) = (coupled.pointee.items[Int(a)], coupled.pointee.items[Int(b)])
    guard let item = first ?? second, contains(item) else { return nil }
    let point = Self.point(a, b, coupled)
    guard first == nil || second == nil else {
      guard hasCollidingItems, let second, contains(second) else { return nil }
      return Touch(item: item, otherItem: second, boundary: nil, point: point)
    }
    let slot = first == nil ? a : b
    guard coupled.pointee.world.bodies.definitions[slot].collisionMask & mask != 0 else { return nil }
    return Touch(item: item, otherItem: nil, boundary: boundary(inSlot: slot), point: point)
  }

  private static func point(_ a: Int32, _ b: Int32, _ coupled: UnsafeMutablePointer<CoupledItems>) -> Point {
    let (poseA, poseB) = (coupled.pointee.world.bodies.poses[a], coupled.pointee.world.bodies.poses[b])
    let manifold = Manifold(
      coupled.pointee.world.bodies.definitions[a].shape, poseA, coupled.pointee.world.bodies.definitions[b].shape,
      poseB, margin: .greatestFiniteMagnitude)
    guard manifold.count == 2 else { return Point(x: manifold.first.x, y: manifold.first.y) }
    return Point(x: (manifold.first.x + manifold.second.x) / 2, y: (manifold.first.y + manifold.second.y) / 2)
  }
}
