/// A contact at one or two points, as the solver uses it in a frame.
struct ContactConstraint: BitwiseCopyable {
  struct Point: BitwiseCopyable {
    var normalImpulse = 0.0
    var tangentImpulse = 0.0
    /// The separation of the surfaces minus the distance of the centers along the normal, points. Both are measured
    /// when the contact points are found.
    var baseSeparation = 0.0
    /// The speed along the normal that an impulse of 1 causes, and the impulses that cause a speed of 1 along the
    /// normal and along the tangent.
    var inverseNormalMass = 1.0
    var normalMass = 1.0
    var tangentMass = 1.0
    /// The lever arms of the normal and of the tangent about the centers of the two bodies, points.
    var normalLeverA = 0.0
    var normalLeverB = 0.0
    var tangentLeverA = 0.0
    var tangentLeverB = 0.0
  }

  let a, b: Int32
  /// The index of the contact.
  let contact: Int32
  let isStatic: Bool
  /// Whether the normal goes through the center of each body (a wall has none). If so, an impulse along the normal
  /// rotates neither body.
  let isRound: Bool
  /// Whether each body is a disc, whose outline does not change when it turns.
  let isDiscA, isDiscB: Bool
  /// Whether the equations of the two points can be solved at once.
  var isBlock = false
  /// Whether the last pass moved the bodies apart, because they overlapped.
  var isPushed = false
  let count: Int8
  let normalX, normalY: Double
  var first = Point()
  let surface: Surface
  /// The angles by which the bodies had already turned in the frame when the contact points were found, radians.
  let turnA, turnB: Double
  /// The speed along the normal that an impulse of 1 at one contact point causes at the other point.
  var coupling = 0.0
  var second = Point()

  var pair: BroadPhase.Pair { BroadPhase.Pair(a: a, b: b) }

  /// - Parameters:
  ///   - index: The index of the contact.
  ///   - scale: The factor for the impulses that are stored in the contact: the length of a sub-step now, divided by
  ///     the length of the sub-steps in which the impulses arose.
  @inline(__always) init(
    _ index: Int, _ contact: Contact, _ manifold: Manifold, _ surface: Surface, _ bodies: borrowing RigidBodies,
    scale: Double
  ) {
    let (a, b) = (bodies.motions[contact.a], bodies.motions[contact.b])
    isDiscA = bodies.definitions[contact.a].shape.isCircle
    isDiscB = bodies.definitions[contact.b].shape.isCircle
    (self.a, self.b, self.contact) = (contact.a, contact.b, Int32(index))
    isStatic = a.inverseMass == 0 || b.inverseMass == 0
    (isRound, count, self.surface) = (manifold.isRound, Int8(manifold.count), surface)
    (normalX, normalY, turnA, turnB) = (manifold.normalX, manifold.normalY, a.turn, b.turn)
    first = point(manifold.first, contact, a, b, scale, isFirst: true)
    guard count == 2 else { return }
    second = point(manifold.second, contact, a, b, scale, isFirst: false)
    coupling =
      a.inverseMass + b.inverseMass + a.inverseInertia * first.normalLeverA * second.normalLeverA + b.inverseInertia
      * first.normalLeverB * second.normalLeverB
    // Two points near each other, or on bodies that hardly turn, act as one. Their equations cannot be solved at once.
    isBlock = coupling * coupling < 0.999 * first.inverseNormalMass * second.inverseNormalMass
  }

  @inline(__always) private func point(
    _ place: Manifold.Place, _ contact: Contact, _ a: Motion, _ b: Motion, _ scale: Double, isFirst: Bool
  ) -> Point {
    var point = Point()
    let (ax, ay) = (place.x - a.x, place.y - a.y)
    let (bx, by) = (place.x - b.x, place.y - b.y)
    point.baseSeparation = place.separation - (normalX * (b.x - a.x) + normalY * (b.y - a.y))
    if !isRound {
      point.normalLeverA = ax * normalY - ay * normalX
      point.normalLeverB = bx * normalY - by * normalX
    }
    point.tangentLeverA = ax * normalX + ay * normalY
    point.tangentLeverB = bx * normalX + by * normalY
    point.weigh(a, b, hasFriction: surface.friction > 0)
    let old = contact.impulses(nearest: point.normalLeverA, normalX, normalY, count: Int(count), isFirst: isFirst)
    point.normalImpulse = scale * old.normal
    point.tangentImpulse = surface.friction > 0 ? scale * old.tangent : 0
    return point
  }
}

