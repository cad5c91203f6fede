import Dynamics
import Foundation

/// A force field. Its units are those of `UIPushBehavior`: a square of 100×100 points with a density of 1 has a mass of
/// 1, and 100 points are a length of 1.
///
/// Forces are as in UIKit, except that noise is of another kind. The strength at a distance is `strength`, multiplied
/// by the distance to the power of `-falloff`.
open class UIFieldBehavior: UIGroupBehavior {
  private enum Kind {
    case drag, vortex, radialGravity, linearGravity, velocity, noise, turbulence, spring, electric, magnetic
    case custom((UIFieldBehavior, CGPoint, CGVector, CGFloat, CGFloat, TimeInterval) -> CGVector)
  }

  private final let kind: Kind
  private final var engine: ForceBehavior? { group as? ForceBehavior }

  private init(
    _ kind: Kind, falloff: CGFloat = 0, position: CGPoint = .zero, direction: CGVector = .zero, smoothness: CGFloat = 0,
    animationSpeed: CGFloat = 0
  ) {
    (self.kind, self.falloff, self.position, self.direction) = (kind, falloff, position, direction)
    (self.smoothness, self.animationSpeed) = (smoothness, animationSpeed)
    super.init(members: [])
  }

  // MARK: Kinds

  /// Slows items relative to a medium that moves with the velocity `direction`, in units of 100 points per second. The
  /// force is the strength times the square of the speed relative to the medium, and points against this relative
  /// motion.
  open class func dragField() -> UIFieldBehavior { UIFieldBehavior(.drag) }

  /// Accelerates items around the position, clockwise on the screen, by the strength divided by the square of the mass.
  open class func vortexField() -> UIFieldBehavior { UIFieldBehavior(.vortex) }

  /// Accelerates items toward the position. The falloff is 2 by default.
  open class func radialGravityField(position: CGPoint) -> UIFieldBehavior {
    UIFieldBehavior(.radialGravity, falloff: 2, position: position)
  }

  /// Accelerates items in a direction. A direction with a length of 1 accelerates by 100 points per second².
  open class func linearGravityField(direction: CGVector) -> UIFieldBehavior {
    UIFieldBehavior(.linearGravity, direction: direction)
  }

  /// Gives items a velocity: `direction`, in units of 100 points per second. The strength has no effect.
  open class func velocityField(direction: CGVector) -> UIFieldBehavior {
    UIFieldBehavior(.velocity, direction: direction)
  }

  /// Pushes items by smooth noise that is the same in every run. The speed 0 keeps the noise constant in time.
  open class func noiseField(smoothness: CGFloat, animationSpeed speed: CGFloat) -> UIFieldBehavior {
    UIFieldBehavior(.noise, smoothness: smoothness, animationSpeed: speed)
  }

  /// Pushes items like a noise field, but in proportion to their mass and to the square of their speed. For a mass of 1
  /// at 100 points per second, the two kinds of field are equally strong.
  open class func turbulenceField(smoothness: CGFloat, animationSpeed speed: CGFloat) -> UIFieldBehavior {
    UIFieldBehavior(.turbulence, smoothness: smoothness, animationSpeed: speed)
  }

  /// Pulls items toward the position. The force is the strength times the distance, because the falloff is -1 by
  /// default.
  open class func springField() -> UIFieldBehavior { UIFieldBehavior(.spring, falloff: -1) }

  /// Pushes items of a positive charge away from the position: the force is the strength times the charge. The falloff
  /// is 1 by default.
  open class func electricField() -> UIFieldBehavior { UIFieldBehavior(.electric, falloff: 1) }

  /// Changes the direction of moving charged items. The force is the strength times the velocity, whatever the charge,
  /// and points to the left of the velocity. The falloff is 1 by default.
  open class func magneticField() -> UIFieldBehavior { UIFieldBehavior(.magnetic, falloff: 1) }

  /// Returns a field whose force is computed by `block`. A strength of 0 turns the field off.
  /// - Parameter block: Receives the field, the place of an item relative to the field's position (points), the
  ///   velocity (in units of 100 points per second), the mass and the charge of the item, and the time that the
  ///   animator has run (seconds).
  open class func field(
    evaluationBlock block: @escaping (UIFieldBehavior, CGPoint, CGVector, CGFloat, CGFloat, TimeInterval) -> CGVector
  ) -> UIFieldBehavior { UIFieldBehavior(.custom(block)) }

  // MARK: Values

  /// The center of the field, points.
  open var position: CGPoint { didSet { changed() } }
  /// The region around the position where the field acts. The field acts on an item if the item's center is inside.
  open var region = UIRegion.infinite { didSet { changed() } }
  open var strength: CGFloat = 1 { didSet { changed() } }
  /// The power of the distance by which the strength is divided: 0 for a constant strength, 1 for strength/distance, 2
  /// for strength/distance². A distance of 100 points counts as 1.
  open var falloff: CGFloat { didSet { changed() } }
  /// The distance from `position` within which the strength is constant, points.
  open var minimumRadius: CGFloat = 100 / 32_768 { didSet { changed() } }
  open var direction: CGVector { didSet { changed() } }
  /// How smooth the noise is: from 0 (it changes every 10 points) to 1 (it changes every 200 points).
  open var smoothness: CGFloat { didSet { changed() } }
  /// How often the noise changes per second.
  open var animationSpeed: CGFloat { didSet { changed() } }

