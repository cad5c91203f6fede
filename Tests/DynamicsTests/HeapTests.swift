import Foundation
import Statistics
import Testing

@testable import Dynamics

/// Tests that heaps come to rest, and that no item stays inside another.
@Suite struct HeapTests {
  enum Shape: CaseIterable { case boxes, discs, both }

  /// Whether this is a debug build. Debug builds are slow, so the larger heaps are tested only in release builds.
  #if DEBUG
    static let isDebug = true
  #else
    static let isDebug = false
  #endif

  /// Creates items that fall into a container, with random angles and in rows of random width.
  private func heap(
    _ count: Int, _ shape: Shape, sides: ClosedRange<Double>, properties: ItemProperties, columns: Int? = nil,
    seed: UInt64
  ) throws -> Scene {
    var random = SplitMix64(seed: seed)
    let pitch = 1.45 * sides.upperBound
    let columns = columns ?? Int(random.number(0.6...1.4) * Double(count).squareRoot())
    let items = (0..<count).map { (index: Int) -> Block in
      let isRound = shape == .discs || shape == .both && random.next().isMultiple(of: 2)
      let width = random.number(sides)
      let block = Block(
        at: Point(
          x: pitch * (Double(index % columns) + 0.5) + random.number(-1...1),
          y: -pitch * (Double(index / columns) + 0.5)),
        size: Size(width: width, height: isRound ? width : random.number(sides)), isRound: isRound)
      if !isRound { block.angle = random.number(-0.7...0.7) }
      return block
    }
    let scene = try Scene(items, properties: properties, gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: 0, y: -1e5, width: pitch * Double(columns), height: 1e5))
    return scene
  }

  @Test(arguments: Shape.allCases, [0.0, 0.2]) func aHeapComesToRestWithNothingInsideAnythingElse(
    shape: Shape, friction: Double
  ) throws {
    for (seed, elasticity) in Self.isDebug ? [(2, 0.2)] : [(1, 0.0), (2, 0.2)] {
      let scene = try heap(
        Self.isDebug ? 24 : 60, shape, sides: 12...30,
        properties: ItemProperties(elasticity: elasticity, friction: friction), seed: UInt64(seed))
      scene.settle(seconds: 20)
      #expect(scene.deepestOverlap < 1)
      // Without friction the heap may slide back and forth for a long time.
      let rests = scene.settle(seconds: 40)
      #expect(rests || friction == 0)
      #expect(scene.deepestOverlap < 1)
    }
  }

  /// The number, sizes and properties of the items are random. No item is ever deep inside another, and landing items
  /// do not throw others up.
  @Test(arguments: 1...(isDebug ? 2 : 6)) func aRandomHeapComesToRest(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let smallest = random.number(6...20)
    let scene = try heap(
      Self.isDebug ? 20 + Int(random.next() % 100) : 50 + Int(random.next() % 450), Shape.allCases[seed % 3],
      sides: smallest...random.number(smallest...50),
      properties: ItemProperties(elasticity: random.number(0...0.9), friction: random.number(0.1...0.5)),
      seed: random.next())
    let start = try scene.energy()
    var (least, growth, deepest) = (start, 0.0, 0.0)
    for _ in 0..<3600 where scene.animator.isRunning {
      scene.animator.step(by: 1 / 60)
      let energy = try scene.energy()
      (least, growth) = (min(least, energy), max(growth, energy - least))
      deepest = max(deepest, scene.deepestOverlap)
    }
    #expect(!scene.animator.isRunning)
    #expect(growth < 1e-3 * start, "\(growth / start)")
    #expect(deepest < 1, "\(deepest)")
  }

  @Test(.enabled(if: !isDebug, "unoptimized code takes too long for it"), arguments: 1...4)
  func nothingStaysInsideAnythingElseInATallHeapOfSmoothBoxesAndDiscs(seed: Int) throws {
    let scene = try heap(120, .both, sides: 10...30, properties: ItemProperties(), columns: 5, seed: UInt64(seed))
    scene.settle(seconds: 20)
    #expect(scene.deepestOverlap < 1)
  }

  /// Jammed items that carry many times their own weight must neither snap back and forth nor stay inside other items.
  @Test(arguments: isDebug ? [28] : [28, 29]) func jammedBoxesInANarrowShaftComeApart(seed: UInt64) throws {
    let scene = try heap(100, .boxes, sides: 30...60, properties: ItemProperties(friction: 0.1), columns: 2, seed: seed)
    #expect(scene.settle(seconds: 60))
    #expect(scene.deepestOverlap < 1)
  }

  /// Rows that fell into each other come apart one after another from the ground up, so a high shaft takes the longest.
  @Test(.enabled(if: !isDebug, "unoptimized code takes too long for it"), arguments: [3, 20])
  func aHighShaftComesApartSoon(seed: UInt64) throws {
    let scene = try heap(150, .boxes, sides: 30...60, properties: ItemProperties(friction: 0.2), columns: 2, seed: seed)
    scene.settle(seconds: 8)
    #expect(scene.deepestOverlap < 1)
    #expect(scene.settle(seconds: 52))
    #expect(scene.deepestOverlap < 1)
  }

  /// Some discs deep in a heap always creep. This must not keep the whole heap awake.
  @Test(.enabled(if: !isDebug, "unoptimized code takes too long for it")) func aHundredRowsUnderFrictionComeToRestSoon()
    throws
  {
    let scene = try heap(300, .discs, sides: 30...60, properties: ItemProperties(friction: 0.2), columns: 2, seed: 2)
    #expect(scene.settle(seconds: 15))
    #expect(scene.deepestOverlap < 1)
  }

  @Test func whatRocksOnADiscComesToRest() throws {
    let disc = Block(at: Point(x: 30, y: -30), size: Size(width: 60, height: 60), isRound: true)
    let box = Block(at: Point(x: 30, y: -79.5), size: Size(width: 42, height: 39))
    let scene = try Scene([disc, box], properties: ItemProperties(friction: 0.2), gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: 0, y: -1e5, width: 60, height: 1e5))
    scene.settle(seconds: 1)
    try scene.push(1, 8, 0)
    #expect(scene.settle(seconds: 30))
    #expect(abs(box.center.x - 30) < 2 && abs(box.angle) < 0.1)
  }

  /// A Newton's cradle. Its springs damp only changes of their length, not the swing.
  struct Cradle: CustomStringConvertible {
    var count = 5
    var elasticity = 1.0
    var gap = 0.0
    /// The velocity of the first disc, points per second.
    var push = -35.0

    var description: String { "\(count) discs, elasticity \(elasticity), gap \(gap), push \(push)" }
  }

  @Test(arguments: [
    Cradle(count: 4), Cradle(count: 7), Cradle(count: 1, push: 90), Cradle(count: 3, elasticity: 0.9), Cradle(gap: 0.5),
    Cradle(count: 10, elasticity: 0.9, gap: 0.5), Cradle(push: -200), Cradle(count: 3, elasticity: 0.9, push: -200),
    Cradle(count: 10, elasticity: 0.9, push: -200),
  ]) func aCradlePausesInTheEnd(_ cradle: Cradle) throws {
    let pitch = 64 + cradle.gap
    let discs = (0..<cradle.count).map {
      Block(at: Point(x: pitch * Double($0), y: 325.33), size: Size(width: 64, height: 64), isRound: true)
    }
    let scene = try Scene(
      discs, properties: ItemProperties(elasticity: cradle.elasticity, allowsRotation: false), gravity: 1000)
    for disc in discs {
      try scene.animator.addBehavior(
        AttachmentBehavior(
          item: disc, attachedToAnchor: Point(x: disc.center.x, y: 0), length: 300, damping: 0.4, frequency: 1))
    }
    try scene.push(0, cradle.push, 0)
    #expect(scene.settle(seconds: 180))
    for (index, disc) in discs.enumerated() { #expect(abs(disc.center.x - pitch * Double(index)) < 1) }
  }

  /// The engine may end a swing that is too small to see. It must not end a wide one.
  @Test func aWideSwingGoesOn() throws {
    let disc = Block(at: Point(x: 0, y: 300), isRound: true)
    let scene = try Scene([disc], gravity: 1000, collides: false)
    try scene.animator.addBehavior(
      AttachmentBehavior(item: disc, attachedToAnchor: .zero, length: 300, damping: 0.4, frequency: 8))
    try scene.push(0, 600, 0)
    func widest() -> Double {
      (0..<240).reduce(0) { widest, _ in
        scene.animator.step(by: 1 / 60)
        return max(widest, abs(disc.center.x))
      }
    }
    let first = widest()
    scene.settle(seconds: 20)
    let last = widest()
    #expect(first > 250 && last > 0.95 * first, "\(last / first)")
  }

  /// One pass of the solver leaves small errors at contacts. They must not make a pile swing forever like a spring.
  @Test func aPileOfSmoothBoxesStopsSwinging() throws {
    let boxes = (0..<90).map { (index: Int) -> Block in
      let (row, column) = (index / 3, index % 3)
      return Block(
        at: Point(x: 10.2 + 20.4 * Double(column), y: -10 - 20 * Double(row)), size: Size(width: 20, height: 20))
    }
    let scene = try Scene(boxes, gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: 0, y: -1e4, width: 61.2, height: 1e4))
    #expect(scene.settle(seconds: 30))
    #expect(scene.deepestOverlap < 1)
  }

  /// Items that are stuck deep in the heap must come apart.
  @Test(.enabled(if: !isDebug, "unoptimized code takes too long for it"))
  func nothingStaysInsideAnythingElseInATallHeapOfSmoothBoxes() throws {
    let pitch = 63.9
    let boxes = (0..<200).map { (index: Int) -> Block in
      let (row, column) = (index / 3, index % 3)
      return Block(
        at: Point(
          x: pitch * (Double(column) + 0.5) + (row.isMultiple(of: 2) ? 0 : 210 - 3 * pitch),
          y: -pitch * (Double(row) + 0.5) - 1), size: Size(width: 45, height: 45))
    }
    let scene = try Scene(boxes, gravity: 1000)
    try scene.collision.setReferenceBounds(Rect(x: 0, y: -1e5, width: 210, height: 1e5))
    scene.settle(seconds: 20)
    #expect(scene.deepestOverlap < 1)
  }

  /// The engine slows items that press against several others, but only below 50 points/s. These items are faster.
  @Test func aSmoothStackThatSlidesAmongOthersKeepsItsSpeed() throws {
    let row = (0..<5).map { Block(at: Point(x: 20 * Double($0), y: -10), size: Size(width: 20, height: 20)) }
    let rider = (0..<5).map { Block(at: Point(x: 20 * Double($0), y: -30), size: Size(width: 20, height: 20)) }
    let scene = try Scene(row + rider, gravity: 1000)
    try scene.collision.addBoundary(withIdentifier: "floor", from: Point(x: -1000, y: 0), to: Point(x: 3000, y: 0))
    for index in 0..<10 { try scene.push(index, 100, 0) }
    for _ in 0..<120 { scene.animator.step(by: 1 / 60) }
    for item in scene.items { #expect(abs(try scene.properties.linearVelocity(for: item).dx - 100) < 1) }
  }

  /// In every sub-step, the springs push the items together and the contact pushes them apart. This must not keep the
  /// items awake.
  @Test func itemsOnSpringsThatPressAgainstEachOtherFallAsleep() throws {
    let discs = (0..<2).map { Block(at: Point(x: 15 * Double($0), y: 120), isRound: true) }
    let scene = try Scene(discs, gravity: 1000)
    for (index, disc) in discs.enumerated() {
      try scene.animator.addBehavior(
        AttachmentBehavior(
          item: disc, attachedToAnchor: Point(x: 15 * Double(index), y: 0), length: 100, damping: 0.4, frequency: 1))
    }
    #expect(scene.settle(seconds: 60))
    #expect(distance(discs[0].center, discs[1].center) > 19)
  }
}

