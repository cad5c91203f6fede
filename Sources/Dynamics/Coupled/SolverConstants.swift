/// The constants of the coupled solver. Lengths of Box2D are in metres; a metre has 150 points, as in UIKit Dynamics.
enum SolverConstants {
  /// A frame has this many times as many sub-steps if some items hang on nothing. Such items pass on the weight of
  /// whole heaps, and a box that falls into a heap turns so fast that its corners are deep in others before anything
  /// can stop them (Macklin et al., 2019: sub-steps rather than iterations). The number does not depend on what
  /// touches, because what happens in one heap must not change another.
  static var looseSubSteps: Int { 3 }
  /// Damping ratio of contacts: far above critical, so that bodies that are pushed apart do not bounce (Box2D v3:
  /// `contactDampingRatio`, 10).
  static var contactDampingRatio: Double { 10 }
  /// Overlaps are undone no faster than this, points per second (Box2D v3: `contactSpeed`, 3 m/s, by which items of 20
  /// points would be thrown apart visibly).
  static var contactSpeed: Double { 200 }
  /// Overlap that is left as it is, points (Box2D: `b2_linearSlop`, 0.005 m, which is 0.75 points).
  static var linearSlop: Double { 0.4 }
  /// Passes over the constraints, at most, until they hold (Box2D 2.4: 8 velocity iterations; v3: 1 each to solve and
  /// to relax). A blow passes along a row by at least one body a pass. Only the few frames in which many bodies land
  /// take as many passes, and a pass looks only at constraints that do not hold yet.
  static var iterations: Int { 256 }
  /// Bodies that meet more slowly than this do not bounce: the speed that their acceleration against each other gives
  /// them in this many frames. Without acceleration all bounce (Box2D: `restitutionThreshold`, 1 m/s, which is nine
  /// frames at 1,000 points/s²).
  static var restitutionThreshold: Double { 2 }
  /// A body below this speed may sleep, points per second (Box2D 2.4: `b2_linearSleepTolerance`, 0.01 m/s, which is
  /// 1.5; v3: 0.05 m/s, which is 7.5). At 1.5, tall shafts of boxes sway for ever by less than a tenth of a point.
  static var sleepThreshold: Double { 3 }
  /// The speed below which a body may sleep if it hangs on something or has no weight, points per second: such a body
  /// creeps to its place.
  static var jointSleepThreshold: Double { 0.02 }
  /// How long an island must be slow before it sleeps, seconds (Box2D: `B2_TIME_TO_SLEEP`, 0.5).
  static var timeToSleep: Double { 0.5 }
  /// How fast slow bodies lose their speed, 1/seconds (SpriteKit: `linearDamping` and `angularDamping`, 0.1, for all
  /// bodies, however fast). It acts on a body that its weight presses against several others. A body that hangs by its
  /// weight on a damped spring is damped half as much, and one that is pressed against a single other body loses spin
  /// only. At half the value, a box may rock on a disc for ever, because undoing its overlaps lifts it again and again.
  static var damping: Double { 2 }
  /// The speed from which a body is not damped, points per second.
  static var dampingLimit: Double { 50 }
  /// Ratio of a spring's damping above which it loses more than its sub-steps can give.
  static var lightDamping: Double { 0.3 }

  /// Contacts are found this far ahead even of bodies at rest, points (Box2D: `B2_SPECULATIVE_DISTANCE`, 0.02 m, which
  /// is 3).
  static var speculativeDistance: Double { 5 * linearSlop }
  /// Constraints hold if what is left undone moves no body by more than this in a sub-step, points.
  static var tolerance: Double { linearSlop / 30 }
}
