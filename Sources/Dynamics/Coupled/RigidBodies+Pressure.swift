/// What presses against bodies, and how that makes a heap come to rest.
extension RigidBodies {
  /// Begins to look anew at what presses against what.
  func forgetPressure(_ timestep: Double) {
    let kept = max(0, 1 - timestep / Self.jamMemory)
    for index in 0..<awake.count {
      let body = traits.base + Int(awake[index])
      body.pointee.isCarried = false
      body.pointee.isJammed = false
      body.pointee.heldTime -= timestep
      body.pointee.pressure = 0
      body.pointee.load *= kept
    }
  }

  /// Notes that another presses against the body. What hangs on something holds nothing in place.
  func press(_ slot: Int32, by other: Int32, impulse: Double) {
    traits[slot].pressure += impulse
    if traits[slot].isCarried, traits[other].attachmentCount == 0 { traits[slot].heldTime = Self.jamMemory }
    traits[slot].isCarried = true
  }

  /// Once all are known that press.
  /// - Parameter step: Seconds that their impulses are for.
  func noteLoads(_ step: Double) {
    for index in 0..<awake.count {
      let slot = Int(awake[index])
      let body = traits.base + slot
      guard body.pointee.pressure > 0, body.pointee.pull > 0 else { continue }
      body.pointee.load = max(
        body.pointee.load, body.pointee.pressure * motions[slot].inverseMass / (body.pointee.pull * step))
    }
  }

  /// Seconds.
  private static var jamMemory: Double { 1.0 / 6 }

  /// Makes a body hard to turn that others press against with many times its weight. What one sweep of the solver
  /// leaves undone of such impulses would turn a small box between large ones right round within a frame, to and
  /// fro for ever. Engines do the like at joints: "inertia conditioning" of Unreal. It keeps its energy when it
  /// becomes harder to turn, and its spin when that is over.
  func brace(_ slot: Int32) {
    let body = traits[slot]
    let isBraced = body.isHeld && !body.isCircle && body.attachmentCount == 0
    let inverseInertia = body.inverseInertia / (isBraced ? 1 + body.load / Self.bracingLoad : 1)
    if inverseInertia < motions[slot].inverseInertia {
      motions[slot].spin *= (inverseInertia / motions[slot].inverseInertia).squareRoot()
    }
    motions[slot].inverseInertia = inverseInertia
  }

  /// Weights of its own that make a body twice as hard to turn.
  private static var bracingLoad: Double { 100 }

  /// Slows a body that trembles, all but imperceptibly. Nothing real is so smooth that it would rock between its
  /// neighbours for ever, as a smooth box does on two corners, and a row that swings on its springs, side by side,
  /// too slowly for blows. What is fast is not slowed, nor what nothing pulls, nor what lies on one thing alone, as
  /// it may slide.
  ///
  /// What many others lie on is slowed more, and where it is faster, too: as deep in a heap as impulses hardly get
  /// in one sweep of the solver, a tall pile would swing as a whole for minutes. So is what has trembled in place for
  /// seconds, more and more: of a thousand smooth bodies some would keep each other trembling for ever.
  func settle(_ slot: Int32, _ step: Double) {
    let body = traits[slot]
    guard body.acceleration != .zero else { return }
    guard body.attachmentCount > 0 || body.isHeld else { return resistRolling(slot, step) }
    let motion = motions[slot]
    let speed = max(abs(motion.vx), abs(motion.vy)) + abs(motion.spin) * body.extent
    let load = body.isHeld ? body.load : 0
    // The faster, the less.
    let share = 1 - speed / max(ContactSoftness.slowestBlowOnSprings, Self.fastestSettling * load)
    guard share > 0 else { return }
    let longer = min(max(body.trembleTime - Self.trembleLimit, 0), Self.longestTrembling)
    let rate = (Self.settlingRate + Self.settlingRateByLoad * load) * (1 + longer)
    let kept = 1 / (1 + rate * share * step)
    motions[slot].vx *= kept
    motions[slot].vy *= kept
    motions[slot].spin *= kept
  }

  /// Slows what rolls or rocks slowly on one thing, a box on a disc or a disc in a hollow: nothing real does so for
  /// ever.
  private func resistRolling(_ slot: Int32, _ step: Double) {
    let body = traits[slot]
    guard body.properties.friction > 0 else { return }
    let share = 1 - abs(motions[slot].spin) * body.extent / Self.fastestSlowedRolling
    guard share > 0 else { return }
    motions[slot].spin /= 1 + Self.rollingResistance * share * step
  }

  /// Points per second at the rim.
  private static var fastestSlowedRolling: Double { 20 }
  /// Of what hardly turns, 1/seconds.
  private static var rollingResistance: Double { 0.5 }
  /// Of what hardly moves, 1/seconds.
  private static var settlingRate: Double { 2 }
  /// The same for each weight of its own that presses against a body.
  private static var settlingRateByLoad: Double { 0.4 }
  /// Seconds of trembling after which each further one adds as much again, and how many count.
  private static var trembleLimit: Double { 5 }
  private static var longestTrembling: Double { 20 }
  /// Points per second for each weight of its own that presses against a body; what is as fast is not slowed.
  private static var fastestSettling: Double { 4 }
}
