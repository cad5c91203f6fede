/// The passes over the constraints of a sub-step.
extension CoupledWorld {
  /// Goes over the constraints, forth and back, until none changes a speed by so much that its bodies would move by
  /// more than the tolerance within the sub-step. A pass after the first one looks only at those next to a change: what
  /// happens in one heap does not depend on another, and a heap at rest takes one pass.
  /// - Parameter usesBias: Whether overlaps are undone, too; if not, this takes back the velocity with which they were.
  mutating func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    let limit = SolverConstants.tolerance * step.inverse
    var isDone = false
    for pass in 0..<SolverConstants.iterations where !isDone {
      isDone = true
      sweep += 1
      if rods.count > 0, solveRods(usesBias ? step.softness : .rigid, limit, isFirst: pass == 0) {
        isDone = false
      }
      for index in 0..<discs.count {
        let disc = discs.base + (pass.isMultiple(of: 2) ? index : discs.count - 1 - index)
        guard pass == 0 || isDue(disc.pointee.a, disc.pointee.b) else { continue }
        if disc.solve(motions, step, usesBias: usesBias) > limit {
          hit(disc.pointee.a, disc.pointee.b)
          isDone = false
        }
      }
      for index in 0..<points.count {
        let point = points.base + (pass.isMultiple(of: 2) ? index : points.count - 1 - index)
        guard pass == 0 || isDue(point.pointee.a, point.pointee.b) else { continue }
        if point.solve(motions, step, usesBias: usesBias) > limit {
          hit(point.pointee.a, point.pointee.b)
          isDone = false
        }
      }
    }
  }

  /// - Returns: Whether one changed a speed by more than the limit.
  private func solveRods(_ softness: Softness, _ limit: Double, isFirst: Bool) -> Bool {
    var any = false
    for index in 0..<rods.count {
      let rod = joints.base + Int(rods[index])
      guard isFirst || isDue(rod.pointee.a, rod.pointee.b) else { continue }
      if rod.solve(bodies, softness) > limit {
        note(rod.pointee.a, rod.pointee.b)
        any = true
      }
    }
    return any
  }

  /// Takes back what the last half of a kick does to rods, for which no move follows.
  mutating func finishRods(_ step: SubStep) {
    let limit = SolverConstants.tolerance * step.inverse
    for pass in 0..<SolverConstants.iterations {
      sweep += 1
      guard solveRods(.rigid, limit, isFirst: pass == 0) else { return }
    }
  }

  /// Returns the blows of this sub-step: one pair after the other, as they happen in a row of balls, forth and back
  /// through the contacts until nobody hits anybody.
  mutating func applyRestitution(_ step: SubStep) {
    let motions = bodies.motions.base
    var isDone = false
    for pass in 0..<SolverConstants.iterations where !isDone {
      isDone = true
      sweep += 1
      for index in 0..<discs.count {
        let disc = discs.base + (pass.isMultiple(of: 2) ? index : discs.count - 1 - index)
        let (a, b) = (disc.pointee.a, disc.pointee.b)
        guard pass == 0 || isDue(a, b), disc.bounce(motions, step.duration) else { continue }
        hit(a, b)
        isDone = false
      }
      for index in 0..<points.count {
        let point = points.base + (pass.isMultiple(of: 2) ? index : points.count - 1 - index)
        let (a, b) = (point.pointee.a, point.pointee.b)
        guard pass == 0 || isDue(a, b), point.bounce(motions, step.duration) else { continue }
        hit(a, b)
        isDone = false
      }
    }
  }

  /// Whether the velocity of one of them has changed in this sweep or the one before.
  @inline(__always)
  private func isDue(_ a: Int32, _ b: Int32) -> Bool {
    lastChanges[a] >= sweep - 1 || lastChanges[b] >= sweep - 1
  }

  @inline(__always)
  private mutating func hit(_ a: Int32, _ b: Int32) {
    note(a, b)
    guard energy.isNeeded else { return }
    hits.append(BroadPhase.Pair(a: a, b: b))
    if holds[a] == .none { holds[a] = .blow }
    if holds[b] == .none { holds[b] = .blow }
  }

  /// Notes that their velocities have changed; not of what never moves, by which strangers would be due.
  @inline(__always)
  private func note(_ a: Int32, _ b: Int32) {
    if bodies.motions[a].inverseMass > 0 { lastChanges[a] = sweep }
    if bodies.motions[b].inverseMass > 0 { lastChanges[b] = sweep }
  }
}
