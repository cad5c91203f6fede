import Foundation
import Statistics
import Testing

@testable import Dynamics

@Suite struct CollisionTests {
  @Test(arguments: [true, false], [(200.0, 0.0), (200, -50), (3000, 0), (45, 20), (20, -1)])
  func twoEqualElasticBallsSwapTheirVelocities(isRound: Bool, velocities: (Double, Double)) throws {
    let items = [Block(at: .zero, isRound: isRound), Block(at: Point(x: 100, y: 0), isRound: isRound)]
    let scene = try Scene(items, properties: ItemProperties(elasticity: 1))
    try scene.push(0, velocities.0, 0)
    try scene.push(1, velocities.1, 0)
    for _ in 0..<300 { scene.animator.step(by: 1 / 60) }
    let (first, second) = (try scene.velocity(0), try scene.velocity(1))
    #expect(abs(first.dx - velocities.1) < 0.01 * velocities.0)
    #expect(abs(second.dx - velocities.0) < 0.01 * velocities.0)
    #expect(abs(first.dy) + abs(second.dy) < 1e-9)
  }

  /// Under gravity, slow balls do not bounce, because that would shake heaps. Without gravity they do.
  @Test(arguments: [true, false], [0.5, 3, 15]) func slowBallsSwapTheirVelocitiesToo(isRound: Bool, speed: Double)
    throws
  {
    let items = [Block(at: .zero, isRound: isRound), Block(at: Point(x: 21, y: 0), isRound: isRound)]
    let scene = try Scene(items, properties: ItemProperties(elasticity: 1))
    try scene.push(0, speed, 0)
    for _ in 0..<180 { scene.animator.step(by: 1 / 60) }
    #expect(abs(try scene.velocity(0).dx) < 0.01 * speed)
    #expect(abs(try scene.velocity(1).dx - speed) < 0.01 * speed)
  }

  @Test(arguments: [0.0, 0.3, 0.7, 1]) func aHeadOnBlowLeavesTheShareOfSpeedThatElasticitySays(elasticity: Double)
    throws
  {
    let heavy = Block(at: .zero, size: Size(width: 40, height: 40), isRound: true)
    let light = Block(at: Point(x: 80, y: 0), isRound: true)
    let scene = try Scene([heavy, light], properties: ItemProperties(elasticity: elasticity))
    try scene.push(0, 100, 0)
    for _ in 0..<90 { scene.animator.step(by: 1 / 60) }
    // The masses are 4 to 1, so the center of mass continues at 80 points per second.
    #expect(abs(try scene.velocity(0).dx - (80 - elasticity * 20)) < 0.5)
    #expect(abs(try scene.velocity(1).dx - (80 + elasticity * 80)) < 0.5)
  }

