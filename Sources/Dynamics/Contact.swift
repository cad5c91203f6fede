/// Two bodies that touch, or soon may: what the solver knows of them from frame to frame.
struct Contact: BitwiseCopyable {
  struct Point: BitwiseCopyable {
    /// Of the surfaces when the frame began, points.
    var separation = 0.0
    /// Levers of the normal and of the tangent about the centres, points.
    var normalLeverA = 0.0
    var normalLeverB = 0.0
    var tangentLeverA = 0.0
    var tangentLeverB = 0.0
    /// Speed that an impulse of 1 makes along the normal and along the tangent.
    var normalGive = 1.0
    var tangentGive = 1.0
    /// What held the bodies apart in the last sub-step, to start from in the next.
    var normalImpulse = 0.0
    var tangentImpulse = 0.0

    mutating func takeImpulses(of other: Point) {
      (normalImpulse, tangentImpulse) = (other.normalImpulse, other.tangentImpulse)
    }
  }

  let a: Int32
  let b: Int32
  var count: Int32 = 0
  var normalX = 0.0
  var normalY = 0.0
  var friction = 0.0
  var elasticity = 0.0
  var first = Point()
  var second = Point()
  /// What an impulse at one point does to the speed at the other.
  var coupling = 0.0
  /// Whether both points can be solved at once.
  var isBlock = false

  init(_ pair: BroadPhase.Pair) {
    a = pair.a
    b = pair.b
  }

  /// Of the surfaces at their nearest, points.
  var separation: Double { count == 2 ? min(first.separation, second.separation) : first.separation }
  var isPressed: Bool { first.normalImpulse + second.normalImpulse > 0 }
}

// MARK: - The frame

extension Contact {
  /// Looks where the bodies touch now.
  mutating func update(_ bodies: borrowing RigidBodies, timestep: Double) {
    let (motionA, motionB) = (bodies.motions[a], bodies.motions[b])
    let (dvx, dvy) = (motionB.vx - motionA.vx, motionB.vy - motionA.vy)
    let closing = (dvx * dvx + dvy * dvy).squareRoot() * timestep
    let manifold = Manifold(
      bodies.traits[a], bodies.poses[a], bodies.traits[b], bodies.poses[b], margin: Manifold.slack + closing)
    let old = (count, normalX, normalY, first, second)
    count = Int32(manifold.count)
    first = Point()
    second = Point()
    guard count > 0 else { return }
    (normalX, normalY) = (manifold.normalX, manifold.normalY)
    first = point(at: manifold.first, bodies)
    if count == 2 { second = point(at: manifold.second, bodies) }
    inheritImpulses(old.0, old.1, old.2, old.3, old.4)
    couplePoints(bodies)
    let (propertiesA, propertiesB) = (bodies.traits[a].properties, bodies.traits[b].properties)
    elasticity = max(propertiesA.elasticity, propertiesB.elasticity)
    // A boundary is as rough as what touches it.
    friction =
      bodies.traits[a].kind == .fixed
      ? propertiesB.friction
      : bodies.traits[b].kind == .fixed
        ? propertiesA.friction : (propertiesA.friction * propertiesB.friction).squareRoot()
  }

  private func point(at place: Manifold.Place, _ bodies: borrowing RigidBodies) -> Point {
    let (poseA, poseB, motionA, motionB) = (
      bodies.poses[a], bodies.poses[b], bodies.motions[a], bodies.motions[b]
    )
    let (ax, ay) = (place.x - poseA.x, place.y - poseA.y)
    let (bx, by) = (place.x - poseB.x, place.y - poseB.y)
    var point = Point()
    point.separation = place.separation
    // Exactly 0 for circles, whatever the rounding, so that they do not begin to turn.
    point.normalLeverA = bodies.traits[a].isCircle ? 0 : ax * normalY - ay * normalX
    point.normalLeverB = bodies.traits[b].isCircle ? 0 : bx * normalY - by * normalX
    point.tangentLeverA = ax * normalX + ay * normalY
    point.tangentLeverB = bx * normalX + by * normalY
    let inverseMass = motionA.inverseMass + motionB.inverseMass
    func give(_ leverA: Double, _ leverB: Double) -> Double {
      inverseMass + motionA.inverseInertia * leverA * leverA + motionB.inverseInertia * leverB * leverB
    }
    point.normalGive = give(point.normalLeverA, point.normalLeverB)
    point.tangentGive = give(point.tangentLeverA, point.tangentLeverB)
    return point
  }
}