extension Scene {
  /// The deepest overlap of any two items, in points, computed without the engine.
  var deepestOverlap: Double {
    var deepest = 0.0
    for (index, a) in items.enumerated() {
      for b in items[(index + 1)...] where distance(a.center, b.center) < a.reach + b.reach {
        deepest = max(deepest, a.overlap(with: b))
      }
    }
    return deepest
  }
}

extension Block {
  private var isRound: Bool { collisionBoundsType == .ellipse }
  private var radius: Double { min(size.width, size.height) / 2 }
  fileprivate var reach: Double { isRound ? radius : hypot(size.width, size.height) / 2 }

  /// Returns half the extent of the item along a direction. For a disc, half the extent is always the radius.
  private func halfWidth(along direction: Vector) -> Double {
    guard !isRound else { return radius }
    let (c, s) = (cos(angle), sin(angle))
    return abs(c * direction.dx + s * direction.dy) * size.width / 2 + abs(c * direction.dy - s * direction.dx)
      * size.height / 2
  }

  /// Returns the overlap in points along the direction in which two items overlap least. Tries the directions of their
  /// sides, and the direction from a disc to the nearest point of the other item.
  fileprivate func overlap(with other: Block) -> Double {
    let gap = Vector(dx: other.center.x - center.x, dy: other.center.y - center.y)
    var directions: [Vector] = []
    for block in [self, other] where !block.isRound {
      directions.append(Vector(dx: cos(block.angle), dy: sin(block.angle)))
      directions.append(Vector(dx: -sin(block.angle), dy: cos(block.angle)))
    }
    if isRound { directions.append(gap + other.corner(nearest: gap.times(-1))) }
    if other.isRound { directions.append(gap - corner(nearest: gap)) }
    return directions.reduce(.infinity) { least, direction in
      let length = direction.squared.squareRoot()
      guard length > 0 else { return least }
      let unit = direction.times(1 / length)
      return min(least, halfWidth(along: unit) + other.halfWidth(along: unit) - abs(gap.along(unit)))
    }
  }

  /// Returns the corner of a box that is nearest to a point, or the center of a disc, relative to the item's center.
  private func corner(nearest place: Vector) -> Vector {
    guard !isRound else { return .zero }
    let (c, s) = (cos(angle), sin(angle))
    let x = (c * place.dx + s * place.dy < 0 ? -1 : 1) * size.width / 2
    let y = (c * place.dy - s * place.dx < 0 ? -1 : 1) * size.height / 2
    return Vector(dx: c * x - s * y, dy: s * x + c * y)
  }
}
