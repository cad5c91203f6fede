/// The items whose only behavior in an animator is one anchored spring of length 0. Each combination of frequency and
/// damping has a batch of springs. All data is behind bare pointers, for two reasons: an item may call the animator
/// while it is being moved, and checked accesses and retained references would cost more than the springs.
struct AnchoredSprings: ~Copyable {
  private var batches = Buffer<UnsafeMutablePointer<Batch>>()
  private var batchOfParameters: [SpringParameters: Int] = [:]
  private var emptyBatches: [Int] = []
  private var behaviorOfItem = BehaviorTable()
  /// The spring after the one that was looked up last. The next look-up tries it first, because items are usually
  /// updated in the order in which they were added.
  private var next: (batch: UnsafeMutablePointer<Batch>, position: Int)?

  /// The batch of a spring, and its position in the batch.
  struct Place {
    var batch: Int
    var position: Int
  }

  deinit { for batch in batches.elements { batch.release() } }

  var isEmpty: Bool { behaviorOfItem.isEmpty }
  var batchCount: Int { batches.count }
  var isResting: Bool {
    for index in 0..<batches.count where !batches[index].pointee.isResting { return false }
    return true
  }

  private func place(of item: ObjectIdentifier) -> Place? {
    behaviorOfItem[item]?._withUnsafeGuaranteedRef { $0.place }
  }

  func contains(_ item: any DynamicItem) -> Bool { behaviorOfItem[ObjectIdentifier(item)] != nil }

  /// Adds the spring between the behavior's item and its anchor. The item starts at its current center, at rest.
  /// - Precondition: The item has no spring in this collection yet.
  mutating func add(_ behavior: AttachmentBehavior) throws(DynamicsError) {
    let item = behavior.item
    guard behavior.anchor.isFinite else { throw .anchorNotFinite(item: item.dynamicItemName, anchor: behavior.anchor) }
    let center = item.center
    guard center.isFinite else { throw .centerNotFinite(item: item.dynamicItemName, center: center) }
    assert(behavior.isPlain, "the attachment of \(item.dynamicItemName) is none that the closed form solves")
    let place = try append(behavior)
    behavior.place = place
    behaviorOfItem.insert(behavior)
    batches[place.batch].pointee.move(place.position, to: center)
  }

  private mutating func append(_ behavior: AttachmentBehavior) throws(DynamicsError) -> Place {
    let index = batchIndex(
      of: try SpringParameters(frequency: behavior.frequency, damping: behavior.damping, item: behavior.itemName))
    try batches[index].pointee.append(behavior)
    return Place(batch: index, position: batches[index].pointee.behaviors.count - 1)
  }

  mutating func remove(_ behavior: AttachmentBehavior) {
    guard let place = behavior.place else { return }
    behavior.place = nil
    behaviorOfItem.remove(behavior)
    remove(at: place)
  }

  private mutating func remove(at place: Place) {
    let batch = batches[place.batch]
    let behavior = batch.pointee.remove(at: place.position)
    if place.position < batch.pointee.behaviors.count {
      batch.pointee.behaviors[place.position]._withUnsafeGuaranteedRef { $0.place = place }
    } else if batch.pointee.behaviors.count == 0 {
      batchOfParameters[batch.pointee.parameters] = nil
      emptyBatches.append(place.batch)
    }
    behavior.release()
  }

  /// Removes the item's spring.
  /// - Returns: The behavior of the spring, and the velocity of the item in points per second, or nil if the item has
  ///   no spring.
  mutating func take(_ item: any DynamicItem) -> (behavior: AttachmentBehavior, velocity: Vector)? {
    guard let place = place(of: ObjectIdentifier(item)) else { return nil }
    let batch = batches[place.batch]
    let behavior = batch.pointee.behaviors[place.position].takeUnretainedValue()
    let velocity = batch.pointee.velocity(at: place.position)
    remove(behavior)
    return (behavior, velocity)
  }

