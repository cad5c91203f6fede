/// Bodies that split springs tie together: these springs hand energy to each other all the time, so that they
/// have one account.
struct SpringGroup: BitwiseCopyable {
  var account = EnergyAccount()
  /// The first of its bodies, in a chain through `SpringGroups.next`.
  var first: Int32
  /// Whether its energy is booked, as that of one of its springs must be.
  var isBooked = false
  /// Whether all of its energy is to be kept, as none of its springs is damped.
  var isLossless = true
  /// Whether no spring ties it to the ground.
  var isFree = true
  /// Whether it has nothing left to pay with; see `CoupledWorld.stepBack`.
  var isBroke = false
}

/// The groups of the attachments that there are.
struct SpringGroups: ~Copyable {
  var groups = Buffer<SpringGroup>()
  /// By slot, the next body of the group; -1 for the last.
  private var next = Buffer<Int32>()
  /// By slot, the group; -1 for none.
  private var groupOf = Buffer<Int32>()
  private var sets = DisjointSets()

  init() {}

  /// Rebuilds the groups, each with a new account.
  mutating func rebuild(_ attachments: borrowing Buffer<Attachment>, _ bodies: borrowing RigidBodies) {
    // As in a cradle, where items come and go in any frame, and each has a spring of its own.
    guard groups.count > 0 || attachments.elements.contains(where: { $0.gains.isSplit }) else { return }
    groups.removeAll()
    sets.reset(bodies.count)
    next.fill(bodies.count, with: -1)
    groupOf.fill(bodies.count, with: -1)
    for index in 0..<attachments.count where attachments[index].gains.isSplit {
      guard bodies.traits[attachments[index].b].kind == .moving else { continue }
      sets.join(attachments[index].a, attachments[index].b)
    }
    for index in 0..<attachments.count {
      attachments[index].group = -1
      if attachments[index].gains.isSplit { join(attachments.base + index, bodies) }
    }
    for index in 0..<attachments.count where attachments[index].group >= 0 {
      attachments[index].gains.isBooked =
        groups[attachments[index].group].isBooked && !attachments[index].gains.isStiff
    }
  }

  private mutating func join(
    _ spring: UnsafeMutablePointer<Attachment>, _ bodies: borrowing RigidBodies
  ) {
    let root = sets.root(spring.pointee.a)
    if groupOf[root] < 0 {
      groupOf[root] = Int32(groups.count)
      groups.append(SpringGroup(first: root))
    }
    let group = groupOf[root]
    if spring.pointee.a != root { add(spring.pointee.a, to: group, after: root) }
    if spring.pointee.b != root, bodies.traits[spring.pointee.b].kind == .moving {
      add(spring.pointee.b, to: group, after: root)
    }
    spring.pointee.group = group
    if spring.pointee.gains.isBooked { groups[group].isBooked = true }
    if spring.pointee.gains.damps { groups[group].isLossless = false }
    if bodies.traits[spring.pointee.b].kind != .moving { groups[group].isFree = false }
  }

  private func add(_ slot: Int32, to group: Int32, after root: Int32) {
    guard groupOf[slot] < 0 else { return }
    groupOf[slot] = group
    next[slot] = next[root]
    next[root] = slot
  }
}

extension SpringGroups {
  /// Settles the accounts of all groups after the second kicks, by making all of the motion of a group larger
  /// or smaller: but for what it does as a whole, if nothing but its own springs holds it.
  /// - Parameter halfStep: For which gravity acts afterwards, seconds.
  /// - Returns: Whether a group has nothing left to pay with.
  func settle(_ bodies: borrowing RigidBodies, halfStep: Double) -> Bool {
    var anyIsBroke = false
    for index in 0..<groups.count where groups[index].isBooked {
      let group = groups.base + index
      if group.pointee.account.surplus <= 0, !group.pointee.isLossless {
        group.pointee.account.surplus = 0
      } else if bodies.traits[group.pointee.first].isAwake {
        settle(group, bodies, halfStep)
        group.pointee.isBroke = group.pointee.account.surplus > 0
        anyIsBroke = anyIsBroke || group.pointee.isBroke
      }
    }
    return anyIsBroke
  }

  private func settle(
    _ group: UnsafeMutablePointer<SpringGroup>, _ bodies: borrowing RigidBodies, _ halfStep: Double
  ) {
    let whole = group.pointee.isFree ? wholeMotion(group.pointee, bodies, halfStep) : WholeMotion()
    func own(_ slot: Int32) -> (velocity: Vector, spin: Double) {
      let motion = bodies.motions[slot]
      return whole.own(bodies.finalVelocity(slot, halfStep), motion.spin, bodies.poses[slot])
    }
    var energy = 0.0
    forEachBody(group.pointee) { slot in
      let own = own(slot)
      energy += bodies.motions[slot].energy(at: own.velocity, spin: own.spin)
    }
    let change = group.pointee.account.settle(with: energy, restores: group.pointee.isLossless) - 1
    guard change != 0 else { return }
    forEachBody(group.pointee) { slot in
      let own = own(slot)
      bodies.motions[slot].vx += change * own.velocity.dx
      bodies.motions[slot].vy += change * own.velocity.dy
      if bodies.motions[slot].inverseInertia > 0 { bodies.motions[slot].spin += change * own.spin }
    }
  }

  @inline(__always)
  func forEachBody(_ group: SpringGroup, _ body: (Int32) -> Void) {
    var slot = group.first
    while slot >= 0 {
      body(slot)
      slot = next[slot]
    }
  }

  /// How a group that nothing holds moves and turns as a whole: what no force between its bodies can change.
  private func wholeMotion(
    _ group: SpringGroup, _ bodies: borrowing RigidBodies, _ halfStep: Double
  ) -> WholeMotion {
    var whole = WholeMotion()
    var mass = 0.0
    forEachBody(group) { slot in
      let (pose, own) = (bodies.poses[slot], 1 / bodies.motions[slot].inverseMass)
      mass += own
      whole.center = whole.center + Vector(dx: pose.x, dy: pose.y).times(own)
      whole.velocity = whole.velocity + bodies.finalVelocity(slot, halfStep).times(own)
    }
    whole.center = whole.center.times(1 / mass)
    whole.velocity = whole.velocity.times(1 / mass)
    var (momentum, inertia) = (0.0, 0.0)
    forEachBody(group) { slot in
      let (pose, motion) = (bodies.poses[slot], bodies.motions[slot])
      let (x, y) = (pose.x - whole.center.dx, pose.y - whole.center.dy)
      let velocity = bodies.finalVelocity(slot, halfStep) - whole.velocity
      momentum += (x * velocity.dy - y * velocity.dx) / motion.inverseMass
      inertia += (x * x + y * y) / motion.inverseMass
      guard motion.inverseInertia > 0 else { return }
      momentum += motion.spin / motion.inverseInertia
      inertia += 1 / motion.inverseInertia
    }
    if inertia > 0 { whole.spin = momentum / inertia }
    return whole
  }
}

/// The motion of several bodies as if they were one.
private struct WholeMotion {
  var center = Vector.zero
  var velocity = Vector.zero
  /// Radians per second.
  var spin = 0.0

  /// What is left of a body's motion.
  @inline(__always)
  func own(_ velocity: Vector, _ spin: Double, _ pose: Pose) -> (velocity: Vector, spin: Double) {
    let own = Vector(
      dx: velocity.dx - self.velocity.dx + self.spin * (pose.y - center.dy),
      dy: velocity.dy - self.velocity.dy - self.spin * (pose.x - center.dx))
    return (own, spin - self.spin)
  }
}
