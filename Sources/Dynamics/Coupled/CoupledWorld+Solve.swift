/// The passes over the constraints in a sub-step.
extension CoupledWorld {
  /// Solves the constraints in alternating forward and backward passes, until the last changes of speed would move no
  /// body by more than the tolerance within the sub-step. After the first pass, only constraints next to a change are
  /// solved again. So separate heaps of bodies do not affect each other, and a heap at rest takes one pass. If there
  /// are heaps (`hasLoose`), the passes without bias begin with the contacts whose bodies were moved apart.
  /// - Parameter usesBias: Whether bodies that overlap are also moved apart. If not, the velocities that moved them
  ///   apart are removed.
  mutating func solve(_ step: SubStep, usesBias: Bool) {
    let motions = bodies.motions.base
    let limit = SolverConstants.tolerance * step.inverse
    active.bits.fill(active.pairs.count)
    let skips = !usesBias && bodies.hasLoose
    for index in 0..<constraints.count where skips && !constraints[index].isPushed {
      active.bits.remove(softJoints.count + index)
    }
    // Skips pass 0 if contacts were removed above, because that pass would visit even those.
    for pass in (skips ? 1 : 0)..<SolverConstants.iterations {
      if softJoints.count > 0 { solveJoints(step, limit, usesBias: usesBias) }
      sweepContacts(pass) { $0.solve(motions, step, usesBias: usesBias) > limit }
      if active.bits.next(from: 0) == nil { return }
    }
  }

  /// Makes bodies that hit each other in this sub-step bounce, one pair after the other. Forward and backward passes
  /// over the contacts alternate until no body hits another. In this way, an impact passes through a row of balls.
  mutating func applyRestitution(_ step: SubStep) {
    let motions = bodies.motions.base
    active.bits.fill(active.pairs.count)
    for pass in 0..<SolverConstants.iterations {
      sweepContacts(pass) { $0.bounce(motions, step) }
      if active.bits.next(from: softJoints.count) == nil { return }
    }
  }

  private func solveJoints(_ step: SubStep, _ limit: Double, usesBias: Bool) {
    var next = active.bits.next(from: 0)
    while let index = next, index < softJoints.count {
      active.bits.remove(index)
      if (joints.base + Int(softJoints[index])).solve(bodies, step, usesBias: usesBias) > limit {
        active.insertNeighbors(of: index)
        // The joint itself must be solved again, too, because its friction may have changed the velocity of its ends.
        active.bits.insert(index)
      }
      next = active.bits.next(from: index + 1)
    }
  }

  /// Solves the contacts that must be solved again, forwards in even passes and backwards in odd ones.
  /// - Parameter solve: Solves one contact, and returns whether the velocities of its bodies have changed.
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