  /// - Parameter distance: The distance from the field's position, points.
  private func strength(at distance: Double) -> Double {
    guard falloff != 0 else { return Double(strength) }
    return Double(strength) * pow(max(distance, Double(minimumRadius), 1e-9) / Self.metre, -Double(falloff))
  }

  /// The distance that counts as 1 in the formulas, points.
  private static let metre = 100.0
  /// The distance below which radial gravity does nothing, points.
  private static let core = 0.316

  // MARK: Running

  /// Sets forces that are constant during the step. The forces are computed for the position half-way through the step,
  /// so that the step conserves energy ("position Verlet"). The formulas of drag, velocity and magnetic fields assume
  /// that no other force acts.
  override final func willStep(by timestep: Double, _ animator: UIDynamicAnimator) {
    guard let engine, timestep > 0 else { return }
    for case let item as EngineItem in engine.items {
      // The block of a custom field may have removed the behavior.
      guard dynamicAnimator === animator, let mass = try? engine.mass(of: item) / (Self.metre * Self.metre),
        let velocity = try? engine.linearVelocity(for: item)
      else { continue }
      let acceleration = mass.isFinite ? acceleration(of: item, velocity, mass, timestep, animator) : .zero
      try? engine.setAcceleration(acceleration, of: item)
    }
  }

  /// Returns the acceleration that the field gives an item, points per second².
  private func acceleration(
    of item: EngineItem, _ velocity: Vector, _ mass: Double, _ timestep: Double, _ animator: UIDynamicAnimator
  ) -> Vector {
    let center = item.center
    let middle = Vector(dx: center.x, dy: center.y) + velocity.times(timestep / 2)
    let way = middle - Vector(position)
    guard region.contains(CGPoint(x: way.dx, y: way.dy)) else { return .zero }
    let distance = way.squared.squareRoot()
    let out = distance > 0 ? way.times(1 / distance) : .zero
    let strength = strength(at: distance)
    switch kind {
    case .drag:
      let motion = velocity - Vector(direction).times(Self.metre)
      let rate = strength / mass * motion.squared.squareRoot() / Self.metre
      return motion.times(rate > 0 ? -rate / (1 + rate * timestep) : -rate)
    case .vortex: return Vector(dx: -out.dy, dy: out.dx).times(strength * Self.metre / (mass * mass))
    case .radialGravity: return distance < Self.core ? .zero : out.times(-strength * Self.metre)
    case .linearGravity: return Vector(direction).times(strength * Self.metre)
    case .velocity: return (Vector(direction).times(Self.metre) - velocity).times(1 / timestep)
    case .noise: return noise(at: middle, animator.elapsedTime).times(strength * Self.metre / mass)
    case .turbulence: return noise(at: middle, animator.elapsedTime).times(strength * velocity.squared / Self.metre)
    case .spring: return out.times(-strength * Self.metre / mass)
    case .electric: return out.times(strength * charge(of: item) * Self.metre / mass)
    case .magnetic:
      guard charge(of: item) != 0 else { return .zero }
      return (velocity.turned(-strength / mass * timestep) - velocity).times(1 / timestep)
    case .custom(let block):
      guard self.strength != 0 else { return .zero }
      let force = block(
        self, CGPoint(x: way.dx, y: way.dy), CGVector(dx: velocity.dx / Self.metre, dy: velocity.dy / Self.metre),
        CGFloat(mass), CGFloat(charge(of: item)), animator.elapsedTime + timestep)
      return Vector(force).times(Self.metre / mass)
    }
  }

  private func charge(of item: EngineItem) -> Double { engine?.charge(of: item) ?? 0 }

  /// Returns a vector of numbers between -1 and 1, interpolated from random values on a lattice in space and time.
  private func noise(at place: Vector, _ time: TimeInterval) -> Vector {
    let pitch = 10 + 190 * Double(min(max(smoothness, 0), 1))
    let place = (place.dx / pitch, place.dy / pitch, time * Double(animationSpeed))
    return Vector(dx: Self.noise(place, seed: 1), dy: Self.noise(place, seed: 2))
  }

  private static func noise(_ place: (Double, Double, Double), seed: Int) -> Double {
    let base = (place.0.rounded(.down), place.1.rounded(.down), place.2.rounded(.down))
    func weight(_ share: Double, _ corner: Int) -> Double {
      let smooth = share * share * (3 - 2 * share)
      return corner == 1 ? smooth : 1 - smooth
    }
    var sum = 0.0
    for corner in 0..<8 {
      let (x, y, t) = (corner & 1, corner >> 1 & 1, corner >> 2)
      sum +=
        weight(place.0 - base.0, x) * weight(place.1 - base.1, y) * weight(place.2 - base.2, t)
        * random(base.0 + Double(x), base.1 + Double(y), base.2 + Double(t), seed)
    }
    return sum
  }

  /// Returns a pseudorandom number between -1 and 1, which is a hash of the arguments (Steele et al., "Fast Splittable
  /// Pseudorandom Number Generators", 2014).
  private static func random(_ x: Double, _ y: Double, _ t: Double, _ seed: Int) -> Double {
    var hash = UInt64(seed)
    for number in [x, y, t] {
      hash = (hash ^ number.bitPattern) &* 0x9E37_79B9_7F4A_7C15
      hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
      hash ^= hash >> 31
    }
    return 2 * Double(hash >> 11) / Double(1 << 53) - 1
  }

  override final func makeGroup(in animator: UIDynamicAnimator) -> GroupBehavior { ForceBehavior() }
}