extension ContactConstraint.Point {
  /// Creates the point half-way between two others. An impact there does not turn bodies whose flat sides meet.
  init(between first: Self, _ second: Self, _ a: Motion, _ b: Motion) {
    normalLeverA = (first.normalLeverA + second.normalLeverA) / 2
    normalLeverB = (first.normalLeverB + second.normalLeverB) / 2
    tangentLeverA = (first.tangentLeverA + second.tangentLeverA) / 2
    tangentLeverB = (first.tangentLeverB + second.tangentLeverB) / 2
    weigh(a, b, hasFriction: true)
  }

  @inline(__always) fileprivate mutating func weigh(_ a: Motion, _ b: Motion, hasFriction: Bool) {
    let inverseMass = a.inverseMass + b.inverseMass
    inverseNormalMass =
      inverseMass + a.inverseInertia * normalLeverA * normalLeverA + b.inverseInertia * normalLeverB * normalLeverB
    normalMass = 1 / inverseNormalMass
    guard hasFriction else { return }
    tangentMass =
      1
      / (inverseMass + a.inverseInertia * tangentLeverA * tangentLeverA + b.inverseInertia * tangentLeverB
        * tangentLeverB)
  }
}

/// The two bodies of a contact. While the solver changes their velocities, each velocity is loaded and stored only
/// once.
struct Pairing {
  let a, b: UnsafeMutablePointer<Motion>
  let nx, ny: Double
  /// The distance of the centers along the normal, points.
  let distance: Double
  /// How far the bodies have turned since the contact points were found, radians. It is 0 for discs.
  let turnA, turnB: Double
  var vax, vay, spinA, vbx, vby, spinB: Double

  @inline(__always) init(_ contact: UnsafeMutablePointer<ContactConstraint>, _ motions: UnsafeMutablePointer<Motion>) {
    a = motions + Int(contact.pointee.a)
    b = motions + Int(contact.pointee.b)
    (nx, ny) = (contact.pointee.normalX, contact.pointee.normalY)
    distance = nx * (b.pointee.x - a.pointee.x) + ny * (b.pointee.y - a.pointee.y)
    turnA = contact.pointee.isDiscA ? 0 : a.pointee.turn - contact.pointee.turnA
    turnB = contact.pointee.isDiscB ? 0 : b.pointee.turn - contact.pointee.turnB
    (vax, vay, spinA) = (a.pointee.vx, a.pointee.vy, a.pointee.spin)
    (vbx, vby, spinB) = (b.pointee.vx, b.pointee.vy, b.pointee.spin)
  }

  @inline(__always) func store() {
    if a.pointee.inverseMass > 0 { (a.pointee.vx, a.pointee.vy, a.pointee.spin) = (vax, vay, spinA) }
    if b.pointee.inverseMass > 0 { (b.pointee.vx, b.pointee.vy, b.pointee.spin) = (vbx, vby, spinB) }
  }

  /// Returns the separation in points after the bodies have moved and turned. It is accurate to second order in the
  /// angles.
  @inline(__always) func separation(_ point: ContactConstraint.Point) -> Double {
    point.baseSeparation + distance + turnB * (point.normalLeverB - 0.5 * turnB * point.tangentLeverB) - turnA
      * (point.normalLeverA - 0.5 * turnA * point.tangentLeverA)
  }

  @inline(__always) func normalSpeed(_ point: ContactConstraint.Point) -> Double {
    (nx * (vbx - vax) + ny * (vby - vay)) + (spinB * point.normalLeverB - spinA * point.normalLeverA)
  }

  @inline(__always) func tangentSpeed(_ point: ContactConstraint.Point) -> Double {
    (nx * (vby - vay) - ny * (vbx - vax)) + (spinB * point.tangentLeverB - spinA * point.tangentLeverA)
  }

  /// Changes the motions by an impulse along the normal.
  @inline(__always) mutating func push(_ impulse: Double, _ point: ContactConstraint.Point) {
    apply(impulse, nx, ny, point.normalLeverA, point.normalLeverB)
  }

  /// Changes the motions by an impulse along the tangent.
  @inline(__always) mutating func rub(_ impulse: Double, _ point: ContactConstraint.Point) {
    apply(impulse, -ny, nx, point.tangentLeverA, point.tangentLeverB)
  }

  @inline(__always) private mutating func apply(
    _ impulse: Double, _ x: Double, _ y: Double, _ leverA: Double, _ leverB: Double
  ) {
    vax -= impulse * (a.pointee.inverseMass * x)
    vay -= impulse * (a.pointee.inverseMass * y)
    spinA -= impulse * (a.pointee.inverseInertia * leverA)
    vbx += impulse * (b.pointee.inverseMass * x)
    vby += impulse * (b.pointee.inverseMass * y)
    spinB += impulse * (b.pointee.inverseInertia * leverB)
  }
}
