/// What springs do in a sub-step.
extension CoupledWorld {
  /// Half a sub-step of the springs.
  mutating func pull(_ half: RigidBodies.Half, placesChanged: Bool) {
    for index in 0..<hangers.count {
      let hanger = hangers.base + index
      if placesChanged { hanger.locate(bodies) }
      hanger.kick(bodies, half == .early ? hanger.pointee.early : hanger.pointee.late)
    }
    for index in 0..<springs.count { attachment(springs, index).kick(bodies, half) }
    if half == .late { calmSwings() }
    guard splitSprings.count > 0 || stays.count > 0 || corners.count > 0 else { return }
    for index in 0..<splitSprings.count {
      attachment(splitSprings, index).damp(bodies)
    }
    for index in 0..<stays.count {
      let stay = stays.base + index
      if placesChanged { stay.locate(bodies) }
      stay.damp(bodies)
    }
    for index in 0..<corners.count {
      let corner = corners.base + index
      if placesChanged { corner.locate(bodies) }
      corner.damp(bodies)
    }
    for index in 0..<stays.count { (stays.base + index).kick(bodies) }
    for index in 0..<corners.count { (corners.base + index).kick(bodies) }
    for index in 0..<splitSprings.count {
      let spring = attachment(splitSprings, index)
      book(spring, spring.pull(bodies, half))
    }
    if half == .late, springGroups.settle(bodies, halfStep: gainsStep / 2) { stepBack(gainsStep) }
  }

  /// A spring that is damped damps nothing across itself: what hangs on it would swing for ever.
  private func calmSwings() {
    for index in 0..<hangers.count where hangers[index].acceleration != .zero {
      bodies.calm(hangers[index].a, across: hangers[index].direction, gainsStep)
    }
    for index in 0..<springs.count { attachment(springs, index).calm(bodies, gainsStep) }
    for index in 0..<splitSprings.count { attachment(splitSprings, index).calm(bodies, gainsStep) }
  }

  @inline(__always)
  private func book(_ spring: UnsafeMutablePointer<Attachment>, _ surplus: Double) {
    guard spring.pointee.gains.isBooked else { return }
    springGroups.groups[spring.pointee.group].account.surplus += surplus
  }

  /// How fast the ends of springs move before contacts and rods stop them.
  func noteVelocities() {
    guard pressing.count > 0 || rods.count > 0 else { return }
    for index in 0..<springs.count { attachment(springs, index).noteVelocity(bodies) }
    for index in 0..<splitSprings.count { attachment(splitSprings, index).noteVelocity(bodies) }
  }

  func bookWhatStopped() {
    guard pressing.count > 0 || rods.count > 0 else { return }
    for index in 0..<springs.count {
      let spring = attachment(springs, index)
      spring.pointee.account.surplus += spring.stopped(bodies)
    }
    for index in 0..<splitSprings.count {
      let spring = attachment(splitSprings, index)
      book(spring, spring.stopped(bodies))
    }
  }

  @inline(__always)
  func attachment(
    _ indices: borrowing Buffer<Int32>, _ index: Int
  ) -> UnsafeMutablePointer<Attachment> {
    attachments.base + Int(indices[index])
  }
}