extension Contact {
  /// Both points can be solved at once unless they are so near each other, or the bodies so hard to turn,
  /// that they are the same.
  private mutating func couplePoints(_ bodies: borrowing RigidBodies) {
    let (motionA, motionB) = (bodies.motions[a], bodies.motions[b])
    coupling =
      motionA.inverseMass + motionB.inverseMass
      + motionA.inverseInertia * first.normalLeverA * second.normalLeverA
      + motionB.inverseInertia * first.normalLeverB * second.normalLeverB
    isBlock = count == 2 && coupling * coupling < 0.999 * first.normalGive * second.normalGive
  }

  /// Impulses go on at the points where they were, if the bodies touch from the same side as before: the
  /// same sides need not meet, as a box that lies flat on another has two pairs that fit as well.
  private mutating func inheritImpulses(
    _ oldCount: Int32, _ oldNormalX: Double, _ oldNormalY: Double, _ oldFirst: Point, _ oldSecond: Point
  ) {
    guard oldCount > 0, oldNormalX * normalX + oldNormalY * normalY > 0.9 else { return }
    if oldCount == count {
      first.takeImpulses(of: oldFirst)
      second.takeImpulses(of: oldSecond)
    } else if count == 1 {
      let toFirst = abs(oldFirst.normalLeverA - first.normalLeverA)
      let toSecond = abs(oldSecond.normalLeverA - first.normalLeverA)
      first.takeImpulses(of: toFirst < toSecond ? oldFirst : oldSecond)
    } else if abs(oldFirst.normalLeverA - first.normalLeverA)
      < abs(oldFirst.normalLeverA - second.normalLeverA)
    {
      first.takeImpulses(of: oldFirst)
    } else {
      second.takeImpulses(of: oldFirst)
    }
  }

  /// Whether the bodies touch, or will if they go on as they do now.
  func closes(within seconds: Double, _ bodies: borrowing RigidBodies) -> Bool {
    let (motionA, motionB) = (bodies.motions[a], bodies.motions[b])
    let approach = normalX * (motionB.vx - motionA.vx) + normalY * (motionB.vy - motionA.vy)
    let turning = abs(motionA.spin) * bodies.traits[a].extent + abs(motionB.spin) * bodies.traits[b].extent
    return separation + (approach - turning) * seconds <= 0
  }
}

// MARK: - The solver

/// How hard contacts push overlapping bodies apart, for a length of sub-steps.
struct ContactSoftness {
  let biasRate: Double
  /// What makes an impulse less than a rigid contact's, as a share of what it gives.
  let yielding: Double
  let inverseStep: Double
  /// Forces do not see more than that of an overlap, points; the rest is undone without force.
  static let deepOverlap = 0.5
  /// Deep overlaps are not undone faster, points per second.
  static let pushSpeed = 300.0

  /// A spring as stiff as the sub-steps can follow, at 60 Hz in four of them, ten times critically damped.
  /// Box2D v3 stops at 30 Hz, which towers of items of 20 points, a fifth of its metre, do not survive.
  init(step: Double) {
    let soft = Softness(frequency: min(60, 0.25 / step), damping: 10, step: step)
    biasRate = soft.biasRate
    yielding = soft.impulseScale / soft.massScale
    inverseStep = 1 / step
  }
}

/// The two bodies of a contact while the solver changes their velocities: loaded once, stored once.
private struct Pairing {
  let a: UnsafeMutablePointer<Motion>
  let b: UnsafeMutablePointer<Motion>
  let nx: Double
  let ny: Double
  var vax, vay, spinA, vbx, vby, spinB: Double

  @inline(__always)
  init(_ contact: UnsafeMutablePointer<Contact>, _ motions: UnsafeMutablePointer<Motion>) {
    a = motions + Int(contact.pointee.a)
    b = motions + Int(contact.pointee.b)
    (nx, ny) = (contact.pointee.normalX, contact.pointee.normalY)
    (vax, vay, spinA) = (a.pointee.vx, a.pointee.vy, a.pointee.spin)
    (vbx, vby, spinB) = (b.pointee.vx, b.pointee.vy, b.pointee.spin)
  }

  @inline(__always)
  func store() {
    (a.pointee.vx, a.pointee.vy, a.pointee.spin) = (vax, vay, spinA)
    (b.pointee.vx, b.pointee.vy, b.pointee.spin) = (vbx, vby, spinB)
  }

  @inline(__always)
  func normalSpeed(_ leverA: Double, _ leverB: Double) -> Double {
    nx * (vbx - vax) + ny * (vby - vay) + spinB * leverB - spinA * leverA
  }

  @inline(__always)
  func tangentSpeed(_ leverA: Double, _ leverB: Double) -> Double {
    nx * (vby - vay) - ny * (vbx - vax) + spinB * leverB - spinA * leverA
  }

