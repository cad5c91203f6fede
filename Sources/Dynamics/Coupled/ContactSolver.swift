/// How hard contacts push overlapping bodies apart, for a length of sub-steps.
struct ContactSoftness {
  let biasRate: Double
  /// What makes an impulse less than a rigid contact's, as a share of what it gives.
  private let yielding: Double
  let inverseStep: Double
  /// Where bodies overlap by more than this, points, the contact gives way less and less: a spring that is as
  /// soft as the sub-steps ask for carries some sixty times the lighter body's weight at this overlap.
  private static let deepOverlap = 0.4
  /// Here, points, no further, however much lies on it. Were it rigid from one overlap to the next, what lies on
  /// it would go on swinging.
  private static let rigidOverlap = 0.85
  /// By how much more than it asks for a pressed contact stops what is left of the motion in each sub-step, as
  /// in successive over-relaxation: what one sweep leaves undone makes a pile swing like a spring, and it swings
  /// for as long as this spring is no stiffer than the contacts.
  static let overRelaxation = 1.7
  /// Nor do forces undo more than about that of an overlap; beyond this, points, bodies are moved apart without.
  static let deepestOverlap = 0.8
  /// Deep overlaps are not undone faster by one sweep, points per second: what is thrown up by this falls back, and
  /// a box that is jammed between others can go on like that.
  static let pushSpeed = 60.0

  /// What hangs on something is not thrown back by slower blows, points per second.
  static let slowestBlowOnSprings = 40.0

  /// A spring as stiff as the sub-steps can follow, at 60 Hz in four of them, ten times critically damped.
  /// Box2D v3 stops at 30 Hz, which towers of items of 20 points, a fifth of its metre, do not survive.
  init(step: Double) {
    let soft = Softness(frequency: min(60, 0.25 / step), damping: 10, step: step)
    biasRate = soft.biasRate
    yielding = soft.impulseScale / soft.massScale
    inverseStep = 1 / step
  }

  /// How much less an impulse is than a rigid contact's at this overlap, as a share of what it gives.
  @inline(__always)
  func yielding(at overlap: Double) -> Double {
    let rest = (Self.rigidOverlap - overlap) * (1 / (Self.rigidOverlap - Self.deepOverlap))
    return yielding * min(max(rest, 0), 1)
  }

  /// How fast an overlap is undone, points per second.
  @inline(__always)
  func push(at overlap: Double) -> Double { biasRate * min(overlap, Self.rigidOverlap) }
}

/// The two bodies of a contact while the solver changes their velocities: loaded once, stored once.
struct Pairing {
  let a: UnsafeMutablePointer<Motion>
  let b: UnsafeMutablePointer<Motion>
  let nx: Double
  let ny: Double
  let slowestBounce: Double
  var vax, vay, spinA, vbx, vby, spinB: Double

  @inline(__always)
  init(_ contact: UnsafeMutablePointer<Contact>, _ motions: UnsafeMutablePointer<Motion>) {
    a = motions + Int(contact.pointee.a)
    b = motions + Int(contact.pointee.b)
    (nx, ny) = (contact.pointee.normalX, contact.pointee.normalY)
    slowestBounce = contact.pointee.slowestBounce
    (vax, vay, spinA) = (a.pointee.vx, a.pointee.vy, a.pointee.spin)
    (vbx, vby, spinB) = (b.pointee.vx, b.pointee.vy, b.pointee.spin)
  }

  @inline(__always)
  func store() {
    (a.pointee.vx, a.pointee.vy, a.pointee.spin) = (vax, vay, spinA)
    (b.pointee.vx, b.pointee.vy, b.pointee.spin) = (vbx, vby, spinB)
  }

  @inline(__always)
  func normalSpeed(_ point: Contact.Point) -> Double {
    (nx * (vbx - vax) + ny * (vby - vay)) + (spinB * point.normalLeverB - spinA * point.normalLeverA)
  }

  /// Of the centres.
  @inline(__always)
  var tangentSpeed: Double { nx * (vby - vay) - ny * (vbx - vax) }

  @inline(__always)
  func tangentSpeed(_ point: Contact.Point) -> Double {
    tangentSpeed + (spinB * point.tangentLeverB - spinA * point.tangentLeverA)
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
    if pointee.isRound { return warmStartRound(motions, scale: scale) }
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
    if pointee.isRound { return solveRound(motions, softness, pushesApart: pushesApart) }
    var pairing = Pairing(self, motions)
    if !pointee.isBlock || !pressBoth(&pairing, softness, pushesApart) {
      let first = Self.press(&pointee.first, &pairing, softness, pushesApart)
      let second = pointee.count == 2 && Self.press(&pointee.second, &pairing, softness, pushesApart)
      pointee.isClosing = first || second
    } else {
      pointee.isClosing = false
    }
    if pointee.friction > 0 {
      Self.rub(&pointee.first, &pairing, pointee.friction)
      if pointee.count == 2 { Self.rub(&pointee.second, &pairing, pointee.friction) }
    }
    pairing.store()
  }

