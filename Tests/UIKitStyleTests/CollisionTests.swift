import Testing
import UIKit

/// Tests boundaries, collision modes, and calls of the delegate.
@Suite struct CollisionTests {
  private final class Log: NSObject, UICollisionBehaviorDelegate {
    var lines: [String] = []
    var points: [CGPoint] = []

    func collisionBehavior(
      _ behavior: UICollisionBehavior, beganContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem,
      at p: CGPoint
    ) {
      lines.append("items")
      points.append(p)
    }

    func collisionBehavior(
      _ behavior: UICollisionBehavior, endedContactFor item1: any UIDynamicItem, with item2: any UIDynamicItem
    ) { lines.append("items apart") }

    func collisionBehavior(
      _ behavior: UICollisionBehavior, beganContactFor item: any UIDynamicItem,
      withBoundaryIdentifier identifier: (any NSCopying)?, at p: CGPoint
    ) {
      lines.append("\(identifier.map { "\($0)" } ?? "bounds")")
      points.append(p)
    }

    func collisionBehavior(
      _ behavior: UICollisionBehavior, endedContactFor item: any UIDynamicItem,
      withBoundaryIdentifier identifier: (any NSCopying)?
    ) { lines.append("\(identifier.map { "\($0)" } ?? "bounds") left") }
  }

  private func thrown(_ view: UIView, _ velocity: CGPoint, elasticity: CGFloat, _ animator: UIDynamicAnimator) {
    let behavior = UIDynamicItemBehavior(items: [view])
    behavior.elasticity = elasticity
    behavior.addLinearVelocity(velocity, for: view)
    animator.addBehavior(behavior)
  }

  @Test func aDelegateIsToldOfABounceWithinAStep() {
    let (view, animator, log) = (box(0, 0), UIDynamicAnimator(), Log())
    let collision = UICollisionBehavior(items: [view])
    collision.addBoundary(
      withIdentifier: "wall" as NSCopying, from: CGPoint(x: 200, y: -100), to: CGPoint(x: 200, y: 100))
    collision.collisionDelegate = log
    animator.addBehavior(collision)
    thrown(view, CGPoint(x: 1000, y: 0), elasticity: 1, animator)
    run(animator, seconds: 0.5)
    #expect(log.lines == ["wall", "wall left"] && abs(log.points[0].x - 200) < 20 && view.center.x < 100)
  }

  @Test func aDelegateIsToldWhoMeetsAndWhoParts() {
    let (one, other, animator, log) = (box(0, 0), box(200, 0), UIDynamicAnimator(), Log())
    let collision = UICollisionBehavior(items: [one, other])
    collision.collisionDelegate = log
    animator.addBehavior(collision)
    thrown(one, CGPoint(x: 300, y: 0), elasticity: 1, animator)
    run(animator, seconds: 1)
    #expect(log.lines == ["items", "items apart"] && one.center.x < 101 && other.center.x > 300)
  }

