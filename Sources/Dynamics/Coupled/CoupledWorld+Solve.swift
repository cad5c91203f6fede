/// The passes over the constraints of a sub-step.
extension CoupledWorld {
  /// Goes over the constraints, forth and back, until none changes a speed by so much that its bodies would move by
  /// more than the tolerance within the sub-step. A pass after the first one looks only at those next to a change: what
  /// happens in one heap does not depend on another, and a heap at rest takes one pass.
  /// - Parameter usesBias: Whether overlaps are undone, too; if not, this takes back the velocity that undid them.
  mutating func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    let limit = SolverConstants.tolerance * step.inverse
    active.bits.fill(active.pairs.count)
    for pass in 0..<SolverConstants.iterations {
      if softJoints.count > 0 { solveJoints(step, usesBias: usesBias) }
      sweepContacts(pass) { $0.solve(motions, step, usesBias: usesBias) > limit }
      if active.bits.next(from: 0) == nil { return }
    }
  }

  /// Lets bodies bounce that hit each other in this sub-step: one pair after the other, forth and back through the
  /// contacts, as in a row of balls, until no body hits another.
  mutating func applyRestitution(_ step: SubStep) {
    let motions = bodies.motions.base
    active.bits.fill(active.pairs.count)
    for pass in 0..<SolverConstants.iterations {
      sweepContacts(pass) { $0.bounce(motions, step) }
      if active.bits.next(from: softJoints.count) == nil { return }
    }
  }

  private func solveJoints(_ step: SubStep, usesBias: Bool) {
    let limit = SolverConstants.tolerance * step.inverse
    var next = active.bits.next(from: 0)
    while let index = next, index < softJoints.count {
      active.bits.remove(index)
      if (joints.base + Int(softJoints[index])).solve(bodies, step, usesBias: usesBias) > limit {
        active.insertNeighbors(of: index)
        // Its friction may have moved its own ends.
        active.bits.insert(index)
      }
      next = active.bits.next(from: index + 1)
    }
  }

  /// Goes over the contacts that must be solved, forth in even passes and back in odd ones.
  /// - Parameter solve: Returns whether it changed the velocities of the contact's bodies.
  @inline(__always) private mutating func sweepContacts(
    _ pass: Int, _ solve: (UnsafeMutablePointer<ContactConstraint>) -> Bool
  ) {
    let (first, goesBack) = (softJoints.count, !pass.isMultiple(of: 2))
    var next = active.bits.next(from: goesBack ? active.pairs.count - 1 : first, goesBack: goesBack)
    while let index = next, index >= first, index < active.pairs.count {
      active.bits.remove(index)
      if solve(constraints.base + (index - first)) {
        active.insertNeighbors(of: index)
        noteHit(active.pairs[index])
      }
      next = pass == 0 ? index + 1 : active.bits.next(from: goesBack ? index - 1 : index + 1, goesBack: goesBack)
    }
  }

  @inline(__always) private mutating func noteHit(_ pair: BroadPhase.Pair) {
    guard energy.isNeeded || notesHits else { return }
    hits.append(pair)
    holds[pair.a] = max(holds[pair.a], .blow)
    holds[pair.b] = max(holds[pair.b], .blow)
  }
}
