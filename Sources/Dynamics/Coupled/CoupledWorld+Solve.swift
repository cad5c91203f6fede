/// The passes over the constraints of a sub-step.
extension CoupledWorld {
  /// Goes over the constraints, forth and back, until none changes a speed by so much that its bodies would move by
  /// more than the tolerance within the sub-step. A pass after the first one looks only at those next to a change: what
  /// happens in one heap does not depend on another, and a heap at rest takes one pass.
  /// - Parameter usesBias: Whether overlaps are undone, too; if not, this takes back the velocity with which they were.
  mutating func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    let limit = SolverConstants.tolerance * step.inverse
    for pass in 0..<SolverConstants.iterations {
      sweep += 1
      let pulled = softJoints.count > 0 && solveJoints(step, usesBias: usesBias, isFirst: pass == 0)
      let pushed = sweepContacts(pass) { $0.solve(motions, step, usesBias: usesBias) > limit }
      if !pulled, !pushed { return }
    }
  }

  /// Goes over the contacts, forth in even passes and back in odd ones; after the first pass only over those next to a
  /// change.
  /// - Parameter solve: Returns whether it changed the velocities of the contact's bodies.
  /// - Returns: Whether one did.
  @inline(__always) private mutating func sweepContacts(
    _ pass: Int, _ solve: (UnsafeMutablePointer<ContactConstraint>) -> Bool
  ) -> Bool {
    var any = false
    for index in 0..<constraints.count {
      let contact = constraints.base + (pass.isMultiple(of: 2) ? index : constraints.count - 1 - index)
      guard pass == 0 || isDue(contact.pointee.a, contact.pointee.b), solve(contact) else { continue }
      hit(contact.pointee.a, contact.pointee.b)
      any = true
    }
    return any
  }

  /// - Returns: Whether one changed a speed by more than the limit.
  private func solveJoints(_ step: SubStep, usesBias: Bool, isFirst: Bool) -> Bool {
    var any = false
    let limit = SolverConstants.tolerance * step.inverse
    for index in 0..<softJoints.count {
      let joint = joints.base + Int(softJoints[index])
      guard isFirst || isDue(joint.pointee.a, joint.pointee.b) else { continue }
      if joint.solve(bodies, step, usesBias: usesBias) > limit {
        note(joint.pointee.a, joint.pointee.b)
        any = true
      }
    }
    return any
  }

  /// Returns the blows of this sub-step: one pair after the other, as they happen in a row of balls, forth and back
  /// through the contacts until nobody hits anybody.
  mutating func applyRestitution(_ step: SubStep) {
    let motions = bodies.motions.base
    for pass in 0..<SolverConstants.iterations {
      sweep += 1
      guard sweepContacts(pass, { $0.bounce(motions, step) }) else { return }
    }
  }

  /// Whether the velocity of one of them has changed in this sweep or the one before.
  @inline(__always) private func isDue(_ a: Int32, _ b: Int32) -> Bool {
    lastChanges[a] >= sweep - 1 || lastChanges[b] >= sweep - 1
  }

  @inline(__always) private mutating func hit(_ a: Int32, _ b: Int32) {
    note(a, b)
    guard energy.isNeeded || notesHits else { return }
    hits.append(BroadPhase.Pair(a: a, b: b))
    holds[a] = max(holds[a], .blow)
    holds[b] = max(holds[b], .blow)
  }

  /// Notes that their velocities have changed; not of what never moves, by which strangers would be due.
  @inline(__always) private func note(_ a: Int32, _ b: Int32) {
    if bodies.motions[a].inverseMass > 0 { lastChanges[a] = sweep }
    if bodies.motions[b].inverseMass > 0 { lastChanges[b] = sweep }
  }
}
