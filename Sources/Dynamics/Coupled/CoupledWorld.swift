/// Rigid bodies, the attachments between them, and where they touch. It does not know what they represent.
struct CoupledWorld: ~Copyable {
  var bodies = RigidBodies()
  var broadPhase = BroadPhase()
  /// In the order of the slots of their bodies.
  var contacts = Buffer<Contact>()
  private var newContacts = Buffer<Contact>()
  /// Indices of the contacts to be solved in this frame.
  private(set) var pressing = Buffer<Int32>()
  /// The same from the ground up, where some must be moved apart; see `easeApart`.
  var upwards = UpwardOrder()
  /// By slot, the sweep of blows in which the body was last hit; see `bounce`.
  var lastHits = Buffer<Int32>()
  /// The bodies that were moved apart in this frame, and by slot, by how much, points, and what it cost.
  var eased = Buffer<Int32>()
  var easedBy = Buffer<Vector>()
  var easingCosts = Buffer<Double>()
  var attachments = Buffer<Attachment>()
  /// The attachments to be solved in this frame: springs by whose length single bodies hang, those that hold
  /// one together with others, those at the corners of bodies, and the indices of other springs that are not
  /// split, of those that are, and of rods.
  private(set) var hangers = Buffer<Hanger>()
  private(set) var springs = Buffer<Int32>()
  private(set) var splitSprings = Buffer<Int32>()
  private(set) var stays = Buffer<Stay>()
  private(set) var corners = Buffer<Corner>()
  private(set) var rods = Buffer<Int32>()
  var springGroups = SpringGroups()
  /// By slot; see `stepBack`.
  var velocitiesBefore = Buffer<Motion>()
  /// Sub-steps that the gains of springs are for; 0 when they must be recomputed.
  var gainsStep = 0.0
  /// Seconds that the impulses of the last sub-step are for.
  var lastStep = 1.0
  private var islands = Islands()

  init() {}

  var isResting: Bool {
    for slot in 0..<bodies.count where bodies.traits[slot].kind == .moving && bodies.traits[slot].isAwake {
      return false
    }
    return true
  }
}

// MARK: - The frame

extension CoupledWorld {
  /// Which bodies touch, and whom that wakes.
  mutating func findContacts(_ timestep: Double) {
    if broadPhase.update(bodies, timestep: timestep) { mergeContacts() }
    for index in 0..<contacts.count {
      let (a, b) = (contacts[index].a, contacts[index].b)
      if isActive(a) || isActive(b) { (contacts.base + index).pointee.update(bodies, timestep: timestep) }
    }
    if wakeWhoIsHit(timestep) { bodies.beginFrame() }
    pressing.removeAll()
    bodies.forgetPressure(timestep)
    for index in 0..<contacts.count where contacts[index].count > 0 {
      let (a, b) = (contacts[index].a, contacts[index].b)
      guard isActive(a) ? isActive(b) || isFixed(b) : isFixed(a) && isActive(b) else { continue }
      pressing.append(Int32(index))
      if contacts[index].isPressed {
        let impulse = contacts[index].first.normalImpulse + contacts[index].second.normalImpulse
        bodies.press(a, by: b, impulse: impulse)
        bodies.press(b, by: a, impulse: impulse)
      }
    }
    bodies.noteLoads(lastStep)
  }

  private func isActive(_ slot: Int32) -> Bool {
    bodies.traits[slot].kind == .moving && bodies.traits[slot].isAwake
  }

  private func isFixed(_ slot: Int32) -> Bool { bodies.traits[slot].kind == .fixed }

  /// Keeps what is known of pairs that are still near.
  private mutating func mergeContacts() {
    let room = broadPhase.reserve
    newContacts.reserve(room)
    contacts.reserve(room)
    pressing.reserve(room)
    upwards.reserve(room)
    newContacts.removeAll()
    var old = 0
    for index in 0..<broadPhase.pairs.count {
      let pair = broadPhase.pairs[index]
      while old < contacts.count, (contacts[old].a, contacts[old].b) < (pair.a, pair.b) { old += 1 }
      if old < contacts.count, contacts[old].a == pair.a, contacts[old].b == pair.b {
        newContacts.append(contacts[old])
      } else {
        newContacts.append(Contact(pair))
      }
    }
    swap(&contacts, &newContacts)
  }

  /// A body that is hit wakes, and so do all that are next to it, as the blow goes on through them.
  /// - Returns: Whether anybody woke.
  private func wakeWhoIsHit(_ timestep: Double) -> Bool {
    var anyWoke = false
    var wokeNow = true
    while wokeNow {
      wokeNow = false
      for index in 0..<contacts.count {
        let contact = contacts.base + index
        let (a, b) = (contact.pointee.a, contact.pointee.b)
        guard contact.pointee.count > 0, isActive(a) != isActive(b), !isFixed(a), !isFixed(b) else {
          continue
        }
        let awake = bodies.traits[isActive(a) ? a : b]
        // What something carries has a velocity even where it stays in place: that of its weight.
        let hits =
          awake.stillTime == 0
          ? contact.pointee.closes(within: timestep, bodies) : contact.pointee.separation <= 0
        guard awake.justWoke || hits else { continue }
        bodies.wake(isActive(a) ? b : a)
        (anyWoke, wokeNow) = (true, true)
      }
    }
    return anyWoke
  }

  /// Which attachments pull in this frame, and how their springs do.
  mutating func prepareAttachments(_ step: Double) {
    hangers.removeAll()
    springs.removeAll()
    splitSprings.removeAll()
    stays.removeAll()
    corners.removeAll()
    rods.removeAll()
    if gainsStep != step { prepareGains(step) }
    for index in 0..<attachments.count {
      let (a, b) = (attachments[index].a, attachments[index].b)
      // Bodies that are attached to each other sleep and wake together.
      guard isActive(a) || isActive(b) else { continue }
      if attachments[index].isRigid {
        rods.append(Int32(index))
      } else if attachments[index].isStay {
        stays.append(Stay(attachments[index], bodies.motions[a]))
      } else if attachments[index].isCorner {
        corners.append(Corner(attachments[index], bodies.traits[a].acceleration))
      } else if attachments[index].isHanger {
        hangers.append(Hanger(attachments[index], bodies.traits[a].acceleration))
      } else if attachments[index].gains.isSplit {
        splitSprings.append(Int32(index))
      } else {
        springs.append(Int32(index))
      }
    }
  }

  private mutating func prepareGains(_ step: Double) {
    for index in 0..<attachments.count where !attachments[index].isRigid {
      let (a, b) = (attachments[index].a, attachments[index].b)
      let others = isFixed(b) ? 0 : bodies.traits[b].attachmentCount - 1
      attachments[index].gains = SpringGains(
        attachments[index], bodies.motions[a], bodies.motions[b], step: step,
        count: bodies.traits[a].attachmentCount + others)
    }
    springGroups.rebuild(attachments, bodies)
    if springGroups.groups.count > 0 { velocitiesBefore.reserve(bodies.count) }
    gainsStep = step
  }

  /// Lets islands that have been still for long enough fall asleep.
  /// - Returns: Whether all sleep now.
  mutating func letSleep(_ timestep: Double) -> Bool {
    islands.begin(bodies, timestep)
    for index in 0..<attachments.count where isActive(attachments[index].a) {
      islands.join(attachments[index].a, attachments[index].b, bodies)
    }
    for index in 0..<pressing.count {
      let contact = contacts.base + Int(pressing[index])
      if contact.pointee.isPressed {
        islands.join(contact.pointee.a, contact.pointee.b, bodies)
      }
    }
    return islands.letSleep(bodies)
  }
}
