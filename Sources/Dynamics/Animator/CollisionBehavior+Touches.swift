/// The pairs that touch, for a collision delegate.
extension CollisionBehavior {
  package struct Touch {
    package let item: any DynamicItem
    /// Nil: a boundary.
    package let otherItem: (any DynamicItem)?
    /// Of a boundary; nil for the reference bounds.
    package let boundary: String?
    /// Half-way between the surfaces, points.
    package let point: Point
  }

  /// Makes the animator note from now on who hits whom within a step, and is away again at its end.
  package func noteTouches() { animator?.coupled.pointee.world.notesHits = true }

  /// Those of the behavior that touch after the last step, or did in it, in a fixed order.
  /// - Complexity: O(contacts).
  package func touches() -> [Touch] {
    guard let animator else { return [] }
    let coupled = animator.coupled
    var hits: Set<UInt64> = []
    for index in 0..<coupled.pointee.world.hits.count {
      let pair = coupled.pointee.world.hits[index]
      hits.insert(Self.key(pair.a, pair.b))
    }
    var touches: [Touch] = []
    for index in 0..<coupled.pointee.world.contacts.count {
      let contact = coupled.pointee.world.contacts[index]
      let isPressed = contact.first.normal + contact.second.normal > 0
      guard isPressed || contact.separation <= 0 || hits.contains(Self.key(contact.a, contact.b)),
        let touch = touch(contact.a, contact.b, animator)
      else { continue }
      touches.append(touch)
    }
    return touches
  }

  private static func key(_ a: Int32, _ b: Int32) -> UInt64 { UInt64(a) << 32 | UInt64(b) }

  /// Nil for those of another behavior.
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