  @Test func aBallBouncesAsHighAsItFellAndNeverHigher() throws {
    let ball = Block(at: Point(x: 100, y: 100), isRound: true)
    let scene = try Scene([ball], properties: ItemProperties(elasticity: 1), gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 400), to: Point(x: 200, y: 400))
    let start = try scene.energy()
    var (highest, lowest) = (400.0, 100.0)
    for frame in 0..<1200 {
      scene.animator.step(by: 1 / 60)
      #expect(try scene.energy() <= start + 1e-6 * abs(start))
      lowest = max(lowest, ball.center.y)
      if frame > 60 { highest = min(highest, ball.center.y) }
    }
    #expect(highest >= 100 - 1e-6 && highest < 110)
    #expect(lowest > 380)
  }

  @Test func aFlatBlowDoesNotTurnABox() throws {
    let box = Block(at: Point(x: 100, y: 300), size: Size(width: 60, height: 20))
    let scene = try Scene([box], properties: ItemProperties(elasticity: 0.8), gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 400), to: Point(x: 200, y: 400))
    #expect(scene.settle(seconds: 20))
    #expect(abs(box.angle) < 1e-6 && abs(box.center.x - 100) < 1e-6 && abs(box.center.y - 390) < 0.1)
  }

  @Test(arguments: [true, false], [10.0, 20, 44, 100]) func aStackOfTenBoxesRestsAndSleeps(
    isDropped: Bool, side: Double
  ) throws {
    let gap = isDropped ? side / 20 : 0
    let boxes = (0..<10).map { level in
      Block(at: Point(x: 200, y: 2000 - side / 2 - (side + gap) * Double(level)), size: Size(width: side, height: side))
    }
    let scene = try Scene(boxes, properties: ItemProperties(friction: 0.4), gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 2000), to: Point(x: 400, y: 2000))
    #expect(scene.settle(seconds: 20))
    for (level, box) in boxes.enumerated() {
      let height = 2000 - side / 2 - side * Double(level)
      #expect(abs(box.center.x - 200) < 2 && abs(box.center.y - height) < 1.5 && abs(box.angle) < 0.02)
    }
  }

  /// No impact may turn a box or move it sideways, because without friction nothing would hold the stack upright.
  @Test(
    arguments: [0.0, 0.2, 0.5], [Size(width: 20, height: 20), Size(width: 50, height: 10), Size(width: 7, height: 7)])
  func aDroppedStackWithoutFrictionStandsToo(elasticity: Double, size: Size) throws {
    for gap in [0.5, 3] {
      let boxes = (0..<10).map { level in
        Block(at: Point(x: 200, y: 2000 - size.height / 2 - (size.height + gap) * Double(level)), size: size)
      }
      let scene = try Scene(boxes, properties: ItemProperties(elasticity: elasticity), gravity: 1000)
      try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 2000), to: Point(x: 400, y: 2000))
      #expect(scene.settle(seconds: 20), "from \(gap)")
      for (level, box) in boxes.enumerated() {
        let height = 2000 - size.height / 2 - size.height * Double(level)
        #expect(abs(box.center.x - 200) < 1e-6 && abs(box.center.y - height) < 1.5 && abs(box.angle) < 1e-6)
      }
    }
  }

  @Test(arguments: [(0.3, 0.2, true), (0.3, 0.5, false), (0.1, 0.05, true), (0.1, 0.2, false)])
  func aBoxSlidesDownASlopeOnlyIfItIsSteeperThanFrictionAllows(slope: Double, friction: Double, slides: Bool) throws {
    let (along, across) = ((cos(slope), sin(slope)), (-sin(slope), cos(slope)))
    let box = Block(at: Point(x: -10 * across.0, y: -10 * across.1))
    box.angle = slope
    let scene = try Scene([box], properties: ItemProperties(friction: friction), gravity: 1000)
    try scene.collision.addBoundary(
      withIdentifier: "slope", from: Point(x: -500 * along.0, y: -500 * along.1),
      to: Point(x: 5000 * along.0, y: 5000 * along.1))
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    let way = box.center.x * along.0 + box.center.y * along.1
    let theory = max(0, 0.5 * 1000 * (sin(slope) - friction * cos(slope)))
    #expect(slides == (theory > 0))
    #expect(abs(way - theory) < max(0.02 * theory, 0.5))
  }

  @Test func momentumPassesAlongTheRowOfACradle() throws {
    let count = 10
    let balls = (0..<count).map { (index: Int) -> Block in
      Block(at: Point(x: 20 * Double(index), y: 300), isRound: true)
    }
    balls[0].center = Point(x: -300 * sin(0.5), y: 300 * cos(0.5))
    let scene = try Scene(balls, properties: ItemProperties(elasticity: 1), gravity: 1000)
    for (index, ball) in balls.enumerated() {
      try scene.animator.addBehavior(
        AttachmentBehavior(item: ball, attachedToAnchor: Point(x: 20 * Double(index), y: 0), length: 300))
    }
    var furthest = 0.0
    for _ in 0..<100 {
      scene.animator.step(by: 1 / 60)
      furthest = max(furthest, balls[count - 1].center.x - 20 * Double(count - 1))
      for index in 1..<count - 1 { #expect(abs(balls[index].center.x - 20 * Double(index)) < 5) }
    }
    #expect(furthest > 0.97 * 300 * sin(0.5) && furthest < 300 * sin(0.5) + 1e-6)
  }

  @Test(arguments: [true, false]) func aBlowPassesThroughARowInWhicheverOrderItWasAdded(isReversed: Bool) throws {
    let balls = (0..<30).map { (index: Int) -> Block in
      Block(at: Point(x: 100 + 20 * Double(index), y: 0), isRound: true)
    }
    let hitter = Block(at: .zero, isRound: true)
    let order = isReversed ? balls.reversed() + [hitter] : [hitter] + balls
    let scene = try Scene(order, properties: ItemProperties(elasticity: 1))
    try scene.properties.addLinearVelocity(Vector(dx: 500, dy: 0), for: hitter)
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    let last = try #require(balls.last)
    #expect(abs(try scene.properties.linearVelocity(for: last).dx - 500) < 5)
    #expect(abs(try scene.properties.linearVelocity(for: hitter).dx) < 5)
    let momentum = try scene.momentum().dx / scene.mass(hitter)
    #expect(abs(momentum - 500) < 1e-6)
  }

  /// If no energy is lost, the last disc takes over the whole speed. Otherwise several impacts pass along the row.
  @Test(arguments: [0.5, 0.9, 1], [true, false]) func aBlowPassesAlongARowOfDiscsThatTouch(
    elasticity: Double, isForward: Bool
  ) throws {
    for (count, gap, speed) in [(4, 0.0, 500.0), (6, 83, 500), (5, 120.7, 3000), (3, 1.3, 40)] {
      var discs = (0..<count).map { Block(at: Point(x: 20 * Double($0 + 1), y: 0), isRound: true) }
      if !isForward { discs.reverse() }
      for disc in discs where !isForward { disc.center.x = -disc.center.x }
      let hitter = Block(at: Point(x: isForward ? -gap : gap, y: 0), isRound: true)
      let scene = try Scene(
        isForward ? [hitter] + discs : discs + [hitter], properties: ItemProperties(elasticity: elasticity))
      let velocity = isForward ? speed : -speed
      try scene.properties.addLinearVelocity(Vector(dx: velocity, dy: 0), for: hitter)
      let momentum = try scene.momentum().dx
      for _ in 0..<30 { scene.animator.step(by: 1 / 60) }
      let last = try #require(discs.max { abs($0.center.x) < abs($1.center.x) })
      let found = try scene.properties.linearVelocity(for: last).dx / velocity
      #expect(abs(found / pow((1 + elasticity) / 2, Double(count)) - 1) < 1e-12)
      #expect(abs(try scene.momentum().dx / momentum - 1) < 1e-12)
    }
  }

  @Test(arguments: [500.0, 5000, 50_000]) func referenceBoundsHoldItemsHoweverFast(speed: Double) throws {
    var random = SplitMix64(seed: 7)
    let items = (0..<12).map { (index: Int) -> Block in
      let (column, row) = (Double(index % 4), Double(index / 4))
      return Block(at: Point(x: 60 + 70 * column, y: 60 + 70 * row), isRound: index.isMultiple(of: 2))
    }
    let scene = try Scene(items, properties: ItemProperties(elasticity: 0.5))
    try scene.collision.setReferenceBounds(Rect(x: 0, y: 0, width: 320, height: 280))
    for index in items.indices {
      let direction = random.number(0...(2 * .pi))
      try scene.push(index, speed * cos(direction), speed * sin(direction))
    }
    var nearest = Double.infinity
    for _ in 0..<600 {
      scene.animator.step(by: 1 / 60)
      for item in items {
        #expect(item.center.x > 0 && item.center.x < 320 && item.center.y > 0 && item.center.y < 280)
        nearest = min(nearest, item.center.x, 320 - item.center.x, item.center.y, 280 - item.center.y)
      }
    }
    // Without items that reach the walls, the test would show nothing.
    #expect(nearest < 15)
  }

  @Test func overlappingItemsAreEasedApartWithoutBeingThrown() throws {
    let items = [0, 1, 2, 3, 4, 1].map { Block(at: Point(x: 3 * $0, y: 2 * $0)) }
    let scene = try Scene(items)
    for _ in 0..<180 {
      scene.animator.step(by: 1 / 60)
      for index in items.indices {
        let velocity = try scene.velocity(index)
        #expect(hypot(velocity.dx, velocity.dy) < 20)
      }
    }
    for (index, a) in items.enumerated() {
      for b in items[(index + 1)...] { #expect(max(abs(a.center.x - b.center.x), abs(a.center.y - b.center.y)) > 15) }
    }
  }

  @Test func itemsOfDifferentCollisionBehaviorsPassThroughEachOther() throws {
    let items = [Block(at: .zero), Block(at: Point(x: 50, y: 0))]
    let scene = try Scene([items[0]])
    let other = CollisionBehavior(items: [items[1]])
    try scene.animator.addBehavior(other)
    try scene.push(0, 100, 0)
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    #expect(abs(items[0].center.x - 100) < 1e-9 && items[1].center.x == 50)
  }

  @Test func aSleepingIslandWakesAsAWholeWhenItIsHit() throws {
    let stack = (0..<3).map { Block(at: Point(x: 100, y: 390 - 20 * Double($0))) }
    let far = Block(at: Point(x: 600, y: 390))
    let ball = Block(at: Point(x: 300, y: 350), isRound: true)
    let scene = try Scene(stack + [far, ball], properties: ItemProperties(friction: 0.5), gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 400), to: Point(x: 1000, y: 400))
    #expect(scene.settle(seconds: 20))
    let resting = stack.map(\.center)
    ball.center = Point(x: 200, y: 350)
    try scene.animator.updateItem(usingCurrentState: ball)
    try scene.properties.addLinearVelocity(Vector(dx: -800, dy: -100), for: ball)
    let farCenter = far.center
    for _ in 0..<30 { scene.animator.step(by: 1 / 60) }
    #expect(zip(stack, resting).contains { distance($0.center, $1) > 2 })
    #expect(far.center == farCenter)
  }

  @Test func whatLayOnARemovedFloorOrItemFalls() throws {
    let boxes = (0..<2).map { Block(at: Point(x: 100, y: 390 - 20 * Double($0))) }
    let scene = try Scene(boxes, gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: 0, y: 400), to: Point(x: 200, y: 400))
    #expect(scene.settle(seconds: 5))
    try scene.collision.removeItem(boxes[0])
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    #expect(boxes[0].center.y > 800 && abs(boxes[1].center.y - 390) < 0.5)
    #expect(boxes[1].center.y > 380)
    try scene.collision.removeBoundary(withIdentifier: "floor")
    for _ in 0..<60 { scene.animator.step(by: 1 / 60) }
    #expect(boxes[1].center.y > 800)
  }
}

extension CollisionTests {
  @Test(arguments: [true, false], [Point(x: -500, y: 100), Point(x: 900, y: -200), Point(x: 50, y: 5000)])
  func referenceBoundsTakeBackWhatIsOutside(isRound: Bool, start: Point) throws {
    let item = Block(at: start, isRound: isRound)
    let scene = try Scene([item])
    try scene.collision.setReferenceBounds(Rect(x: 0, y: 0, width: 320, height: 280))
    scene.settle(seconds: 30)
    #expect(item.center.x > 9 && item.center.x < 311 && item.center.y > 9 && item.center.y < 271)
  }
}
