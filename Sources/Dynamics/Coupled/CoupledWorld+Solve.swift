/// The passes over the constraints of a sub-step.
extension CoupledWorld {
  /// Goes over the constraints, forth and back, until none changes a speed by so much that its bodies would move by
  /// more than the tolerance within the sub-step. A pass after the first one looks only at those next to a change: what
  /// happens in one heap does not depend on another, and a heap at rest takes one pass.
  /// - Parameter usesBias: Whether overlaps are undone, too; if not, this takes back the velocity with which they were.
  mutating func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    let limit = SolverConstants.tolerance * step.inverse
    active.clear()
    for pass in 0..<SolverConstants.iterations {
      if softJoints.count > 0 { solveJoints(pass, step, usesBias: usesBias) }
      sweepContacts(pass) { $0.solve(motions, step, usesBias: usesBias) > limit }
      if active.first(from: 0) == nil { return }
    }
  }

  /// Returns the blows of this sub-step: one pair after the other, as they happen in a row of balls, forth and back
  /// through the contacts until nobody hits anybody.
  mutating func applyRestitution(_ step: SubStep) {
    let motions = bodies.motions.base
    active.clear()
    for pass in 0..<SolverConstants.iterations {
      sweepContacts(pass) { $0.bounce(motions, step) }
      if active.first(from: softJoints.count) == nil { return }
    }
  }

  private mutating func solveJoints(_ pass: Int, _ step: SubStep, usesBias: Bool) {
    let limit = SolverConstants.tolerance * step.inverse
    for index in 0..<softJoints.count where pass == 0 || active.contains(index) {
      active.remove(index)
      guard (joints.base + Int(softJoints[index])).solve(bodies, step, usesBias: usesBias) > limit else { continue }
      active.insertNeighbors(of: index, before: pass == 0 ? index : active.count)
      // Its friction may have moved its own ends.
      active.insert(index)
    }
  }

  /// Goes over the contacts: over all in the first pass, then over those next to a change, back and forth.
  /// - Parameter solve: Returns whether it changed the velocities of the contact's bodies.
  @inline(__always) private mutating func sweepContacts(
    _ pass: Int, _ solve: (UnsafeMutablePointer<ContactConstraint>) -> Bool
  ) {
    let first = softJoints.count
    let goesBack = !pass.isMultiple(of: 2)
    var next = pass == 0 ? first : goesBack ? active.last(to: active.count - 1) : active.first(from: first)
    while let index = next, index >= first, index < active.count {
      if pass > 0 { active.remove(index) }
      if solve(constraints.base + (index - first)) {
        // Those ahead come anyway in the first pass.
        active.insertNeighbors(of: index, before: pass == 0 ? index : active.count)
        hit(active.pairs[index].a, active.pairs[index].b)
      }
      next = pass == 0 ? index + 1 : goesBack ? active.last(to: index - 1) : active.first(from: index + 1)
    }
  }

  @inline(__always) private mutating func hit(_ a: Int32, _ b: Int32) {
    guard energy.isNeeded || notesHits else { return }
    hits.append(BroadPhase.Pair(a: a, b: b))
    holds[a] = max(holds[a], .blow)
    holds[b] = max(holds[b], .blow)
  }
}
