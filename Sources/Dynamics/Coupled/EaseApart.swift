/// Separates bodies that overlap so deeply that forces would throw them apart.
extension CoupledWorld {
  /// Moves them apart: their places only. Boundaries have the last word. It comes last in a frame, so that what shows
  /// is what was moved apart: under thousands of weights a frame presses boxes into each other anew.
  ///
  /// A heap can only move up, layer by layer, so this takes several sweeps through the contacts, from the ground up
  /// and back, and what is below others stays where it is: "shock propagation" of Guendelman, Bridson and Fedkiw
  /// ("Nonconvex Rigid Bodies with Stacking", 2003), who stop velocities so. Sharing alike, a hundred rows that fell
  /// into each other take a minute to come apart.
  mutating func easeApart(_ timestep: Double) {
    eased.removeAll()
    guard overlapsDeeply else { return }
    upwards.sort(pressing, of: contacts, bodies)
    let most = ContactSoftness.pushSpeed * timestep
    for sweep in 0..<Self.mostSweeps {
      let toItems = ease(sweep, most, touchesBoundary: false)
      let toBoundaries = ease(sweep, most, touchesBoundary: true)
      guard toItems || toBoundaries else { break }
    }
    guard eased.count > 0 else { return }
    noteJams(timestep)
    payForEasing()
  }

  private var overlapsDeeply: Bool {
    for index in 0..<pressing.count
    where contact(index).pointee.separation < -ContactSoftness.deepestOverlap { return true }
    return false
  }

  /// Of the surfaces at their nearest, points, after what was done so far.
  private func separation(_ contact: UnsafeMutablePointer<Contact>) -> Double {
    eased.count > 0 ? contact.pointee.separation + shift(contact) : contact.pointee.separation
  }

  private func shift(_ contact: UnsafeMutablePointer<Contact>) -> Double {
    let shift = easedBy[contact.pointee.b] - easedBy[contact.pointee.a]
    return contact.pointee.normalX * shift.dx + contact.pointee.normalY * shift.dy
  }

  private static var mostSweeps: Int { 8 }

  /// - Returns: Whether any contact needed it.
  private mutating func ease(_ sweep: Int, _ most: Double, touchesBoundary: Bool) -> Bool {
    let motions = bodies.motions.base
    var any = false
    for index in 0..<pressing.count {
      let contact = upwardContact(sweep.isMultiple(of: 2) ? index : pressing.count - 1 - index)
      let (a, b) = (contact.pointee.a, contact.pointee.b)
      var (massA, massB) = (motions[Int(a)].inverseMass, motions[Int(b)].inverseMass)
      guard (massA == 0 || massB == 0) == touchesBoundary else { continue }
      // Were a small body between large ones the only one to move, it would be moved to and fro for ever.
      if !touchesBoundary, bodies.traits[a].isHeld || bodies.traits[b].isHeld { (massA, massB) = (1, 1) }
      let overlap = -separation(contact) - ContactSoftness.deepestOverlap
      guard overlap > 0 else { continue }
      if !touchesBoundary {
        let rise = rise(contact)
        if rise > 0 { massA *= 1 - rise } else { massB *= 1 + rise }
      }
      let share = min(overlap, most) / (massA + massB)
      let (x, y) = (share * contact.pointee.normalX, share * contact.pointee.normalY)
      ease(a, -x * massA, -y * massA)
      ease(b, x * massB, y * massB)
      any = true
    }
    return any
  }

  /// From the ground up.
  @inline(__always)
  private func upwardContact(_ index: Int) -> UnsafeMutablePointer<Contact> {
    contacts.base + Int(upwards.indices[index])
  }

  /// From -1 to 1: how much b is above a, against what pulls them.
  private func rise(_ contact: UnsafeMutablePointer<Contact>) -> Double {
    let pull = bodies.traits[contact.pointee.a].acceleration + bodies.traits[contact.pointee.b].acceleration
    let normal = Vector(dx: contact.pointee.normalX, dy: contact.pointee.normalY)
    return min(max(normal.rise(against: pull), -1), 1)
  }

  /// Where more boxes lie beside each other than there is room for, no sweep can part them sideways: a pair that has
  /// been deep within each other for a while goes on as if one lay on the other; see `Manifold`. Both are in no other
  /// such pair, as one box that is lifted makes room for the others.
  private func noteJams(_ timestep: Double) {
    for index in 0..<pressing.count where contact(index).pointee.isJammed { noteJam(contact(index).pointee) }
    for index in 0..<pressing.count {
      let contact = upwardContact(index)
      let (a, b) = (bodies.traits[contact.pointee.a], bodies.traits[contact.pointee.b])
      guard !a.isJammed, !b.isJammed, a.kind == .moving, b.kind == .moving, !a.isCircle, !b.isCircle,
        a.acceleration + b.acceleration != .zero
      else { continue }
      let normal = Vector(dx: contact.pointee.normalX, dy: contact.pointee.normalY)
      let isStuck = separation(contact) < -Self.stuckOverlap && Manifold.isLevel(normal, a, b)
      contact.pointee.jamTime = isStuck ? contact.pointee.jamTime + timestep : 0
      if contact.pointee.isJammed { noteJam(contact.pointee) }
    }
  }

  private func noteJam(_ contact: Contact) {
    bodies.traits[contact.a].isJammed = true
    bodies.traits[contact.b].isJammed = true
  }

  /// A little more than what the sweeps leave where there is room, points.
  private static var stuckOverlap: Double { 0.9 }

  private mutating func ease(_ slot: Int32, _ dx: Double, _ dy: Double) {
    guard bodies.traits[slot].kind == .moving else { return }
    if eased.count == 0 { easedBy.fill(bodies.count, with: .zero) }
    if easedBy[slot] == .zero { eased.append(slot) }
    easedBy[slot].dx += dx
    easedBy[slot].dy += dy
    bodies.shift(slot, dx, dy)
  }

  /// A body that is moved uphill, or away from what a spring pulls it to, is slowed by as much energy, as far as
  /// it has that.
  private mutating func payForEasing() {
    easingCosts.fill(bodies.count, with: 0)
    for index in 0..<eased.count {
      let slot = eased[index]
      easingCosts[slot] =
        -bodies.traits[slot].acceleration.along(easedBy[slot]) / bodies.motions[slot].inverseMass
    }
    for index in 0..<attachments.count where !attachments[index].isRigid {
      let (a, b) = (attachments[index].a, attachments[index].b)
      let (shiftA, shiftB) = (easedBy[a], easedBy[b])
      guard shiftA != shiftB else { continue }
      easingCosts[shiftA == .zero ? b : a] += attachments[index].gained(
        byMoving: shiftB - shiftA, bodies)
    }
    for index in 0..<eased.count { slow(eased[index], by: easingCosts[eased[index]]) }
  }

  private func slow(_ slot: Int32, by cost: Double) {
    let motion = bodies.motions[slot]
    var account = EnergyAccount(surplus: cost)
    let scale = account.settle(with: motion.energy(at: motion.velocity, spin: motion.spin), restores: false)
    bodies.motions[slot].vx *= scale
    bodies.motions[slot].vy *= scale
    bodies.motions[slot].spin *= scale
  }
}

extension Attachment {
  /// What a spring holds more than before its end at b was moved against the one at a.
  fileprivate func gained(byMoving shift: Vector, _ bodies: borrowing RigidBodies) -> Double {
    let ends = Ends(self, bodies)
    let before = (ends.gap - shift).squared.squareRoot() - length
    let after = ends.distance.length - length
    let gained = 0.5 * gains.stiffness * (after * after - before * before)
    return gained.isFinite ? gained : 0
  }
}
