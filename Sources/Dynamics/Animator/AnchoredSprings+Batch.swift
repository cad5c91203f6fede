extension AnchoredSprings {
  /// The springs that share one frequency and one damping ratio. The values that every frame needs are in columns,
  /// because behaviors are objects, and each object occupies cache lines of its own.
  struct Batch: ~Copyable {
    private(set) var parameters: SpringParameters
    private var x = SpringArray(extraColumns: 1)
    private var y = SpringArray(extraColumns: 1)
    private var items = Buffer<ObjectIdentifier>()
    /// The behaviors of the springs, each retained manually.
    private(set) var behaviors = Buffer<Unmanaged<AttachmentBehavior>>()
    private var transition: SpringTransition
    private var timestep = 0.0

    init(_ parameters: SpringParameters) {
      self.parameters = parameters
      transition = SpringTransition(parameters, duration: 0)
    }

    deinit { for behavior in behaviors.elements { behavior.release() } }

    var isResting: Bool { x.isResting && y.isResting }
    var last: AttachmentBehavior? { behaviors.count > 0 ? behaviors[behaviors.count - 1].takeUnretainedValue() : nil }

    @inline(__always) func has(_ item: ObjectIdentifier, at position: Int) -> Bool {
      position < items.count && items[position] == item
    }

    func velocity(at position: Int) -> Vector { Vector(dx: x.velocity[position], dy: y.velocity[position]) }

    /// - Precondition: The batch is empty.
    mutating func setParameters(_ new: SpringParameters) {
      precondition(behaviors.count == 0, "\(behaviors.count) springs of other parameters")
      parameters = new
      transition = SpringTransition(new, duration: timestep)
    }

    mutating func append(_ behavior: AttachmentBehavior) throws(DynamicsError) {
      try x.append(1)
      do throws(DynamicsError) { try y.append(1) } catch {
        x.removeLast(1)
        throw error
      }
      items.append(ObjectIdentifier(behavior.item))
      behaviors.append(.passRetained(behavior))
      setAnchor(behavior.anchor, at: behaviors.count - 1)
    }

    /// Removes a spring. The last spring moves to its position. The caller must release the returned behavior.
    mutating func remove(at position: Int) -> Unmanaged<AttachmentBehavior> {
      let removed = behaviors[position]
      x.swapRemove(at: position)
      y.swapRemove(at: position)
      items.swapRemove(at: position)
      behaviors.swapRemove(at: position)
      return removed
    }

    mutating func takeOver(at position: Int, from other: UnsafeMutablePointer<Self>, at otherPosition: Int) {
      setVelocity(other.pointee.velocity(at: otherPosition), at: position)
      x.displaceUnmeasured(at: position, to: other.pointee.x.displacement[otherPosition])
      y.displaceUnmeasured(at: position, to: other.pointee.y.displacement[otherPosition])
    }

    mutating func setVelocity(_ velocity: Vector, at position: Int) {
      (x.velocity[position], y.velocity[position]) = (velocity.dx, velocity.dy)
      shift(position, by: .zero)
    }

    /// Updates the displacement of an item that is now at `center`. If the item has not moved along an axis since the
    /// last step, its displacement there stays as it is, because computing it again would add a rounding error.
    @inline(__always) mutating func move(_ position: Int, to center: Point) {
      let anchor = anchor(at: position)
      if center.x != anchor.x + x.displacement[position] { x.displaceUnmeasured(at: position, to: center.x - anchor.x) }
      if center.y != anchor.y + y.displacement[position] { y.displaceUnmeasured(at: position, to: center.y - anchor.y) }
    }

    /// Moves the anchor; the item stays where it is.
    mutating func moveAnchor(_ position: Int, to new: Point) {
      let old = anchor(at: position)
      setAnchor(new, at: position)
      shift(position, by: old - new)
    }

    @inline(__always) private func anchor(at position: Int) -> Point {
      Point(x: x.extra(0)[position], y: y.extra(0)[position])
    }

    private func setAnchor(_ anchor: Point, at position: Int) {
      (x.extra(0)[position], y.extra(0)[position]) = (anchor.x, anchor.y)
    }

    mutating func shift(_ position: Int, by offset: Vector) {
      x.displaceUnmeasured(at: position, to: x.displacement[position] + offset.dx)
      y.displaceUnmeasured(at: position, to: y.displacement[position] + offset.dy)
    }

    /// - Returns: Whether any spring moved.
    mutating func advance(by newTimestep: Double, restTolerance: Double) -> Bool {
      if newTimestep != timestep {
        timestep = newTimestep
        transition = SpringTransition(parameters, duration: newTimestep)
      }
      let evaluated =
        x.step(transition, parameters, duration: timestep, restTolerance: restTolerance)
        + y.step(transition, parameters, duration: timestep, restTolerance: restTolerance)
      return evaluated > 0
    }

    /// Moves all items to their springs' positions. The batch is read again for each item, because moving an item may
    /// run code that changes the batch.
    static func writeCenters(_ batch: UnsafeMutablePointer<Self>) {
      var position = 0
      while position < batch.pointee.behaviors.count {
        let item = batch.pointee.behaviors[position]._withUnsafeGuaranteedRef { $0.item }
        position = writeCenters(batch, from: position, like: item)
      }
    }

    /// Moves consecutive items of the type `Item` to the positions of their springs. Uses only the stored references to
    /// the items, so it neither reads behaviors nor retains objects.
    /// - Returns: The position of the first item that has another type, or the number of items.
    @inline(never) private static func writeCenters<Item: DynamicItem>(
      _ batch: UnsafeMutablePointer<Self>, from first: Int, like _: Item
    ) -> Int {
      var position = first
      while position < batch.pointee.items.count {
        let reference = UnsafeRawPointer(bitPattern: UInt(bitPattern: batch.pointee.items[position]))
        guard let reference else { return position }
        let isOfType = Unmanaged<AnyObject>.fromOpaque(reference)._withUnsafeGuaranteedRef { type(of: $0) == Item.self }
        guard isOfType else { return position }
        let anchor = batch.pointee.anchor(at: position)
        let center = Point(
          x: anchor.x + batch.pointee.x.displacement[position], y: anchor.y + batch.pointee.y.displacement[position])
        Unmanaged<Item>.fromOpaque(reference)._withUnsafeGuaranteedRef { $0.center = center }
        position += 1
      }
      return position
    }
  }
}
