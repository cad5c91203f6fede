import Testing
import UIKit

/// Tests the default properties of items, and which of several behaviors determines them. Numbers without a derivation
/// were measured on UIKit.
@Suite struct PropertyTests {
  @Test func aFreshBehaviorHasTheDefaultsOfUIKit() {
    let item = UIDynamicItemBehavior(items: [])
    #expect(item.elasticity == 0.2 && item.friction == 0.2 && item.density == 1 && item.allowsRotation)
    #expect(item.resistance == 0.1 && item.angularResistance == 0.1 && item.charge == 0 && !item.isAnchored)
  }

  /// Returns the speed and the spin after a second of free flight that begins with 100 points and 1 radian per second.
  private func flight(_ behaviors: [UIDynamicItemBehavior], of view: UIView) -> (speed: CGFloat, spin: CGFloat) {
    let (animator, motion) = (UIDynamicAnimator(), UIDynamicItemBehavior(items: [view]))
    for behavior in behaviors + [motion] { animator.addBehavior(behavior) }
    motion.addLinearVelocity(CGPoint(x: 100, y: 0), for: view)
    motion.addAngularVelocity(1, for: view)
    run(animator, seconds: 1)
    return (motion.linearVelocity(for: view).x, motion.angularVelocity(for: view))
  }

  @Test func anItemInFreeFlightLosesATenthPerSecond() {
    let (speed, spin) = flight([], of: box(0, 0))
    #expect(abs(speed - 100 * exp(-0.1)) < 0.1 && abs(spin - exp(-0.1)) < 0.001)
    let (animator, view) = (UIDynamicAnimator(), box(150, 50))
    animator.addBehavior(UIGravityBehavior(items: [view]))
    run(animator, seconds: 1)
    // The speed after a second is g/c·(1 − exp(−c)), and the way g/c²·(c − 1 + exp(−c)), where c is the resistance.
    #expect(abs(Double(view.center.y) - 50 - 1000 / 0.01 * (0.1 - 1 + exp(-0.1))) < 2)
  }

  @Test func eachPropertyIsThatOfTheLastBehaviorThatSetIt() {
    let view = box(0, 0)
    let (first, second) = (UIDynamicItemBehavior(items: [view]), UIDynamicItemBehavior(items: [view]))
    (first.resistance, first.angularResistance) = (1, 2)
    second.resistance = 3
    let (speed, spin) = flight([first, second], of: view)
    #expect(abs(speed - 100 * exp(-3)) < 0.3 && abs(spin - exp(-2)) < 0.003)
    // Setting the value that a property already has does not count as setting it.
    let (third, fourth) = (UIDynamicItemBehavior(items: [view]), UIDynamicItemBehavior(items: [view]))
    third.resistance = 0
    fourth.resistance = 0.1
    #expect(abs(flight([third, fourth], of: view).speed - 100) < 1e-9)
    let parent = UIDynamicBehavior()
    for resistance in [4, 5] as [CGFloat] {
      let child = UIDynamicItemBehavior(items: [view])
      child.resistance = resistance
      parent.addChildBehavior(child)
    }
    let (animator, alone) = (UIDynamicAnimator(), UIDynamicItemBehavior(items: [view]))
    alone.resistance = 2
    for behavior in [alone, parent] { animator.addBehavior(behavior) }
    alone.resistance = 7
    alone.addLinearVelocity(CGPoint(x: 100, y: 0), for: view)
    run(animator, seconds: 0.5)
    #expect(abs(alone.linearVelocity(for: view).x - 100 * exp(-2.5)) < 0.3)
  }

