import Testing

@testable import Dynamics

/// Tests what an animator accepts, when it runs, and what it reports.
@Suite struct AnimatorTests {
  private func attachment(
    _ item: Box, to anchor: Point = .zero, length: Double = 0, damping: Double = 0.8, frequency: Double = 1
  ) -> AttachmentBehavior {
    AttachmentBehavior(item: item, attachedToAnchor: anchor, length: length, damping: damping, frequency: frequency)
  }

  @Test func anItemOnSeveralSpringsRestsBetweenTheirAnchors() throws {
    let animator = DynamicAnimator()
    let box = Box(at: Point(x: 3, y: 4))
    let springs = [(0.0, 1.0), (30, 1), (60, 2)].map { attachment(box, to: Point(x: $0.0, y: 0), frequency: $0.1) }
    for spring in springs { try animator.addBehavior(spring) }
    func settle() { for _ in 0..<600 { animator.step(by: 1 / 60) } }
    // Stiffness is proportional to the square of the frequency, so the third spring is four times as stiff.
    settle()
    #expect(distance(box.center, Point(x: 45, y: 0)) < 0.1)
    try animator.removeBehavior(springs[2])
    settle()
    #expect(distance(box.center, Point(x: 15, y: 0)) < 0.1)
    try animator.removeBehavior(springs[0])
    #expect(animator.coupled.pointee.slot(of: box) == nil)
    settle()
    #expect(box.center == Point(x: 30, y: 0) && !animator.isRunning)
    try animator.removeBehavior(springs[1])
    #expect(throws: DynamicsError.self) { try animator.updateItem(usingCurrentState: box) }
  }

  static let senseless: [(Point, Double, Double, Double)] = [
    (Point(x: .nan, y: 0), 0.0, 0.8, 1.0), (Point(x: 0, y: .infinity), 0, 0.8, 1), (.zero, 0, -0.1, 1),
    (.zero, 0, .nan, 1), (.zero, 0, 0.8, -1), (.zero, 0, 0.8, .infinity), (.zero, -12, 0.8, 1),
  ]

