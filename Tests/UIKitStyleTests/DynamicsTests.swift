import Testing
import UIKit
import UIKitScenarios

/// Tests UIKit Dynamics with plain views.
@Suite struct DynamicsTests {
  @Test func aPushOfOneAcceleratesAHundredPointsSquareBy100() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    removeResistance(of: [view], in: animator)
    let push = UIPushBehavior(items: [view], mode: .continuous)
    push.setAngle(0, magnitude: 1)
    animator.addBehavior(push)
    run(animator, seconds: 2)
    // The item should move ½·100·2² = 200 points. The tolerance covers the error of sub-steps of 1/240 s.
    #expect(abs(view.center.x - 200) < 1 && abs(view.center.y) < 1e-9)
  }

  @Test func anInstantaneousPushActsOnceAndIsInactiveThen() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let (item, push) = (UIDynamicItemBehavior(items: [view]), UIPushBehavior(items: [view], mode: .instantaneous))
    (item.density, item.resistance) = (2, 0)
    push.pushDirection = CGVector(dx: 0, dy: 3)
    animator.addBehavior(item)
    animator.addBehavior(push)
    run(animator, seconds: 1)
    #expect(abs(item.linearVelocity(for: view).y - 150) < 1e-9 && !push.active)
    push.active = true
    run(animator, seconds: 1)
    #expect(abs(item.linearVelocity(for: view).y - 300) < 1e-9)
  }

  @Test func gravityHasAnAngleAndAMagnitude() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let gravity = UIGravityBehavior(items: [view])
    #expect(abs(gravity.angle - .pi / 2) < 1e-12 && gravity.magnitude == 1)
    gravity.setAngle(.pi, magnitude: 0.5)
    removeResistance(of: [view], in: animator)
    animator.addBehavior(gravity)
    run(animator, seconds: 1)
    #expect(abs(view.center.x + 250) < 2 && abs(view.center.y) < 1e-6)
  }

  @Test func aViewFallsOntoTheBoundsOfItsReferenceView() {
    let scene = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 568))
    let view = box(160, 100)
    scene.addSubview(view)
    let animator = UIDynamicAnimator(referenceView: scene)
    let collision = UICollisionBehavior(items: [view])
    collision.translatesReferenceBoundsIntoBoundary = true
    animator.addBehavior(UIGravityBehavior(items: [view]))
    animator.addBehavior(collision)
    for _ in 0..<600 { scene.step(by: 1 / 60) }
    #expect(abs(view.frame.maxY - 568) < 0.5 && !animator.isRunning)
    collision.translatesReferenceBoundsIntoBoundary = false
    collision.addBoundary(
      withIdentifier: "floor" as NSCopying, from: CGPoint(x: 0, y: 700), to: CGPoint(x: 320, y: 700))
    #expect(collision.boundaryIdentifiers?.count == 1)
    for _ in 0..<600 { scene.step(by: 1 / 60) }
    #expect(abs(view.frame.maxY - 700) < 0.5)
  }

  @Test func aRestingItemTurnsWhenItsPushMovesOffTheCentre() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let item = UIDynamicItemBehavior(items: [view])
    item.resistance = 1e9
    let push = UIPushBehavior(items: [view], mode: .continuous)
    push.setAngle(0, magnitude: 1e-6)
    for behavior in [item, push] { animator.addBehavior(behavior) }
    run(animator, seconds: 5)
    #expect(!animator.isRunning)
    push.setTargetOffsetFromCenter(UIOffset(horizontal: 0, vertical: 20), for: view)
    #expect(animator.isRunning)
  }

  @Test func aPushOffTheCentreTurnsAnItemByItsTorque() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let push = UIPushBehavior(items: [view], mode: .continuous)
    push.pushDirection = CGVector(dx: 0, dy: 1)
    push.setTargetOffsetFromCenter(UIOffset(horizontal: 1, vertical: 0), for: view)
    removeResistance(of: [view], in: animator)
    animator.addBehavior(push)
    run(animator, seconds: 0.5)
    // The inertia of a square with mass 1 and sides of 100 points is 100²/6. The angle is ½·(torque ÷ inertia)·t² as
    // long as it is small.
    let acceleration: Double = 100.0 / (100.0 * 100.0 / 6.0)
    let angle: Double = 0.5 * acceleration * 0.25
    #expect(abs(view.transform.angleForTest - angle) < 1e-4)
    #expect(push.targetOffsetFromCenter(for: view).horizontal == 1)
    push.removeItem(view)
    #expect(push.targetOffsetFromCenter(for: view) == .zero)
  }

  @Test func aSnapSwingsLikeADampedOscillatorAndEndsUpright() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    view.transform = CGAffineTransform(rotationAngle: 1)
    let snap = UISnapBehavior(item: view, snapTo: CGPoint(x: 100, y: 0))
    snap.damping = 0.3
    animator.addBehavior(snap)
    let (frequency, ratio) = (2 * Double.pi * 4, 0.3)
    let damped = frequency * (1 - ratio * ratio).squareRoot()
    for frame in 1...30 {
      animator.step(by: 1 / 60)
      let time = Double(frame) / 60
      let swing: Double = cos(damped * time) + ratio * frequency / damped * sin(damped * time)
      let rest: Double = exp(-ratio * frequency * time) * swing
      // The tolerance is large, because the springs at the item's corners pull differently while it turns.
      #expect(abs(Double(view.center.x) - 100 * (1 - rest)) < 4)
    }
    run(animator, seconds: 5)
    #expect(abs(view.transform.angleForTest) < 1e-3 && abs(view.center.x - 100) < 0.1)
  }

  @Test func aSnapEndsAtItsPoint() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let snap = UISnapBehavior(item: view, snapTo: CGPoint(x: 200, y: 50))
    animator.addBehavior(snap)
    run(animator, seconds: 5)
    #expect(abs(view.center.x - 200) < 0.1 && abs(view.center.y - 50) < 0.1)
    snap.snapPoint = CGPoint(x: 10, y: 20)
    run(animator, seconds: 5)
    #expect(abs(view.center.x - 10) < 0.1 && abs(view.center.y - 20) < 0.1)
  }

  private final class Throw: UIDynamicBehavior {
    var moves: [Bool] = []

    init(_ view: UIView) {
      super.init()
      addChildBehavior(UIGravityBehavior(items: [view]))
    }

    override func willMove(to dynamicAnimator: UIDynamicAnimator?) { moves.append(dynamicAnimator != nil) }
  }

  @Test func aCompositeRunsItsChildrenAndItsActionInEachStep() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let composite = Throw(view)
    var actions = 0
    composite.action = { actions += 1 }
    animator.addBehavior(composite)
    run(animator, seconds: 0.5)
    #expect(actions == 30 && view.center.y > 100 && composite.childBehaviors[0].dynamicAnimator === animator)
    animator.removeBehavior(composite)
    let rest = view.center
    run(animator, seconds: 0.5)
    #expect(actions == 30 && view.center == rest && composite.moves == [true, false])
    animator.addBehavior(composite)
    animator.removeAllBehaviors()
    #expect(composite.moves == [true, false, true, false])
  }

  @Test func anAttachmentThatRunsCallsAnActionThatItGetsLater() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    func spring() -> UIAttachmentBehavior {
      let spring = UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 10, y: 0))
      (spring.length, spring.frequency) = (0, 1)
      return spring
    }
    let (parent, child) = (spring(), spring())
    animator.addBehavior(parent)
    run(animator, seconds: 0.5)
    var calls: [String] = []
    parent.action = {
      calls.append("parent")
      child.action = { calls.append("child") }
    }
    animator.step(by: 1 / 60)
    parent.addChildBehavior(child)
    animator.step(by: 1 / 60)
    #expect(calls == ["parent", "parent", "child"])
    animator.removeAllBehaviors()
    parent.removeChildBehavior(child)
    animator.addBehavior(child)
    animator.step(by: 1 / 60)
    #expect(calls == ["parent", "parent", "child", "child"])
  }

  @Test func everythingIsReleasedWithItsAnimator() {
    weak var leftAnimator: UIDynamicAnimator?
    weak var leftView: UIView?
    weak var leftSpring: UIAttachmentBehavior?
    do {
      let (view, animator) = (box(0, 0), UIDynamicAnimator())
      let spring = UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 10, y: 0))
      (spring.damping, spring.frequency) = (0.5, 2)
      animator.addBehavior(spring)
      animator.addBehavior(UIGravityBehavior(items: [view]))
      run(animator, seconds: 1)
      (leftAnimator, leftView, leftSpring) = (animator, view, spring)
    }
    #expect(leftAnimator == nil && leftView == nil && leftSpring == nil)
  }

  @Test func jointsFieldsAndBoundariesAreReleasedWithTheirAnimator() {
    weak var leftView: UIView?
    weak var leftField: UIFieldBehavior?
    weak var leftPin: UIAttachmentBehavior?
    weak var leftCollision: UICollisionBehavior?
    do {
      let (one, other, animator) = (box(0, 0), box(150, 0), UIDynamicAnimator())
      let pin = UIAttachmentBehavior.pinAttachment(with: one, attachedTo: other, attachmentAnchor: .zero)
      pin.attachmentRange = UIFloatRange(minimum: -1, maximum: 1)
      let (field, collision) = (UIFieldBehavior.springField(), UICollisionBehavior(items: [one, other]))
      field.addItem(one)
      collision.addBoundary(
        withIdentifier: "oval" as NSCopying,
        for: UIBezierPath(ovalIn: CGRect(x: -400, y: -400, width: 800, height: 800)))
      for behavior in [pin, field, collision, UISnapBehavior(item: other, snapTo: .zero)] {
        animator.addBehavior(behavior)
      }
      run(animator, seconds: 1)
      animator.removeBehavior(pin)
      run(animator, seconds: 1)
      (leftView, leftField, leftPin, leftCollision) = (one, field, pin, collision)
    }
    #expect(leftView == nil && leftField == nil && leftPin == nil && leftCollision == nil)
  }

  @Test func nothingKeepsAViewOrTheLayoutOfAList() {
    weak var leftView: UICollectionView?
    weak var leftLayout: UICollectionViewLayout?
    do {
      let (numbers, layout) = (Numbers(50), SpringyLayout())
      let view = UICollectionView(frame: phone, collectionViewLayout: layout)
      view.dataSource = numbers
      view.scroll(to: CGPoint(x: 0, y: 100), touch: CGPoint(x: 10, y: 500))
      view.step(by: 1 / 60)
      view.setCollectionViewLayout(TiledLayout(), animated: true)
      for _ in 0..<30 { view.step(by: 1 / 60) }
      #expect(layout.collectionView == nil && !view.visibleAttributes().isEmpty)
      (leftView, leftLayout) = (view, layout)
    }
    #expect(leftView == nil && leftLayout == nil)
  }

  @Test func aLayoutWithoutAContentSizeShowsNothing() {
    final class Sizeless: UICollectionViewLayout {
      var size = CGSize.zero
      override var collectionViewContentSize: CGSize { size }
      override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
        let item = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: 0, section: 0))
        item.frame = CGRect(x: 10, y: 10, width: 50, height: 50)
        return [item]
      }
    }
    let (numbers, layout) = (Numbers(1), Sizeless())
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    #expect(view.visibleAttributes().isEmpty && view.indexPathsForVisibleItems.isEmpty)
    layout.size = CGSize(width: 0, height: 60)
    layout.invalidateLayout()
    #expect(view.visibleAttributes().count == 1 && view.indexPathsForVisibleItems.count == 1)
  }

  @Test func aPushKeepsItsAngleUntilItHasAMagnitude() {
    let push = UIPushBehavior(items: [], mode: .instantaneous)
    push.angle = 2
    #expect(push.angle == 2 && push.pushDirection == .zero)
    push.magnitude = 3
    #expect(abs(push.pushDirection.dx - 3 * cos(2)) < 1e-12 && abs(push.angle - 2) < 1e-12)
    push.pushDirection = CGVector(dx: 0, dy: -1)
    push.magnitude = 0
    #expect(abs(push.angle + .pi / 2) < 1e-12)
  }
}
