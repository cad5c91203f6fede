import Testing
import UIKit

/// Tests items that belong to several behaviors of one kind, and elements that several attributes objects represent.
@Suite struct SharedItemTests {
  private let layout = UICollectionViewFlowLayout()
  private let animator: UIDynamicAnimator
  private let (old, new): (UICollectionViewLayoutAttributes, UICollectionViewLayoutAttributes)

  init() {
    animator = UIDynamicAnimator(collectionViewLayout: layout)
    (old, new) = (Self.attributes(), Self.attributes())
  }

  /// Returns attributes of item 3, which are 300 points wide and 44 points high.
  private static func attributes() -> UICollectionViewLayoutAttributes {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: 3, section: 0))
    attributes.frame = CGRect(x: -100, y: 28, width: 300, height: 44)
    return attributes
  }

  /// Returns a spring that pulls an item 100 points down.
  private func spring(_ item: UICollectionViewLayoutAttributes) -> UIAttachmentBehavior {
    let spring = UIAttachmentBehavior(item: item, attachedToAnchor: CGPoint(x: 50, y: 150))
    (spring.length, spring.frequency) = (0, 1)
    return spring
  }

  @Test(arguments: [true, false]) func anItemOfSeveralGravitiesMovesOnWhenItLeavesOneOfThem(
    isRemovedWithItsBehavior: Bool
  ) {
    let (shared, other, animator) = (box(0, 0), box(300, 0), UIDynamicAnimator())
    let (one, both) = (UIGravityBehavior(items: [shared]), UIGravityBehavior(items: [shared, other]))
    for behavior in [one, both] { animator.addBehavior(behavior) }
    run(animator, seconds: 0.5)
    if isRemovedWithItsBehavior { animator.removeBehavior(one) } else { one.removeItem(shared) }
    let start = shared.center.y
    run(animator, seconds: 0.5)
    #expect(shared.center.y > start + 200 && abs(shared.center.y - other.center.y) < 1e-9)
    #expect(animator.items(in: CGRect(x: -500, y: -500, width: 1_000, height: 9_000)).count == 2)
    let middle = shared.center.y
    both.setAngle(-.pi / 2, magnitude: 4)
    run(animator, seconds: 0.5)
    #expect(shared.center.y < middle && abs(shared.center.y - other.center.y) < 1e-9)
    both.removeItem(shared)
    #expect(animator.items(in: CGRect(x: -500, y: -500, width: 1_000, height: 9_000)).count == 1)
  }

  @Test(arguments: [true, false]) func aForceOnSharedAttributesFollowsItsBehaviorUntilTheLastIsRemoved(isField: Bool) {
    let push = UIPushBehavior(items: [old, new], mode: .continuous)
    push.pushDirection = CGVector(dx: 0, dy: 20)
    let field = UIFieldBehavior.linearGravityField(direction: CGVector(dx: 0, dy: 1))
    for item in [old, new] { field.addItem(item) }
    let force = isField ? field : push
    removeResistance(of: [old], in: animator)
    animator.addBehavior(force)
    run(animator, seconds: 0.5)
    if isField { field.removeItem(old) } else { push.removeItem(old) }
    let start = old.center.y
    run(animator, seconds: 0.5)
    let fall = old.center.y - start
    #expect(start > 51 && fall > 1)
    if isField { field.strength = 0 } else { push.active = false }
    run(animator, seconds: 0.1)
    func moved() -> CGFloat {
      let start = old.center.y
      run(animator, seconds: 0.5)
      return old.center.y - start
    }
    #expect(abs(moved() - moved()) < 1e-6)
  }

  @Test func anItemStaysInAGroupUntilTheLastOfItsAttributesIsRemoved() {
    let collision = UICollisionBehavior(items: [old, new])
    collision.addBoundary(withIdentifier: "a" as NSString, from: CGPoint(x: -99, y: 200), to: CGPoint(x: 199, y: 200))
    for behavior in [UIGravityBehavior(items: [old]), collision] { animator.addBehavior(behavior) }
    collision.removeItem(new)
    run(animator, seconds: 3)
    #expect(abs(old.center.y - 178) < 0.5)
    collision.removeItem(old)
    run(animator, seconds: 1)
    #expect(old.center.y > 300)
  }

  @Test func removingAllBehaviorsForgetsWhichAttributesMovedOthers() {
    for behavior in [spring(old), UIGravityBehavior(items: [new])] { animator.addBehavior(behavior) }
    animator.removeAllBehaviors()
    animator.addBehavior(spring(new))
    run(animator, seconds: 0.5)
    #expect(old.center.y == 50 && new.center.y > 100)
    #expect(animator.layoutAttributesForCell(at: new.indexPath) === new)
  }

  @Test func attributesThatHaveLeftAllBehaviorsAreReleased() {
    animator.addBehavior(spring(old))
    weak var left: UICollectionViewLayoutAttributes?
    do {
      let (brief, gravity) = (Self.attributes(), UIGravityBehavior())
      animator.addBehavior(gravity)
      gravity.addItem(brief)
      left = brief
      animator.removeBehavior(gravity)
    }
    #expect(left == nil && animator.items(in: phone).count == 1)
  }

  @Test func attributesMoveByThemselvesOnceTheFirstHaveAnotherPath() {
    let gravity = UIGravityBehavior(items: [new])
    let (first, second) = (spring(old), spring(new))
    for behavior in [first, gravity] { animator.addBehavior(behavior) }
    old.indexPath = IndexPath(item: 7, section: 0)
    animator.addBehavior(second)
    animator.removeBehavior(gravity)
    run(animator, seconds: 0.5)
    // Both are held only by their springs now.
    #expect(new.center.y > 100 && abs(new.center.y - old.center.y) < 1e-6 && animator.items(in: phone).count == 2)
    animator.removeBehavior(first)
    #expect(animator.items(in: phone).count == 1)
    animator.removeBehavior(second)
    #expect(animator.items(in: phone).isEmpty)
  }

  @Test func aDecorationViewIsNotASupplementaryViewOfTheSameKind() {
    let path = IndexPath(item: 0, section: 0)
    let header = UICollectionViewLayoutAttributes(forSupplementaryViewOfKind: "a", with: path)
    let background = UICollectionViewLayoutAttributes(forDecorationViewOfKind: "a", with: path)
    for attributes in [header, background] { attributes.frame = CGRect(x: 0, y: 0, width: 50, height: 50) }
    animator.addBehavior(UIGravityBehavior(items: [header, background]))
    run(animator, seconds: 0.5)
    #expect(header.center.y > 100 && header.center == background.center)
    #expect(animator.layoutAttributesForSupplementaryView(ofKind: "a", at: path) === header)
    #expect(animator.layoutAttributesForDecorationView(ofKind: "a", at: path) === background)
    #expect(animator.layoutAttributesForCell(at: path) == nil)
  }

  @Test func aChargeFollowsTheRulesOfTheOtherProperties() {
    var seen: [CGFloat] = []
    let field = UIFieldBehavior.field { _, _, _, mass, charge, _ in
      seen = [mass, charge]
      return .zero
    }
    let view = box(0, 0)
    field.addItem(view)
    func item(charge: CGFloat, density: CGFloat) -> UIDynamicItemBehavior {
      let item = UIDynamicItemBehavior(items: [view])
      (item.charge, item.density) = (charge, density)
      return item
    }
    let (parent, alone, animator) = (UIDynamicBehavior(), item(charge: 1, density: 2), UIDynamicAnimator())
    for behavior in [parent, alone, field] { animator.addBehavior(behavior) }
    let child = item(charge: 3, density: 4)
    parent.addChildBehavior(child)
    animator.step(by: 1 / 60)
    // As in UIKit, behaviors count in the order of the tree, in which the child comes before the other behavior.
    #expect(seen == [2, 1])
    animator.removeBehavior(alone)
    animator.step(by: 1 / 60)
    #expect(seen == [4, 3])
    child.removeItem(view)
    animator.step(by: 1 / 60)
    #expect(seen == [1, 0])
  }

  @Test func aChargeThatOtherAttributesAreGivenIsThatOfTheFirst() {
    let (field, charged) = (UIFieldBehavior.electricField(), UIDynamicItemBehavior(items: [new]))
    (charged.charge, field.falloff) = (3, 0)
    field.addItem(old)
    for behavior in [field, charged] { animator.addBehavior(behavior) }
    run(animator, seconds: 1)
    #expect(old.center.y > 51 && new.center.y == 50)
  }
}
