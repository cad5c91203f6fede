import Foundation
import Testing

@testable import Dynamics

/// Compares springs and rods of coupled items with closed-form solutions.
@Suite struct AttachmentTests {
  @Test(arguments: [100.0, 300, 1000]) func aPendulumSwingsWithTheTheoreticalPeriod(length: Double) throws {
    let angle = 0.05
    let bob = Block(at: Point(x: length * sin(angle), y: length * cos(angle)))
    let scene = try Scene([bob], gravity: 1000)
    try scene.animator.addBehavior(AttachmentBehavior(item: bob, attachedToAnchor: .zero, length: length))
    var crossings: [Double] = []
    for frame in 1...1200 {
      let old = bob.center.x
      scene.animator.step(by: 1 / 60)
      if old > 0, bob.center.x <= 0 { crossings.append((Double(frame) - bob.center.x / (bob.center.x - old)) / 60) }
      #expect(abs(distance(bob.center, .zero) - length) < 0.01)
    }
    let first = try #require(crossings.first)
    let last = try #require(crossings.last)
    let period = (last - first) / Double(crossings.count - 1)
    let theory = 2 * .pi * (length / 1000).squareRoot() * (1 + angle * angle / 16)
    #expect(abs(period / theory - 1) < 0.0005)
  }

  @Test func aPendulumNeverGainsEnergyAndHardlyLosesAny() throws {
    let bob = Block(at: Point(x: 300 * sin(1), y: 300 * cos(1)))
    let scene = try Scene([bob], gravity: 1000)
    try scene.animator.addBehavior(AttachmentBehavior(item: bob, attachedToAnchor: .zero, length: 300))
    let lowest = -scene.mass(bob) * 1000 * 300
    let start = try scene.energy() - lowest
    var leftmost = 0.0
    for _ in 0..<1200 {
      scene.animator.step(by: 1 / 60)
      leftmost = min(leftmost, bob.center.x)
      let now = try scene.energy() - lowest
      #expect(now <= start * (1 + 1e-9))
      #expect(now > start * 0.97)
    }
    #expect(leftmost < -0.95 * 300 * sin(1))
  }

  /// Springs of 2 Hz or less are tested with one and with several sub-steps, the spring of 8 Hz only with several.
  static let springs: [(frequency: Double, damping: Double, subSteps: Int)] = [
    (1, 0.4, 1), (1, 0, 1), (2, 1, 1), (0.5, 3, 1), (1, 0.4, 4), (1, 0, 4), (2, 1, 4), (0.5, 3, 4), (8, 0.6, 4),
  ]

  @Test(arguments: springs) func aSpringWithALengthFollowsTheClosedSolution(
    _ spring: (frequency: Double, damping: Double, subSteps: Int)
  ) throws {
    let block = Block(at: Point(x: 420, y: 0))
    let animator = DynamicAnimator(subStepCount: spring.subSteps)
    try animator.addBehavior(
      AttachmentBehavior(
        item: block, attachedToAnchor: .zero, length: 300, damping: spring.damping, frequency: spring.frequency))
    let exact = AnalyticOscillator(frequency: spring.frequency, damping: spring.damping, displacement: 120, velocity: 0)
    // The tolerance allows for items that fall asleep while the exact solution still moves a little.
    for frame in 1...600 {
      animator.step(by: 1 / 60)
      #expect(abs(block.center.x - 300 - exact.displacement(at: Double(frame) / 60)) < 0.05)
      #expect(block.center.y == 0)
    }
  }

