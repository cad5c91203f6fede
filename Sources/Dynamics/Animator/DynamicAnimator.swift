/// Runs behaviors, one step at a time (UIKit: `UIDynamicAnimator`, with `step(by:)` in place of its display link).
///
/// Springs of length 0 with a fixed anchor are linear and independent of each other. Each step computes their exact
/// solution, in batches and for any timestep. A spring is solved in this way if it belongs to an
/// `AttachmentRangeBehavior`, or if its `AttachmentBehavior` has no parent and is the only behavior of its item. All
/// other items are rigid bodies, which are solved together in sub-steps. When behaviors are added or removed, an item
/// may pass from one solver to the other. The item keeps its velocity in this case.
public final class DynamicAnimator {
  /// The behaviors in the order in which they were added.
  public var behaviors: [DynamicBehavior] { added }
  public weak var delegate: (any DynamicAnimatorDelegate)?
  /// Whether anything moves. It becomes false when all items have come to rest, and true again when an item is moved.
  public var isRunning: Bool { running }
  /// The number of rigid bodies that were awake in the last step, or 0 while the animator is paused.
  public var awakeBodyCount: Int { running ? coupled.pointee.world.bodies.awake.count : 0 }
  /// The number of pairs of bodies, or of a body and a boundary, that touched or were about to touch in the last step.
  public var contactCount: Int { coupled.pointee.world.constraints.count }
  /// The rest tolerance, points. An item comes to rest exactly on its anchor once its distance from the anchor is
  /// within the tolerance and its velocity cannot carry it further.
  public let restTolerance: Double
  /// The number of sub-steps into which a frame of the rigid bodies is divided. While any unattached item has weight,
  /// the animator uses three times as many. More sub-steps are more accurate.
  public let subStepCount: Int
  // The next properties are private, and no two accesses in this file overlap. So they need no exclusivity checks at
  // run time.
  @exclusivity(unchecked) private var added: [DynamicBehavior] = []
  private var running = false
  /// The number of items in the last result of `items(in:)`. The next call reserves memory for the same number.
  private var latestFoundCount = 0
  /// The states of the `AttachmentRangeBehavior`s. They are bare pointers, because retaining and releasing each
  /// behavior would cost as much as its step.
  @exclusivity(unchecked) private var ranges: [UnsafeMutablePointer<AttachmentRangeBehavior.State>] = []
  /// The two solvers. They are behind pointers, because an item may call the animator while a solver moves the item,
  /// and because exclusivity checks at run time would cost more than the springs.
  let anchored: UnsafeMutablePointer<AnchoredSprings>
  let coupled: UnsafeMutablePointer<CoupledItems>

  /// - Parameters:
  ///   - restTolerance: The rest tolerance, points. The default is far finer than a pixel. Simulations of the same
  ///     springs that come to rest at different moments therefore still agree within 1e-6. Only springs in closed form
  ///     use the tolerance. Rigid bodies fall asleep when they have hardly moved for half a second.
  ///   - subStepCount: The number of sub-steps, at least 1. With fewer than 4, tall towers do not stay up.
  public convenience init(restTolerance: Double = 1e-7, subStepCount: Int = 4) {
    self.init(restTolerance: restTolerance, subStepCount: subStepCount, followsUIKit: false)
  }

  /// - Parameter followsUIKit: Whether bodies have UIKit's resistances, steps also write the angles of bodies that have
  ///   not turned, and updates of items do not change the sizes of bodies.
  package init(restTolerance: Double = 1e-7, subStepCount: Int = 4, followsUIKit: Bool) {
    precondition(restTolerance >= 0, "a rest tolerance of \(restTolerance) points")
    precondition(subStepCount > 0, "\(subStepCount) sub-steps")
    self.restTolerance = restTolerance
    self.subStepCount = subStepCount
    anchored = .holding(AnchoredSprings())
    coupled = .holding(CoupledItems(followsUIKit: followsUIKit))
  }

  deinit {
    for behavior in added { behavior.forgetAnimator() }
    anchored.release()
    coupled.release()
  }

  /// Advances the simulation by this many seconds, and pauses when nothing moves any more. Does nothing if the timestep
  /// is negative or not finite.
  public func step(by timestep: Double) {
    guard running, timestep >= 0, timestep < .infinity else { return }
    var rests = anchored.pointee.isEmpty || stepAnchored(by: timestep)
    // Without optimization, iterating over the array would allocate. So the loop runs over indices.
    for index in ranges.indices {
      let range = ranges[index]
      rests = range.pointee.step(by: timestep, restTolerance: restTolerance) && rests
    }
    if !coupled.pointee.isEmpty { rests = stepBodies(by: timestep) && rests }
    guard rests, allRest else { return }
    running = false
    delegate?.dynamicAnimatorDidPause(self)
  }

  private func stepBodies(by timestep: Double) -> Bool {
    coupled.pointee.closeGaps()
    let rests = coupled.pointee.world.step(by: timestep, subStepCount: subStepCount)
    writeBodies()
    return rests
  }

  /// Whether nothing moves. A step reads this last, because code that runs when an item is moved may move others.
  private var allRest: Bool {
    for index in ranges.indices where !ranges[index].pointee.isResting { return false }
    return anchored.pointee.isResting && coupled.pointee.world.isResting
  }

  /// Steps the springs in closed form. Keeps the behaviors alive, because a moved item may remove its own behavior.
  private func stepAnchored(by timestep: Double) -> Bool {
    withExtendedLifetime(added) { AnchoredSprings.step(anchored, by: timestep, restTolerance: restTolerance) }
  }

