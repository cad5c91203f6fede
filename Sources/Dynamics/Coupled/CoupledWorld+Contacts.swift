/// Which bodies touch, or will within the frame.
extension CoupledWorld {
  /// Which bodies are near each other, and whom that wakes.
  mutating func findContacts(_ timestep: Double) {
    noteReaches(timestep)
    guard broadPhase.update(bodies, reaches, timestep: timestep) else { return }
    mergeContacts()
    noteReaches(timestep)
  }

  /// How far each body can get within the frame if its neighbours hit it: as far as the fastest of them moves against it.
  private mutating func noteReaches(_ timestep: Double) {
    reaches.fill(bodies.count, with: 0)
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      let way = timestep * bodies.relativeSpeed(a, b)
      reaches[a] = max(reaches[a], way)
      reaches[b] = max(reaches[b], way)
    }
  }

  /// Keeps what is known of pairs that are still near.
  private mutating func mergeContacts() {
    let room = broadPhase.reserve
    newContacts.reserve(room)
    contacts.reserve(room)
    discs.reserve(room)
    points.reserve(room)
    newContacts.removeAll()
    var old = 0
    for index in 0..<broadPhase.pairs.count {
      let pair = broadPhase.pairs[index]
      while old < contacts.count, (contacts[old].a, contacts[old].b) < (pair.a, pair.b) { old += 1 }
      if old < contacts.count, contacts[old].a == pair.a, contacts[old].b == pair.b {
        newContacts.append(contacts[old])
      } else {
        newContacts.append(Contact(pair))
      }
    }
    swap(&contacts, &newContacts)
  }

  /// Where bodies touch, or will within the frame. What touches a body that is awake wakes, too, and so does all that
  /// fell asleep with it.
  mutating func prepareContacts(_ timestep: Double, _ step: Double) {
    var awakeCount = 0
    repeat {
      // Once again where somebody woke.
      awakeCount = bodies.awake.count
      discs.removeAll()
      points.removeAll()
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
    let (motionA, motionB) = (bodies.motions.base + Int(a), bodies.motions.base + Int(b))
    let (bodyA, bodyB) = (bodies.definitions.base + Int(a), bodies.definitions.base + Int(b))
    // As far as they can come near each other within the frame, also if something else hits them.
    var margin = timestep * bodies.relativeSpeed(a, b)
    if motionA.pointee.inverseMass > 0 { margin = max(margin, reaches[a]) }
    if motionB.pointee.inverseMass > 0 { margin = max(margin, reaches[b]) }
    margin += SolverConstants.speculativeDistance
    let manifold = Manifold(
      bodyA.pointee.shape, bodies.poses[a], bodyB.pointee.shape, bodies.poses[b], margin: margin)
    guard manifold.count > 0 else {
      (contact.pointee.count, contact.pointee.separation) = (0, .infinity)
      return
    }
    let (nx, ny) = (manifold.normalX, manifold.normalY)
    contact.pointee.separation = min(
      manifold.first.separation, manifold.count == 2 ? manifold.second.separation : .infinity)
    if contact.pointee.first.normal + contact.pointee.second.normal > 0 {
      press(a)
      press(b)
    }
    let surface = Surface(bodyA, bodyB, manifold, timestep, step)
    let isStatic = motionA.pointee.inverseMass == 0 || motionB.pointee.inverseMass == 0
    if manifold.isRound {
      let old = contact.pointee.impulses(nearest: 0, nx, ny, count: 1, isFirst: true)
      let inverseMass = motionA.pointee.inverseMass + motionB.pointee.inverseMass
      let place = manifold.first
      let leverA = (place.x - motionA.pointee.x) * nx + (place.y - motionA.pointee.y) * ny
      let leverB = (place.x - motionB.pointee.x) * nx + (place.y - motionB.pointee.y) * ny
      let base =
        place.separation
        - (nx * (motionB.pointee.x - motionA.pointee.x) + ny * (motionB.pointee.y - motionA.pointee.y))
      discs.append(
        DiscConstraint(
          a: a, b: b, contact: Int32(index), isStatic: isStatic, normalX: nx, normalY: ny,
          baseSeparation: base,
          normalMass: 1 / inverseMass,
          tangentMass: surface.friction > 0
            ? 1
              / (inverseMass + motionA.pointee.inverseInertia * leverA * leverA
                + motionB.pointee.inverseInertia * leverB * leverB) : 0,
          leverA: leverA, leverB: leverB, surface: surface, normalImpulse: scale * old.normal,
          tangentImpulse: surface.friction > 0 ? scale * old.tangent : 0))
    } else {
      points.append(constraint(index, manifold, surface, scale))
    }
    contact.pointee.count = Int32(manifold.count)
    (contact.pointee.normalX, contact.pointee.normalY) = (nx, ny)
  }

  /// Notes that the body presses against another.
  private func press(_ slot: Int32) { holds[slot] = holds[slot].isFree ? .contact : .contacts }

  /// - Parameter scale: Of the impulses that the contact holds.
  private func constraint(_ index: Int, _ manifold: Manifold, _ surface: Surface, _ scale: Double)
    -> PointConstraint
  {
    let contact = contacts.base + index
    let (motionA, motionB) = (bodies.motions[contact.pointee.a], bodies.motions[contact.pointee.b])
    var constraint = PointConstraint(
      a: contact.pointee.a, b: contact.pointee.b, contact: Int32(index),
      isStatic: motionA.inverseMass == 0 || motionB.inverseMass == 0, count: manifold.count,
      normalX: manifold.normalX, normalY: manifold.normalY, turnA: motionA.turn, turnB: motionB.turn,
      surface: surface)
    constraint.first = PointConstraint.Point(
      manifold.first, manifold.normalX, manifold.normalY, motionA, motionB)
    take(&constraint.first, contact.pointee, constraint, scale, isFirst: true)
    if manifold.count == 2 {
      constraint.second = PointConstraint.Point(
        manifold.second, manifold.normalX, manifold.normalY, motionA, motionB)
      take(&constraint.second, contact.pointee, constraint, scale, isFirst: false)
      constraint.couplePoints(motionA, motionB)
    }
    contact.pointee.first.lever = constraint.first.normalLeverA
    contact.pointee.second.lever = constraint.second.normalLeverA
    return constraint
  }

  /// Looks anew where bodies touch of which one moved or turned so much in the last sub-step that it may be elsewhere.
  mutating func refreshContacts(_ timestep: Double, _ step: Double) {
    for index in 0..<points.count {
      let point = points.base + index
      let (a, b) = (point.pointee.a, point.pointee.b)
      let turning =
        abs(bodies.motions[a].spin) * bodies.definitions[a].shape.extent
        + abs(bodies.motions[b].spin) * bodies.definitions[b].shape.extent
      let speed = bodies.relativeSpeed(a, b) + turning
      guard speed * step > SolverConstants.linearSlop else { continue }
      let contact = contacts.base + Int(point.pointee.contact)
      contact.pointee.store(point.pointee)
      let manifold = Manifold(
        bodies.definitions[a].shape, bodies.pose(a), bodies.definitions[b].shape, bodies.pose(b),
        margin: SolverConstants.speculativeDistance + timestep * speed)
      point.pointee = constraint(Int(point.pointee.contact), manifold, point.pointee.surface, 1)
      contact.pointee.count = Int32(manifold.count)
      (contact.pointee.normalX, contact.pointee.normalY) = (manifold.normalX, manifold.normalY)
    }
  }

  private func take(
    _ point: inout PointConstraint.Point, _ contact: Contact, _ constraint: PointConstraint, _ scale: Double,
    isFirst: Bool
  ) {
    let old = contact.impulses(
      nearest: point.normalLeverA, constraint.normalX, constraint.normalY, count: constraint.count,
      isFirst: isFirst)
    point.normalImpulse = scale * old.normal
    point.tangentImpulse = constraint.surface.friction > 0 ? scale * old.tangent : 0
  }
}