  @Test func aSpringSettlesAtItsLengthFromAnySide() throws {
    for start in [Point(x: 10, y: 480), Point(x: -250, y: -7), Point(x: 0, y: 0), Point(x: 3, y: 4)] {
      let block = Block(at: start)
      let scene = try Scene([block])
      try scene.animator.addBehavior(
        AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 300, damping: 0.4, frequency: 1))
      #expect(scene.settle(seconds: 20))
      #expect(abs(distance(block.center, .zero) - 300) < 0.05)
    }
  }

  @Test(arguments: [1, 2, 4, 16]) func aHangingItemRestsWhereTheSpringCarriesItsWeight(subSteps: Int) throws {
    let block = Block(at: Point(x: 0, y: 300))
    let scene = try Scene([block], gravity: 1000, subStepCount: subSteps)
    try scene.animator.addBehavior(
      AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 300, damping: 0.4, frequency: 1))
    #expect(scene.settle(seconds: 30))
    #expect(abs(block.center.y - (300 + 1000 / pow(2 * .pi, 2))) < 0.05)
  }

  @Test func twoItemsOnASpringSwingAboutTheirCommonCentre() throws {
    let light = Block(at: Point(x: 0, y: 0), size: Size(width: 10, height: 10))
    let heavy = Block(at: Point(x: 150, y: 0), size: Size(width: 30, height: 10))
    let scene = try Scene([light, heavy], collides: false)
    try scene.animator.addBehavior(
      AttachmentBehavior(item: light, attachedTo: heavy, length: 100, damping: 0.1, frequency: 1.5))
    let exact = AnalyticOscillator(frequency: 1.5, damping: 0.1, displacement: 50, velocity: 0)
    for frame in 1...240 {
      scene.animator.step(by: 1 / 60)
      let stretch = heavy.center.x - light.center.x - 100
      #expect(abs(stretch - exact.displacement(at: Double(frame) / 60)) < 1e-6)
      #expect(abs((light.center.x + 3 * heavy.center.x) / 4 - 112.5) < 1e-9)
    }
  }

  @Test func aRodBetweenItemsKeepsItsLengthAndTheirMomentum() throws {
    let items = [Block(at: Point(x: 0, y: 0)), Block(at: Point(x: 80, y: 0))]
    let scene = try Scene(items, collides: false)
    try scene.animator.addBehavior(AttachmentBehavior(item: items[0], attachedTo: items[1], length: 80))
    try scene.push(0, 0, 200)
    let (momentum, energy) = (try scene.momentum(), try scene.energy())
    for _ in 0..<600 {
      scene.animator.step(by: 1 / 60)
      #expect(abs(distance(items[0].center, items[1].center) - 80) < 0.5)
      #expect(abs(try scene.momentum().dy / momentum.dy - 1) < 1e-9)
      #expect(try scene.energy() <= energy * (1 + 1e-9))
    }
    #expect(try scene.energy() > 0.9 * energy)
    // Because the masses are equal, the center of mass moves at half the speed of the pushed item: 100 points per
    // second for ten seconds.
    #expect(abs((items[0].center.y + items[1].center.y) / 2 - 1000) < 1)
  }

  @Test func anItemHungByItsCornerComesToHangDiagonally() throws {
    let block = Block(at: Point(x: 10, y: 10))
    let scene = try Scene([block], properties: ItemProperties(resistance: 2, angularResistance: 2), gravity: 1000)
    try scene.animator.addBehavior(
      AttachmentBehavior(item: block, offsetFromCenter: Vector(dx: -10, dy: -10), attachedToAnchor: .zero))
    #expect(scene.settle(seconds: 30))
    #expect(abs(block.center.x) < 0.05 && abs(block.center.y - 200.0.squareRoot()) < 0.05)
    #expect(abs(block.angle - .pi / 4) < 0.01)
  }

  @Test func fourSpringsHoldAnItemUprightOnceItIsLetGo() throws {
    let block = Block(at: Point(x: 200, y: 100), size: Size(width: 100, height: 60))
    block.angle = 1
    let animator = DynamicAnimator()
    let drag = DynamicBehavior()
    for (dx, dy) in [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20)] {
      try drag.addChildBehavior(
        AttachmentBehavior(
          item: block, offsetFromCenter: Vector(dx: dx, dy: dy), attachedToAnchor: Point(x: 300 + dx, y: 400 + dy),
          length: 0, damping: 0.6, frequency: 8))
    }
    try animator.addBehavior(drag)
    for _ in 0..<300 where animator.isRunning { animator.step(by: 1 / 60) }
    #expect(!animator.isRunning)
    #expect(distance(block.center, Point(x: 300, y: 400)) < 0.01 && abs(block.angle) < 0.001)
  }

  @Test func severalSpringsAtTheCentreOfAnItemPullItBetweenThem() throws {
    let block = Block(at: Point(x: 50, y: 50))
    let composite = DynamicBehavior()
    for anchor in [Point(x: 0, y: 0), Point(x: 90, y: 0), Point(x: 0, y: 90)] {
      try composite.addChildBehavior(
        AttachmentBehavior(item: block, attachedToAnchor: anchor, length: 0, damping: 0.6, frequency: 2))
    }
    let animator = DynamicAnimator()
    try animator.addBehavior(composite)
    for _ in 0..<600 where animator.isRunning { animator.step(by: 1 / 60) }
    #expect(!animator.isRunning && distance(block.center, Point(x: 30, y: 30)) < 0.01)
  }

  @Test func aMovedAnchorPullsACoupledItemAfter() throws {
    let block = Block(at: Point(x: 0, y: 40))
    let scene = try Scene([block])
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 40, damping: 1, frequency: 2)
    try scene.animator.addBehavior(spring)
    #expect(scene.settle(seconds: 5))
    try spring.setAnchorPoint(Point(x: 0, y: 100))
    #expect(scene.animator.isRunning && block.center == Point(x: 0, y: 40))
    #expect(scene.settle(seconds: 10))
    #expect(abs(distance(block.center, Point(x: 0, y: 100)) - 40) < 0.05)
  }

  /// A slow spring creeps, or stops briefly at the end of each swing. This must not let the item fall asleep too early.
  @Test(arguments: [(0.3, 0.1), (0.3, 1), (0.3, 3), (2, 0.4), (10, 6)])
  func aSpringFallsAsleepAtItsLengthHoweverSlowItIs(_ spring: (frequency: Double, damping: Double)) throws {
    let items = [Block(at: Point(x: 130, y: 40)), Block(at: Point(x: -60, y: 90)), Block(at: .zero)]
    let scene = try Scene(items, collides: false)
    try scene.animator.addBehavior(
      AttachmentBehavior(
        item: items[0], attachedToAnchor: .zero, length: 50, damping: spring.damping, frequency: spring.frequency))
    try scene.animator.addBehavior(
      AttachmentBehavior(
        item: items[1], attachedTo: items[2], length: 70, damping: spring.damping, frequency: spring.frequency))
    #expect(scene.settle(seconds: 120))
    #expect(abs(distance(items[0].center, .zero) - 50) < 0.1)
    #expect(abs(distance(items[1].center, items[2].center) - 70) < 0.15)
  }

  /// Returns where the lower item of a double pendulum is after a second. Both items hang on springs, and their motion
  /// is far from linear.
  private func doublePendulum(subSteps: Int) throws -> Point {
    let items = [Block(at: Point(x: 60, y: 20)), Block(at: Point(x: 130, y: 10))]
    let scene = try Scene(items, gravity: 1000, collides: false, subStepCount: subSteps)
    try scene.animator.addBehavior(
      AttachmentBehavior(item: items[0], attachedToAnchor: .zero, length: 60, damping: 0.2, frequency: 3))
    try scene.animator.addBehavior(
      AttachmentBehavior(
        item: items[1], offsetFromCenter: Vector(dx: 5, dy: 0), attachedTo: items[0], length: 70, damping: 0.3,
        frequency: 4))
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    return items[1].center
  }

  @Test func trajectoriesConvergeAsTheSubStepsGrow() throws {
    let reference = try doublePendulum(subSteps: 512)
    let errors = try [1, 4, 16, 64].map { distance(try doublePendulum(subSteps: $0), reference) }
    for (coarse, fine) in zip(errors, errors.dropFirst()) { #expect(fine < coarse / 3) }
    #expect(errors[1] < 3 && errors[3] < 0.02)
  }
}
