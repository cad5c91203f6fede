/// The constants of the rigid-body solver. Box2D's lengths are in meters. A meter is 150 points, as in UIKit Dynamics.
enum SolverConstants {
  /// The number of sub-steps is multiplied by this if any item with weight is unattached. Such items may form heaps. A
  /// box that falls into a heap turns fast. With fewer sub-steps, its corners would be deep in other boxes before the
  /// solver could stop them (Macklin et al., 2019, prefer sub-steps to iterations). The factor does not depend on which
  /// bodies touch, because one heap must not affect another.
  static var looseSubSteps: Int { 3 }
  /// The damping ratio of contacts. It is far above critical, so bodies that are pushed apart do not bounce (Box2D v3:
  /// `contactDampingRatio`, 10).
  static var contactDampingRatio: Double { 10 }
  /// The largest speed at which overlaps are undone, points per second (Box2D v3: `contactSpeed`, 3 m/s). At the speed
  /// of Box2D, items of 20 points would visibly be thrown apart.
  static var contactSpeed: Double { 200 }
  /// The overlap that is not corrected, points (Box2D: `b2_linearSlop`, 0.005 m, which is 0.75 points).
  static var linearSlop: Double { 0.4 }
  /// The largest number of passes over the constraints until they hold (Box2D 2.4: 8 velocity iterations; v3: 1 each to
  /// solve and to relax). In each pass, an impact moves along a row by at least one body. Only frames in which many
  /// bodies hit each other take many passes. After the first pass, only constraints that may no longer hold are solved.
  static var iterations: Int { 256 }
  /// The number of frames that defines the slowest bounce. Bodies do not bounce if they meet at less than the speed
  /// that their acceleration causes in this many frames. Without acceleration all bodies bounce (Box2D:
  /// `restitutionThreshold`, 1 m/s, which is nine frames at 1,000 points/s²).
  static var restitutionThreshold: Double { 2 }
  /// The speed below which a body may sleep, points per second (Box2D 2.4: `b2_linearSleepTolerance`, 0.01 m/s, which
  /// is 1.5; v3: 0.05 m/s, which is 7.5). At 1.5, boxes in a tall shaft sway forever by less than a tenth of a point.
  static var sleepThreshold: Double { 3 }
  /// The speed below which a body may sleep if it is attached to something or has no weight, points per second. It is
  /// lower than `sleepThreshold`, because such a body comes to rest very slowly.
  static var jointSleepThreshold: Double { 0.02 }
  /// How long connected bodies must be slow before they sleep, seconds (Box2D: `B2_TIME_TO_SLEEP`, 0.5).
  static var timeToSleep: Double { 0.5 }
  /// The rate at which slow bodies lose their speed, 1/seconds (SpriteKit: `linearDamping` and `angularDamping`, 0.1,
  /// for all bodies at any speed). It applies to a body whose weight presses it against several others. A body that
  /// hangs by its weight on a damped spring is damped half as much. A body that is pressed against a single other body
  /// only loses spin. At half of this value, a box may rock on a disc forever, because undoing overlaps keeps lifting
  /// the box.
  static var damping: Double { 2 }
  /// The speed at and above which a body is not damped, points per second.
  static var dampingLimit: Double { 50 }
  /// The damping ratio above which a spring loses more energy than the errors of its sub-steps can add.
  static var lightDamping: Double { 0.3 }

  /// The distance in points within which two bodies have a contact even if they do not approach each other. Box2D's
  /// `B2_SPECULATIVE_DISTANCE` is 0.02 m, or 3 points.
  static var speculativeDistance: Double { 5 * linearSlop }
  /// A constraint counts as solved if its error moves no body further than this in a sub-step, points.
  static var tolerance: Double { linearSlop / 30 }
}
