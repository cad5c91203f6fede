import Testing
import UIKit

/// Tests each force field against its closed-form solution. A view of 100×100 points has a mass of 1.
@Suite struct FieldTests {
  /// Runs a field on a view. After each frame it calls `check` with the seconds so far and the velocity.
  private func run(
    _ field: UIFieldBehavior, on view: UIView, velocity: CGPoint = .zero, charge: CGFloat = 0, density: CGFloat = 1,
    frames: Int = 120, _ check: (Double, CGPoint) -> Void
  ) {
    let animator = UIDynamicAnimator()
    let item = UIDynamicItemBehavior(items: [view])
    (item.charge, item.density, item.resistance) = (charge, density, 0)
    item.addLinearVelocity(velocity, for: view)
    animator.addBehavior(item)
    field.addItem(view)
    animator.addBehavior(field)
    for frame in 1...frames {
      animator.step(by: 1 / 60)
      check(Double(frame) / 60, item.linearVelocity(for: view))
    }
  }

  @Test func aRestingItemMovesWhenItIsCharged() {
    let (view, animator, field) = (box(50, 0), UIDynamicAnimator(), UIFieldBehavior.electricField())
    let item = UIDynamicItemBehavior(items: [view])
    field.addItem(view)
    for behavior in [item, field] { animator.addBehavior(behavior) }
    for _ in 0..<120 { animator.step(by: 1 / 60) }
    #expect(!animator.isRunning)
    item.charge = 1
    animator.step(by: 1 / 60)
    #expect(view.center.x > 50)
  }

  @Test func linearGravityAcceleratesWhateverTheMass() {
    let view = box(0, 0)
    let field = UIFieldBehavior.linearGravityField(direction: CGVector(dx: 0, dy: 2))
    run(field, on: view, density: 5) { time, velocity in
      #expect(abs(Double(velocity.y) - 200 * time) < 1e-6 && abs(Double(view.center.y) - 100 * time * time) < 1e-6)
    }
  }