  @Test(arguments: senseless) func senselessValuesAreRefusedAndNothingChanges(
    _ anchor: Point, _ length: Double, _ damping: Double, _ frequency: Double
  ) {
    let animator = DynamicAnimator()
    let spy = DelegateSpy()
    animator.delegate = spy
    let box = Box("row 7", at: Point(x: 1, y: 1))
    let error = #expect(throws: DynamicsError.self) {
      try animator.addBehavior(attachment(box, to: anchor, length: length, damping: damping, frequency: frequency))
    }
    let message = error?.description ?? ""
    #expect(message.contains("row 7"))
    let values = ["\(anchor.x)", "\(anchor.y)", "\(length)", "\(damping)", "\(frequency)"]
    #expect(values.contains { message.contains($0) })
    #expect(animator.behaviors.isEmpty && !animator.isRunning && spy.events.isEmpty)
    #expect(animator.items(in: Rect(x: -100, y: -100, width: 200, height: 200)).isEmpty)
  }

  @Test func anItemWithoutAPlaceIsRefused() {
    let animator = DynamicAnimator()
    let box = Box("lost", at: Point(x: 0, y: .nan))
    #expect(throws: DynamicsError.self) { try animator.addBehavior(attachment(box)) }
    #expect(animator.behaviors.isEmpty)
  }

  @Test func aBehaviorOfAnotherAnimatorIsRefused() throws {
    let (first, second) = (DynamicAnimator(), DynamicAnimator())
    let behavior = attachment(Box("shared", at: .zero))
    try first.addBehavior(behavior)
    #expect(throws: DynamicsError.behaviorBelongsToAnimator(item: "shared")) { try second.addBehavior(behavior) }
    #expect(behavior.dynamicAnimator === first && second.behaviors.isEmpty)
  }

  @Test func aNonFiniteAnchorCannotBeSetLater() throws {
    let animator = DynamicAnimator()
    let behavior = attachment(Box("drag", at: .zero), to: Point(x: 1, y: 1))
    try animator.addBehavior(behavior)
    #expect(throws: DynamicsError.self) { try behavior.setAnchorPoint(Point(x: .infinity, y: 0)) }
    #expect(behavior.anchorPoint == Point(x: 1, y: 1))
  }

  @Test func theAnimatorPausesAtRestAndResumesWhenAnItemIsMoved() throws {
    let animator = DynamicAnimator()
    let spy = DelegateSpy()
    animator.delegate = spy
    let box = Box(at: Point(x: 100, y: 0))
    try animator.addBehavior(attachment(box))
    #expect(animator.isRunning)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(!animator.isRunning && box.center == .zero)
    #expect(spy.events == ["resume", "pause"])
    box.center = Point(x: 0, y: 20)
    try animator.updateItem(usingCurrentState: box)
    #expect(animator.isRunning && spy.events == ["resume", "pause", "resume"])
    animator.step(by: 1 / 60)
    #expect(box.center.y > 0 && box.center.y < 20)
  }

  @Test func anUndampedSpringNeverRests() throws {
    let animator = DynamicAnimator()
    let box = Box(at: Point(x: 1, y: 0))
    try animator.addBehavior(attachment(box, damping: 0))
    for _ in 0..<10_000 { animator.step(by: 1 / 60) }
    #expect(animator.isRunning)
  }

  @Test func movingAnAnchorPullsTheItemAfter() throws {
    let animator = DynamicAnimator()
    let box = Box(at: .zero)
    let behavior = attachment(box)
    try animator.addBehavior(behavior)
    animator.step(by: 1 / 60)
    #expect(!animator.isRunning)
    try behavior.setAnchorPoint(Point(x: 50, y: 0))
    #expect(animator.isRunning && box.center == .zero)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(box.center == Point(x: 50, y: 0))
  }

  @Test func itemsInARectangleAreThoseThatShareMoreThanAnEdge() throws {
    let animator = DynamicAnimator()
    let inside = Box(at: Point(x: 5, y: 5))
    let touching = Box(at: Point(x: 25, y: 5))
    for box in [inside, touching] { try animator.addBehavior(attachment(box, to: box.center)) }
    #expect(animator.items(in: Rect(x: 0, y: 0, width: 20, height: 20)).map { $0 === inside } == [true])
    #expect(animator.items(in: Rect(x: 0, y: 0, width: 20.5, height: 20)).count == 2)
  }

  @Test func aRemovedItemStaysWhereItIsAndTheOthersGoOn() throws {
    let animator = DynamicAnimator()
    let boxes = (0..<5).map { Box("box \($0)", at: Point(x: 10, y: Double($0) * 20)) }
    let behaviors = boxes.map { attachment($0, to: Point(x: 0, y: $0.center.y)) }
    for behavior in behaviors { try animator.addBehavior(behavior) }
    animator.step(by: 1 / 60)
    let left = boxes[1].center
    try animator.removeBehavior(behaviors[1])
    #expect(behaviors[1].dynamicAnimator == nil)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(boxes[1].center == left)
    for index in [0, 2, 3, 4] { #expect(boxes[index].center == Point(x: 0, y: Double(index) * 20)) }
    #expect(throws: DynamicsError.unknownItem(item: "box 1")) { try animator.updateItem(usingCurrentState: boxes[1]) }
    try animator.addBehavior(behaviors[1])
    animator.removeAllBehaviors()
    #expect(animator.behaviors.isEmpty)
  }

  @Test func itemsWithDifferentSpringsRunSideBySide() throws {
    let animator = DynamicAnimator()
    let boxes = (1...4).map { Box(at: Point(x: 100 * Double($0), y: 0)) }
    for (index, box) in boxes.enumerated() {
      try animator.addBehavior(attachment(box, damping: 0.5 * Double(index), frequency: 1 + Double(index)))
    }
    for _ in 0..<45 { animator.step(by: 1 / 60) }
    for (index, box) in boxes.enumerated() {
      let expected = AnalyticOscillator(
        frequency: 1 + Double(index), damping: 0.5 * Double(index), displacement: 100 * Double(index + 1), velocity: 0
      ).displacement(at: 0.75)
      #expect(abs(box.center.x - expected) < 1e-9)
    }
  }

  @Test func aSpringThatIsRemovedDoesNotChangeHowOthersMove() throws {
    func springs(_ box: Box) -> [AttachmentBehavior] {
      [(-20.0, -20.0), (20, -20), (-20, 20), (20, 20)].map { dx, dy in
        attachment(
          box, to: Point(x: box.center.x + dx, y: box.center.y + dy), length: 28.28427, damping: 0.6, frequency: 8)
      }
    }
    func play(besideAnother: Bool) throws -> [Point] {
      let (animator, box) = (DynamicAnimator(), Box(at: Point(x: 300, y: 0)))
      let others = besideAnother ? springs(Box(at: .zero)) : []
      let own = springs(box)
      for spring in others + own { try animator.addBehavior(spring) }
      if besideAnother { for spring in [others[1], others[3]] { try animator.removeBehavior(spring) } }
      for spring in own { spring.anchorPoint.x += 100 }
      return (0..<30).map { _ in
        animator.step(by: 1 / 60)
        return box.center
      }
    }
    #expect(try play(besideAnother: true) == play(besideAnother: false))
  }

  private final class Falling: DynamicItem {
    var moves = 0
    var onMove: (Int) -> Void = { _ in }
    var center = Point.zero {
      didSet {
        moves += 1
        onMove(moves)
      }
    }
    let size = Size(width: 20, height: 20)
    var angle = 0.0
  }

  @Test func anItemAddedInTheLastMoveOfAnotherMovesToo() throws {
    func play(addingIn move: Int?) throws -> (moves: Int, y: Double) {
      let (animator, falling, late) = (DynamicAnimator(), Falling(), Box(at: Point(x: 200, y: 0)))
      let collision = CollisionBehavior(items: [falling])
      try collision.addBoundary(withIdentifier: "floor", from: Point(x: -100, y: 30), to: Point(x: 100, y: 30))
      try animator.addBehavior(collision)
      try animator.addBehavior(GravityBehavior(items: [falling]))
      if let move { falling.onMove = { if $0 == move { try? animator.addBehavior(GravityBehavior(items: [late])) } } }
      for _ in 0..<600 { animator.step(by: 1 / 60) }
      return (falling.moves, late.center.y)
    }
    let moves = try play(addingIn: nil).moves
    #expect(moves > 10)
    for move in [moves - 1, moves] { #expect(try play(addingIn: move).y > 1_000) }
  }

  @Test func aTimestepThatIsNoneChangesNothing() throws {
    let (animator, box) = (DynamicAnimator(), Box(at: Point(x: 9, y: 0)))
    try animator.addBehavior(attachment(box))
    for timestep in [-1, .nan, .infinity] { animator.step(by: timestep) }
    #expect(box.center.x == 9 && animator.isRunning)
  }
}
