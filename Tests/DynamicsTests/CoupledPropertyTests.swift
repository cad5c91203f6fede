import CAllocationCounter
import Foundation
import Statistics
import Testing

@testable import Dynamics

/// Tests properties that every scene must have, on random scenes.
@Suite struct CoupledPropertyTests {
  /// Creates a scene of random items on a grid, without overlaps. All items are pushed, and some hang from springs.
  private func randomScene(seed: UInt64, gravity: Double, elasticity: Double, isDamped: Bool = true, offset: Double = 0)
    throws -> (scene: Scene, springs: [AttachmentBehavior])
  {
    var random = SplitMix64(seed: seed)
    let items = (0..<24).map { index in
      let place = Point(x: offset + 60 * Double(index % 6), y: 60 * Double(index / 6))
      let block = Block(
        at: place, size: Size(width: random.number(8...38), height: random.number(8...38)),
        isRound: random.next() % 3 == 0)
      block.angle = block.collisionBoundsType == .ellipse ? 0 : random.number(-1...1)
      return block
    }
    let scene = try Scene(
      items,
      properties: ItemProperties(
        elasticity: elasticity, friction: random.number(0...0.8), resistance: random.number(0...0.2)), gravity: gravity)
    try scene.collision.setReferenceBounds(Rect(x: offset - 60, y: -60, width: 420, height: 420))
    var springs: [AttachmentBehavior] = []
    for (index, item) in items.enumerated() {
      try scene.push(index, random.number(-300...300), random.number(-300...300))
      guard random.next() % 3 == 0 else { continue }
      let length = random.number(0...100).rounded()
      springs.append(
        AttachmentBehavior(
          item: item, attachedToAnchor: Point(x: offset + random.number(0...300), y: random.number(0...200)),
          length: length, damping: isDamped ? random.number(0.05...1) : 0, frequency: random.number(0.3...4)))
    }
    for spring in springs { try scene.animator.addBehavior(spring) }
    return (scene, springs)
  }