  /// Solves both points at once, so that neither comes first and turns the bodies: towers stay upright.
  /// - Returns: Whether it could; not if one point alone lets go, or a blow is to come.
  @inline(__always)
  private func pressBoth(
    _ pairing: inout Pairing, _ softness: ContactSoftness, _ pushesApart: Bool
  ) -> Bool {
    let first = Self.demand(pointee.first, pairing, softness, pushesApart)
    let second = Self.demand(pointee.second, pairing, softness, pushesApart)
    if !pushesApart, first.isBlow || second.isBlow { return false }
    let coupling = pointee.coupling
    let firstGive = pointee.first.normalGive * (1 + first.yielding)
    let secondGive = pointee.second.normalGive * (1 + second.yielding)
    let scale = 1 / (firstGive * secondGive - coupling * coupling)
    let firstImpulse = scale * (secondGive * first.speed - coupling * second.speed)
    let secondImpulse = scale * (firstGive * second.speed - coupling * first.speed)
    let (oldFirst, oldSecond) = (pointee.first.normalImpulse, pointee.second.normalImpulse)
    let firstTotal = oldFirst + firstImpulse
    let secondTotal = oldSecond + secondImpulse
    guard firstTotal >= 0, secondTotal >= 0 else {
      guard first.speed + firstGive * oldFirst + coupling * oldSecond <= 0,
        second.speed + secondGive * oldSecond + coupling * oldFirst <= 0
      else { return false }
      letGo(&pairing)
      return true
    }
    pointee.first.normalImpulse = firstTotal
    pointee.second.normalImpulse = secondTotal
    pairing.pushNormal(firstImpulse, pointee.first)
    pairing.pushNormal(secondImpulse, pointee.second)
    return true
  }

  /// Both points at once, too, or the one that lets go first would turn the bodies.
  private func letGo(_ pairing: inout Pairing) {
    pairing.pushNormal(-pointee.first.normalImpulse, pointee.first)
    pairing.pushNormal(-pointee.second.normalImpulse, pointee.second)
    pointee.first.normalImpulse = 0
    pointee.second.normalImpulse = 0
  }

  /// By how much the speed at the point must change, how softly, and whether a blow is to come that
  /// is left to `bounce`, at the beginning of the next sub-step.
  @inline(__always)
  private static func demand(
    _ point: Contact.Point, _ pairing: Pairing, _ softness: ContactSoftness, _ pushesApart: Bool
  ) -> (speed: Double, yielding: Double, isBlow: Bool) {
    let separation = point.separation
    let speed = pairing.normalSpeed(point)
    if separation > 0 {
      return (-speed - separation * softness.inverseStep, 0, speed < -pairing.slowestBounce)
    }
    guard pushesApart else {
      let change = point.normalImpulse > 0 ? ContactSoftness.overRelaxation * -speed : -speed
      return (change, 0, speed < -pairing.slowestBounce)
    }
    let yielding = softness.yielding(at: -separation)
    let push = softness.push(at: -separation)
    return (push - speed - point.normalGive * yielding * point.normalImpulse, yielding, false)
  }

  /// - Returns: Whether it left a blow to `bounce`.
  @inline(__always)
  private static func press(
    _ point: inout Contact.Point, _ pairing: inout Pairing, _ softness: ContactSoftness, _ pushesApart: Bool
  ) -> Bool {
    let demand = demand(point, pairing, softness, pushesApart)
    if !pushesApart, demand.isBlow { return true }
    let rigid = demand.speed * point.normalMass
    let total = max(point.normalImpulse + rigid / (1 + demand.yielding), 0)
    let impulse = total - point.normalImpulse
    point.normalImpulse = total
    pairing.pushNormal(impulse, point)
    return false
  }

  @inline(__always)
  private static func rub(_ point: inout Contact.Point, _ pairing: inout Pairing, _ friction: Double) {
    let speed = pairing.tangentSpeed(point)
    let most = friction * point.normalImpulse
    let total = min(max(point.tangentImpulse - speed / point.tangentGive, -most), most)
    let impulse = total - point.tangentImpulse
    point.tangentImpulse = total
    pairing.pushTangent(impulse, point)
  }
}