  @Test func forbiddingRotationKeepsElasticityAndFriction() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let (item, motion) = (UIDynamicItemBehavior(items: [view]), UIDynamicItemBehavior(items: [view]))
    (item.allowsRotation, motion.elasticity) = (false, 0.5)
    let collision = UICollisionBehavior(items: [view])
    collision.addBoundary(withIdentifier: "a" as NSString, from: CGPoint(x: 60, y: -99), to: CGPoint(x: 60, y: 99))
    for behavior in [motion, item, collision] { animator.addBehavior(behavior) }
    motion.addLinearVelocity(CGPoint(x: 200, y: 0), for: view)
    run(animator, seconds: 0.2)
    #expect(abs(motion.linearVelocity(for: view).x + 100) < 3)
  }

  @Test func removingABehaviorGivesItsPropertiesBack() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let (item, motion) = (UIDynamicItemBehavior(items: [view]), UIDynamicItemBehavior(items: [view]))
    item.resistance = 50
    for behavior in [motion, item] { animator.addBehavior(behavior) }
    animator.removeBehavior(item)
    motion.addLinearVelocity(CGPoint(x: 100, y: 0), for: view)
    run(animator, seconds: 1)
    #expect(abs(motion.linearVelocity(for: view).x - 100 * exp(-0.1)) < 0.1)
  }

  @Test func severalGravitiesAreThatOfTheLastOneAndRemovingOneEndsAll() {
    let (one, other, animator) = (box(0, 0), box(300, 0), UIDynamicAnimator())
    removeResistance(of: [one, other], in: animator)
    let motion = UIDynamicItemBehavior(items: [one, other])
    let (down, left) = (UIGravityBehavior(items: [one, other]), UIGravityBehavior(items: [other]))
    left.gravityDirection = CGVector(dx: -0.5, dy: 0)
    for behavior in [motion, down, left] { animator.addBehavior(behavior) }
    run(animator, seconds: 0.1)
    for view in [one, other] { #expect(distance(motion.linearVelocity(for: view), CGPoint(x: -50, y: 0)) < 1e-9) }
    down.magnitude = 3
    run(animator, seconds: 0.1)
    for view in [one, other] { #expect(distance(motion.linearVelocity(for: view), CGPoint(x: -50, y: 300)) < 1e-9) }
    animator.removeBehavior(left)
    run(animator, seconds: 0.1)
    for view in [one, other] { #expect(distance(motion.linearVelocity(for: view), CGPoint(x: -50, y: 300)) < 1e-9) }
    down.magnitude = 1
    run(animator, seconds: 0.1)
    #expect(distance(motion.linearVelocity(for: one), CGPoint(x: -50, y: 400)) < 1e-9)
  }

  @Test func anAttachmentIsAsLongAsItsEndsAreApartWhenItIsAdded() {
    let (view, hook, animator) = (box(0, 0), box(300, 0), UIDynamicAnimator())
    let (rod, own) = (
      UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 0, y: 80)),
      UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 0, y: 80))
    )
    let limit = UIAttachmentBehavior.limitAttachment(
      with: view, offsetFromCenter: .zero, attachedTo: hook, offsetFromCenter: .zero)
    own.length = 10
    #expect(rod.length == 0 && own.length == 10 && limit.length == 300)
    view.center = CGPoint(x: 0, y: 20)
    hook.center = CGPoint(x: 150, y: 20)
    for behavior in [rod, own, limit] { animator.addBehavior(behavior) }
    #expect(rod.length == 60 && own.length == 10 && limit.length == 150)
    animator.removeBehavior(rod)
    #expect(rod.length == 0)
  }

  @Test func aPushBesideTheCenterActsThereHoweverTheItemIsTurned() {
    func spin(turned angle: CGFloat) -> CGFloat {
      let (view, animator) = (box(0, 0), UIDynamicAnimator())
      view.transform = CGAffineTransform(rotationAngle: angle)
      let (motion, push) = (UIDynamicItemBehavior(items: [view]), UIPushBehavior(items: [view], mode: .instantaneous))
      push.pushDirection = CGVector(dx: 0, dy: 1)
      push.setTargetOffsetFromCenter(UIOffset(horizontal: 50, vertical: 0), for: view)
      motion.angularResistance = 0
      for behavior in [motion, push] { animator.addBehavior(behavior) }
      animator.step(by: 1 / 60)
      return motion.angularVelocity(for: view)
    }
    #expect(abs(spin(turned: 0) - 3) < 1e-6 && abs(spin(turned: .pi / 2) - 3) < 1e-6)
  }
}
