/// What springs do in a sub-step where several pull at a body: all of them pull, then all damp its motion, and all pull
/// again, or those that come first would be damped by those that come later.
enum SpringPass {
  case before, damp, after

  /// Whether there is such a pass in this part of a spring's motion.
  @inline(__always)
  func exists(_ part: Kick, isFree: Bool) -> Bool {
    switch self {
    case .before: part != .first || !isFree
    case .damp: true
    case .after: part != .last
    }
  }
}

extension UnsafeMutablePointer<DistanceJoint> {
  /// What a spring does between any two ends.
  func apply(_ pass: SpringPass, _ bodies: borrowing RigidBodies, _ part: Kick) {
    if part == .last, !pointee.isFree { return }
    let (ends, gains) = (Ends(pointee, bodies), pointee.gains)
    let acceleration =
      bodies.definitions[pointee.b].acceleration - bodies.definitions[pointee.a].acceleration
    switch gains.kind {
    case .alone:
      guard pass == .damp else { return }
      let kick = gains.kick(part, isFree: pointee.isFree)
      let change = ends.velocity.times(kick.keep - 1) + acceleration.times(kick.lift)
      push(ends, change, pull: kick.pull, share: 0, scale: 1)
    case .shared where pass == .damp:
      let keep = gains.keep(part, isFree: pointee.isFree)
      guard keep < 1 else { return }
      // As if half of what other forces do were still to come.
      let early = part == .last ? 0 : gains.halfStep
      push(
        ends, (acceleration.times(early) - ends.velocity).times(1 - keep), pull: 0,
        share: gains.mass * (1 - keep),
        scale: keep)
    case .shared:
      if pass.exists(part, isFree: pointee.isFree) {
        push(ends, .zero, pull: gains.half.pull, share: 0, scale: 1)
      }
    case .stiff:
      let kick = gains.full
      let share = gains.mass * (1 - kick.keep)
      switch pass {
      case .before: break
      case .damp: push(ends, ends.velocity.times(kick.keep - 1), pull: 0, share: share, scale: kick.keep)
      case .after: push(ends, .zero, pull: kick.pull, share: share, scale: kick.keep)
      }
    }
  }

  /// Changes the velocity of the ends, and pulls them to their length; less where they resist more than their mass does.
  /// - Parameters:
  ///   - pull: 1/seconds.
  ///   - share: Of the inverse effective mass that counts, mass; the rest is that of the centres.
  @inline(__always)
  private func push(_ ends: Ends, _ change: Vector, pull: Double, share: Double, scale: Double) {
    let mass = pointee.gains.mass
    if pointee.length == 0 {
      let impulse = ends.impulse(
        changing: (change - ends.gap.times(pull)).times(mass), share: share, scale: scale)
      ends.apply(impulse.dx, impulse.dy)
    } else {
      let (distance, direction) = ends.distance
      let impulse =
        mass * (change.along(direction) - pull * (distance - pointee.length))
        / (scale + share * ends.inverseMass(along: direction))
      ends.apply(impulse * direction.dx, impulse * direction.dy)
    }
  }
}

/// What `SpringEnergy` needs to know.
extension DistanceJoint {
  /// That it holds, mass·points²/seconds²; a stiff spring loses what it holds.
  func energy(_ bodies: borrowing RigidBodies) -> Double {
    if isRigid || gains.kind == .stiff { return 0 }
    let stretch = 2 * .pi * frequency * (Ends(self, bodies).distance.length - length)
    return 0.5 * gains.mass * stretch * stretch
  }
}

extension UnsafeMutablePointer<DistanceJoint> {
  /// Adds to the changes how the spring accelerates its bodies.
  func pull(_ changes: borrowing Buffer<Motion>, _ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    let (distance, direction) = ends.distance
    if pointee.gains.kind == .stiff { return }
    let ω = 2 * .pi * pointee.frequency
    let force = -ω * ω * pointee.gains.mass * (distance - pointee.length)
    ends.apply(
      force * direction.dx, force * direction.dy, to: changes.base + Int(pointee.a),
      changes.base + Int(pointee.b))
  }

  /// Adds to the changes what it would take for the spring to move twice as fast along its direction.
  func stretch(_ changes: borrowing Buffer<Motion>, _ bodies: borrowing RigidBodies) {
    let ends = Ends(pointee, bodies)
    let (velocity, direction) = (ends.velocity, ends.distance.direction)
    // A rod moves across itself only.
    let along =
      pointee.length == 0 || pointee.isRigid ? velocity : direction.times(velocity.along(direction))
    ends.apply(
      along.dx * pointee.gains.mass, along.dy * pointee.gains.mass, to: changes.base + Int(pointee.a),
      changes.base + Int(pointee.b))
  }
}
