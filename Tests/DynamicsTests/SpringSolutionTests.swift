import Foundation
import Testing

@testable import Dynamics

/// Compares the motion of springs that the engine solves in closed form with `AnalyticOscillator`, an independent
/// solution.
@Suite struct SpringSolutionTests {
  struct Case: Sendable, CustomStringConvertible {
    var frequency: Double
    var damping: Double
    var description: String { "f \(frequency) Hz, ζ \(damping)" }
  }

  static let cases = [
    Case(frequency: 1, damping: 0.8), Case(frequency: 8, damping: 0.6), Case(frequency: 1, damping: 1),
    Case(frequency: 1, damping: 2), Case(frequency: 1, damping: 0), Case(frequency: 3, damping: 1.0001),
    Case(frequency: 3, damping: 0.9999), Case(frequency: 20, damping: 5),
  ]

  @Test(arguments: cases, [60.0, 90, 120]) func positionsAgreeWithTheAnalyticSolutionForTenSeconds(
    _ spring: Case, hertz: Double
  ) throws {
    let box = Box(at: Point(x: 130, y: -40))
    let animator = DynamicAnimator(restTolerance: 0)
    try animator.addBehavior(
      AttachmentBehavior(
        item: box, attachedToAnchor: Point(x: 30, y: 60), length: 0, damping: spring.damping,
        frequency: spring.frequency))
    let x = AnalyticOscillator(frequency: spring.frequency, damping: spring.damping, displacement: 100, velocity: 0)
    for frame in 1...Int(10 * hertz) {
      animator.step(by: 1 / hertz)
      let expected = x.displacement(at: Double(frame) / hertz)
      #expect(abs(box.center.x - (30 + expected)) < 1e-9)
      #expect(abs(box.center.y - (60 - expected)) < 1e-9)
    }
  }

  @Test(arguments: cases) func aRangeOfSpringsAgreesWithTheAnalyticSolution(_ spring: Case) throws {
    let range = try AttachmentRangeBehavior(axis: .vertical, frequency: spring.frequency, damping: spring.damping)
    let animator = DynamicAnimator(restTolerance: 0)
    try animator.addBehavior(range)
    let shift = ScrollShift(delta: 80, touch: Point(x: 0, y: 0), resistance: 1500)
    // 37 springs exceed the widest vector, and 37 is not a multiple of its width.
    try range.setRange(5..<42, entering: .shifted(by: shift)) { stretch, place in
      for index in stretch { place(index, Point(x: 0, y: Double(index) * 40)) }
    }
    for frame in 1...600 {
      animator.step(by: 1 / 60)
      for index in 5..<42 {
        let start = 80 * min(1, Double(index) * 40 / 1500)
        let expected = AnalyticOscillator(
          frequency: spring.frequency, damping: spring.damping, displacement: start, velocity: 0
        ).displacement(at: Double(frame) / 60)
        #expect(abs(range.displacement(ofItemAt: index) - expected) < 1e-9)
      }
    }
  }

  @Test(arguments: cases) func twoHalfStepsAreOneStep(_ spring: Case) throws {
    let parameters = try SpringParameters(frequency: spring.frequency, damping: spring.damping, item: "item")
    let half = SpringTransition(parameters, duration: 1 / 120.0)
    let whole = SpringTransition(parameters, duration: 1 / 60.0)
    #expect(abs(half.m00 * half.m00 + half.m01 * half.m10 - whole.m00) < 1e-13)
    #expect(abs(half.m00 * half.m01 + half.m01 * half.m11 - whole.m01) < 1e-13)
    #expect(abs(half.m10 * half.m00 + half.m11 * half.m10 - whole.m10) < 1e-10)
    #expect(abs(half.m10 * half.m01 + half.m11 * half.m11 - whole.m11) < 1e-13)
  }

  @Test(arguments: cases) func energyNeverGrows(_ spring: Case) throws {
    let parameters = try SpringParameters(frequency: spring.frequency, damping: spring.damping, item: "item")
    let step = SpringTransition(parameters, duration: 1 / 90.0)
    let ω² = pow(2 * Double.pi * spring.frequency, 2)
    var (d, v) = (10.0, -300.0)
    var energy = ω² * d * d + v * v
    for _ in 0..<2000 {
      (d, v) = (step.m00 * d + step.m01 * v, step.m10 * d + step.m11 * v)
      let now = ω² * d * d + v * v
      #expect(now <= energy * (1 + 1e-12))
      energy = now
    }
  }

  static let extremes: [(Double, Double)] = [
    (1e6, 0.5), (1e6, 1), (1e6, 1e6), (1e-6, 1e6), (1e150, 0.3), (1, 1e300), (1e150, 1e150), (0.001, 1 + 1e-15),
    (1, 1 - 1e-16),
  ]

  @Test(arguments: extremes) func extremeSpringsStayFiniteAndStable(frequency: Double, damping: Double) throws {
    let parameters = try SpringParameters(frequency: frequency, damping: damping, item: "item")
    let step = SpringTransition(parameters, duration: 1 / 60.0)
    var (d, v) = (100.0, 0.0)
    for _ in 0..<100 {
      (d, v) = (step.m00 * d + step.m01 * v, step.m10 * d + step.m11 * v)
      #expect(abs(d) <= 100 && v.isFinite)
    }
  }

  @Test func frequencyZeroHoldsTheItemAtItsAnchor() throws {
    let box = Box(at: Point(x: 5, y: 5))
    let animator = DynamicAnimator()
    try animator.addBehavior(AttachmentBehavior(item: box, attachedToAnchor: Point(x: 1, y: 2), length: 0))
    animator.step(by: 1 / 60)
    #expect(box.center == Point(x: 1, y: 2))
  }

  @Test func aStepOfNoTimeChangesNothing() throws {
    let parameters = try SpringParameters(frequency: 2, damping: 0.4, item: "item")
    let step = SpringTransition(parameters, duration: 0)
    #expect([step.m00, step.m01, step.m10, step.m11] == [1, 0, 0, 1])
  }
}
