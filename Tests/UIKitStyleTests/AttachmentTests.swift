import Testing
import UIKit

/// Tests joints between items against closed-form solutions and against invariants.
@Suite struct AttachmentTests {
  /// Returns the current position of a point of an item, given its offset from the center of the upright item.
  private func end(_ view: UIView, _ x: CGFloat, _ y: CGFloat) -> CGPoint {
    let turned = CGPoint(x: x, y: y).applying(view.transform)
    return CGPoint(x: view.center.x + turned.x, y: view.center.y + turned.y)
  }

  private func anchored(_ views: [UIView], in animator: UIDynamicAnimator) {
    let behavior = UIDynamicItemBehavior(items: views)
    behavior.isAnchored = true
    animator.addBehavior(behavior)
  }

  @Test func anAnchoredItemHangsStillAndHoldsWhatIsTiedToIt() {
    let (hook, weight, animator) = (box(0, 0), box(0, 200), UIDynamicAnimator())
    anchored([hook], in: animator)
    animator.addBehavior(UIGravityBehavior(items: [hook, weight]))
    animator.addBehavior(UIAttachmentBehavior(item: hook, attachedTo: weight))
    run(animator, seconds: 2)
    #expect(hook.center == .zero && abs(distance(hook.center, weight.center) - 200) < 0.05)
  }

  @Test func anItemThatIsNoLongerAnchoredFalls() {
    let (view, animator) = (box(0, 0), UIDynamicAnimator())
    let behavior = UIDynamicItemBehavior(items: [view])
    (behavior.isAnchored, behavior.resistance) = (true, 0)
    animator.addBehavior(behavior)
    animator.addBehavior(UIGravityBehavior(items: [view]))
    run(animator, seconds: 1)
    #expect(view.center == .zero)
    behavior.isAnchored = false
    run(animator, seconds: 1)
    #expect(abs(view.center.y - 500) < 1)
  }

  @Test func anItemLiesOnAnAnchoredOneAsOnAFloor() {
    let (floor, view, animator) = (box(0, 300), box(10, 100), UIDynamicAnimator())
    anchored([floor], in: animator)
    animator.addBehavior(UIGravityBehavior(items: [floor, view]))
    animator.addBehavior(UICollisionBehavior(items: [floor, view]))
    run(animator, seconds: 5)
    #expect(floor.center == CGPoint(x: 0, y: 300) && abs(view.frame.maxY - 250) < 0.5 && !animator.isRunning)
  }

  /// A box that hangs from a pin outside its center swings like a physical pendulum.
  @Test func aPinIsAPendulumThatKeepsItsDistance() {
    let (hook, bob, animator) = (box(0, 0, side: 10), box(0, 200), UIDynamicAnimator())
    anchored([hook], in: animator)
    let pin = UIAttachmentBehavior.pinAttachment(with: bob, attachedTo: hook, attachmentAnchor: .zero)
    animator.addBehavior(pin)
    animator.addBehavior(UIGravityBehavior(items: [bob]))
    let push = UIPushBehavior(items: [bob], mode: .instantaneous)
    push.pushDirection = CGVector(dx: 0.2, dy: 0)
    animator.addBehavior(push)
    var (crossings, last) = ([Double](), CGFloat(1))
    var strays = CGFloat(0)
    for frame in 1...600 {
      animator.step(by: 1 / 60)
      strays = max(strays, distance(end(bob, 0, -200), .zero))
      if last * bob.center.x < 0 {
        let share = Double(bob.center.x / (bob.center.x - last))
        crossings.append((Double(frame) - share) / 60)
      }
      last = bob.center.x
    }
    // The period is 2π·√(I / (m·g·d)), for a square with sides of 100 points, whose center is 200 points from the pin.
    let inertia: Double = 100.0 * 100.0 / 6.0 + 200.0 * 200.0
    let period: Double = 2 * Double.pi * (inertia / 200_000.0).squareRoot()
    let swings = Double(crossings.count - 1) / 2
    let measured: Double = (crossings[crossings.count - 1] - crossings[0]) / swings
    #expect(strays < 0.05 && abs(measured - period) / period < 0.005)
    #expect(pin.attachedBehaviorType == .items && pin.anchorPoint == .zero)
  }