  @Test func aContactLastsWhileAnItemLies() {
    let scene = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 568))
    let (view, log) = (box(160, 500), Log())
    scene.addSubview(view)
    let animator = UIDynamicAnimator(referenceView: scene)
    let collision = UICollisionBehavior(items: [view])
    collision.setTranslatesReferenceBoundsIntoBoundary(with: UIEdgeInsets(top: 0, left: 0, bottom: 8, right: 0))
    collision.collisionDelegate = log
    animator.addBehavior(collision)
    let gravity = UIGravityBehavior(items: [view])
    animator.addBehavior(gravity)
    for _ in 0..<300 { scene.step(by: 1 / 60) }
    #expect(log.lines.last == "bounds" && abs(view.frame.maxY - 560) < 0.5)
    let count = log.lines.count
    gravity.gravityDirection = CGVector(dx: 0, dy: -0.1)
    for _ in 0..<30 { scene.step(by: 1 / 60) }
    #expect(log.lines.dropFirst(count) == ["bounds left"])
  }

  @Test func itemsThatCollideWithBoundariesOnlyPassThroughEachOther() {
    let (one, other, animator) = (box(0, 0), box(150, 0), UIDynamicAnimator())
    let collision = UICollisionBehavior(items: [one, other])
    collision.collisionMode = .boundaries
    collision.addBoundary(
      withIdentifier: "wall" as NSCopying, from: CGPoint(x: 500, y: -100), to: CGPoint(x: 500, y: 100))
    animator.addBehavior(collision)
    thrown(one, CGPoint(x: 400, y: 0), elasticity: 0, animator)
    run(animator, seconds: 3)
    #expect(abs(one.frame.maxX - 500) < 0.5 && other.center.x == 150)
  }

  @Test func itemsThatCollideWithItemsOnlyCrossBoundaries() {
    let (one, other, animator) = (box(0, 0), box(400, 0), UIDynamicAnimator())
    let collision = UICollisionBehavior(items: [one, other])
    collision.collisionMode = .items
    collision.addBoundary(
      withIdentifier: "wall" as NSCopying, from: CGPoint(x: 200, y: -100), to: CGPoint(x: 200, y: 100))
    animator.addBehavior(collision)
    thrown(one, CGPoint(x: 400, y: 0), elasticity: 0, animator)
    run(animator, seconds: 3)
    #expect(one.center.x > 250 && other.center.x > 450)
  }

  @Test func aPathIsABoundaryWithOneIdentifier() {
    let (disc, animator, log) = (Disc(frame: CGRect(x: -20, y: -20, width: 40, height: 40)), UIDynamicAnimator(), Log())
    let collision = UICollisionBehavior(items: [disc])
    let bowl = UIBezierPath(ovalIn: CGRect(x: -150, y: -150, width: 300, height: 300))
    collision.addBoundary(withIdentifier: "bowl" as NSCopying, for: bowl)
    collision.collisionDelegate = log
    animator.addBehavior(collision)
    animator.addBehavior(UIGravityBehavior(items: [disc]))
    for _ in 0..<600 {
      animator.step(by: 1 / 60)
      #expect(distance(disc.center, .zero) < 131)
    }
    // The disc rests at the bottom of the bowl.
    #expect(abs(disc.center.y - 130) < 1 && Set(log.lines).isSubset(of: ["bowl", "bowl left"]))
    #expect(collision.boundary(withIdentifier: "bowl" as NSCopying)?.bounds == bowl.bounds)
    collision.removeBoundary(withIdentifier: "bowl" as NSCopying)
    run(animator, seconds: 1)
    #expect(disc.center.y > 500 && collision.boundaryIdentifiers?.isEmpty == true)
  }

  private final class Disc: UIView { override var collisionBoundsType: UIDynamicItemCollisionBoundsType { .ellipse } }

  private final class Wide: UIView {
    override var collisionBoundsType: UIDynamicItemCollisionBoundsType { .path }
    override var collisionBoundingPath: UIBezierPath {
      UIBezierPath(rect: CGRect(x: -60, y: -5, width: 120, height: 10))
    }
  }

  private final class WideAttributes: UICollectionViewLayoutAttributes {
    override var collisionBoundingPath: UIBezierPath { UIBezierPath(ovalIn: bounds) }
  }

  @Test func anItemCollidesByTheOutlineOfItsClass() {
    let ground = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    let wide = Wide(frame: CGRect(x: 150, y: 300, width: 50, height: 50))
    ground.addSubview(wide)
    let animator = UIDynamicAnimator(referenceView: ground)
    let collision = UICollisionBehavior(items: [wide])
    collision.translatesReferenceBoundsIntoBoundary = true
    animator.addBehavior(collision)
    animator.addBehavior(UIGravityBehavior(items: [wide]))
    run(animator, seconds: 3)
    #expect(abs(wide.center.y - 395) < 1)
    let attributes = WideAttributes(forCellWith: IndexPath(item: 0, section: 0))
    attributes.size = CGSize(width: 40, height: 20)
    let item: any UIDynamicItem = attributes
    // The subclass's outline begins at 0. The default one surrounds the center, so it would begin at -20.
    #expect(abs(item.collisionBoundingPath.bounds.minX) < 1)
  }

  @Test func pathsAreFlatWithinAQuarterOfAPoint() {
    let oval = UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 400, height: 400))
    #expect(distance(oval.bounds.origin, .zero) < 1e-9 && abs(oval.bounds.width - 400) < 1e-9)
    #expect(oval.contains(CGPoint(x: 200, y: 0.3)) && !oval.contains(CGPoint(x: 50, y: 50)))
    let curve = UIBezierPath()
    curve.move(to: .zero)
    curve.addCurve(
      to: CGPoint(x: 300, y: 0), controlPoint1: CGPoint(x: 100, y: 400), controlPoint2: CGPoint(x: 200, y: 400))
    // In its middle, the curve reaches three quarters of the height of its control points.
    #expect(abs(curve.bounds.maxY - 300) < 0.25 && curve.currentPoint == CGPoint(x: 300, y: 0))
    let round = UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 100, height: 60), cornerRadius: 20)
    #expect(round.contains(CGPoint(x: 50, y: 1)) && !round.contains(CGPoint(x: 3, y: 3)))
    let arc = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
    #expect(abs(arc.bounds.minX + 10) < 0.25 && abs(arc.bounds.minY + 10) < 0.25)
  }

  @Test func aGroupMovesAndTurnsItsItems() {
    let (one, other) = (box(0, 0), box(200, 0))
    let group = UIDynamicItemGroup(items: [one, other])
    #expect(group.center == CGPoint(x: 100, y: 0) && group.bounds.size == CGSize(width: 300, height: 100))
    let animator = UIDynamicAnimator()
    removeResistance(of: [group], in: animator)
    animator.addBehavior(UIGravityBehavior(items: [group]))
    run(animator, seconds: 1)
    #expect(abs(one.center.y - 500) < 1 && one.center.y == other.center.y && other.center.x == 200)
    group.transform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(distance(one.center, CGPoint(x: 100, y: group.center.y - 100)) < 1e-9)
    #expect(abs(one.transform.angleForTest - .pi / 2) < 1e-9)
  }
}
