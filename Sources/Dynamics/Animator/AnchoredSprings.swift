/// The items of an animator that hang on one anchored spring of length 0 each, solved in batches: one for
/// each combination of frequency and damping.
struct AnchoredSprings {
  private var batches: [Batch] = []
  private var batchOfParameters: [SpringParameters: Int] = [:]
  private var slots: [ObjectIdentifier: Slot] = [:]

  /// Where the spring of an item lies.
  private struct Slot {
    var batch: Int
    var position: Int
  }

  /// Springs of one frequency and damping: a column array an axis, and the items in the same order.
  fileprivate final class Batch {
    let parameters: SpringParameters
    var x = SpringArray()
    var y = SpringArray()
    var behaviors: [AttachmentBehavior] = []
    var transition: SpringTransition?
    var timestep = 0.0

    init(_ parameters: SpringParameters) {
      self.parameters = parameters
    }
  }

  func contains(_ item: any DynamicItem) -> Bool { slots[ObjectIdentifier(item)] != nil }
}

// MARK: - Membership

extension AnchoredSprings {
  /// Attaches the item where it is now; it starts without velocity.
  mutating func add(_ behavior: AttachmentBehavior) throws(DynamicsError) {
    let name = behavior.item.dynamicItemName
    guard !contains(behavior.item) else { throw .itemHasBehavior(item: name) }
    guard behavior.anchor.isFinite else {
      throw .anchorNotFinite(item: name, anchor: behavior.anchor)
    }
    guard behavior.item.center.isFinite else {
      throw .centerNotFinite(item: name, center: behavior.item.center)
    }
    assert(behavior.isPlain, "the attachment of \(name) is none that the closed form solves")
    let parameters = try SpringParameters(
      frequency: behavior.frequency, damping: behavior.damping, item: name)
    let index = batchIndex(of: parameters)
    let batch = batches[index]
    try batch.x.append(1)
    do throws(DynamicsError) {
      try batch.y.append(1)
    } catch {
      batch.x.removeLast(1)
      throw error
    }
    slots[ObjectIdentifier(behavior.item)] = Slot(batch: index, position: batch.behaviors.count)
    batch.behaviors.append(behavior)
    readCenter(of: behavior)
  }

  mutating func remove(_ behavior: AttachmentBehavior) {
    guard let slot = slots.removeValue(forKey: ObjectIdentifier(behavior.item)) else { return }
    let batch = batches[slot.batch]
    batch.x.swapRemove(at: slot.position)
    batch.y.swapRemove(at: slot.position)
    batch.behaviors.swapAt(slot.position, batch.behaviors.count - 1)
    batch.behaviors.removeLast()
    if slot.position < batch.behaviors.count {
      slots[ObjectIdentifier(batch.behaviors[slot.position].item)] = slot
    }
  }

  /// Lets go of the item's spring.
  /// - Returns: It, and the item's velocity, points per second; nil if the item hangs on none.
  mutating func take(_ item: any DynamicItem) -> (behavior: AttachmentBehavior, velocity: Vector)? {
    guard let slot = slots[ObjectIdentifier(item)] else { return nil }
    let batch = batches[slot.batch]
    let velocity = Vector(dx: batch.x.velocity[slot.position], dy: batch.y.velocity[slot.position])
    let behavior = batch.behaviors[slot.position]
    remove(behavior)
    return (behavior, velocity)
  }

  /// Gives the item a velocity, points per second.
  func setVelocity(_ velocity: Vector, of item: any DynamicItem) {
    guard let slot = slots[ObjectIdentifier(item)] else { return }
    let batch = batches[slot.batch]
    batch.x.velocity[slot.position] = velocity.dx
    batch.y.velocity[slot.position] = velocity.dy
    readCenter(of: batch.behaviors[slot.position])
  }

  mutating func removeAll() {
    self = AnchoredSprings()
  }

  private mutating func batchIndex(of parameters: SpringParameters) -> Int {
    if let known = batchOfParameters[parameters] { return known }
    batches.append(Batch(parameters))
    batchOfParameters[parameters] = batches.count - 1
    return batches.count - 1
  }
}

// MARK: - Motion

extension AnchoredSprings {
  /// Takes over the item's centre as it is now; its velocity stays.
  func readCenter(of item: any DynamicItem) throws(DynamicsError) {
    guard let slot = slots[ObjectIdentifier(item)] else { throw .unknownItem(item: item.dynamicItemName) }
    guard item.center.isFinite else {
      throw .centerNotFinite(item: item.dynamicItemName, center: item.center)
    }
    readCenter(of: batches[slot.batch].behaviors[slot.position])
  }

  /// Measures the displacement from the anchor as it is now; the item stays where it is.
  func anchorMoved(of behavior: AttachmentBehavior, from old: Point) {
    guard let slot = slots[ObjectIdentifier(behavior.item)] else { return }
    let batch = batches[slot.batch]
    let new = behavior.anchor
    batch.x.displace(at: slot.position, to: batch.x.displacement[slot.position] + (old.x - new.x))
    batch.y.displace(at: slot.position, to: batch.y.displacement[slot.position] + (old.y - new.y))
  }

  /// Takes over the item's centre, which is known to be finite.
  private func readCenter(of behavior: AttachmentBehavior) {
    guard let slot = slots[ObjectIdentifier(behavior.item)] else { return }
    let batch = batches[slot.batch]
    let (center, anchor) = (behavior.item.center, behavior.anchor)
    batch.x.displace(at: slot.position, to: center.x - anchor.x)
    batch.y.displace(at: slot.position, to: center.y - anchor.y)
  }

  /// Advances all springs and writes the centres of those that moved.
  /// - Returns: Whether all are at rest now.
  func step(by timestep: Double, restTolerance: Double) -> Bool {
    var rests = true
    for index in batches.indices {
      let batch = batches[index]
      if batch.timestep != timestep {
        batch.transition = nil
        batch.timestep = timestep
      }
      let transition = batch.transition ?? SpringTransition(batch.parameters, duration: timestep)
      batch.transition = transition
      let evaluated =
        batch.x.step(transition, batch.parameters, duration: timestep, restTolerance: restTolerance)
        + batch.y.step(transition, batch.parameters, duration: timestep, restTolerance: restTolerance)
      if evaluated > 0 { batch.writeCenters() }
      rests = rests && batch.x.isResting && batch.y.isResting
    }
    return rests
  }

  /// The items whose rectangles share more than an edge with this one, in the order of their batches.
  /// - Complexity: O(items).
  func items(in rect: Rect) -> [any DynamicItem] {
    batches.flatMap { batch in
      batch.behaviors.lazy.map(\.item).filter { Rect(center: $0.center, size: $0.size).intersects(rect) }
    }
  }
}

extension AnchoredSprings.Batch {
  fileprivate func writeCenters() {
    let (dx, dy) = (x.displacement, y.displacement)
    for (position, behavior) in behaviors.enumerated() {
      let anchor = behavior.anchor
      behavior.item.center = Point(x: anchor.x + dx[position], y: anchor.y + dy[position])
    }
  }
}
