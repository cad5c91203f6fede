import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// Items of 12 to 30 points with a friction of 0.2 that fall into a container. At intervals they are thrown up again,
/// because sleeping items would cost nothing.
public enum Heap {
  /// The kinds of items. The first is the reference strategy, with which reports compare the others.
  public enum Strategy: String, CaseIterable, Sendable {
    case boxes, discs, both

    func isRound(_ random: inout SplitMix64) -> Bool {
      switch self {
      case .boxes: false
      case .discs: true
      case .both: random.next().isMultiple(of: 2)
      }
    }
  }

  public static let sides = 12.0...30.0
  public static let properties = ItemProperties(elasticity: 0.2, friction: 0.2)
  /// The number of frames between two throws, enough for a heap of a thousand items to land.
  static let throwInterval = 120
  /// The number of frames until the lowest items have landed.
  static let firstImpact = 30
  /// The maximum speed of a throw, points per second.
  static let throwSpeed = 800.0

  public final class Item: DynamicItem {
    public var center: Point
    public let size: Size
    public var angle: Double
    public let collisionBoundsType: CollisionBoundsType

    init(_ center: Point, _ size: Size, angle: Double, isRound: Bool) {
      (self.center, self.size, self.angle) = (center, size, angle)
      collisionBoundsType = isRound ? .ellipse : .rectangle
    }
  }

  /// Returns items in rows above the floor, and the width of the container, points. The floor is at y = 0.
  public static func items(_ strategy: Strategy, count: Int, seed: UInt64) -> (items: [Item], width: Double) {
    var random = SplitMix64(seed: seed)
    let pitch = 1.45 * sides.upperBound
    let columns = Int(Double(count).squareRoot().rounded(.up))
    let items = (0..<count).map { index in
      let isRound = strategy.isRound(&random)
      let width = random.uniform(in: sides)
      let height = isRound ? width : random.uniform(in: sides)
      let place = Point(
        x: pitch * (Double(index % columns) + 0.5) + random.uniform(in: -1...1),
        y: -pitch * (Double(index / columns) + 0.5))
      return Item(
        place, Size(width: width, height: height), angle: isRound ? 0 : random.uniform(in: -0.7...0.7), isRound: isRound
      )
    }
    return (items, pitch * Double(columns))
  }

  static func setUp(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let (items, width) = items(strategy, count: context.size, seed: context.seed)
    let animator = DynamicAnimator()
    let behavior = DynamicItemBehavior(items: items, properties: properties)
    let collision = CollisionBehavior(items: items)
    try collision.setReferenceBounds(Rect(x: 0, y: -1e5, width: width, height: 1e5))
    for behavior in [behavior, collision, GravityBehavior(items: items)] as [DynamicBehavior] {
      try animator.addBehavior(behavior)
    }
    var random = SplitMix64(seed: context.seed &+ 1)
    return { frame, timer in
      if frame.index.isMultiple(of: throwInterval), frame.index > 0 {
        timer.measure(Phase("throw")) { throwUp(items, behavior, &random) }
      }
      timer.measure(.solve) { animator.step(by: frame.timestep) }
      timer.endFrame()
      timer.record(.activeItems, animator.awakeBodyCount)
      timer.record(Counter("contacts"), animator.contactCount)
      var checksum = Checksum()
      for (index, item) in items.enumerated() {
        checksum.combine(whole: item.center.x.bitPattern)
        checksum.combine(whole: item.center.y.bitPattern)
        checksum.combine(whole: item.angle.bitPattern)
        if timer.isObserving { timer.observe(item: index, x: item.center.x, y: item.center.y) }
      }
      return checksum.value
    }
  }

  private static func throwUp(_ items: [Item], _ behavior: DynamicItemBehavior, _ random: inout SplitMix64) {
    for item in items {
      let velocity = Vector(dx: random.uniform(in: -100...100), dy: -random.uniform(in: throwSpeed / 2...throwSpeed))
      do { try behavior.addLinearVelocity(velocity, for: item) } catch { fatalError("\(error)") }
    }
  }
}
