/// What is done about groups of springs that have given their bodies too much and find no motion to take it from.
extension CoupledWorld {
  /// Moves their bodies downhill by what they owe. Theirs is a turning point that the last move overshot, to
  /// where springs hold more than there was to give.
  mutating func stepBack(_ step: Double) {
    velocitiesBefore.fill(bodies.count, with: Motion())
    easedBy.fill(bodies.count, with: .zero)
    for slot in 0..<bodies.count { velocitiesBefore[slot] = bodies.motions[slot] }
    for index in 0..<splitSprings.count {
      let spring = attachment(splitSprings, index)
      guard springGroups.groups[spring.pointee.group].isBroke else { continue }
      springGroups.groups[spring.pointee.group].gained -= spring.stored(bodies)
      _ = spring.pull(bodies, .late)
    }
    for index in 0..<springGroups.groups.count where springGroups.groups[index].isBroke {
      stepBack(springGroups.groups.base + index, step)
    }
    shiftContacts()
    for index in 0..<splitSprings.count {
      let spring = attachment(splitSprings, index)
      guard springGroups.groups[spring.pointee.group].isBroke else { continue }
      springGroups.groups[spring.pointee.group].gained += spring.stored(bodies)
    }
    for index in 0..<springGroups.groups.count where springGroups.groups[index].isBroke {
      springGroups.groups[index].account.surplus += springGroups.groups[index].gained
      (springGroups.groups[index].isBroke, springGroups.groups[index].gained) = (false, 0)
    }
  }

  private func stepBack(_ group: UnsafeMutablePointer<SpringGroup>, _ step: Double) {
    // What half a sub-step of all forces does to a velocity is the way downhill.
    var energy = 0.0
    springGroups.forEachBody(group.pointee) { slot in
      let kick = kick(slot, step)
      energy += bodies.motions[slot].energy(at: kick.velocity, spin: kick.spin)
    }
    // Forces are 2/step times these kicks by mass, so that moving by kick·seconds costs 4·energy/step·seconds.
    let seconds = energy > 0 ? min(group.pointee.account.surplus * step / (4 * energy), step / 2) : 0
    var weight = 0.0
    springGroups.forEachBody(group.pointee) { slot in
      let kick = kick(slot, step)
      let before = velocitiesBefore[slot]
      (bodies.motions[slot].vx, bodies.motions[slot].vy) = (before.vx, before.vy)
      bodies.motions[slot].spin = before.spin
      let way = kick.velocity.times(seconds)
      bodies.shift(slot, way.dx, way.dy)
      easedBy[slot] = way
      bodies.motions[slot].turn += seconds * kick.spin
      bodies.poses[slot].turn(by: seconds * kick.spin)
      weight -= bodies.traits[slot].acceleration.along(way) / before.inverseMass
    }
    group.pointee.gained += weight
  }

  private func kick(_ slot: Int32, _ step: Double) -> (velocity: Vector, spin: Double) {
    let (motion, before) = (bodies.motions[slot], velocitiesBefore[slot])
    let gravity = bodies.lateAcceleration(slot).times(step / 2)
    return (motion.velocity - before.velocity + gravity, motion.spin - before.spin)
  }
}
