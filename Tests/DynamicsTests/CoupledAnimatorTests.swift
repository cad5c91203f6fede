import Foundation
import Testing

@testable import Dynamics

/// Tests which coupled behaviors are accepted, and how adding and removing behaviors affects the other ones.
@Suite struct CoupledAnimatorTests {
  private func spring(_ item: any DynamicItem, frequency: Double = 1) -> AttachmentBehavior {
    AttachmentBehavior(item: item, attachedToAnchor: .zero, length: 0, damping: 0.3, frequency: frequency)
  }

  static let badItems: [(Point, Size, Double)] = [
    (Point(x: .nan, y: 0), Size(width: 1, height: 1), 0), (.zero, Size(width: 0, height: 1), 0),
    (.zero, Size(width: 4, height: -1), 0), (.zero, Size(width: .infinity, height: 1), 0),
    (.zero, Size(width: 4, height: .nan), 0), (.zero, Size(width: 1, height: 1), .nan),
  ]

  @Test(arguments: badItems) func itemsWithoutAPlaceOrASizeAreRefusedAndNothingChanges(
    center: Point, size: Size, angle: Double
  ) throws {
    let bad = Block("row 7", at: center, size: size)
    bad.angle = angle
    let good = Block("row 8", at: Point(x: 10, y: 0))
    let animator = DynamicAnimator()
    let behaviors = [
      GravityBehavior(items: [good, bad]), CollisionBehavior(items: [good, bad]),
      DynamicItemBehavior(items: [good, bad]), AttachmentBehavior(item: good, attachedTo: bad, length: 5, frequency: 1),
      AttachmentBehavior(item: bad, attachedToAnchor: .zero, length: 5, frequency: 1),
      AttachmentBehavior(item: bad, attachedToAnchor: .zero, frequency: 1),
    ]
    for behavior in behaviors {
      let error = #expect(throws: DynamicsError.self) { try animator.addBehavior(behavior) }
      #expect(error?.description.contains("row 7") == true)
      #expect(behavior.dynamicAnimator == nil)
    }
    #expect(animator.behaviors.isEmpty && !animator.isRunning)
    #expect(animator.items(in: Rect(x: -1e3, y: -1e3, width: 2e3, height: 2e3)).isEmpty)
    let gravity = GravityBehavior(items: [good])
    try animator.addBehavior(gravity)
    #expect(throws: DynamicsError.self) { try gravity.addItem(bad) }
    #expect(gravity.items.count == 1)
  }

  static let badAttachments: [(length: Double, damping: Double, frequency: Double, offset: Vector)] = [
    (.nan, 0, 1, .zero), (-1, 0, 1, .zero), (.infinity, 0, 1, .zero), (5, -1, 1, .zero), (5, 0, .nan, .zero),
    (5, 0, 1, Vector(dx: .nan, dy: 0)), (0, .infinity, 1, Vector(dx: 1, dy: 0)),
  ]