  @Test func aPinTurnsNoFurtherThanItsRange() {
    let (hook, arm, animator) = (box(0, 0, side: 10), box(100, 0), UIDynamicAnimator())
    anchored([hook], in: animator)
    let pin = UIAttachmentBehavior.pinAttachment(with: arm, attachedTo: hook, attachmentAnchor: .zero)
    pin.attachmentRange = UIFloatRange(minimum: -0.3, maximum: 0.5)
    animator.addBehavior(pin)
    let gravity = UIGravityBehavior(items: [arm])
    animator.addBehavior(gravity)
    run(animator, seconds: 2)
    #expect(abs(arm.transform.angleForTest - 0.5) < 0.002)
    gravity.gravityDirection = CGVector(dx: 0, dy: -1)
    run(animator, seconds: 2)
    #expect(abs(arm.transform.angleForTest + 0.3) < 0.002)
    pin.attachmentRange = .infinite
    gravity.gravityDirection = CGVector(dx: 0, dy: 1)
    run(animator, seconds: 0.5)
    #expect(arm.transform.angleForTest > 0.6)
  }

  /// The arm's center is 100 points from the pin. Its weight has a torque of 10, in the unit of `frictionTorque`.
  @Test func frictionHoldsAPinBelowItsTorqueAndSlowsItAbove() {
    func turn(_ torque: CGFloat, seconds: Double = 0.1) -> Double {
      let (hook, arm, animator) = (box(0, 0, side: 10), box(100, 0), UIDynamicAnimator())
      anchored([hook], in: animator)
      let pin = UIAttachmentBehavior.pinAttachment(with: arm, attachedTo: hook, attachmentAnchor: .zero)
      pin.frictionTorque = torque
      removeResistance(of: [arm], in: animator)
      animator.addBehavior(pin)
      animator.addBehavior(UIGravityBehavior(items: [arm]))
      run(animator, seconds: seconds)
      return arm.transform.angleForTest
    }
    #expect(abs(turn(10.5, seconds: 3)) < 1e-9)
    // Returns the angle after 0.1 s: half the angular acceleration, (10 − torque)·10⁴ / (100²/6 + 100²), times 0.1².
    func free(_ torque: Double) -> Double {
      let inertia: Double = 1e4 / 6 + 1e4
      return 0.5 * (10 - torque) * 1e4 / inertia * 0.01
    }
    #expect(abs(turn(0) / free(0) - 1) < 0.02)
    // In the first of 24 sub-steps, friction acts during the whole sub-step, but weight during only half of it. The
    // tolerance covers this.
    #expect(abs(turn(5) / free(5) - 1) < 0.045)
  }

  @Test func aLimitIsNeverLongerAndPushesNothing() {
    let (hook, bob, animator) = (box(0, 0, side: 10), box(60, 80, side: 20), UIDynamicAnimator())
    anchored([hook], in: animator)
    let rope = UIAttachmentBehavior.limitAttachment(
      with: bob, offsetFromCenter: .zero, attachedTo: hook, offsetFromCenter: .zero)
    removeResistance(of: [bob], in: animator)
    animator.addBehavior(rope)
    bob.center = CGPoint(x: 30, y: 0)
    animator.updateItem(usingCurrentState: bob)
    animator.addBehavior(UIGravityBehavior(items: [bob]))
    run(animator, seconds: 0.25)
    // While the rope is slack, the bob falls freely, by ½·1000·0.25² points.
    #expect(abs(bob.center.y - 31.25) < 0.2 && bob.center.x == 30)
    var longest = CGFloat(0)
    for _ in 0..<600 {
      animator.step(by: 1 / 60)
      longest = max(longest, distance(bob.center, .zero))
    }
    #expect(longest < 100.05 && longest > 99.9)
  }

  /// A limit attachment acts like a rope: when it becomes taut, it stops the motion along itself without a bounce. A
  /// swinging item loses energy only at that moment.
  @Test func aTautLimitSwingsForEver() {
    let (hook, bob, animator) = (box(0, 0, side: 10), box(60, 80, side: 20), UIDynamicAnimator())
    anchored([hook], in: animator)
    removeResistance(of: [bob], in: animator)
    animator.addBehavior(
      UIAttachmentBehavior.limitAttachment(
        with: bob, offsetFromCenter: .zero, attachedTo: hook, offsetFromCenter: .zero))
    animator.addBehavior(UIGravityBehavior(items: [bob]))
    var highest: [CGFloat] = []
    for _ in 0..<4 {
      var high = CGFloat(1000)
      for _ in 0..<120 {
        animator.step(by: 1 / 60)
        high = min(high, bob.center.y)
      }
      highest.append(high)
    }
    #expect(highest.allSatisfy { $0 > 79.9 } && abs(highest[3] - highest[0]) < 2)
  }

