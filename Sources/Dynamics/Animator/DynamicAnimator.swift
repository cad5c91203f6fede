/// Runs behaviors, one step at a time (UIKit: `UIDynamicAnimator`, whose display link `step(by:)` replaces).
///
/// Springs with a fixed anchor and no length are linear and independent of each other, so each step is their exact
/// solution, in batches, for any timestep: an `AttachmentBehavior` of an item that hangs on nothing else, and an
/// `AttachmentRangeBehavior`. All other items are rigid bodies in a coupled world, solved in sub-steps. An item changes
/// sides as behaviors come and go, and keeps its velocity.
public final class DynamicAnimator {
  /// The behaviors in the order in which they were added.
  public var behaviors: [DynamicBehavior] { added }
  public weak var delegate: (any DynamicAnimatorDelegate)?
  /// Whether anything moves. Turns false when all items have come to rest, and true again when one is moved.
  public var isRunning: Bool { running }
  /// Number of rigid bodies that were awake in the last step; 0 while the animator is paused.
  public var awakeBodyCount: Int { running ? coupled.pointee.world.bodies.awake.count : 0 }
  /// Pairs of bodies, or bodies and boundaries, that touched or were about to in the last step.
  public var contactCount: Int { coupled.pointee.world.constraints.count }
  /// An item comes to rest, exactly on its anchor, once it is no further away than this, points, and its velocity
  /// cannot carry it further.
  public let restTolerance: Double
  /// Number of sub-steps into which the coupled world divides a frame, three times as many if an item with weight hangs
  /// on nothing; more are more accurate.
  public let subStepCount: Int
  // Private, so that the compiler sees all accesses and need not check them at run time.
  private var added: [DynamicBehavior] = []
  private var running = false
  /// The states of the ranges among the behaviors; bare pointers, because retaining and releasing each behavior would
  /// cost as much as its step.
  private var ranges: [UnsafeMutablePointer<AttachmentRangeBehavior.State>] = []
  /// The parts of the engine. They are behind pointers for the same reason, and so that an item may call the animator
  /// while it is moved.
  let anchored: UnsafeMutablePointer<AnchoredSprings>
  let coupled: UnsafeMutablePointer<CoupledItems>

  /// - Parameters:
  ///   - restTolerance: Points. The default is a hundred thousand times finer than a pixel, so that simulations of the
  ///     same springs that fall asleep at different moments still agree within 1e-6. It holds for springs solved in
  ///     closed form; rigid bodies fall asleep when they have hardly moved for half a second.
  ///   - subStepCount: At least 1. Fewer than 4 do not hold up tall towers.
  public init(restTolerance: Double = 1e-7, subStepCount: Int = 4) {
    precondition(restTolerance >= 0, "a rest tolerance of \(restTolerance) points")
    precondition(subStepCount > 0, "\(subStepCount) sub-steps")
    self.restTolerance = restTolerance
    self.subStepCount = subStepCount
    anchored = .holding(AnchoredSprings())
    coupled = .holding(CoupledItems())
  }

  deinit {
    for behavior in added { behavior.forgetAnimator() }
    anchored.release()
    coupled.release()
  }

  /// Advances everything that moves by this many seconds, and pauses when nothing moves any more. Does nothing if they
  /// are negative or not finite.
  public func step(by timestep: Double) {
    guard running, timestep >= 0, timestep.isFinite else { return }
    var rests = anchored.pointee.isEmpty || stepAnchored(by: timestep)
    // By index: without optimisation, iterating over the array would allocate an element.
    for index in ranges.indices {
      rests = ranges[index].pointee.step(by: timestep, restTolerance: restTolerance) && rests
    }
    coupled.pointee.closeGaps()
    rests = coupled.pointee.world.step(by: timestep, subStepCount: subStepCount) && rests
    writeBodies()
    guard rests, allRest else { return }
    running = false
    delegate?.dynamicAnimatorDidPause(self)
  }

  /// Whether nothing moves, including whatever items added or moved while they were moved themselves.
  private var allRest: Bool {
    for index in ranges.indices where !ranges[index].pointee.isResting { return false }
    return anchored.pointee.isResting && coupled.pointee.world.isResting
  }

  /// An item may remove its own behavior while it is moved.
  private func stepAnchored(by timestep: Double) -> Bool {
    withExtendedLifetime(added) { AnchoredSprings.step(anchored, by: timestep, restTolerance: restTolerance) }
  }