  /// Writes the places of awake bodies to their items. Each body is looked up again by its index, because an item may
  /// change the animator when it is moved.
  private func writeBodies() {
    let followsUIKit = coupled.pointee.followsUIKit
    var index = 0
    while index < coupled.pointee.world.bodies.awake.count {
      let slot = coupled.pointee.world.bodies.awake[index]
      index += 1
      guard let item = coupled.pointee.items[Int(slot)] else { continue }
      let pose = coupled.pointee.world.bodies.poses[slot]
      let hasTurned = followsUIKit || coupled.pointee.world.bodies.motions[slot].turn != 0
      item.center = Point(x: pose.x, y: pose.y)
      if hasTurned { item.angle = pose.angle }
    }
  }

  func resume() {
    guard !running else { return }
    // Sets the flag first, because the delegate may move items, which calls this method again.
    running = true
    delegate?.dynamicAnimatorWillResume(self)
  }

  /// Starts to run the behavior.
  /// - Throws: `DynamicsError` if a value is invalid, or the behavior belongs to an animator or to another behavior. In
  ///   that case, this animator does not change.
  public func addBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
    guard behavior.animator == nil, behavior.parent == nil else {
      throw .behaviorBelongsToAnimator(item: behavior.itemName)
    }
    try behavior.joinWithChildren(self)
    added.append(behavior)
    resume()
  }

  /// Stops running the behavior; its items stay where they are.
  /// - Throws: `DynamicsError.unknownBehavior` if this animator does not run the behavior, `.behaviorIsChild` if it is
  ///   a child of another behavior.
  /// - Complexity: O(behaviors).
  public func removeBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
    guard behavior.animator === self else { throw .unknownBehavior(behavior: behavior.itemName) }
    guard behavior.parent == nil else { throw .behaviorIsChild(behavior: behavior.itemName) }
    behavior.leaveWithChildren(self)
    if let index = added.firstIndex(where: { $0 === behavior }) { added.remove(at: index) }
    resumeIfAwake()
  }

  /// Removes all behaviors. Their items stay where they are. `isRunning` becomes false in the next step.
  public func removeAllBehaviors() {
    anchored.pointee.removeAll()
    for behavior in added { behavior.forgetAnimator() }
    added = []
    ranges = []
    coupled.pointee = CoupledItems(followsUIKit: coupled.pointee.followsUIKit)
  }

  func addRange(_ state: UnsafeMutablePointer<AttachmentRangeBehavior.State>) { ranges.append(state) }
  func removeRange(_ state: UnsafeMutablePointer<AttachmentRangeBehavior.State>) { ranges.removeAll { $0 == state } }

  /// Returns the items that overlap `rect`. Touching at an edge does not count, and a rotated item counts as the
  /// upright rectangle around it. Items of an `AttachmentRangeBehavior` are not objects; see its `center(ofItemAt:)`.
  /// - Complexity: O(items).
  public func items(in rect: Rect) -> [any DynamicItem] {
    var found: [any DynamicItem] = []
    found.reserveCapacity(latestFoundCount)
    forEachItem(in: rect) { found.append($0) }
    latestFoundCount = found.count
    return found
  }

  /// Calls `body` with each item that `items(in:)` would return. The module `UIKit` calls this to avoid a second array.
  @inline(__always) package func forEachItem(in rect: Rect, _ body: (any DynamicItem) -> Void) {
    anchored.pointee.forEachItem(in: rect, body)
    if !coupled.pointee.isEmpty { coupled.pointee.forEachItem(in: rect, body) }
  }

  /// Reads the item's center again after code other than the animator has moved the item. If the item is a rigid body,
  /// also reads its angle and size. The velocity stays the same.
  /// - Throws: `DynamicsError.unknownItem`, or an error for an invalid center, angle or size. In these cases, nothing
  ///   changes.
  @inlinable public func updateItem(usingCurrentState item: any DynamicItem) throws(DynamicsError) {
    if !moveSpring(of: ObjectIdentifier(item), to: item.center) { try updateBody(of: item) }
  }

  /// Updates the closed-form spring of an item that the app has moved to `center`. The center is a parameter, because
  /// `updateItem` is inlined into its callers: a caller that knows the type of the item reads the center directly, not
  /// through the protocol.
  /// - Returns: False if the item has no spring in closed form, or the center is not finite.
  @usableFromInline func moveSpring(of item: ObjectIdentifier, to center: Point) -> Bool {
    guard anchored.pointee.move(item, to: center) else { return false }
    if !running { resume() }
    return true
  }

  /// Updates an item for which `moveSpring` returned false. Reads its center, angle and size if it is a rigid body.
  /// - Throws: `DynamicsError.unknownItem`, or an error for an invalid center, angle or size.
  @usableFromInline func updateBody(of item: any DynamicItem) throws(DynamicsError) {
    let slot = coupled.pointee.slot(of: item)
    guard slot != nil || anchored.pointee.contains(item) else { throw .unknownItem(item: item.dynamicItemName) }
    try CoupledItems.check(item)
    if let slot { coupled.pointee.readState(of: item, slot, keepsShape: coupled.pointee.followsUIKit) }
    resume()
  }

  func anchorMoved(of behavior: AttachmentBehavior) {
    // Only one of the two solvers has the attachment. The call to the other solver does nothing.
    anchored.pointee.anchorMoved(of: behavior)
    coupled.pointee.anchorMoved(of: behavior)
    resume()
  }
}