  @Test func fixedItemsMoveAndTurnAsOne() {
    let (one, other, animator) = (box(0, 0), box(100, 40), UIDynamicAnimator())
    other.transform = CGAffineTransform(rotationAngle: 0.7)
    removeResistance(of: [one, other], in: animator)
    animator.addBehavior(
      UIAttachmentBehavior.fixedAttachment(with: one, attachedTo: other, attachmentAnchor: CGPoint(x: 50, y: 20)))
    let push = UIPushBehavior(items: [one], mode: .instantaneous)
    push.pushDirection = CGVector(dx: 0, dy: 3)
    animator.addBehavior(push)
    let start = (one.center.y + other.center.y) / 2
    for _ in 0..<120 {
      animator.step(by: 1 / 60)
      let angle = one.transform.angleForTest
      let apart = other.transform.angleForTest - angle - 0.7
      #expect(abs(sin(apart / 2)) < 0.002)
      #expect(distance(end(one, 100, 40), other.center) < 0.2)
    }
    // The center of mass keeps its velocity of 150: two masses of 1 share a momentum of 300.
    #expect(abs((one.center.y + other.center.y) / 2 - start - 300) < 1.5)
    #expect(abs(one.transform.angleForTest) > 0.1)
  }

  @Test func aSlidingItemStaysOnItsAxisWithinItsRangeAndUpright() {
    let (view, animator) = (box(100, 100), UIDynamicAnimator())
    removeResistance(of: [view], in: animator)
    let slide = UIAttachmentBehavior.slidingAttachment(
      with: view, attachmentAnchor: CGPoint(x: 150, y: 120), axisOfTranslation: CGVector(dx: 3, dy: 4))
    slide.attachmentRange = UIFloatRange(minimum: -20, maximum: 300)
    animator.addBehavior(slide)
    let gravity = UIGravityBehavior(items: [view])
    animator.addBehavior(gravity)
    func place() -> (along: CGFloat, across: CGFloat) {
      let (x, y) = (view.center.x - 100, view.center.y - 100)
      return (0.6 * x + 0.8 * y, 0.8 * x - 0.6 * y)
    }
    run(animator, seconds: 0.5)
    // The item slides as on a slope with an acceleration of g·sin α = 800.
    #expect(abs(place().along - 100) < 1 && abs(place().across) < 0.01 && abs(view.transform.angleForTest) < 1e-5)
    run(animator, seconds: 2)
    #expect(abs(place().along - 300) < 0.1 && abs(place().across) < 0.05)
    gravity.gravityDirection = CGVector(dx: 0, dy: -1)
    run(animator, seconds: 3)
    #expect(abs(place().along + 20) < 0.1 && abs(place().across) < 0.05)
    slide.anchorPoint = CGPoint(x: 150, y: 170)
    run(animator, seconds: 3)
    #expect(abs(place().across + 30) < 0.05)
  }

  @Test func twoItemsSlideAlongEachOtherAndTurnTogether() {
    let (one, other, animator) = (box(0, 0), box(0, 120), UIDynamicAnimator())
    animator.addBehavior(
      UIAttachmentBehavior.slidingAttachment(
        with: one, attachedTo: other, attachmentAnchor: CGPoint(x: 0, y: 60), axisOfTranslation: CGVector(dx: 1, dy: 0))
    )
    let push = UIPushBehavior(items: [one], mode: .instantaneous)
    push.pushDirection = CGVector(dx: 1, dy: 0.5)
    animator.addBehavior(push)
    for _ in 0..<60 {
      animator.step(by: 1 / 60)
      #expect(abs(one.transform.angleForTest - other.transform.angleForTest) < 1e-3)
      let (dx, dy) = (other.center.x - one.center.x, other.center.y - one.center.y)
      let turned = CGPoint(x: dx, y: dy).applying(one.transform.inverted())
      #expect(abs(turned.y - 120) < 0.05)
    }
    #expect(abs(one.center.x - other.center.x) > 50)
  }
}
