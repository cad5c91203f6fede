/// What is done about groups of springs that have given their bodies too much and find no motion to take it from:
/// theirs is a turning point that the last move overshot, to where springs hold more than there was to give.
extension CoupledWorld {
  /// Moves their bodies downhill by what they owe: the way half a sub-step of all forces pushes them.
  mutating func stepBack(_ step: Double) {
    velocitiesBefore.fill(bodies.count, with: Motion())
    for slot in 0..<bodies.count { velocitiesBefore[slot] = bodies.motions[slot] }
    for index in 0..<splitSprings.count {
      let spring = attachment(splitSprings, index)
      if springGroups.groups[spring.pointee.group].isBroke { _ = spring.pull(bodies, .late) }
    }
    for index in 0..<springGroups.groups.count where springGroups.groups[index].isBroke {
      stepBack(springGroups.groups.base + index, step)
    }
  }

  private func stepBack(_ group: UnsafeMutablePointer<SpringGroup>, _ step: Double) {
    var energy = 0.0
    springGroups.forEachBody(group.pointee) { slot in
      let kick = kick(slot, step)
      energy += bodies.motions[slot].energy(at: kick.velocity, spin: kick.spin)
    }
    // Forces are 2/step times these kicks by mass, so that moving by kick·seconds costs 4·energy/step·seconds.
    let seconds = energy > 0 ? min(group.pointee.account.surplus * step / (4 * energy), step / 2) : 0
    springGroups.forEachBody(group.pointee) { slot in
      let kick = kick(slot, step)
      let before = velocitiesBefore[slot]
      (bodies.motions[slot].vx, bodies.motions[slot].vy) = (before.vx, before.vy)
      bodies.motions[slot].spin = before.spin
      bodies.shift(slot, seconds * kick.velocity.dx, seconds * kick.velocity.dy)
      bodies.motions[slot].turn += seconds * kick.spin
      bodies.poses[slot].turn(by: seconds * kick.spin)
    }
    group.pointee.account.surplus -= 4 * energy / step * seconds
    group.pointee.isBroke = false
  }

  private func kick(_ slot: Int32, _ step: Double) -> (velocity: Vector, spin: Double) {
    let (motion, before) = (bodies.motions[slot], velocitiesBefore[slot])
    let gravity = bodies.lateAcceleration(slot).times(step / 2)
    return (motion.velocity - before.velocity + gravity, motion.spin - before.spin)
  }
}
