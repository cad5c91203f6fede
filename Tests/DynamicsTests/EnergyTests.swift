import Foundation
import Statistics
import Testing

@testable import Dynamics

/// Tests that springs return all the energy that they have stored, and no more.
@Suite struct EnergyTests {
  static let seeds = (0..<8).map { UInt64($0) }

  /// - Returns: The largest rise and fall of the energy relative to the start, and its change at the end, as fractions
  ///   of the largest kinetic and elastic energy.
  private func follow(_ scene: Scene, _ springs: [AttachmentBehavior], frames: Int = 900) throws -> (
    rise: Double, fall: Double, end: Double
  ) {
    for spring in springs { try scene.animator.addBehavior(spring) }
    let start = try scene.energy(with: springs)
    let places = scene.items.map(\.center)
    var (rise, fall, end) = (0.0, 0.0, 0.0)
    var (most, farthest) = (abs(start), 0.0)
    for _ in 0..<frames {
      scene.animator.step(by: 1 / 60)
      let energy = try scene.energy(with: springs)
      let heights = scene.items.reduce(0) { $0 - scene.mass($1) * scene.gravity * $1.center.y }
      most = max(most, energy - heights)
      end = energy - start
      (rise, fall) = (max(rise, end), min(fall, end))
      for (item, place) in zip(scene.items, places) { farthest = max(farthest, distance(item.center, place)) }
    }
    // Items must have moved, because an item at rest would also keep its energy.
    #expect(farthest > 5)
    return (rise / most, fall / most, end / most)
  }

