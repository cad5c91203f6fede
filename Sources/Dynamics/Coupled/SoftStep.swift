/// The solver's step, after the "soft step" of Box2D v3: the frame is cut into sub-steps, each of which goes
/// over every constraint once to move and once to relax. Sub-steps converge better than iterations do
/// (Macklin et al., "Small Steps in Physics Simulation", 2019).
///
/// Forces act in two halves, before a move and after it, so that a frame ends with velocities of the same
/// moment as its positions, and free flight and single springs are exact. Weight that rests on something
/// acts before the move, in one piece, so that all of the impulses that carry it go on to the next sub-step:
/// towers fall otherwise.
extension CoupledWorld {
  /// Advances all that moves by this many seconds.
  ///
  /// First the frame is prepared:
  /// 1. `findContacts` (`BroadPhase`, `Manifold`, `Contact`): which bodies are near each other, where they touch,
  ///    and who wakes.
  /// 2. `prepareAttachments` (`SpringGains`, `SpringGroups`): which springs and rods pull, and how hard.
  ///
  /// Then each sub-step goes this way:
  /// 1. `bounce` (`ContactSolver+Bounce`): blows are returned, or stopped.
  /// 2. `pull(.early)` (`SpringStep`, with `Attachment+Spring` and `Attachment+Anchored`) and `accelerate`
  ///    (`RigidBodies+Frame`): half of the forces change the velocities.
  /// 3. `warmStart` and `solve` (`ContactSolver` for contacts, `Attachment` for rods): the velocities change so that
  ///    nothing gets into anything else, beginning with the impulses of the sub-step before.
  /// 4. `move` (`RigidBodies+Frame`) and `follow` (`ContactSolver+Follow`): bodies and contacts go on.
  /// 5. `pull(.late)` and `accelerate`: the other half of the forces. Springs then take back what they gave too much
  ///    (`EnergyAccount`; `SpringGroups` and `StepBack` for those that share bodies). Steps 2 and 3 book for them.
  /// 6. `solve` again, which undoes no overlap: what pushed bodies apart leaves no velocity behind.
  ///
  /// At the end:
  /// 1. `easeApart` (`EaseApart`): bodies that overlap deeply are moved apart, by their places only.
  /// 2. `letSleep` (`Islands`): what has been still for long enough falls asleep.
  /// - Returns: Whether all are at rest now.
  mutating func step(by timestep: Double, subStepCount: Int) -> Bool {
    guard timestep > 0 else { return isResting }
    bodies.beginFrame()
    guard bodies.awake.count > 0 else { return true }
    findContacts(timestep)
    let step = timestep / Double(subStepCount)
    let soft = ContactSoftness(step: step)
    let rods = Softness.rods(step: step)
    prepareAttachments(step)
    for subStep in 0..<subStepCount {
      bounce(step)
      pull(.early, placesChanged: subStep == 0)
      bodies.accelerate(.early, step: step)
      noteVelocities()
      warmStart(scale: subStep == 0 ? step / lastStep : 1)
      solve(rods, soft, undoesOverlap: true)
      bookWhatStopped()

      bodies.move(for: step)
      let motions = bodies.motions.base
      for index in 0..<pressing.count { contact(index).follow(motions, step) }

      pull(.late, placesChanged: true)
      bodies.accelerate(.late, step: step)
      for index in 0..<self.rods.count { rod(index).warmStartAgain(bodies) }
      solve(rods, soft, undoesOverlap: false)
    }
    easeApart(timestep)
    lastStep = step
    return letSleep(timestep)
  }

  @inline(__always)
  private func rod(_ index: Int) -> UnsafeMutablePointer<Attachment> {
    attachments.base + Int(self.rods[index])
  }

  @inline(__always)
  func contact(_ index: Int) -> UnsafeMutablePointer<Contact> {
    contacts.base + Int(pressing[index])
  }

  private func warmStart(scale: Double) {
    for index in 0..<rods.count { rod(index).warmStart(bodies, scale: scale) }
    let motions = bodies.motions.base
    for index in 0..<pressing.count { contact(index).warmStart(motions, scale: scale) }
  }

  private func solve(_ rodSoftness: Softness, _ softness: ContactSoftness, undoesOverlap: Bool) {
    for index in 0..<rods.count { rod(index).solve(bodies, rodSoftness, pullsBack: undoesOverlap) }
    let motions = bodies.motions.base
    for index in 0..<pressing.count {
      contact(index).solve(motions, softness, pushesApart: undoesOverlap)
    }
  }

  /// Blows, one pair after the other, as they happen in a row of balls: forth and back through the contacts
  /// until nobody hits anybody. What goes on pressing is left to `solve`, which begins with what it did in the
  /// sub-step before: a blow given twice would throw bodies apart.
  private mutating func bounce(_ step: Double) {
    guard pressing.count > 0 else { return }
    let motions = bodies.motions.base
    lastHits.fill(bodies.count, with: 0)
    let mostSweeps = 12
    // A range of Int32 would allocate without optimisation.
    for number in 1..<mostSweeps + 1 {
      let sweep = Int32(number)
      var hit = false
      for index in 0..<pressing.count {
        let place = number.isMultiple(of: 2) ? pressing.count - 1 - index : index
        let contact = contacts.base + Int(pressing[place])
        let (a, b) = (contact.pointee.a, contact.pointee.b)
        if sweep == 1, !contact.pointee.isClosing, contact.pointee.elasticity == 0 { continue }
        // Nothing has changed since the sweep before found that these do not meet.
        if sweep > 1, lastHits[a] < sweep - 1, lastHits[b] < sweep - 1 { continue }
        guard contact.bounce(motions, step: step) else { continue }
        (lastHits[a], lastHits[b]) = (sweep, sweep)
        hit = true
      }
      guard hit else { return }
    }
  }
}