  /// Pulls an item to (150, 100) and keeps it upright, with a spring at each of four points around its center, like
  /// four fingers.
  private func held(_ item: Block) throws -> DynamicBehavior {
    let composite = DynamicBehavior()
    for (dx, dy) in [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20)] {
      try composite.addChildBehavior(
        AttachmentBehavior(
          item: item, offsetFromCenter: Vector(dx: dx, dy: dy), attachedToAnchor: Point(x: 150 + dx, y: 100 + dy),
          length: 0, damping: 0.6, frequency: 8))
    }
    return composite
  }

  static let seeds = (0..<(HeapTests.isDebug ? 4 : 20)).map { UInt64($0) }

  @Test(arguments: seeds, [0.0, 0.5, 1]) func energyNeverGrowsAndNothingBecomesNaN(seed: UInt64, elasticity: Double)
    throws
  {
    let gravity = seed.isMultiple(of: 2) ? 1000.0 : 0
    let isDamped = seed % 4 < 2
    let (scene, springs) = try randomScene(seed: seed, gravity: gravity, elasticity: elasticity, isDamped: isDamped)
    // The potential energy of the items if all of them lay on the floor. It is subtracted from the energies below.
    let floor = -gravity * 360 * scene.items.reduce(0) { $0 + scene.mass($1) }
    let start = try scene.energy(with: springs) - floor
    var stepCount = 0
    for frame in 0..<600 where scene.animator.isRunning {
      scene.animator.step(by: 1 / 60)
      stepCount += 1
      let now = try scene.energy(with: springs) - floor
      #expect(now <= start * (1 + 1e-9), "frame \(frame) \(now / start - 1)")
      // Undamped springs accelerate items to 7,000 points per second. Such items can be inside a wall for one frame.
      let farthest = isDamped ? 230.0 : 270
      let lost = scene.items.first {
        !($0.angle.isFinite && abs($0.center.x - 150) < farthest && abs($0.center.y - 150) < farthest)
      }
      #expect(lost == nil, "\(String(describing: lost?.center))")
    }
    #expect(stepCount > 60)
  }

  @Test(arguments: seeds.prefix(4)) func aSceneRunsTwiceAlike(seed: UInt64) throws {
    let (first, _) = try randomScene(seed: seed, gravity: 1000, elasticity: 0.4)
    let (second, _) = try randomScene(seed: seed, gravity: 1000, elasticity: 0.4)
    let places = first.items.map(\.center)
    for _ in 0..<300 {
      first.animator.step(by: 1 / 60)
      second.animator.step(by: 1 / 60)
    }
    #expect(zip(first.items, places).allSatisfy { $0.center != $1 })
    #expect(first.items.map(\.center) == second.items.map(\.center))
    #expect(first.items.map(\.angle) == second.items.map(\.angle))
  }

  /// Each group of connected items is solved in the order of its items. Other items must not change a single bit of the
  /// result.
  @Test(arguments: seeds.prefix(4)) func itemsThatNeverMeetDoNotChangeEachOther(seed: UInt64) throws {
    let (alone, _) = try randomScene(seed: seed, gravity: 1000, elasticity: 0.4)
    let (together, _) = try randomScene(seed: seed, gravity: 1000, elasticity: 0.4)
    var strangers = (0..<20).map { Block(at: Point(x: 5000 + 22 * Double($0), y: 0)) }
    let gravity = GravityBehavior(items: strangers, gravityDirection: Vector(dx: 0.2, dy: -0.7))
    // The other items (`strangers`) lie outside the scene's boundary, which would push them in. So their collision
    // behavior has no boundary.
    let collision = CollisionBehavior(items: strangers)
    try together.animator.addBehavior(gravity)
    try together.animator.addBehavior(collision)
    for frame in 0..<300 {
      if frame == 100, let last = strangers.popLast() {
        try gravity.removeItem(last)
        try collision.removeItem(last)
      }
      alone.animator.step(by: 1 / 60)
      together.animator.step(by: 1 / 60)
    }
    #expect(strangers[0].center.y < -30)
    #expect(alone.items.map(\.center) == together.items.map(\.center))
    #expect(alone.items.map(\.angle) == together.items.map(\.angle))
  }

  @Test(arguments: seeds.prefix(4)) func momentumIsKeptWhereNothingButItemsMeet(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let items = (0..<30).map { (index: Int) -> Block in
      let (column, row) = (Double(index % 6), Double(index / 6))
      let size = Size(width: random.number(10...40), height: random.number(10...40))
      return Block(at: Point(x: 50 * column, y: 50 * row), size: size, isRound: index.isMultiple(of: 2))
    }
    let scene = try Scene(items, properties: ItemProperties(elasticity: 0.6, friction: 0.3))
    for index in items.indices { try scene.push(index, random.number(-400...400), random.number(-400...400)) }
    let (start, energy) = (try scene.momentum(), try scene.energy())
    for _ in 0..<120 { scene.animator.step(by: 1 / 60) }
    let end = try scene.momentum()
    // Energy was lost in collisions, so the items have met.
    #expect(try scene.energy() < 0.9 * energy)
    let scale = items.reduce(0) { $0 + scene.mass($1) } * 400
    #expect(abs(end.dx - start.dx) < 1e-9 * scale && abs(end.dy - start.dy) < 1e-9 * scale)
  }

  /// Debug builds run only one seed, because they are slow, most of all with stiff joints.
  @Test(arguments: seeds.prefix(HeapTests.isDebug ? 1 : 2)) func springsAndRodsOfAnyStiffnessStayFinite(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let items = (0..<10).map { Block(at: Point(x: 30 * Double($0), y: random.number(-50...50))) }
    let scene = try Scene(items, gravity: 1000, collides: false)
    for _ in 0..<40 {
      let (a, b) = (Int(random.next() % 10), Int(random.next() % 10))
      let frequency = [0, 1, 30, 1e3, 1e9, 1e150][Int(random.next() % 6)]
      let damping = [0, 0.5, 1, 20, 1e200][Int(random.next() % 5)]
      let offset = Vector(dx: random.number(-10...10), dy: random.number(-10...10))
      try scene.animator.addBehavior(
        a == b
          ? AttachmentBehavior(
            item: items[a], offsetFromCenter: offset, attachedToAnchor: Point(x: 30 * Double(b), y: 0),
            length: random.number(0...40), damping: damping, frequency: frequency)
          : AttachmentBehavior(
            item: items[a], offsetFromCenter: offset, attachedTo: items[b], length: random.number(0...40),
            damping: damping, frequency: frequency))
    }
    let places = items.map(\.center)
    for _ in 0..<(HeapTests.isDebug ? 60 : 300) where items.allSatisfy({ $0.center.isFinite && $0.angle.isFinite }) {
      scene.animator.step(by: 1 / 60)
    }
    #expect(items.allSatisfy { $0.center.isFinite && $0.angle.isFinite })
    #expect(items.map(\.center) != places)
  }

  @Test func trajectoriesAreTheSameInDebugAndRelease() throws {
    let (scene, _) = try randomScene(seed: 2013, gravity: 1000, elasticity: 0.5)
    try scene.animator.addBehavior(held(scene.items[3]))
    try scene.animator.addBehavior(
      AttachmentBehavior(
        item: scene.items[7], offsetFromCenter: Vector(dx: 4, dy: -3), attachedTo: scene.items[8], length: 30))
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ number: Double) { hash = (hash ^ number.bitPattern) &* 0x0000_0100_0000_01b3 }
    for _ in 0..<600 {
      scene.animator.step(by: 1 / 60)
      for item in scene.items {
        mix(item.center.x)
        mix(item.center.y)
        mix(item.angle)
      }
    }
    #expect(String(hash, radix: 16) == "95c748443ac6f352")
  }

  @Test(.enabled(if: allocation_counter_is_active())) func steadyFramesAllocateNothing() throws {
    let (scene, _) = try randomScene(seed: 5, gravity: 1000, elasticity: 0.9, isDamped: false)
    try scene.animator.addBehavior(held(scene.items[3]))
    for _ in 0..<240 { scene.animator.step(by: 1 / 60) }
    let before = allocation_counter_this_thread().count
    for _ in 0..<240 { scene.animator.step(by: 1 / 60) }
    #expect(allocation_counter_this_thread().count == before)
    #expect(scene.animator.isRunning)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func theFirstItemsThatMustBeMovedApartAllocateNothingEither()
    throws
  {
    let scene = try Scene((0..<24).map { Block(at: Point(x: 24 * Double($0), y: 0)) })
    for index in scene.items.indices { try scene.push(index, 0, 10) }
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    scene.items[20].center.x += 8
    try scene.animator.updateItem(usingCurrentState: scene.items[20])
    let before = allocation_counter_this_thread().count
    scene.animator.step(by: 1 / 60)
    #expect(allocation_counter_this_thread().count == before)
    // The neighbor on the right pushed the item back.
    #expect(scene.items[20].center.x < 488)
  }

  @Test(.enabled(if: !HeapTests.isDebug, "unoptimized code takes too long for it"))
  func aThousandItemsPileUpWithoutGettingIntoEachOther() throws {
    let items = (0..<1000).map { (index: Int) -> Block in
      let (column, row) = (Double(index % 32), index / 32)
      let place = Point(x: 21 * column + 3 * Double(row % 2), y: 21 * Double(row))
      return Block(at: place, isRound: index.isMultiple(of: 3))
    }
    let scene = try Scene(items, properties: ItemProperties(friction: 0.3), gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: -20, y: -300, width: 720, height: 1020))
    for _ in 0..<90 { scene.animator.step(by: 1 / 60) }
    #expect(scene.animator.contactCount > 1500)
    #expect(scene.deepestOverlap < 4)
    for item in items { #expect(item.center.x > -20 && item.center.x < 700 && item.center.y < 720) }
  }
}