  /// Looks each body up again by its index, because an item may do anything when it is moved.
  private func writeBodies() {
    var index = 0
    while index < coupled.pointee.world.bodies.awake.count {
      let slot = coupled.pointee.world.bodies.awake[index]
      index += 1
      guard let item = coupled.pointee.items[Int(slot)] else { continue }
      let pose = coupled.pointee.world.bodies.poses[slot]
      item.center = Point(x: pose.x, y: pose.y)
      if coupled.pointee.world.bodies.motions[slot].turn != 0 { item.angle = pose.angle }
    }
  }

  func resume() {
    guard !running else { return }
    // First, as the delegate may move items.
    running = true
    delegate?.dynamicAnimatorWillResume(self)
  }

  /// Starts to run the behavior.
  /// - Throws: `DynamicsError` for an invalid value, or a behavior that belongs to an animator; then this animator is
  ///   unchanged.
  public func addBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
    guard behavior.animator == nil, behavior.parent == nil else {
      throw .behaviorBelongsToAnimator(item: behavior.itemName)
    }
    try behavior.joinWithChildren(self)
    added.append(behavior)
    resume()
  }

  /// Stops running the behavior; its items stay where they are.
  /// - Throws: `DynamicsError.unknownBehavior` if this animator does not run it, `.behaviorIsChild` if it is part of
  ///   another.
  /// - Complexity: O(behaviors).
  public func removeBehavior(_ behavior: DynamicBehavior) throws(DynamicsError) {
    guard behavior.animator === self else { throw .unknownBehavior(behavior: behavior.itemName) }
    guard behavior.parent == nil else { throw .behaviorIsChild(behavior: behavior.itemName) }
    behavior.leaveWithChildren(self)
    added.removeAll { $0 === behavior }
    resumeIfAwake()
  }

  /// Releases all items: they stay where they are. `isRunning` is false from the next step on.
  public func removeAllBehaviors() {
    anchored.pointee.removeAll()
    for behavior in added { behavior.forgetAnimator() }
    added = []
    ranges = []
    coupled.pointee = CoupledItems()
  }

  func addRange(_ state: UnsafeMutablePointer<AttachmentRangeBehavior.State>) { ranges.append(state) }
  func removeRange(_ state: UnsafeMutablePointer<AttachmentRangeBehavior.State>) { ranges.removeAll { $0 == state } }

  /// The items with a behavior of their own whose rectangles overlap this one by more than an edge. Ranges have no item
  /// objects; ask the range for its centres.
  /// - Complexity: O(items).
  public func items(in rect: Rect) -> [any DynamicItem] {
    anchored.pointee.items(in: rect) + coupled.pointee.items(in: rect)
  }

  /// Reads the item's centre again after something else moved it, and its angle and size if it is a rigid body; its
  /// velocity stays.
  /// - Throws: `DynamicsError.unknownItem`, or for an invalid centre, angle or size; nothing has changed then.
  @inlinable public func updateItem(usingCurrentState item: any DynamicItem) throws(DynamicsError) {
    if !moveSpring(of: ObjectIdentifier(item), to: item.center) { try updateBody(of: item) }
  }

  /// Separate from `updateItem`, so that callers read the centre of an item of known type without a call.
  /// - Returns: False if the item has no spring of its own, or the centre is not finite.
  @usableFromInline func moveSpring(of item: ObjectIdentifier, to center: Point) -> Bool {
    guard anchored.pointee.move(item, to: center) else { return false }
    if !running { resume() }
    return true
  }

  /// Reads the state of an item without a spring of its own, or at an invalid place for a spring.
  @usableFromInline func updateBody(of item: any DynamicItem) throws(DynamicsError) {
    let slot = coupled.pointee.slot(of: item)
    guard slot != nil || anchored.pointee.contains(item) else { throw .unknownItem(item: item.dynamicItemName) }
    try CoupledItems.check(item)
    if let slot { coupled.pointee.readState(of: item, slot) }
    resume()
  }

  func anchorMoved(of behavior: AttachmentBehavior) {
    // Only one of them solves it; the other does nothing.
    anchored.pointee.anchorMoved(of: behavior)
    coupled.pointee.anchorMoved(of: behavior)
    resume()
  }
}
