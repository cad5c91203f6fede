/// Which bodies touch, or will within the frame.
extension CoupledWorld {
  /// Which bodies are near each other, and whom that wakes.
  mutating func findContacts(_ timestep: Double) {
    if broadPhase.update(bodies, timestep: timestep) { mergeContacts() }
  }

  /// Keeps what is known of pairs that are still near.
  private mutating func mergeContacts() {
    let room = broadPhase.reserve
    newContacts.reserve(room)
    contacts.reserve(room)
    discs.reserve(room)
    pressedDiscs.reserve(room)
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
        prepareContact(index, timestep, scale)
        guard contacts[index].isTouching, isAwakeA != isAwakeB else { continue }
        bodies.wake(isAwakeA ? b : a)
      }
      bodies.collectAwake()
    } while bodies.awake.count != awakeCount
  }

  private mutating func prepareContact(_ index: Int, _ timestep: Double, _ scale: Double) {
    let contact = contacts.base + index
    let (a, b) = (contact.pointee.a, contact.pointee.b)
    let (motionA, motionB) = (bodies.motions.base + Int(a), bodies.motions.base + Int(b))
    let (bodyA, bodyB) = (bodies.definitions.base + Int(a), bodies.definitions.base + Int(b))
    // As far as they can come near each other within the frame.
    let margin =
      SolverConstants.speculativeDistance
      + timestep
      * (abs(motionB.pointee.vx - motionA.pointee.vx) + abs(motionB.pointee.vy - motionA.pointee.vy))
    let manifold = Manifold(
      bodyA.pointee, bodies.poses[a], bodyB.pointee, bodies.poses[b], margin: margin)
    guard manifold.count > 0 else {
      (contact.pointee.count, contact.pointee.separation) = (0, .infinity)
      return
    }
    let (nx, ny) = (manifold.normalX, manifold.normalY)
    contact.pointee.separation =
      manifold.count == 2
      ? min(manifold.first.separation, manifold.second.separation) : manifold.first.separation
    isHeld[a] = true
    isHeld[b] = true
    let surface = Surface(bodyA, bodyB, timestep: timestep)
    let isStatic = motionA.pointee.inverseMass == 0 || motionB.pointee.inverseMass == 0
    let isRound =
      bodyA.pointee.isCircle
      ? bodyB.pointee.isCircle || bodyB.pointee.isWall : bodyA.pointee.isWall && bodyB.pointee.isCircle
    if isRound {
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
      var constraint = PointConstraint(
        a: a, b: b, contact: Int32(index), isStatic: isStatic, count: manifold.count, normalX: nx,
        normalY: ny,
        surface: surface)
      constraint.first = PointConstraint.Point(manifold.first, nx, ny, motionA.pointee, motionB.pointee)
      take(&constraint.first, contact.pointee, constraint, scale, isFirst: true)
      if manifold.count == 2 {
        constraint.second = PointConstraint.Point(manifold.second, nx, ny, motionA.pointee, motionB.pointee)
        take(&constraint.second, contact.pointee, constraint, scale, isFirst: false)
        constraint.couplePoints(motionA.pointee, motionB.pointee)
      }
      contact.pointee.first.lever = constraint.first.normalLeverA
      contact.pointee.second.lever = constraint.second.normalLeverA
      points.append(constraint)
    }
    contact.pointee.count = Int32(manifold.count)
    (contact.pointee.normalX, contact.pointee.normalY) = (nx, ny)
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
