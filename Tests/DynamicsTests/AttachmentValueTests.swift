import Foundation
import Testing

@testable import Dynamics

/// Tests attachments whose length is not specified, and values that change while an animator runs.
@Suite struct AttachmentValueTests {
  @Test func anAttachmentIsAsLongAsItsEndsAreApartAtFirst() {
    let block = Block(at: Point(x: 30, y: 40))
    let other = Block(at: Point(x: 100, y: 0))
    #expect(AttachmentBehavior(item: block, attachedToAnchor: .zero).length == 50)
    #expect(AttachmentBehavior(item: block, attachedToAnchor: block.center).length == 0)
    #expect(AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 7).length == 7)
    block.center = Point(x: 0, y: 0)
    #expect(AttachmentBehavior(item: block, attachedTo: other).length == 100)
    block.angle = .pi / 2
    // The item's upper left corner is rotated to the upper right. The other item's upper left corner is 80 points
    // further to the right.
    let corners = AttachmentBehavior(
      item: block, offsetFromCenter: Vector(dx: -10, dy: -10), attachedTo: other,
      offsetFromCenter: Vector(dx: -10, dy: -10))
    #expect(abs(corners.length - 80) < 1e-12)
  }

  /// The articles on the springy list (docs/sources.md) set the values of a spring in this order.
  @Test func anAttachmentWhoseValuesAreSetAfterwardsIsSolvedInClosedForm() throws {
    let (block, twin) = (Block(at: Point(x: 5, y: 5)), Block(at: Point(x: 5, y: 5)))
    let animator = DynamicAnimator()
    let spring = AttachmentBehavior(item: block, attachedToAnchor: block.center)
    spring.length = 0
    spring.damping = 0.8
    spring.frequency = 1
    try animator.addBehavior(spring)
    try animator.addBehavior(AttachmentBehavior(item: twin, attachedToAnchor: twin.center, damping: 0.8, frequency: 1))
    for item in [block, twin] {
      item.center.y += 30
      try animator.updateItem(usingCurrentState: item)
    }
    for _ in 0..<30 {
      animator.step(by: 1 / 60)
      #expect(block.center == twin.center && block.center.y < 35)
    }
    #expect(animator.coupled.pointee.slot(of: block) == nil)
  }