  /// When an item flies past its anchor, the spring's direction reverses within a sub-step. This must not change the
  /// energy.
  @Test(arguments: seeds, [0.5, 1, 4, 8]) func aSpringThatIsNotDampedKeepsItsEnergyEvenThroughItsAnchor(
    seed: UInt64, frequency: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let isStraight = seed.isMultiple(of: 2)
    let place = Point(x: isStraight ? 0 : random.number(-150...150), y: random.number(60...200))
    let block = Block(at: place)
    let scene = try Scene([block], gravity: seed % 4 < 2 ? 1000 : 0, collides: false)
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 50, frequency: frequency)
    let energy = try follow(scene, [spring])
    #expect(energy.rise < 1e-9 && energy.fall > -1e-3 && abs(energy.end) < 1e-3, "\(energy)")
  }

  /// The solver treats all anchors as points of one fixed body. This must not couple the springs.
  @Test func aSpringToAnAnchorDoesNotFeelWhatAnotherItemDoesAtItsOwnAnchor() throws {
    func path(beside stiff: Double?) throws -> [Point] {
      let blocks = [Block(at: Point(x: 90, y: 40)), Block(at: Point(x: 500, y: 0))]
      let scene = try Scene(blocks, collides: false)
      let offset = Vector(dx: 4, dy: 3)
      try scene.animator.addBehavior(
        AttachmentBehavior(item: blocks[0], offsetFromCenter: offset, attachedToAnchor: .zero, length: 50, frequency: 2)
      )
      if let stiff {
        try scene.animator.addBehavior(
          AttachmentBehavior(
            item: blocks[1], offsetFromCenter: offset, attachedToAnchor: Point(x: 460, y: 0), length: 30,
            frequency: stiff))
      }
      try scene.push(1, 200, 100)
      return (0..<300).map { _ in
        scene.animator.step(by: 1 / 60)
        return blocks[0].center
      }
    }
    let alone = try path(beside: nil)
    #expect(try path(beside: 1) == alone)
    #expect(try path(beside: 200) == alone)
  }

  @Test func aSpringThatIsNotDampedKeepsTheAngularMomentumOfItsItem() throws {
    let block = Block(at: Point(x: 120, y: 0))
    let scene = try Scene([block], collides: false)
    try scene.push(0, 20, 300)
    let start = try scene.angularMomentum()
    let energy = try follow(scene, [AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 50, frequency: 2)])
    #expect(energy.rise < 1e-5 && energy.fall > -1e-3, "\(energy)")
    #expect(abs(try scene.angularMomentum() / start - 1) < 1e-9)
  }

  @Test(arguments: seeds, [0.5, 2, 4]) func severalSpringsOnAnItemKeepTheirEnergy(seed: UInt64, frequency: Double)
    throws
  {
    var random = SplitMix64(seed: seed)
    let block = Block(at: Point(x: random.number(-80...80), y: random.number(-80...80)))
    block.angle = random.number(-3...3)
    let isOffCentre = seed.isMultiple(of: 2)
    let springs = (0..<3).map { _ in
      AttachmentBehavior(
        item: block,
        offsetFromCenter: isOffCentre ? Vector(dx: random.number(-9...9), dy: random.number(-9...9)) : .zero,
        attachedToAnchor: Point(x: random.number(-100...100), y: random.number(-100...100)),
        length: random.number(1...60), frequency: frequency)
    }
    let scene = try Scene([block], gravity: seed % 4 < 2 ? 1000 : 0, collides: false)
    let energy = try follow(scene, springs)
    #expect(energy.rise < 1e-5 && energy.fall > -1e-3 && abs(energy.end) < 1e-3, "\(energy)")
  }

  /// A spring attached off the item's center would add energy if its stiffness grew while the item turns.
  @Test(arguments: seeds, [0, 40.0]) func aSpringOffTheCentreKeepsItsEnergyHoweverTheItemTurns(
    seed: UInt64, length: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let block = Block(
      at: Point(x: random.number(-100...100), y: random.number(-100...100)), size: Size(width: 40, height: 12))
    let scene = try Scene([block], gravity: seed % 4 < 2 ? 1000 : 0, collides: false)
    let spring = AttachmentBehavior(
      item: block, offsetFromCenter: Vector(dx: 20, dy: 6), attachedToAnchor: .zero, length: length, frequency: 2)
    let energy = try follow(scene, [spring])
    #expect(energy.rise < 1e-5 && energy.fall > -1e-3 && abs(energy.end) < 1e-3, "\(energy)")
  }

  @Test(arguments: seeds) func aFreeChainKeepsItsEnergyItsMomentumAndItsAngularMomentum(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let items = (0..<5).map { index in
      Block(
        at: Point(x: 45 * Double(index), y: random.number(-20...20)),
        size: Size(width: random.number(10...30), height: random.number(10...30)))
    }
    let scene = try Scene(items, collides: false)
    for index in items.indices { try scene.push(index, random.number(-100...100), random.number(-100...100)) }
    let springs = zip(items, items.dropFirst()).map { item, next in
      AttachmentBehavior(
        item: item, offsetFromCenter: Vector(dx: random.number(0...6), dy: 0), attachedTo: next, length: 30,
        frequency: 2)
    }
    let (momentum, turning) = (try scene.momentum(), try scene.angularMomentum())
    let energy = try follow(scene, springs)
    #expect(energy.rise < 1e-5 && energy.fall > -1e-3 && abs(energy.end) < 1e-3, "\(energy)")
    let scale = items.reduce(0) { $0 + scene.mass($1) } * 100
    let now = try scene.momentum()
    #expect(abs(now.dx - momentum.dx) < 1e-9 * scale && abs(now.dy - momentum.dy) < 1e-9 * scale)
    #expect(abs(try scene.angularMomentum() - turning) < 0.01 * scale * 100)
  }

  @Test(arguments: seeds, [0.01, 0.1, 0.4]) func dampedSpringsNeverGainEnergyFromFrameToFrame(
    seed: UInt64, damping: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let items = (0..<4).map { _ in Block(at: Point(x: random.number(-90...90), y: random.number(-90...90))) }
    let scene = try Scene(items, gravity: seed % 4 < 2 ? 1000 : 0, collides: false)
    let springs = items.indices.map { index in
      index == 0
        ? AttachmentBehavior(item: items[0], attachedToAnchor: .zero, length: 50, damping: damping, frequency: 2)
        : AttachmentBehavior(
          item: items[index], attachedTo: items[index - 1], length: 50, damping: damping, frequency: 2)
    }
    for spring in springs { try scene.animator.addBehavior(spring) }
    let start = try scene.energy(with: springs)
    var last = start
    for _ in 0..<600 {
      scene.animator.step(by: 1 / 60)
      let now = try scene.energy(with: springs)
      #expect(now <= last + 2e-5 * abs(start))
      last = now
    }
    #expect(last < start - 0.01 * abs(start))
  }

  /// Inelastic collisions remove energy from a heap. This energy must not return later.
  @Test(arguments: seeds, [0.0, 0.5]) func aHeapThatComesToRestHardlyGainsAnyEnergyFromFrameToFrame(
    seed: UInt64, elasticity: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let items = (0..<16).map { (index: Int) -> Block in
      let place = Point(x: 60 * Double(index % 4), y: 60 * Double(index / 4))
      return Block(
        at: place, size: Size(width: random.number(10...40), height: random.number(10...40)),
        isRound: index.isMultiple(of: 2))
    }
    let scene = try Scene(items, properties: ItemProperties(elasticity: elasticity, friction: 0.3), gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: -60, y: -60, width: 300, height: 300))
    for index in items.indices { try scene.push(index, random.number(-300...300), random.number(-300...300)) }
    let floor = -1000 * 240 * items.reduce(0) { $0 + scene.mass($1) }
    let start = try scene.energy() - floor
    var last = start
    var stepCount = 0
    for _ in 0..<600 where scene.animator.isRunning {
      scene.animator.step(by: 1 / 60)
      stepCount += 1
      let now = try scene.energy() - floor
      #expect(now <= last + 3e-3 * start)
      last = now
    }
    #expect(stepCount > 60)
  }

  /// While the floor blocks the item, the engine's corrections of the spring's energy must not weaken the spring.
  @Test(arguments: [0, 0.1]) func aSpringLiftsAnItemFromTheFloorOnceItIsStrongerThanItsWeight(damping: Double) throws {
    let block = Block(at: Point(x: 0, y: 90))
    let scene = try Scene([block], gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: -50, y: -300, width: 100, height: 400))
    // The spring's acceleration is ω²·stretch: 1,000 points/s² at 25.3 points and 1 Hz.
    let balance = 1000 / pow(2 * Double.pi, 2)
    let spring = AttachmentBehavior(
      item: block, attachedToAnchor: Point(x: 0, y: 90 - 100 - 0.95 * balance), length: 100, damping: damping,
      frequency: 1)
    try scene.animator.addBehavior(spring)
    for _ in 0..<120 { scene.animator.step(by: 1 / 60) }
    #expect(abs(block.center.y - 90) < 0.5)
    try spring.setAnchorPoint(Point(x: 0, y: 90 - 100 - 1.5 * balance))
    for _ in 0..<20 { scene.animator.step(by: 1 / 60) }
    #expect(block.center.y < 80)
  }

  /// The ball starts deep inside the wall. Moving it out stretches its spring, so the ball must lose as much kinetic
  /// energy as the spring gains.
  @Test func bodiesThatAreMovedApartPayForIt() throws {
    let wall = Block("wall", at: Point(x: 0, y: 0), size: Size(width: 400, height: 40))
    let ball = Block("ball", at: Point(x: 0, y: -22), isRound: true)
    let scene = try Scene([wall, ball], gravity: 0)
    let pull = AttachmentBehavior(item: ball, attachedToAnchor: Point(x: 0, y: 200), length: 50, frequency: 1)
    let hold = AttachmentBehavior(item: wall, attachedToAnchor: .zero, damping: 1)
    try scene.animator.addBehavior(hold)
    try scene.push(1, 900, 0)
    let start = try scene.energy(with: [pull])
    try scene.animator.addBehavior(pull)
    scene.animator.step(by: 1 / 60)
    #expect(ball.center.y < -23)
    let now = try scene.energy(with: [pull])
    // If the ball did not lose speed when it is moved out, the energy would be 3% higher. The tolerance covers the last
    // half point of overlap.
    #expect(now <= start * 1.003, "\(now / start)")
  }
}
