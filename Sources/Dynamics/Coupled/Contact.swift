/// Two bodies that touch, or soon may: what the solver knows about them from frame to frame.
struct Contact: BitwiseCopyable {
  struct Point: BitwiseCopyable {
    /// Of the surfaces, points.
    var separation = 0.0
    /// Levers of the normal and of the tangent about the centres, points.
    var normalLeverA = 0.0
    var normalLeverB = 0.0
    var tangentLeverA = 0.0
    var tangentLeverB = 0.0
    /// Speed that an impulse of 1 makes along the normal and along the tangent.
    var normalGive = 1.0
    var tangentGive = 1.0
    /// Its inverse along the normal, as dividing is slow.
    var normalMass = 1.0
    /// The impulses that held the bodies apart in the last sub-step, as a start for the next.
    var normalImpulse = 0.0
    var tangentImpulse = 0.0

    var memory: Memory {
      Memory(lever: normalLeverA, normalImpulse: normalImpulse, tangentImpulse: tangentImpulse)
    }

    mutating func takeImpulses(of other: Memory) {
      (normalImpulse, tangentImpulse) = (other.normalImpulse, other.tangentImpulse)
    }
  }

  /// What goes on from frame to frame of a point.
  struct Memory: BitwiseCopyable {
    let lever: Double
    let normalImpulse: Double
    let tangentImpulse: Double
  }

  let a: Int32
  let b: Int32
  var count: Int32 = 0
  /// Whether both points can be solved at once.
  var isBlock = false
  /// Whether impulses along the normal turn neither body, as between discs.
  var isRound = false
  var face = Manifold.Face.neither
  var normalX = 0.0
  var normalY = 0.0
  /// Seconds for which these boxes have been deep within each other side by side, though they were moved apart.
  var jamTime = 0.0
  var friction = 0.0
  var elasticity = 0.0
  /// Whether the last sub-step, or what came before this frame, may have left a blow for the next.
  var isClosing = true
  /// Points per second; slower blows are not returned.
  var slowestBounce = 0.0
  var first = Point()
  var second = Point()
  /// What an impulse at one point does to the speed at the other.
  var coupling = 0.0

  init(_ pair: BroadPhase.Pair) {
    a = pair.a
    b = pair.b
  }

  /// Of the surfaces at their nearest, points.
  var separation: Double { count == 2 ? min(first.separation, second.separation) : first.separation }
  /// Whether they have only the way up left.
  var isJammed: Bool { jamTime >= Self.jamPatience }
  private static var jamPatience: Double { 0.5 }
  var isPressed: Bool { first.normalImpulse + second.normalImpulse > 0 }
}

// MARK: - The frame

extension Contact {
  /// Finds where the bodies touch now.
  mutating func update(_ bodies: borrowing RigidBodies, timestep: Double) {
    let (motionA, motionB) = (bodies.motions[a], bodies.motions[b])
    let (dvx, dvy) = (motionB.vx - motionA.vx, motionB.vy - motionA.vy)
    let closing = (dvx * dvx + dvy * dvy).squareRoot() * timestep
    let manifold = Manifold(
      bodies.traits[a], bodies.poses[a], bodies.traits[b], bodies.poses[b], margin: Manifold.slack + closing,
      isJammed: isJammed)
    let old = (count: count, x: normalX, y: normalY, first: first.memory, second: second.memory)
    count = Int32(manifold.count)
    isClosing = true
    if count < 2 { second = Point() }
    guard count > 0 else {
      first = Point()
      jamTime = 0
      return
    }
    (normalX, normalY, face) = (manifold.normalX, manifold.normalY, manifold.face)
    first = point(at: manifold.first, bodies)
    if count == 2 { second = point(at: manifold.second, bodies) }
    if isJammed ? !manifold.isJammed : separation > -ContactSoftness.deepestOverlap { jamTime = 0 }
    if old.count > 0, old.x * normalX + old.y * normalY > 0.9 {
      inheritImpulses(old.count, old.first, old.second)
    }
    couplePoints(motionA, motionB)
    let (propertiesA, propertiesB) = (bodies.traits[a].properties, bodies.traits[b].properties)
    elasticity = max(propertiesA.elasticity, propertiesB.elasticity)
    slowestBounce = max(
      Self.slowestBounce(bodies.traits[a], timestep), Self.slowestBounce(bodies.traits[b], timestep))
    // A boundary is as rough as what touches it.
    friction =
      bodies.traits[a].kind == .fixed
      ? propertiesB.friction
      : bodies.traits[b].kind == .fixed
        ? propertiesA.friction : (propertiesA.friction * propertiesB.friction).squareRoot()
    if friction == 0 { (first.tangentImpulse, second.tangentImpulse) = (0, 0) }
    isRound = count == 1 && first.normalLeverA == 0 && first.normalLeverB == 0
  }

  /// A little faster than what lies on something falls within a frame, or a heap of elastic bodies would never
  /// rest. What nothing pulls bounces however slow it is.
  private static func slowestBounce(_ body: Traits, _ timestep: Double) -> Double {
    max(
      1.2 * body.pull * timestep,
      body.attachmentCount > 0 ? ContactSoftness.slowestBlowOnSprings : Islands.stillSpeed)
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
    point.weigh(motionA, motionB)
    return point
  }
}

extension Contact.Point {
  /// Works out what impulses at these levers give.
  mutating func weigh(_ a: Motion, _ b: Motion) {
    let inverseMass = a.inverseMass + b.inverseMass
    func give(_ leverA: Double, _ leverB: Double) -> Double {
      inverseMass + a.inverseInertia * leverA * leverA + b.inverseInertia * leverB * leverB
    }
    normalGive = give(normalLeverA, normalLeverB)
    normalMass = 1 / normalGive
    tangentGive = give(tangentLeverA, tangentLeverB)
  }
}

extension Contact {
  /// Both points can be solved at once unless they are so near each other, or the bodies so hard to turn,
  /// that they are the same.
  mutating func couplePoints(_ a: Motion, _ b: Motion) {
    coupling =
      a.inverseMass + b.inverseMass + a.inverseInertia * first.normalLeverA * second.normalLeverA
      + b.inverseInertia * first.normalLeverB * second.normalLeverB
    isBlock = count == 2 && coupling * coupling < 0.999 * first.normalGive * second.normalGive
  }

  /// Impulses go on at the points where they were, if the bodies touch from the same side as before: the
  /// same sides need not meet, as a box that lies flat on another has two pairs that fit as well.
  private mutating func inheritImpulses(_ oldCount: Int32, _ oldFirst: Memory, _ oldSecond: Memory) {
    if oldCount == count {
      first.takeImpulses(of: oldFirst)
      second.takeImpulses(of: oldSecond)
    } else if count == 1 {
      let (toFirst, toSecond) = (
        abs(oldFirst.lever - first.normalLeverA), abs(oldSecond.lever - first.normalLeverA)
      )
      first.takeImpulses(of: toFirst < toSecond ? oldFirst : oldSecond)
    } else if abs(oldFirst.lever - first.normalLeverA) < abs(oldFirst.lever - second.normalLeverA) {
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
