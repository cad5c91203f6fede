/// Contacts between bodies that touch, or may touch within the frame.
extension CoupledWorld {
  /// Finds the bodies that are near each other, and how far each body can get within the frame.
  mutating func findContacts(_ timestep: Double) {
    noteReaches(timestep)
    guard broadPhase.update(bodies, reaches, timestep: timestep) else { return }
    mergeContacts()
    noteReaches(timestep)
  }

  /// Computes how far each body can move within the frame if its neighbors hit it: as far as its fastest neighbor moves
  /// relative to the body.
  private mutating func noteReaches(_ timestep: Double) {
    reaches.fill(bodies.count, with: 0)
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      reach(a, b, timestep * bodies.relativeSpeed(a, b))
    }
    guard bodies.hasLoose else { return }
    // A round body that is hit may pass the impact on to another round body, which can then move just as far.
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      let isRound = bodies.definitions[a].shape.isCircle && bodies.definitions[b].shape.isCircle
      if isRound { reach(a, b, max(reaches[a], reaches[b])) }
    }
  }

  @inline(__always) private func reach(_ a: Int32, _ b: Int32, _ way: Double) {
    if bodies.motions[a].inverseMass > 0 { reaches[a] = max(reaches[a], way) }
    if bodies.motions[b].inverseMass > 0 { reaches[b] = max(reaches[b], way) }
  }

  /// Creates contacts for all pairs of the broad phase, and keeps the data of pairs that already had contacts.
  private mutating func mergeContacts() {
    let room = broadPhase.reserve
    newContacts.reserve(room)
    contacts.reserve(room)
    constraints.reserve(room)
    active.reserve(room)
    newContacts.removeAll()
    var old = 0
    for index in 0..<broadPhase.pairs.count {
      let pair = broadPhase.pairs[index]
      while old < contacts.count, (contacts[old].a, contacts[old].b) < (pair.a, pair.b) { old += 1 }
      if old < contacts.count, contacts[old].a == pair.a, contacts[old].b == pair.b {
        newContacts.append(contacts[old])
      } else {
        newContacts.append(Contact(a: pair.a, b: pair.b))
      }
    }
    swap(&contacts, &newContacts)
  }

  /// Finds where bodies touch, or will touch within the frame. If an awake body touches a sleeping one, wakes the
  /// sleeping body and all bodies that fell asleep together with it.
  mutating func prepareContacts(_ timestep: Double, _ step: Double) {
    var awakeCount = 0
    repeat {
      // The loop runs again if it woke any bodies, because they may touch and wake others.
      awakeCount = bodies.awake.count
      constraints.removeAll()
      holds.fill(bodies.count, with: .none)
      let scale = step / lastStep
      for index in 0..<contacts.count {
        let (a, b) = (contacts[index].a, contacts[index].b)
        let (isAwakeA, isAwakeB) = (bodies.isAwake(a), bodies.isAwake(b))
        guard isAwakeA || isAwakeB else { continue }
        prepareContact(index, timestep, step, scale)
        guard contacts[index].isTouching, isAwakeA != isAwakeB else { continue }
        bodies.wake(isAwakeA ? b : a)
      }
      bodies.collectAwake()
    } while bodies.awake.count != awakeCount
  }

  private mutating func prepareContact(_ index: Int, _ timestep: Double, _ step: Double, _ scale: Double) {
    let contact = contacts.base + index
    let (a, b) = (contact.pointee.a, contact.pointee.b)
    let (bodyA, bodyB) = (bodies.definitions.base + Int(a), bodies.definitions.base + Int(b))
    // The distance by which the bodies can approach each other within the frame, even if something else hits them.
    let margin = max(timestep * bodies.relativeSpeed(a, b), reaches[a], reaches[b])
    let manifold = Manifold(
      bodyA.pointee.shape, bodies.poses[a], bodyB.pointee.shape, bodies.poses[b],
      margin: margin + SolverConstants.speculativeDistance)
    guard manifold.count > 0 else {
      (contact.pointee.count, contact.pointee.separation) = (0, .infinity)
      return
    }
    contact.pointee.separation = min(
      manifold.first.separation, manifold.count == 2 ? manifold.second.separation : .infinity)
    if contact.pointee.first.normal + contact.pointee.second.normal > 0 {
      press(a)
      press(b)
    }
    let normal = Vector(dx: manifold.normalX, dy: manifold.normalY)
    let surface = Surface(bodyA, bodyB, normal, timestep: timestep, step: step)
    constraints.append(constraint(index, manifold, surface, scale))
  }

  /// Records that the body presses against another body in this frame.
  private func press(_ slot: Int32) { holds[slot] = holds[slot].isFree ? .contact : .contacts }

  /// Makes the constraint of a contact, and stores the levers and the normal of the new contact points in the contact.
  /// - Parameter scale: The factor for the impulses that are stored in the contact: the length of a sub-step now,
  ///   divided by the length of the sub-steps in which the impulses arose.
  @inline(__always) private func constraint(_ index: Int, _ manifold: Manifold, _ surface: Surface, _ scale: Double)
    -> ContactConstraint
  {
    let contact = contacts.base + index
    let constraint = ContactConstraint(index, contact.pointee, manifold, surface, bodies, scale: scale)
    contact.pointee.first.lever = constraint.first.normalLeverA
    contact.pointee.second.lever = constraint.second.normalLeverA
    contact.pointee.count = Int32(manifold.count)
    (contact.pointee.normalX, contact.pointee.normalY) = (manifold.normalX, manifold.normalY)
    return constraint
  }

  /// Finds new contact points for bodies that move so fast that the points may have changed in the last sub-step, and
  /// for boxes that have turned. An outdated normal would keep a box rocking forever.
  mutating func refreshContacts(_ timestep: Double, _ step: Double) {
    for index in 0..<constraints.count where !constraints[index].isRound {
      let constraint = constraints.base + index
      let (a, b) = (constraint.pointee.a, constraint.pointee.b)
      let (speed, slop) = (bodies.relativeSpeed(a, b), SolverConstants.linearSlop)
      guard speed * step > 0.5 * slop || turn(constraint) > 0.25 * slop else { continue }
      let index = Int(constraint.pointee.contact)
      (contacts.base + index).pointee.store(constraint.pointee)
      let manifold = Manifold(
        bodies.definitions[a].shape, bodies.pose(a), bodies.definitions[b].shape, bodies.pose(b),
        margin: SolverConstants.speculativeDistance + timestep * speed)
      constraint.pointee = self.constraint(index, manifold, constraint.pointee.surface, 1)
    }
  }

  /// Returns how far the corners have moved by turning since the contact points were found, points. The distances of
  /// the two bodies are added. A disc adds nothing.
  @inline(__always) private func turn(_ constraint: UnsafeMutablePointer<ContactConstraint>) -> Double {
    let (a, b) = (constraint.pointee.a, constraint.pointee.b)
    let turnA = constraint.pointee.isDiscA ? 0 : abs(bodies.motions[a].turn - constraint.pointee.turnA)
    let turnB = constraint.pointee.isDiscB ? 0 : abs(bodies.motions[b].turn - constraint.pointee.turnB)
    return turnA * bodies.definitions[a].shape.extent + turnB * bodies.definitions[b].shape.extent
  }
}
