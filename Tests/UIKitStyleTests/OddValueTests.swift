import Dynamics
import Testing
import UIKit

/// Tests that odd values, such as NaN, do not end the program, because they do not crash an app on iOS.
@Suite struct OddValueTests {
  private static let numbers: [CGFloat] = [.nan, .infinity, -.infinity, -1, 0, 1.5, .greatestFiniteMagnitude, 1e-300]

  @Test(arguments: numbers) func behaviorsTakeAnyNumber(_ number: CGFloat) {
    for isRunning in [false, true] {
      let (animator, view, other) = (UIDynamicAnimator(), box(0, 0), box(300, 0))
      let item = UIDynamicItemBehavior(items: [view])
      let spring = UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 5, y: 0))
      let rod = UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 0, y: 100))
      let slide = UIAttachmentBehavior.slidingAttachment(
        with: other, attachmentAnchor: .zero, axisOfTranslation: CGVector(dx: number, dy: number))
      let snap = UISnapBehavior(item: other, snapTo: CGPoint(x: number, y: 0))
      let (gravity, field) = (UIGravityBehavior(items: [view]), UIFieldBehavior.radialGravityField(position: .zero))
      let push = UIPushBehavior(items: [view], mode: .continuous)
      let odd = UIView(frame: CGRect(x: 0, y: 0, width: number == 0 ? 9 : number, height: 9))
      let collision = UICollisionBehavior(items: [view, odd])
      field.addItem(view)
      let behaviors = [item, spring, rod, slide, snap, gravity, field, push, collision]
      if isRunning { for behavior in behaviors { animator.addBehavior(behavior) } }
      (item.elasticity, item.friction, item.density) = (number, number, number)
      (item.resistance, item.angularResistance, item.charge) = (number, number, number)
      (spring.frequency, spring.damping, spring.length) = (number, number, number)
      (spring.anchorPoint, rod.frictionTorque) = (CGPoint(x: number, y: 1), number)
      slide.attachmentRange = UIFloatRange(minimum: number, maximum: 0)
      (snap.damping, snap.snapPoint) = (number, CGPoint(x: 1, y: number))
      (gravity.magnitude, push.magnitude) = (number, number)
      (field.strength, field.falloff, field.position) = (number, number, CGPoint(x: number, y: number))
      item.addLinearVelocity(CGPoint(x: number, y: 0), for: view)
      item.addAngularVelocity(number, for: view)
      collision.addBoundary(withIdentifier: "a" as NSString, from: .zero, to: CGPoint(x: number, y: number))
      if !isRunning { for behavior in behaviors { animator.addBehavior(behavior) } }
      for step in [1 / 60, TimeInterval(number), 1 / 60] as [TimeInterval] { animator.step(by: min(step, 1)) }
      #expect(animator.behaviors.count == behaviors.count)
      for behavior in behaviors { animator.removeBehavior(behavior) }
      #expect(animator.behaviors.isEmpty)
    }
  }

  @Test(arguments: numbers) func pathsAndViewsTakeAnyNumber(_ number: CGFloat) {
    let path = UIBezierPath(arcCenter: .zero, radius: number, startAngle: 0, endAngle: number, clockwise: true)
    path.addCurve(to: CGPoint(x: number, y: 0), controlPoint1: .zero, controlPoint2: CGPoint(x: 0, y: number))
    path.append(UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 100, height: 50), cornerRadius: number))
    UIBezierPath().addLine(to: .zero)
    #expect(!path.isEmpty && !UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: number, height: 9)).isEmpty)

    let (layout, numbers) = (UICollectionViewFlowLayout(), Numbers(50))
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.scroll(to: CGPoint(x: 0, y: 20), touch: CGPoint(x: 1, y: number))
    view.scroll(to: CGPoint(x: number, y: number))
    view.scroll(to: CGPoint(x: 0, y: 30))
    numbers.counts = [51]
    view.insertItems(at: [IndexPath(item: 0, section: 0)])
    view.step(by: TimeInterval(-abs(number)))
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.contentOffset == CGPoint(x: 0, y: 30) && view.animatedItemCount == 0)
    view.endDragging(withVelocity: CGPoint(x: number, y: number))
    for _ in 0..<20 { view.step(by: 1 / 60) }
    #expect(view.contentOffset.y.isFinite)
    layout.itemSize = CGSize(width: number, height: 50)
    layout.minimumLineSpacing = number
    layout.sectionInset.top = number
    _ = view.visibleAttributes()
    view.rotate(to: CGSize(width: number, height: 300))
    #expect(view.numberOfItems(inSection: 0) == 51)
  }

  private final class Widths: NSObject, UICollectionViewDelegateFlowLayout {
    let last: CGFloat

    init(_ last: CGFloat) { self.last = last }

    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: indexPath.item == 4 ? last : 60, height: 50) }
  }

  @Test(arguments: numbers) func aLineEndsAfterAnItemOfAnyWidth(_ width: CGFloat) {
    let (layout, numbers, widths) = (UICollectionViewFlowLayout(), Numbers(5), Widths(width))
    layout.minimumInteritemSpacing = 0
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    (view.delegate, view.dataSource) = (widths, numbers)
    #expect(view.visibleAttributes().count >= 4)
  }

  private final class Damaged: UICollectionViewFlowLayout {
    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
      let found = super.layoutAttributesForElements(in: rect)
      found?[0].frame.origin.y = .nan
      found?[1].transform3D = CATransform3DMakeScale(.nan, .nan, 1)
      return (found ?? []) + (found ?? [])
    }
  }

  @Test func whatIsNowhereIsNotShownAndWhatIsThereTwiceOnce() {
    let view = UICollectionView(frame: phone, collectionViewLayout: Damaged())
    let numbers = Numbers(6)
    view.dataSource = numbers
    #expect(view.visibleAttributes().map(\.indexPath.item) == [2, 3, 4, 5])
    #expect(view.indexPathsForVisibleItems.map(\.item) == [2, 3, 4, 5])
  }

  // MARK: Callbacks that change what is running

  private final class Meddler: NSObject, UIDynamicAnimatorDelegate, UICollisionBehaviorDelegate {
    var resumptions = 0
    var contacts: [String] = []
    var onResume: (UIDynamicAnimator) -> Void = { _ in }
    var onContact: (UICollisionBehavior) -> Void = { _ in }

    func dynamicAnimatorWillResume(_ animator: UIDynamicAnimator) {
      resumptions += 1
      onResume(animator)
    }

    func collisionBehavior(
      _ behavior: UICollisionBehavior, beganContactFor item: any UIDynamicItem,
      withBoundaryIdentifier identifier: (any NSCopying)?, at p: CGPoint
    ) {
      contacts.append("\(identifier.map { "\($0)" } ?? "bounds")")
      onContact(behavior)
    }
  }

  @Test func aDelegateMayTouchTheAnimatorThatResumes() {
    let (view, animator, meddler) = (box(0, 0), UIDynamicAnimator(), Meddler())
    animator.delegate = meddler
    let (first, second) = (UIGravityBehavior(items: [view]), UIGravityBehavior(items: [view]))
    meddler.onResume = { animator in
      animator.updateItem(usingCurrentState: view)
      if animator.behaviors.contains(first) { animator.removeBehavior(first) } else { animator.addBehavior(second) }
    }
    animator.addBehavior(first)
    #expect(meddler.resumptions == 1 && animator.behaviors.isEmpty && first.dynamicAnimator == nil)
    run(animator, seconds: 1)
    animator.addBehavior(second)
    run(animator, seconds: 0.5)
    #expect(animator.behaviors == [second] && view.center.y > 100)
  }

  @Test func aRemovedBehaviorDoesNothingMore() {
    let animator = UIDynamicAnimator()
    let (parent, child, other) = (UIDynamicBehavior(), UIDynamicBehavior(), UIDynamicBehavior())
    parent.addChildBehavior(child)
    for behavior in [UIGravityBehavior(items: [box(0, 0)]), parent, other] { animator.addBehavior(behavior) }
    var calls: [String] = []
    parent.action = {
      calls.append("parent")
      parent.removeChildBehavior(child)
      animator.removeBehavior(other)
      animator.removeBehavior(parent)
    }
    child.action = { calls.append("child") }
    other.action = { calls.append("other") }
    run(animator, seconds: 0.1)
    #expect(calls == ["parent"] && animator.behaviors.count == 1)
  }

  @Test func aFieldMayBeRemovedWhileItIsEvaluated() {
    let (animator, views) = (UIDynamicAnimator(), [box(0, 0), box(300, 0)])
    let field = UIFieldBehavior.field { field, _, _, _, _, _ in
      field.dynamicAnimator?.removeBehavior(field)
      return CGVector(dx: 1, dy: 0)
    }
    for view in views { field.addItem(view) }
    animator.addBehavior(field)
    run(animator, seconds: 0.1)
    #expect(animator.behaviors.isEmpty)
  }

  @Test func boundariesMayGoWhileTheyAreTouched() {
    let (ball, animator, meddler) = (box(0, 0), UIDynamicAnimator(), Meddler())
    let collision = UICollisionBehavior(items: [ball])
    collision.addBoundary(withIdentifier: "a" as NSString, from: CGPoint(x: -100, y: 50), to: CGPoint(x: 100, y: 50))
    collision.addBoundary(withIdentifier: "b" as NSString, from: CGPoint(x: 50, y: -100), to: CGPoint(x: 50, y: 100))
    collision.collisionDelegate = meddler
    meddler.onContact = { $0.removeAllBoundaries() }
    animator.addBehavior(collision)
    animator.addBehavior(UIGravityBehavior(items: [ball]))
    animator.step(by: 1 / 60)
    #expect(meddler.contacts.sorted() == ["a", "b"])
    // From now on, the delegate removes the behavior at each contact. When the behavior is added again, it must report
    // the contact again.
    meddler.contacts = []
    meddler.onContact = { $0.dynamicAnimator?.removeBehavior($0) }
    ball.center = .zero
    animator.updateItem(usingCurrentState: ball)
    for _ in 0..<2 {
      animator.removeBehavior(collision)
      collision.addBoundary(withIdentifier: "a" as NSString, from: CGPoint(x: -100, y: 50), to: CGPoint(x: 100, y: 50))
      animator.addBehavior(collision)
      animator.step(by: 1 / 60)
    }
    #expect(meddler.contacts == ["a", "a"])
  }

  @Test func theReferenceBoundsMayChangeAtAnyTime() {
    let (scene, ball) = (UIView(), box(50, 50))
    scene.addSubview(ball)
    let (animator, collision) = (UIDynamicAnimator(referenceView: scene), UICollisionBehavior(items: [ball]))
    collision.translatesReferenceBoundsIntoBoundary = true
    animator.addBehavior(collision)
    animator.addBehavior(UIGravityBehavior(items: [ball]))
    scene.frame = phone
    for _ in 0..<600 { scene.step(by: 1 / 60) }
    #expect(abs(ball.frame.maxY - 568) < 0.5 && !animator.isRunning)
    scene.frame = CGRect(x: 0, y: 0, width: 568, height: 320)
    for _ in 0..<600 { scene.step(by: 1 / 60) }
    #expect(abs(ball.frame.maxY - 320) < 0.5)
  }

  @Test func turnedAndScaledItemsAreFoundWhereTheyAreSeen() {
    let (turned, scaled, animator) = (box(0, 0), box(500, 0), UIDynamicAnimator())
    turned.bounds.size = CGSize(width: 200, height: 20)
    turned.transform = CGAffineTransform(rotationAngle: .pi / 2)
    scaled.transform = CGAffineTransform(scaleX: 2, y: 2)
    for view in [turned, scaled] {
      let spring = UIAttachmentBehavior(item: view, attachedToAnchor: view.center)
      (spring.length, spring.frequency) = (0, 1)
      animator.addBehavior(spring)
    }
    #expect(animator.items(in: CGRect(x: -5, y: 80, width: 10, height: 10)).map { $0 === turned } == [true])
    #expect(animator.items(in: CGRect(x: 590, y: 0, width: 5, height: 5)).map { $0 === scaled } == [true])
  }
}
