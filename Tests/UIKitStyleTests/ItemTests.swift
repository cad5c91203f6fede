import Testing
import UIKit

/// Tests which items an animator accepts, and what it reads from them and writes to them. Numbers without a derivation
/// were measured on UIKit.
@Suite struct ItemTests {
  private func attributes(_ item: Int, at center: CGPoint = CGPoint(x: 50, y: 50)) -> UICollectionViewLayoutAttributes {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: item, section: 0))
    (attributes.size, attributes.center) = (CGSize(width: 300, height: 44), center)
    return attributes
  }

  @Test func otherAttributesOfAnItemOfTheAnimatorShareTheMotionOfTheFirst() {
    let layout = UICollectionViewFlowLayout()
    let (animator, old, new) = (UIDynamicAnimator(collectionViewLayout: layout), attributes(3), attributes(3))
    let spring = UIAttachmentBehavior(item: old, attachedToAnchor: old.center)
    (spring.length, spring.frequency) = (0, 1)
    let (gravity, motion) = (UIGravityBehavior(items: [new]), UIDynamicItemBehavior(items: [new]))
    for behavior in [spring, gravity, motion] { animator.addBehavior(behavior) }
    motion.addLinearVelocity(CGPoint(x: 500, y: 0), for: new)
    run(animator, seconds: 0.5)
    // Gravity moves the first attributes, although it was given the second ones, which stay where they are.
    #expect(old.center.y > 60 && old.center.x == 50 && new.center == CGPoint(x: 50, y: 50))
    #expect(motion.linearVelocity(for: new) == .zero)
    #expect(animator.layoutAttributesForCell(at: new.indexPath) === old && animator.items(in: phone).count == 1)
    for behavior in [motion, spring, gravity] { animator.removeBehavior(behavior) }
    #expect(animator.layoutAttributesForCell(at: new.indexPath) == nil && animator.items(in: phone).isEmpty)
    animator.addBehavior(gravity)
    run(animator, seconds: 0.5)
    #expect(new.center.y > 100 && animator.layoutAttributesForCell(at: new.indexPath) === new)
  }

  @Test func attributesAreFoundByThePathThatTheyHadWhenTheyWereAdded() {
    let layout = UICollectionViewFlowLayout()
    let animator = UIDynamicAnimator(collectionViewLayout: layout)
    let items = (0..<40).map { attributes($0) }
    for item in items { animator.addBehavior(UIAttachmentBehavior(item: item, attachedToAnchor: .zero)) }
    for item in items { item.indexPath = IndexPath(item: 0, section: 0) }
    #expect((0..<40).allSatisfy { animator.layoutAttributesForCell(at: IndexPath(item: $0, section: 0)) === items[$0] })
    #expect(animator.layoutAttributesForSupplementaryView(ofKind: "a", at: items[0].indexPath) == nil)
  }

  @Test func twoAttributesOfAnItemMoveByThemselvesWithoutALayout() {
    let (animator, one, other) = (UIDynamicAnimator(), attributes(3), attributes(3))
    animator.addBehavior(UIGravityBehavior(items: [one, other]))
    run(animator, seconds: 0.5)
    #expect(one.center.y > 100 && one.center == other.center)
    #expect(animator.layoutAttributesForCell(at: one.indexPath) == nil)
  }

  @Test func aNestedViewMovesInTheCoordinatesOfTheReferenceView() {
    let (scene, holder, view) = (UIView(frame: phone), UIView(frame: phone), box(150.3, 50.7))
    holder.frame.origin = CGPoint(x: 10.25, y: 20.5)
    scene.addSubview(holder)
    holder.addSubview(view)
    let animator = UIDynamicAnimator(referenceView: scene)
    let spring = UIAttachmentBehavior(item: view, attachedToAnchor: CGPoint(x: 160.55, y: 171.2))
    animator.addBehavior(spring)
    #expect(abs(spring.length - 100) < 1e-9)
    run(animator, seconds: 0.1)
    #expect(distance(view.center, CGPoint(x: 150.3, y: 50.7)) < 1e-9)
    let collision = UICollisionBehavior(items: [view])
    collision.translatesReferenceBoundsIntoBoundary = true
    animator.removeBehavior(spring)
    for behavior in [collision, UIGravityBehavior(items: [view])] { animator.addBehavior(behavior) }
    run(animator, seconds: 5)
    #expect(abs(view.center.y + 20.5 + 50 - 568) < 0.5 && abs(view.center.x - 150.3) < 0.5)
  }

  @Test func theFirstStepReplacesATransformByItsRotation() {
    let (turned, still, animator) = (box(0, 0), box(300, 0), UIDynamicAnimator())
    let scaled = CGAffineTransform(scaleX: 2, y: 0.5)
    (turned.transform, still.transform) = (scaled.rotated(by: .pi), scaled)
    animator.addBehavior(UIGravityBehavior(items: [turned]))
    let spring = UIAttachmentBehavior(item: still, attachedToAnchor: still.center)
    (spring.length, spring.frequency) = (0, 1)
    animator.addBehavior(spring)
    #expect(still.transform == scaled)
    animator.step(by: 1 / 60)
    #expect(still.transform.isIdentity && abs(turned.transform.a + 1) < 1e-9 && abs(turned.transform.d + 1) < 1e-9)
    turned.transform = scaled
    animator.step(by: 1 / 60)
    #expect(abs(turned.transform.a + 1) < 1e-9 && abs(turned.transform.d + 1) < 1e-9)
  }

  @Test func anItemKeepsTheSizeThatItHadWhenItWasAdded() {
    let (scene, view) = (UIView(frame: phone), box(160, 300))
    scene.addSubview(view)
    let (animator, gravity) = (UIDynamicAnimator(referenceView: scene), UIGravityBehavior(items: [view]))
    let collision = UICollisionBehavior(items: [view])
    collision.translatesReferenceBoundsIntoBoundary = true
    for behavior in [collision, gravity] { animator.addBehavior(behavior) }
    view.bounds.size = CGSize(width: 100, height: 20)
    animator.updateItem(usingCurrentState: view)
    run(animator, seconds: 5)
    #expect(abs(view.center.y - 518) < 0.5)
    for behavior in [collision, gravity] { animator.removeBehavior(behavior) }
    for behavior in [collision, gravity] { animator.addBehavior(behavior) }
    run(animator, seconds: 5)
    #expect(abs(view.center.y - 558) < 0.5)
  }

  @Test func anItemThatASpringHoldsCollidesWithTheSizeThatItHadWhenItWasAdded() {
    let (scene, view) = (UIView(frame: phone), box(160, 300))
    scene.addSubview(view)
    let (animator, spring) = (
      UIDynamicAnimator(referenceView: scene), UIAttachmentBehavior(item: view, attachedToAnchor: view.center)
    )
    (spring.length, spring.frequency) = (0, 1)
    animator.addBehavior(spring)
    view.bounds.size = CGSize(width: 50, height: 50)
    let collision = UICollisionBehavior(items: [view])
    collision.translatesReferenceBoundsIntoBoundary = true
    for behavior in [collision, UIGravityBehavior(items: [view])] { animator.addBehavior(behavior) }
    animator.removeBehavior(spring)
    run(animator, seconds: 5)
    #expect(abs(view.center.y - 518) < 0.5)
  }

  @Test func jointsKeepTheSizeThatTheItemHadWhenItWasAdded() {
    let (hook, arm, animator) = (box(0, 0, side: 10), box(100, 0), UIDynamicAnimator())
    let anchored = UIDynamicItemBehavior(items: [hook])
    anchored.isAnchored = true
    let pin = UIAttachmentBehavior.pinAttachment(with: arm, attachedTo: hook, attachmentAnchor: .zero)
    for behavior in [anchored, pin, UIGravityBehavior(items: [arm])] { animator.addBehavior(behavior) }
    arm.bounds.size = .zero
    pin.attachmentRange = UIFloatRange(minimum: -0.3, maximum: 0.5)
    run(animator, seconds: 2)
    #expect(abs(arm.transform.angleForTest - 0.5) < 0.002)
  }

  @Test func aSnapPullsAtTheCornersThatTheItemHadWhenItWasAdded() {
    func angle(_ change: (UIView) -> Void) -> Double {
      let (view, animator) = (box(0, 0), UIDynamicAnimator())
      view.transform = CGAffineTransform(rotationAngle: 1)
      let snap = UISnapBehavior(item: view, snapTo: .zero)
      animator.addBehavior(snap)
      change(view)
      snap.snapPoint = CGPoint(x: 0, y: 10)
      run(animator, seconds: 0.2)
      return view.transform.angleForTest
    }
    #expect(angle { _ in } == angle { $0.bounds.size = CGSize(width: 1, height: 1) })
  }

  enum Misuse: String, CaseIterable, Codable {
    case noWidth = "has the invalid size"
    case outside = "must be inside the animator's reference view"
    case attributesInView = "cannot be moved by the animator of a view"
    case viewInLayout = "cannot be moved by the animator of a layout"
    case collisions = "an animator can have at most 64 collision behaviors"
  }

  @Test(arguments: Misuse.allCases) func itemsThatUIKitRejectsEndTheProgram(_ misuse: Misuse) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
      let (scene, layout, view) = (UIView(frame: phone), UICollectionViewFlowLayout(), box(0, 0))
      let item = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: 3, section: 0))
      item.size = CGSize(width: misuse == .noWidth ? 0 : 50, height: 50)
      switch misuse {
      case .noWidth: UIDynamicAnimator().addBehavior(UIGravityBehavior(items: [item]))
      case .outside: UIDynamicAnimator(referenceView: scene).addBehavior(UIGravityBehavior(items: [view]))
      case .attributesInView: UIDynamicAnimator(referenceView: scene).addBehavior(UIGravityBehavior(items: [item]))
      case .viewInLayout: UIDynamicAnimator(collectionViewLayout: layout).addBehavior(UIGravityBehavior(items: [view]))
      case .collisions:
        let animator = UIDynamicAnimator()
        for _ in 0...64 { animator.addBehavior(UICollisionBehavior(items: [view])) }
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(misuse.rawValue))
  }
}