  @Test func aSpringGoesOnFromWhereItIsWithItsNewFrequencyAndDamping() throws {
    let block = Block(at: Point(x: 100, y: 0))
    let animator = DynamicAnimator()
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 0, damping: 0.8, frequency: 1)
    try animator.addBehavior(spring)
    for _ in 0..<10 { animator.step(by: 1 / 60) }
    let first = AnalyticOscillator(frequency: 1, damping: 0.8, displacement: 100, velocity: 0)
    (spring.frequency, spring.damping) = (3, 0.2)
    // The spring's velocity after 1/6 s, when its values change, as a difference quotient.
    let velocity = (first.displacement(at: 1 / 6 + 1e-6) - first.displacement(at: 1 / 6 - 1e-6)) / 2e-6
    let second = AnalyticOscillator(
      frequency: 3, damping: 0.2, displacement: first.displacement(at: 1 / 6.0), velocity: velocity)
    for frame in 1...60 {
      animator.step(by: 1 / 60)
      #expect(abs(block.center.x - second.displacement(at: Double(frame) / 60)) < 1e-5)
    }
    #expect(animator.coupled.pointee.slot(of: block) == nil)
  }

  @Test func aFrequencyThatChangesInEveryFrameLeavesNothingBehind() throws {
    let animator = DynamicAnimator()
    let blocks = (0..<3).map { Block(at: Point(x: 100 * Double($0 + 1), y: 0)) }
    let springs = blocks.map {
      AttachmentBehavior(item: $0, attachedToAnchor: .zero, length: 0, damping: 1, frequency: 1)
    }
    for spring in springs { try animator.addBehavior(spring) }
    for frame in 1...500 {
      springs[frame % 3].frequency = 1 + Double(frame) / 1_000
      animator.step(by: 1 / 60)
    }
    #expect(animator.anchored.pointee.batchCount <= 4)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(blocks.allSatisfy { $0.center == .zero } && !animator.isRunning)
  }

  @Test func aSpringThatIsGivenALengthBecomesABodyAndComesBackWithoutAJerk() throws {
    let block = Block(at: Point(x: 100, y: 0))
    let animator = DynamicAnimator()
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, length: 0, damping: 0.5, frequency: 1)
    try animator.addBehavior(spring)
    var (last, step) = (block.center.x, 0.0)
    for frame in 0..<900 {
      if frame == 20 { spring.length = 40 }
      if frame == 300 { spring.length = 0 }
      animator.step(by: 1 / 60)
      let newStep = block.center.x - last
      #expect(abs(newStep - step) < 2, "frame \(frame)")
      (last, step) = (block.center.x, newStep)
      if frame == 299 {
        // The item has moved past the anchor and rests on the other side.
        #expect(abs(block.center.x + 40) < 0.5)
        #expect(animator.coupled.pointee.slot(of: block) != nil)
      }
    }
    #expect(animator.coupled.pointee.slot(of: block) == nil && block.center == .zero && !animator.isRunning)
  }

  @Test func aCoupledSpringFollowsItsNewValues() throws {
    let block = Block(at: Point(x: 0, y: 300))
    let scene = try Scene([block], gravity: 1000)
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, damping: 0.4, frequency: 1)
    try scene.animator.addBehavior(spring)
    #expect(spring.length == 300 && scene.settle(seconds: 30))
    #expect(abs(block.center.y - (300 + 1000 / pow(2 * .pi, 2))) < 0.05)
    spring.length = 100
    #expect(scene.animator.isRunning)
    spring.frequency = 2
    spring.damping = 1
    #expect(scene.settle(seconds: 30))
    #expect(abs(block.center.y - (100 + 1000 / pow(4 * .pi, 2))) < 0.05)
    spring.frequency = 0
    #expect(scene.settle(seconds: 30))
    #expect(abs(block.center.y - 100) < 0.05)
  }

  @Test func theAnchorCanBeSetAndThePullFollows() throws {
    let (block, other) = (Block(at: .zero), Block(at: Point(x: 9, y: 9)))
    let animator = DynamicAnimator()
    let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, damping: 1, frequency: 2)
    spring.anchorPoint = Point(x: 8, y: 0)
    try animator.addBehavior(spring)
    spring.anchorPoint = Point(x: 50, y: 60)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(block.center == Point(x: 50, y: 60) && spring.anchorPoint == block.center)
    #expect(AttachmentBehavior(item: block, attachedTo: other).anchorPoint == other.center)
  }

  @Test func senselessValuesAreRefusedWhenTheBehaviorIsAdded() throws {
    let block = Block("row 3", at: Point(x: 9, y: 9))
    for change in [{ $0.length = -1 }, { $0.damping = .nan }, { $0.frequency = -1 }] as [(AttachmentBehavior) -> Void] {
      let spring = AttachmentBehavior(item: block, attachedToAnchor: .zero, damping: 1, frequency: 1)
      change(spring)
      let animator = DynamicAnimator()
      let error = #expect(throws: DynamicsError.self) { try animator.addBehavior(spring) }
      #expect(error?.description.contains("row 3") == true && animator.behaviors.isEmpty)
    }
  }

  @Test func aSenselessValueOfARunningBehaviorEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let spring = AttachmentBehavior(item: Block(at: .zero), attachedToAnchor: .zero, frequency: 1)
      let animator = DynamicAnimator()
      try animator.addBehavior(spring)
      spring.length = -1
    }
  }

  @Test func aRectangleHoldsItsItemWhereItIsFromThePoint() throws {
    let blocks = [Block(at: Point(x: 100, y: 100)), Block(at: Point(x: 160, y: 40))]
    let animator = DynamicAnimator()
    let drag = DragBehavior(items: blocks, point: Point(x: 120, y: 90))
    try animator.addBehavior(drag)
    for frame in 1...100 {
      try drag.setPoint(Point(x: 120 + 2 * Double(frame), y: 90 - Double(frame)))
      animator.step(by: 1 / 60)
    }
    #expect(distance(blocks[0].center, Point(x: 100, y: 100)) > 100)
    for _ in 0..<1_200 where animator.isRunning { animator.step(by: 1 / 60) }
    #expect(!animator.isRunning && blocks.allSatisfy { $0.angle == 0 })
    #expect(distance(blocks[0].center, Point(x: 300, y: 0)) < 0.1)
    #expect(distance(blocks[1].center, Point(x: 360, y: -60)) < 0.1)
    drag.keep([1])
    try drag.setPoint(Point(x: 120, y: 90))
    for _ in 0..<1_200 where animator.isRunning { animator.step(by: 1 / 60) }
    #expect(distance(blocks[0].center, Point(x: 300, y: 0)) < 0.1)
    #expect(distance(blocks[1].center, Point(x: 160, y: 40)) < 0.1)
  }
}
