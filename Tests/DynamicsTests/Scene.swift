import Foundation
import Statistics
import Testing

@testable import Dynamics

/// An item that can turn, and can be round.
final class Block: DynamicItem {
  var center: Point
  var size: Size
  var angle = 0.0
  let collisionBoundsType: CollisionBoundsType
  let dynamicItemName: String

  init(_ name: String = "block", at center: Point, size: Size = Size(width: 20, height: 20), isRound: Bool = false) {
    dynamicItemName = name
    self.center = center
    self.size = size
    collisionBoundsType = isRound ? .ellipse : .rectangle
  }
}

/// An animator whose items can fall and collide, with functions that push and measure the items.
struct Scene {
  let animator: DynamicAnimator
  let items: [Block]
  let properties: DynamicItemBehavior
  let collision: CollisionBehavior
  /// Points per second², downwards.
  let gravity: Double

  init(
    _ items: [Block], properties: ItemProperties = ItemProperties(), gravity: Double = 0, collides: Bool = true,
    subStepCount: Int = 4
  ) throws {
    animator = DynamicAnimator(subStepCount: subStepCount)
    self.items = items
    self.gravity = gravity
    self.properties = DynamicItemBehavior(items: items, properties: properties)
    collision = CollisionBehavior(items: collides ? items : [])
    try animator.addBehavior(self.properties)
    try animator.addBehavior(collision)
    if gravity != 0 {
      try animator.addBehavior(GravityBehavior(items: items, gravityDirection: Vector(dx: 0, dy: gravity / 1000)))
    }
  }

  func velocity(_ index: Int) throws -> Vector { try properties.linearVelocity(for: items[index]) }

  func push(_ index: Int, _ dx: Double, _ dy: Double) throws {
    try properties.addLinearVelocity(Vector(dx: dx, dy: dy), for: items[index])
  }

  func mass(_ item: Block) -> Double {
    let side = min(item.size.width, item.size.height)
    let area = item.collisionBoundsType == .ellipse ? .pi / 4 * side * side : item.size.width * item.size.height
    return properties.properties.density * area
  }

  func inertia(_ item: Block) -> Double {
    let (width, height) = (item.size.width, item.size.height)
    let side = min(width, height)
    return mass(item)
      * (item.collisionBoundsType == .ellipse ? side * side / 8 : (width * width + height * height) / 12)
  }

  /// Returns the sum of the kinetic energy, the potential energy, and the energy of springs: ½·m·ω²·stretch². Here m is
  /// the item's mass, or the reduced mass of both items.
  func energy(with springs: [AttachmentBehavior] = []) throws -> Double {
    let motion = try items.reduce(0) { sum, item in
      let v = try properties.linearVelocity(for: item)
      let spin = try properties.angularVelocity(for: item)
      return sum + mass(item) * ((v.dx * v.dx + v.dy * v.dy) / 2 - gravity * item.center.y) + inertia(item) * spin
        * spin / 2
    }
    return try springs.reduce(motion) { sum, spring in
      let item = try #require(spring.item as? Block)
      let stretch = distance(end(of: item, spring.offsetFromCenter), spring.anchorPoint) - spring.length
      let other = (spring.attachedItem as? Block).map { 1 / mass($0) } ?? 0
      return sum + pow(2 * .pi * spring.frequency * stretch, 2) / 2 / (1 / mass(item) + other)
    }
  }

  private func end(of item: Block, _ offset: Vector) -> Point {
    let (c, s) = (cos(item.angle), sin(item.angle))
    return Point(x: item.center.x + c * offset.dx - s * offset.dy, y: item.center.y + s * offset.dx + c * offset.dy)
  }

  /// Returns the angular momentum about the origin.
  func angularMomentum() throws -> Double {
    try items.reduce(0) { sum, item in
      let v = try properties.linearVelocity(for: item)
      return sum + mass(item) * (item.center.x * v.dy - item.center.y * v.dx) + inertia(item)
        * (try properties.angularVelocity(for: item))
    }
  }

  func momentum() throws -> Vector {
    try items.reduce(into: .zero) { sum, item in
      let v = try properties.linearVelocity(for: item)
      sum.dx += mass(item) * v.dx
      sum.dy += mass(item) * v.dy
    }
  }

  /// Steps until all items rest, for at most this many seconds. Returns whether they rest.
  @discardableResult func settle(seconds: Double) -> Bool {
    for _ in 0..<Int(seconds * 60) where animator.isRunning { animator.step(by: 1 / 60) }
    return !animator.isRunning
  }
}

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
}

func distance(_ a: Point, _ b: Point) -> Double { hypot(a.x - b.x, a.y - b.y) }