  /// The separation that the motion of this frame has made of it.
  @inline(__always)
  func separation(_ point: Contact.Point) -> Double {
    point.separation + nx * (b.pointee.dx - a.pointee.dx) + ny * (b.pointee.dy - a.pointee.dy)
      + b.pointee.turn * point.normalLeverB - a.pointee.turn * point.normalLeverA
  }

  @inline(__always)
  mutating func push(_ x: Double, _ y: Double, _ turnA: Double, _ turnB: Double) {
    let (massA, massB) = (a.pointee.inverseMass, b.pointee.inverseMass)
    vax -= massA * x
    vay -= massA * y
    spinA -= a.pointee.inverseInertia * turnA
    vbx += massB * x
    vby += massB * y
    spinB += b.pointee.inverseInertia * turnB
  }

  @inline(__always)
  mutating func pushNormal(_ impulse: Double, _ point: Contact.Point) {
    push(impulse * nx, impulse * ny, impulse * point.normalLeverA, impulse * point.normalLeverB)
  }

  @inline(__always)
  mutating func pushTangent(_ impulse: Double, _ point: Contact.Point) {
    push(-impulse * ny, impulse * nx, impulse * point.tangentLeverA, impulse * point.tangentLeverB)
  }
}

extension UnsafeMutablePointer<Contact> {
  /// Applies the impulses of the last sub-step, scaled to the length of this one.
  @inline(__always)
  func warmStart(_ motions: UnsafeMutablePointer<Motion>, scale: Double) {
    var pairing = Pairing(self, motions)
    Self.warm(&pointee.first, &pairing, scale)
    if pointee.count == 2 { Self.warm(&pointee.second, &pairing, scale) }
    pairing.store()
  }

  @inline(__always)
  private static func warm(_ point: inout Contact.Point, _ pairing: inout Pairing, _ scale: Double) {
    point.normalImpulse *= scale
    point.tangentImpulse *= scale
    pairing.pushNormal(point.normalImpulse, point)
    pairing.pushTangent(point.tangentImpulse, point)
  }

  /// Changes the velocities so that the bodies do not meet within the sub-step, and rub against each other.
  /// - Parameter pushesApart: Whether an overlap is undone, too.
  @inline(__always)
  func solve(_ motions: UnsafeMutablePointer<Motion>, _ softness: ContactSoftness, pushesApart: Bool) {
    var pairing = Pairing(self, motions)
    if !pointee.isBlock || !pressBoth(&pairing, softness, pushesApart) {
      let bounces = pointee.elasticity > 0
      Self.press(&pointee.first, &pairing, softness, pushesApart, bounces)
      if pointee.count == 2 { Self.press(&pointee.second, &pairing, softness, pushesApart, bounces) }
    }
    if pointee.friction > 0 {
      Self.rub(&pointee.first, &pairing, pointee.friction)
      if pointee.count == 2 { Self.rub(&pointee.second, &pairing, pointee.friction) }
    }
    pairing.store()
  }

  /// Solves both points at once, so that neither comes first and turns the bodies: towers stay upright.
  /// - Returns: Whether it could; not if a point lets go, or a blow is to come.
  @inline(__always)
  private func pressBoth(
    _ pairing: inout Pairing, _ softness: ContactSoftness, _ pushesApart: Bool
  ) -> Bool {
    let first = Self.demand(pointee.first, pairing, softness, pushesApart)
    let second = Self.demand(pointee.second, pairing, softness, pushesApart)
    if pointee.elasticity > 0, !pushesApart, first.isBlow || second.isBlow { return false }
    let coupling = pointee.coupling
    let scale = 1 / (first.give * second.give - coupling * coupling)
    let firstImpulse = scale * (second.give * first.speed - coupling * second.speed)
    let secondImpulse = scale * (first.give * second.speed - coupling * first.speed)
    let firstTotal = pointee.first.normalImpulse + firstImpulse
    let secondTotal = pointee.second.normalImpulse + secondImpulse
    guard firstTotal >= 0, secondTotal >= 0 else { return false }
    pointee.first.normalImpulse = firstTotal
    pointee.second.normalImpulse = secondTotal
    pairing.pushNormal(firstImpulse, pointee.first)
    pairing.pushNormal(secondImpulse, pointee.second)
    return true
  }

  /// By how much the speed at the point must change, how easily it does, and whether a blow is to come that
  /// is left to `bounce`, at the beginning of the next sub-step.
  @inline(__always)
  private static func demand(
    _ point: Contact.Point, _ pairing: Pairing, _ softness: ContactSoftness, _ pushesApart: Bool
  ) -> (speed: Double, give: Double, isBlow: Bool) {
    let separation = pairing.separation(point)
    let speed = pairing.normalSpeed(point.normalLeverA, point.normalLeverB)
    let give = point.normalGive
    if separation > 0 {
      return (-speed - separation * softness.inverseStep, give, speed < -slowestBounce)
    }
    guard pushesApart else { return (-speed, give, false) }
    let bias = softness.biasRate * max(separation, -ContactSoftness.deepOverlap)
    let yielding = give * softness.yielding
    return (-speed - bias - yielding * point.normalImpulse, give + yielding, false)
  }