  @Test(arguments: badAttachments) func senselessAttachmentsAreRefused(
    length: Double, damping: Double, frequency: Double, offset: Vector
  ) {
    let animator = DynamicAnimator()
    let error = #expect(throws: DynamicsError.self) {
      try animator.addBehavior(
        AttachmentBehavior(
          item: Block("row 3", at: Point(x: 9, y: 9)), offsetFromCenter: offset, attachedToAnchor: .zero,
          length: length, damping: damping, frequency: frequency))
    }
    #expect(error?.description.contains("row 3") == true && animator.behaviors.isEmpty)
  }

  @Test func anItemIsNotAttachedToItself() {
    let block = Block("loop", at: .zero)
    #expect(throws: DynamicsError.attachedToItself(item: "loop")) {
      try DynamicAnimator().addBehavior(AttachmentBehavior(item: block, attachedTo: block, length: 3))
    }
  }

  static let badProperties = [
    ItemProperties(density: 0), ItemProperties(density: .nan), ItemProperties(elasticity: 1.1),
    ItemProperties(elasticity: -0.1), ItemProperties(friction: -1), ItemProperties(resistance: .infinity),
    ItemProperties(angularResistance: .nan),
  ]

  @Test(arguments: badProperties) func senselessPropertiesAreRefused(_ properties: ItemProperties) {
    let animator = DynamicAnimator()
    let error = #expect(throws: DynamicsError.self) {
      try animator.addBehavior(DynamicItemBehavior(items: [Block(at: .zero)], properties: properties))
    }
    guard case .invalidProperty = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(animator.behaviors.isEmpty)
  }

  @Test func senselessBoundariesAndGravityAreRefused() throws {
    let collision = CollisionBehavior()
    let point = Point(x: 1, y: 2)
    for (from, to) in [(point, point), (point, Point(x: .nan, y: 0)), (Point(x: 0, y: .infinity), point)] {
      #expect(throws: DynamicsError.self) { try collision.addBoundary(withIdentifier: "floor", from: from, to: to) }
    }
    #expect(collision.boundaryIdentifiers.isEmpty)
    try collision.addBoundary(withIdentifier: "floor", from: .zero, to: point)
    #expect(throws: DynamicsError.boundaryExists(identifier: "floor")) {
      try collision.addBoundary(withIdentifier: "floor", from: .zero, to: Point(x: 5, y: 5))
    }
    try collision.addBoundary(withIdentifier: "slope", from: .zero, to: Point(x: 6e8, y: -8e8))
    try collision.removeBoundary(withIdentifier: "slope")
    for size in [Size.zero, Size(width: -5, height: 5), Size(width: .nan, height: 5)] {
      #expect(throws: DynamicsError.self) { try collision.setReferenceBounds(Rect(origin: .zero, size: size)) }
    }
    #expect(collision.referenceBounds == nil && collision.boundaryIdentifiers == ["floor"])
    #expect(throws: DynamicsError.self) {
      try DynamicAnimator().addBehavior(GravityBehavior(gravityDirection: Vector(dx: .nan, dy: 1)))
    }
  }

  @Test func removingWhatIsNotThereIsAnErrorByName() throws {
    let (animator, other) = (DynamicAnimator(), DynamicAnimator())
    let (inside, outside) = (Block("in", at: .zero), Block("out", at: .zero))
    let gravity = GravityBehavior(items: [inside])
    let composite = DynamicBehavior()
    try composite.addChildBehavior(gravity)
    try animator.addBehavior(composite)
    let collision = CollisionBehavior()
    #expect(throws: DynamicsError.unknownItem(item: "out")) { try gravity.removeItem(outside) }
    #expect(throws: DynamicsError.unknownBoundary(identifier: "wall")) {
      try collision.removeBoundary(withIdentifier: "wall")
    }
    #expect(throws: DynamicsError.unknownBehavior(behavior: collision.itemName)) {
      try animator.removeBehavior(collision)
    }
    #expect(throws: DynamicsError.unknownBehavior(behavior: collision.itemName)) {
      try composite.removeChildBehavior(collision)
    }
    #expect(throws: DynamicsError.self) { try other.removeBehavior(composite) }
    #expect(throws: DynamicsError.behaviorIsChild(behavior: gravity.itemName)) { try animator.removeBehavior(gravity) }
    #expect(throws: DynamicsError.unknownItem(item: "out")) {
      try DynamicItemBehavior().addLinearVelocity(Vector(dx: 1, dy: 1), for: outside)
    }
    #expect(animator.behaviors.count == 1 && gravity.items.count == 1)
    animator.step(by: 1 / 60)
    #expect(inside.center.y > 0 && outside.center == .zero)
  }

  @Test func aCompositeIsAddedAsAWholeOrNotAtAll() throws {
    let block = Block(at: Point(x: 40, y: 0))
    let (animator, untouched) = (DynamicAnimator(), DynamicAnimator())
    let twin = Block(at: Point(x: 40, y: 0))
    let spy = DelegateSpy()
    let empty = DynamicAnimator()
    empty.delegate = spy
    try animator.addBehavior(spring(block))
    try untouched.addBehavior(spring(twin))
    for instance in [animator, untouched] { for _ in 0..<10 { instance.step(by: 1 / 60) } }
    let composite = DynamicBehavior()
    let gravity = GravityBehavior(items: [block])
    try composite.addChildBehavior(gravity)
    try composite.addChildBehavior(AttachmentBehavior(item: block, attachedToAnchor: .zero, length: -3, frequency: 1))
    #expect(throws: DynamicsError.self) { try empty.addBehavior(composite) }
    #expect(!empty.isRunning && spy.events.isEmpty && empty.behaviors.isEmpty)
    #expect(throws: DynamicsError.self) { try animator.addBehavior(composite) }
    #expect(animator.behaviors.count == 1)
    #expect(composite.dynamicAnimator == nil && gravity.dynamicAnimator == nil)
    for instance in [animator, untouched] { for _ in 0..<100 { instance.step(by: 1 / 60) } }
    #expect(block.center == twin.center)
  }

  @Test func compositesRunAndStopTheirChildrenHoweverDeep() throws {
    let block = Block(at: .zero)
    let (outer, inner) = (DynamicBehavior(), DynamicBehavior())
    let gravity = GravityBehavior(items: [block])
    try inner.addChildBehavior(gravity)
    try outer.addChildBehavior(inner)
    #expect(throws: DynamicsError.self) { try inner.addChildBehavior(outer) }
    let animator = DynamicAnimator()
    #expect(throws: DynamicsError.self) { try animator.addBehavior(inner) }
    try animator.addBehavior(outer)
    #expect(gravity.dynamicAnimator === animator && animator.behaviors.count == 1)
    animator.step(by: 1 / 60)
    let fallen = block.center.y
    #expect(fallen > 0)
    try outer.removeChildBehavior(inner)
    for _ in 0..<10 { animator.step(by: 1 / 60) }
    #expect(block.center.y == fallen && gravity.dynamicAnimator == nil)
    try outer.addChildBehavior(inner)
    animator.step(by: 1 / 60)
    #expect(block.center.y > fallen)
    try animator.removeBehavior(outer)
    #expect(gravity.dynamicAnimator == nil && outer.childBehaviors.count == 1)
  }

  @Test func anItemChangesBetweenClosedFormAndBodyWithoutAJerk() throws {
    let (block, twin) = (Block(at: Point(x: 100, y: 30)), Block(at: Point(x: 100, y: 30)))
    let (animator, plain) = (DynamicAnimator(), DynamicAnimator())
    try animator.addBehavior(spring(block))
    try plain.addBehavior(spring(twin))
    // An item that is added to this behavior becomes a rigid body, but no further force acts on it.
    let properties = DynamicItemBehavior()
    try animator.addBehavior(properties)
    var farthest = 0.0
    for frame in 0..<300 {
      if frame == 50 || frame == 170 { try properties.addItem(block) }
      if frame == 120 || frame == 250 { try properties.removeItem(block) }
      animator.step(by: 1 / 60)
      plain.step(by: 1 / 60)
      #expect(distance(block.center, twin.center) < 1e-6)
      farthest = max(farthest, distance(twin.center, Point(x: 100, y: 30)))
    }
    #expect(farthest > 50)
    #expect(animator.coupled.pointee.slot(of: block) == nil)
  }

  @Test func aRigidBodyCanHangOnSeveralPlainSpringsToo() throws {
    let block = Block(at: Point(x: 3, y: 4))
    let animator = DynamicAnimator()
    let gravity = GravityBehavior(items: [block])
    try animator.addBehavior(gravity)
    let springs = [spring(block), spring(block, frequency: 2)]
    for spring in springs { try animator.addBehavior(spring) }
    #expect(animator.behaviors.count == 3)
    try animator.removeBehavior(springs[0])
    try animator.removeBehavior(gravity)
    #expect(animator.coupled.pointee.slot(of: block) == nil)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(block.center == springs[1].anchorPoint)
  }

  @Test func anItemThatLosesItsAttachmentFallsAndCanBeRemoved() throws {
    let blocks = (0..<4).map { Block(at: Point(x: 60 * Double($0), y: 300)) }
    let scene = try Scene(blocks, gravity: 1000)
    let springs = blocks.map {
      AttachmentBehavior(
        item: $0, attachedToAnchor: Point(x: $0.center.x, y: 0), length: 300, damping: 0.4, frequency: 1)
    }
    for spring in springs { try scene.animator.addBehavior(spring) }
    for _ in 0..<30 { scene.animator.step(by: 1 / 60) }
    try scene.animator.removeBehavior(springs[1])
    for _ in 0..<120 { scene.animator.step(by: 1 / 60) }
    #expect(blocks[1].center.y > 1500)
    for index in [0, 2, 3] { #expect(abs(blocks[index].center.y - 325) < 30) }
    for behavior in scene.animator.behaviors {
      if let group = behavior as? GroupBehavior { try group.removeItem(blocks[1]) }
    }
    let left = blocks[1].center
    #expect(throws: DynamicsError.unknownItem(item: "block")) {
      try scene.animator.updateItem(usingCurrentState: blocks[1])
    }
    for _ in 0..<900 where scene.animator.isRunning { scene.animator.step(by: 1 / 60) }
    #expect(blocks[1].center == left && !scene.animator.isRunning)
  }

  @Test func oneBehaviorMoreThanThereAreCollisionMasksIsRefused() throws {
    let animator = DynamicAnimator()
    var behaviors: [CollisionBehavior] = []
    for _ in 0..<64 {
      behaviors.append(CollisionBehavior())
      try animator.addBehavior(behaviors[behaviors.count - 1])
    }
    #expect(throws: DynamicsError.tooManyCollisionBehaviors(limit: 64)) {
      try animator.addBehavior(CollisionBehavior())
    }
    try animator.removeBehavior(behaviors[20])
    try animator.addBehavior(CollisionBehavior())
  }

  @Test func aResistedItemFallsAtItsTerminalVelocity() throws {
    let scene = try Scene([Block(at: .zero)], properties: ItemProperties(resistance: 4), gravity: 1000, collides: false)
    for _ in 0..<600 { scene.animator.step(by: 1 / 60) }
    #expect(abs(try scene.velocity(0).dy - 250) < 1e-6)
  }

  @Test func anItemThatMayNotRotateKeepsItsAngle() throws {
    let block = Block(at: Point(x: 195, y: 350))
    let scene = try Scene([block], properties: ItemProperties(allowsRotation: false), gravity: 1000)
    // The ledge supports only a quarter of the block, so the block would tip over if it could rotate.
    try scene.collision.addBoundary(withIdentifier: "ledge", from: Point(x: 0, y: 400), to: Point(x: 190, y: 400))
    #expect(scene.settle(seconds: 5))
    #expect(block.angle == 0 && abs(block.center.y - 390) < 0.1)
  }

  /// An item without an item behavior has some friction and elasticity, as in UIKit. For an item in an item behavior,
  /// both are 0 by default.
  @Test func anItemThatNoItemBehaviorIsAboutIsALittleRoughAndElastic() throws {
    let animator = DynamicAnimator()
    func slide(_ properties: ItemProperties?, at x: Double) throws -> Block {
      let block = Block(at: Point(x: x, y: -14))
      let floor = CollisionBehavior(items: [block])
      try floor.addBoundary(withIdentifier: "floor", from: Point(x: x - 500, y: 0), to: Point(x: x + 500, y: 0))
      try animator.addBehavior(floor)
      try animator.addBehavior(GravityBehavior(items: [block]))
      let behavior = DynamicItemBehavior(items: [block], properties: properties ?? ItemProperties())
      try animator.addBehavior(behavior)
      try behavior.addLinearVelocity(Vector(dx: 100, dy: 0), for: block)
      if properties == nil { try animator.removeBehavior(behavior) }
      return block
    }
    let bare = try slide(nil, at: 0)
    let same = try slide(ItemProperties(elasticity: 0.2, friction: 0.2), at: 2000)
    let smooth = try slide(ItemProperties(), at: 4000)
    for _ in 0..<180 { animator.step(by: 1 / 60) }
    #expect(ItemProperties.unconfigured == ItemProperties(elasticity: 0.2, friction: 0.2))
    #expect(abs(bare.center.x - (same.center.x - 2000)) < 1e-9 && abs(bare.center.y - same.center.y) < 1e-9)
    #expect(bare.center.x < 60 && smooth.center.x > 4290)
  }

  @Test func itemsInARectangleIncludeTurnedBodies() throws {
    let block = Block(at: Point(x: 25, y: 0))
    let scene = try Scene([block])
    #expect(scene.animator.items(in: Rect(x: 0, y: -5, width: 14, height: 10)).isEmpty)
    block.angle = .pi / 4
    try scene.animator.updateItem(usingCurrentState: block)
    #expect(scene.animator.items(in: Rect(x: 0, y: -5, width: 14, height: 10)).count == 1)
  }

  private final class Emptier: DynamicItem {
    var center = Point.zero { didSet { animator?.removeAllBehaviors() } }
    var angle = 0.0
    let size = Size(width: 20, height: 20)
    weak var animator: DynamicAnimator?
  }

  @Test func anItemThatEmptiesItsAnimatorWhileItMovesStillTurns() throws {
    let animator = DynamicAnimator()
    let items = (0..<20).map { _ in Emptier() }
    let behavior = DynamicItemBehavior(items: items)
    try animator.addBehavior(behavior)
    for item in items { try behavior.addAngularVelocity(6, for: item) }
    items[12].animator = animator
    animator.step(by: 1 / 60)
    #expect(items[12].angle > 0.09 && items[13].angle == 0 && animator.behaviors.isEmpty)
  }

  @Test func anItemThatLeftAForceIsNotPushedWhenItComesBack() throws {
    let block = Block(at: .zero)
    let animator = DynamicAnimator()
    let force = ForceBehavior()
    try animator.addBehavior(force)
    try force.addItem(block)
    try force.setAcceleration(Vector(dx: 100, dy: 0), of: block)
    try force.removeItem(block)
    try force.addItem(block)
    for _ in 0..<60 { animator.step(by: 1 / 60) }
    #expect(block.center == .zero)
  }

  @Test func anAnimatorThatLetsGoOfEverythingStartsAfresh() throws {
    let block = Block(at: .zero)
    let animator = DynamicAnimator()
    let rod = AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 5)
    let collision = CollisionBehavior(items: [block])
    try collision.setReferenceBounds(Rect(x: -50, y: -50, width: 100, height: 100))
    for _ in 0..<3 {
      try animator.addBehavior(rod)
      try animator.addBehavior(collision)
      animator.step(by: 1 / 60)
      animator.removeAllBehaviors()
      #expect(rod.dynamicAnimator == nil && collision.dynamicAnimator == nil && animator.behaviors.isEmpty)
    }
  }
}