  /// Moves a spring to the batch that matches the present frequency and damping of its behavior.
  /// - Returns: False if the spring is in no batch, or if memory runs out. In both cases, nothing changes.
  mutating func valuesChanged(of behavior: AttachmentBehavior) -> Bool {
    guard let old = behavior.place, let new = try? append(behavior) else { return false }
    guard new.batch != old.batch else {
      remove(at: new)
      return true
    }
    batches[new.batch].pointee.takeOver(at: new.position, from: batches[old.batch], at: old.position)
    behavior.place = new
    remove(at: old)
    return true
  }

  mutating func setVelocity(_ velocity: Vector, of item: any DynamicItem) {
    guard let place = place(of: ObjectIdentifier(item)) else { return }
    batches[place.batch].pointee.setVelocity(velocity, at: place.position)
  }

  /// Removes all springs. The batches and their memory remain, because a batch may be moving an item right now.
  mutating func removeAll() {
    for index in 0..<batches.count { while let last = batches[index].pointee.last { remove(last) } }
  }

  private mutating func batchIndex(of parameters: SpringParameters) -> Int {
    if let known = batchOfParameters[parameters] { return known }
    let index = emptyBatches.popLast() ?? batches.count
    if index == batches.count {
      batches.append(.holding(Batch(parameters)))
    } else {
      batches[index].pointee.setParameters(parameters)
    }
    batchOfParameters[parameters] = index
    return index
  }

  /// Updates the displacement of an item that is now at `center`. The velocity stays the same.
  /// - Returns: False if the item has no spring, or the center is not finite.
  @inline(__always) mutating func move(_ item: ObjectIdentifier, to center: Point) -> Bool {
    // Checks both coordinates at once: if one of them is not finite, neither is the sum.
    if let next, next.batch.pointee.has(item, at: next.position), abs(center.x) + abs(center.y) < .infinity {
      next.batch.pointee.move(next.position, to: center)
      self.next = (next.batch, next.position + 1)
      return true
    }
    return moveOutOfTurn(item, to: center)
  }

  @inline(never) private mutating func moveOutOfTurn(_ item: ObjectIdentifier, to center: Point) -> Bool {
    guard let place = place(of: item), center.isFinite else { return false }
    batches[place.batch].pointee.move(place.position, to: center)
    next = (batches[place.batch], place.position + 1)
    return true
  }

  /// Updates the displacement after the anchor was moved. The item stays where it is.
  func anchorMoved(of behavior: AttachmentBehavior) {
    guard let place = behavior.place else { return }
    batches[place.batch].pointee.moveAnchor(place.position, to: behavior.anchor)
  }

  /// Advances all springs, and writes the centers of the items in each batch where a spring moved.
  /// - Returns: Whether all springs are at rest now.
  static func step(_ springs: UnsafeMutablePointer<AnchoredSprings>, by timestep: Double, restTolerance: Double) -> Bool
  {
    var rests = true
    var index = 0
    while index < springs.pointee.batches.count {
      let batch = springs.pointee.batches[index]
      if batch.pointee.advance(by: timestep, restTolerance: restTolerance) { Batch.writeCenters(batch) }
      rests = batch.pointee.isResting && rests
      index += 1
    }
    return rests
  }

  /// Calls `body` with the items that overlap `rect`, in the order of their batches. A rotated item counts as the
  /// upright rectangle around it. Touching at an edge does not count.
  /// - Complexity: O(items).
  @inline(__always) func forEachItem(in rect: Rect, _ body: (any DynamicItem) -> Void) {
    for index in 0..<batches.count {
      var position = 0
      while position < batches[index].pointee.behaviors.count {
        batches[index].pointee.behaviors[position]._withUnsafeGuaranteedRef {
          let item = $0.item
          if Rect(center: item.center, size: item.uprightSize).intersects(rect) { body(item) }
        }
        position += 1
      }
    }
  }
}