  @Test func dragGrowsWithTheSquareOfTheSpeed() {
    let field = UIFieldBehavior.dragField()
    field.strength = 3
    // The rate per second is strength ÷ mass · speed, 1.5·4, and falls with the speed.
    run(field, on: box(0, 0), velocity: CGPoint(x: 400, y: 0), density: 2) { time, velocity in
      #expect(abs(Double(velocity.x) - 400 / (1 + 6 * time)) < 1e-6)
    }
    let stream = UIFieldBehavior.dragField()
    stream.direction = CGVector(dx: 1, dy: 0)
    run(stream, on: box(0, 0), velocity: CGPoint(x: 100, y: 0)) { _, velocity in #expect(velocity.x == 100) }
  }

  @Test func aSpringFieldSwingsWithoutLosingEnergy() {
    let view = box(60, 0)
    let field = UIFieldBehavior.springField()
    field.strength = 40
    run(field, on: view, density: 2.5, frames: 600) { time, _ in
      // ω² is the strength divided by the mass, 40 / 2.5.
      #expect(abs(Double(view.center.x) - 60 * cos(4 * time)) < 2)
    }
  }

  /// A circular orbit requires v² = a·r, with the acceleration a.
  @Test func radialGravityHoldsAnItemOnACircle() {
    let view = box(200, 0)
    let field = UIFieldBehavior.radialGravityField(position: .zero)
    field.strength = 4
    // At a distance of 200 points, the strength is 4·(200/100)⁻² = 1. It accelerates by 100 points per second².
    let speed = (100.0 * 200).squareRoot()
    run(field, on: view, velocity: CGPoint(x: 0, y: speed), frames: 600) { _, velocity in
      #expect(abs(distance(view.center, .zero) - 200) < 0.05)
      #expect(abs(distance(CGPoint(x: velocity.x, y: velocity.y), .zero) - CGFloat(speed)) < 0.05)
    }
  }

  @Test func nearerThanItsRadiusAFieldIsUniform() {
    let view = box(10, 0)
    let field = UIFieldBehavior.radialGravityField(position: .zero)
    (field.strength, field.minimumRadius) = (-1, 200)
    run(field, on: view, frames: 30) { time, velocity in #expect(abs(Double(velocity.x) - 25 * time) < 1e-6) }
  }

  @Test func aVelocityFieldSetsTheVelocity() {
    let field = UIFieldBehavior.velocityField(direction: CGVector(dx: 0.3, dy: -0.4))
    field.strength = 7
    run(field, on: box(0, 0), velocity: CGPoint(x: 500, y: 500)) { _, velocity in
      #expect(abs(velocity.x - 30) < 1e-9 && abs(velocity.y + 40) < 1e-9)
    }
  }

  @Test func fieldsHaveTheForcesOfUIKit() {
    typealias Field = UIFieldBehavior
    // An item of mass 1 or 3 that is 500 points from the field.
    func acceleration(_ field: Field, mass: CGFloat = 1, charge: CGFloat = 0, velocity: CGPoint = .zero) -> CGPoint {
      var change = CGPoint.zero
      run(field, on: box(300, 400), velocity: velocity, charge: charge, density: mass, frames: 1) { time, new in
        change = CGPoint(x: (new.x - velocity.x) / time, y: (new.y - velocity.y) / time)
      }
      return change
    }
    func tuned(_ field: Field, _ strength: CGFloat, _ falloff: CGFloat, _ radius: CGFloat) -> Field {
      (field.strength, field.falloff, field.minimumRadius) = (strength, falloff, radius)
      return field
    }
    let radial = { Field.radialGravityField(position: .zero) }
    let right = CGPoint(x: 100, y: 0)
    let measured = [
      (acceleration(radial()), CGPoint(x: -2.4, y: -3.2)), (acceleration(radial(), mass: 3), CGPoint(x: -2.4, y: -3.2)),
      (acceleration(tuned(radial(), 2, 1, 1000)), CGPoint(x: -12, y: -16)),
      (acceleration(.springField()), CGPoint(x: -300, y: -400)),
      (acceleration(.springField(), mass: 3), CGPoint(x: -100, y: -133.333)),
      (acceleration(.vortexField()), CGPoint(x: -80, y: 60)),
      (acceleration(.vortexField(), mass: 3), CGPoint(x: -8.889, y: 6.667)),
      (acceleration(tuned(.vortexField(), 2, 1, 1000)), CGPoint(x: -16, y: 12)),
      (acceleration(.electricField(), charge: 2), CGPoint(x: 24, y: 32)),
      (acceleration(.electricField(), mass: 3, charge: 2), CGPoint(x: 8, y: 10.667)),
      (acceleration(.electricField()), .zero), (acceleration(.magneticField(), velocity: right), .zero),
      (acceleration(.magneticField(), charge: 2, velocity: right), CGPoint(x: 0, y: -20)),
      (acceleration(.magneticField(), charge: -1, velocity: right), CGPoint(x: 0, y: -20)),
      (acceleration(.magneticField(), mass: 3, charge: 1, velocity: right), CGPoint(x: 0, y: -6.667)),
    ]
    for (index, (ours, theirs)) in measured.enumerated() {
      #expect(distance(ours, theirs) < 0.005 * max(1, distance(theirs, .zero)), "\(index): \(ours) \(theirs)")
    }
  }

  @Test func anElectricFieldPushesByTheCharge() {
    for charge in [CGFloat(-2), 0, 3] {
      let field = UIFieldBehavior.electricField()
      field.falloff = 0
      run(field, on: box(50, 0), charge: charge, frames: 10) { time, velocity in
        #expect(abs(Double(velocity.x) - Double(charge) * 100 * time) < 1e-6)
      }
    }
  }

  @Test func aMagneticFieldTurnsTheWayAndKeepsTheSpeed() {
    let view = box(0, 0)
    let field = UIFieldBehavior.magneticField()
    (field.strength, field.falloff) = (3, 0)
    run(field, on: view, velocity: CGPoint(x: 200, y: 0), charge: 1.5) { time, velocity in
      #expect(abs(Double(velocity.x) - 200 * cos(3 * time)) < 1e-6)
      #expect(abs(Double(velocity.y) + 200 * sin(3 * time)) < 1e-6)
      // The item moves on a circle of radius v / ω.
      #expect(abs(distance(view.center, CGPoint(x: 0, y: -200.0 / 3)) - 200.0 / 3) < 0.1)
    }
  }

  @Test func aBlockReturnsAForce() {
    var seen: [CGFloat] = []
    let field = UIFieldBehavior.field { field, position, velocity, mass, charge, seconds in
      seen = [position.x, velocity.dx, mass, charge, CGFloat(seconds)]
      return CGVector(dx: 0, dy: mass)
    }
    (field.position, field.strength) = (CGPoint(x: 2, y: 0), 9)
    let view = box(7, 0)
    run(field, on: view, velocity: CGPoint(x: 60, y: 0), charge: 5, density: 3, frames: 1) { time, velocity in
      #expect(abs(Double(velocity.y) - 100 * time) < 1e-6)
    }
    // The place is that half-way through the step, relative to the field. The velocity is in units of 100 points.
    #expect(seen == [5.5, 0.6, 3, 5, 1.0 / 60])
    field.strength = 0
    run(field, on: view) { _, velocity in #expect(velocity == .zero) }
  }

  @Test func noiseIsSmoothBoundedAndTheSameInEveryRun() {
    func path() -> [CGPoint] {
      var path: [CGPoint] = []
      let field = UIFieldBehavior.noiseField(smoothness: 0.5, animationSpeed: 2)
      run(field, on: box(3, 4)) { _, velocity in path.append(velocity) }
      return path
    }
    let once = path()
    #expect(once == path() && distance(once[119], .zero) > 1)
    for (one, next) in zip(once, once.dropFirst()) { #expect(distance(one, next) < 100 * 1.5 / 60) }
  }

  @Test func turbulenceLeavesWhatRestsAtRest() {
    run(UIFieldBehavior.turbulenceField(smoothness: 0, animationSpeed: 1), on: box(0, 0)) { _, velocity in
      #expect(velocity == .zero)
    }
    run(
      UIFieldBehavior.turbulenceField(smoothness: 0, animationSpeed: 1), on: box(0, 0), velocity: CGPoint(x: 100, y: 0),
      frames: 30
    ) { time, velocity in if time == 0.5 { #expect(abs(velocity.y) > 1) } }
  }

  @Test func aFieldActsInItsRegionOnly() {
    let view = box(0, 0)
    let field = UIFieldBehavior.linearGravityField(direction: CGVector(dx: 1, dy: 0))
    field.region = UIRegion(radius: 50)
    var last = CGFloat(0)
    run(field, on: view, frames: 180) { _, velocity in last = velocity.x }
    // An item that is accelerated by a over the distance s leaves the field with v² = 2·a·s.
    #expect(abs(last - 100) < 2 && view.center.x > 150)
  }

  @Test func anItemComesToRestInAFieldWithResistance() {
    let (view, animator) = (box(60, 0), UIDynamicAnimator())
    let (field, item) = (UIFieldBehavior.springField(), UIDynamicItemBehavior(items: [view]))
    (field.strength, item.resistance) = (40, 5)
    field.addItem(view)
    animator.addBehavior(field)
    animator.addBehavior(item)
    UIKitStyleTests.run(animator, seconds: 20)
    #expect(!animator.isRunning && abs(view.center.x) < 1)
    field.position = CGPoint(x: 100, y: 0)
    UIKitStyleTests.run(animator, seconds: 20)
    #expect(abs(view.center.x - 100) < 1)
  }

  @Test func regionsAreSetsOfPoints() {
    let (circle, box) = (UIRegion(radius: 10), UIRegion(size: CGSize(width: 40, height: 10)))
    let points = [CGPoint(x: 0, y: 0), CGPoint(x: 0, y: 8), CGPoint(x: 15, y: 0), CGPoint(x: 30, y: 0)]
    func inside(_ region: UIRegion) -> [Bool] { points.map(region.contains) }
    #expect(inside(circle) == [true, true, false, false])
    #expect(inside(box) == [true, false, true, false])
    #expect(inside(.infinite) == [true, true, true, true])
    #expect(inside(circle.inverse()) == [false, false, true, true])
    #expect(inside(circle.byUnion(with: box)) == [true, true, true, false])
    #expect(inside(circle.byDifference(from: box)) == [false, true, false, false])
    #expect(inside(circle.byIntersection(with: box)) == [true, false, false, false])
  }
}
