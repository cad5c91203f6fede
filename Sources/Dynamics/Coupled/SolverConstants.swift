/// The constants of the coupled solver. Those of Box2D that are lengths are in metres, of which each has 150 points, as in
/// UIKit Dynamics.
enum SolverConstants {
  /// How stiff contacts and rods are, Hz. Box2D v3 takes 30 for contacts; items of 20 points are a fifth of its metre,
  /// and forty rows of them would sink into each other by more than a point. Implicit, so that any is stable.
  static var contactFrequency: Double { 240 }
  /// Ratio; far above critical, so that what is pushed apart does not bounce (Box2D v3: `contactDampingRatio`, 10).
  static var contactDampingRatio: Double { 10 }
  /// The fastest that an overlap is undone, points per second (Box2D v3: `contactSpeed`, 3 m/s, by which items of 20
  /// points would be thrown apart visibly).
  static var contactSpeed: Double { 200 }
  /// Overlap that is left as it is, points (Box2D: `b2_linearSlop`, 0.005 m, which is 0.75 points).
  static var linearSlop: Double { 0.5 }
  /// Contacts are found this far ahead even of bodies at rest, points (Box2D v3: `B2_SPECULATIVE_DISTANCE`, 0.02 m).
  static var speculativeDistance: Double { 3 }
  /// Passes that relax in each sub-step (Box2D v3: `RELAX_ITERATIONS`, 1). With one, a thousand items that land throw
  /// each other up again by several percent of their energy.
  static var relaxIterations: Int { 3 }
  /// Slower approaches are not returned, in frames of the acceleration that presses the bodies together; without any,
  /// all are (Box2D: `restitutionThreshold`, 1 m/s, which is nine frames at 1,000 points/s²).
  static var restitutionThreshold: Double { 2 }
  /// Sweeps in which blows are returned in a frame, until there is none left: one for each disc of a row that a blow
  /// passes along against the order of the contacts, or that closes up behind it (Box2D: 1).
  static var restitutionIterations: Int { 32 }
  /// A body below this speed may sleep, points per second (Box2D 2.4: `b2_linearSleepTolerance`, 0.01 m/s).
  static var sleepThreshold: Double { 1.5 }
  /// The same of what springs pull without a weight, as it creeps to its place.
  static var jointSleepThreshold: Double { 0.02 }
  /// How long an island must be slow before it sleeps, seconds (Box2D: `B2_TIME_TO_SLEEP`, 0.5).
  static var timeToSleep: Double { 0.5 }
  /// Of what hangs by its weight on a damped spring, which damps nothing across itself, 1/seconds (SpriteKit:
  /// `linearDamping`, 0.1, for all bodies).
  static var linearDamping: Double { 0.1 }
}