  @inline(__always)
  private static func press(
    _ point: inout Contact.Point, _ pairing: inout Pairing, _ softness: ContactSoftness, _ pushesApart: Bool,
    _ bounces: Bool
  ) {
    let demand = demand(point, pairing, softness, pushesApart)
    if bounces, !pushesApart, demand.isBlow { return }
    let total = max(point.normalImpulse + demand.speed / demand.give, 0)
    let impulse = total - point.normalImpulse
    point.normalImpulse = total
    pairing.pushNormal(impulse, point)
  }

  @inline(__always)
  private static func rub(_ point: inout Contact.Point, _ pairing: inout Pairing, _ friction: Double) {
    let speed = pairing.tangentSpeed(point.tangentLeverA, point.tangentLeverB)
    let most = friction * point.normalImpulse
    let total = min(max(point.tangentImpulse - speed / point.tangentGive, -most), most)
    let impulse = total - point.tangentImpulse
    point.tangentImpulse = total
    pairing.pushTangent(impulse, point)
  }

  /// Of the surfaces at their nearest now, points.
  func separation(_ motions: UnsafeMutablePointer<Motion>) -> Double {
    let pairing = Pairing(self, motions)
    let first = pairing.separation(pointee.first)
    return pointee.count == 2 ? min(first, pairing.separation(pointee.second)) : first
  }

  /// Throws the bodies back from each other if they are about to meet within the sub-step, faster than they
  /// would by resting on each other. Each blow keeps momentum and gains no energy.
  /// - Returns: Whether they did.
  func bounce(_ motions: UnsafeMutablePointer<Motion>, step: Double) -> Bool {
    var pairing = Pairing(self, motions)
    let first = Self.meets(pointee.first, pairing, step)
    let second = pointee.count == 2 && Self.meets(pointee.second, pairing, step)
    guard first || second else { return false }
    let point = Self.middle(self, first, second)
    let speed = pairing.normalSpeed(point.normalLeverA, point.normalLeverB)
    guard speed < -Self.slowestBounce else { return false }
    let (inertiaA, inertiaB) = (pairing.a.pointee.inverseInertia, pairing.b.pointee.inverseInertia)
    let inverseMass = pairing.a.pointee.inverseMass + pairing.b.pointee.inverseMass
    let impulse =
      -(1 + pointee.elasticity) * speed
      / (inverseMass + inertiaA * point.normalLeverA * point.normalLeverA
        + inertiaB * point.normalLeverB * point.normalLeverB)
    pairing.pushNormal(impulse, point)
    if pointee.friction > 0 {
      let slide = pairing.tangentSpeed(point.tangentLeverA, point.tangentLeverB)
      let most = pointee.friction * impulse
      let wanted =
        -slide
        / (inverseMass + inertiaA * point.tangentLeverA * point.tangentLeverA
          + inertiaB * point.tangentLeverB * point.tangentLeverB)
      pairing.pushTangent(min(max(wanted, -most), most), point)
    }
    pairing.store()
    return true
  }

  /// Slower blows are not returned, or a heap of elastic bodies would never rest, points per second.
  private static var slowestBounce: Double { 20 }

  @inline(__always)
  private static func meets(_ point: Contact.Point, _ pairing: Pairing, _ step: Double) -> Bool {
    let speed = pairing.normalSpeed(point.normalLeverA, point.normalLeverB)
    // The hundredth is for what forces will add.
    return speed < -slowestBounce && pairing.separation(point) + step * speed - 0.01 <= 0
  }

  /// Where they will meet: half-way between the points if both do, so that a flat blow does not turn them.
  private static func middle(_ contact: Self, _ first: Bool, _ second: Bool) -> Contact.Point {
    guard first && second else { return first ? contact.pointee.first : contact.pointee.second }
    var middle = contact.pointee.first
    let other = contact.pointee.second
    middle.normalLeverA = (middle.normalLeverA + other.normalLeverA) / 2
    middle.normalLeverB = (middle.normalLeverB + other.normalLeverB) / 2
    middle.tangentLeverA = (middle.tangentLeverA + other.tangentLeverA) / 2
    middle.tangentLeverB = (middle.tangentLeverB + other.tangentLeverB) / 2
    return middle
  }
}
