import CAllocationCounter
import Testing

@testable import Dynamics

/// Tests a range of springs: how springs enter, leave, shift and rest.
@Suite struct AttachmentRangeTests {
  private let pitch = 65.0

  private func range(_ items: Range<Int>, of animator: DynamicAnimator) throws -> AttachmentRangeBehavior {
    let springs = try AttachmentRangeBehavior(axis: .vertical, frequency: 1, damping: 0.8)
    try animator.addBehavior(springs)
    try slide(springs, to: items)
    return springs
  }

  private func slide(
    _ springs: AttachmentRangeBehavior, to items: Range<Int>, entering: AttachmentRangeBehavior.Entry = .atRest
  ) throws {
    try springs.setRange(items, entering: entering) { stretch, place in
      for index in stretch { place(index, Point(x: 160, y: Double(index) * pitch)) }
    }
  }

  private func shift(_ delta: Double, touch: Double = 0) -> ScrollShift {
    ScrollShift(delta: delta, touch: Point(x: 160, y: touch), resistance: 1500)
  }

  @Test(arguments: [120.0, -120]) func theShiftIsTheArticlesRule(delta: Double) throws {
    let springs = try range(0..<60, of: DynamicAnimator())
    springs.shift(by: ScrollShift(delta: delta, touch: Point(x: 100, y: 300), resistance: 1500))
    for index in 0..<60 {
      let r = (abs(300 - Double(index) * pitch) + abs(100 - 160)) / 1500
      let expected = delta < 0 ? max(delta, delta * r) : min(delta, delta * r)
      #expect(abs(springs.displacement(ofItemAt: index) - expected) < 1e-12)
    }
  }

  @Test func aHorizontalRangeMovesAlongX() throws {
    let springs = try AttachmentRangeBehavior(axis: .horizontal, frequency: 1, damping: 0.8)
    try springs.setRange(0..<1, entering: .atRest) { stretch, place in
      for index in stretch { place(index, Point(x: 700, y: 20)) }
    }
    springs.shift(by: ScrollShift(delta: 30, touch: Point(x: 100, y: 20), resistance: 1500))
    #expect(springs.center(ofItemAt: 0) == Point(x: 700 + 30 * (600 * (1 / 1500.0)), y: 20))
  }

  @Test func itemsThatStayKeepTheirMotionHoweverTheRangeSlides() throws {
    let (sliding, fixed) = (DynamicAnimator(), DynamicAnimator())
    let window = try range(100..<120, of: sliding)
    let all = try range(0..<400, of: fixed)
    for step in 0..<300 {
      let delta = step % 7 == 0 ? 40.0 : -11
      window.shift(by: shift(delta, touch: 6000))
      all.shift(by: shift(delta, touch: 6000))
      sliding.step(by: 1 / 60)
      fixed.step(by: 1 / 60)
      // The range slides back and forth, so the springs move in memory. It always contains item 110.
      let low = 100 + (step % 10) - (step % 3) * 30
      try slide(window, to: low..<111 + (step * 7) % 40)
      #expect(window.range == low..<111 + (step * 7) % 40)
      #expect(window.displacement(ofItemAt: 110) == all.displacement(ofItemAt: 110))
      #expect(window.velocity(ofItemAt: 110) == all.velocity(ofItemAt: 110))
      #expect(window.center(ofItemAt: low).x == 160)
    }
    #expect(window.velocity(ofItemAt: 110) != 0)
  }

  @Test func anItemThatEntersAtRestLiesOnItsAnchor() throws {
    let springs = try range(0..<10, of: DynamicAnimator())
    springs.shift(by: shift(50, touch: 1000))
    try slide(springs, to: 5..<20)
    #expect((10..<20).allSatisfy { springs.displacement(ofItemAt: $0) == 0 })
    try slide(springs, to: 0..<20)
    #expect((0..<5).allSatisfy { springs.displacement(ofItemAt: $0) == 0 })
    #expect(springs.center(ofItemAt: 3) == Point(x: 160, y: 3 * pitch))
  }

  @Test func anItemThatEntersInFlightIsMovedByTheShift() throws {
    let springs = try range(0..<10, of: DynamicAnimator())
    try slide(springs, to: 0..<30, entering: .shifted(by: shift(50)))
    #expect(springs.displacement(ofItemAt: 9) == 0)
    #expect(abs(springs.displacement(ofItemAt: 12) - 50 * 12 * pitch / 1500) < 1e-12)
    #expect(springs.displacement(ofItemAt: 29) == 50)
  }

  @Test func anAnchorThatIsNotFiniteIsRefusedAndTheOthersStay() throws {
    let springs = try range(10..<20, of: DynamicAnimator())
    for wanted in [10..<25, 5..<20] {
      let error = #expect(throws: DynamicsError.self) {
        try springs.setRange(wanted, entering: .atRest) { stretch, place in
          for index in stretch { place(index, Point(x: 0, y: index == 22 || index == 7 ? .nan : 1)) }
        }
      }
      #expect(error?.description.contains(wanted.lowerBound == 5 ? "item 7" : "item 22") == true)
      #expect(springs.range == 10..<20)
      #expect(springs.center(ofItemAt: 12).y == 12 * pitch)
    }
  }

  @Test func moreSpringsThanMemoryIsAnErrorAndNotACrash() throws {
    let springs = try AttachmentRangeBehavior(axis: .vertical, frequency: 1, damping: 0.8)
    for count in [Int.max / 64, Int.max / 16, Int.max] {
      #expect(throws: DynamicsError.self) { try springs.reserveCapacity(count) }
    }
    #expect(springs.range.isEmpty)
  }

  @Test func theReportedReachBoundsEveryDisplacement() throws {
    let animator = DynamicAnimator()
    let springs = try range(0..<3000, of: animator)
    for step in 0..<200 {
      springs.shift(by: shift(step.isMultiple(of: 3) ? 90 : -25, touch: Double(step) * 300))
      #expect((0..<3000).allSatisfy { abs(springs.displacement(ofItemAt: $0)) <= springs.maximumDisplacement })
      animator.step(by: 1 / 60)
      let largest = (0..<3000).map { abs(springs.displacement(ofItemAt: $0)) }.max()
      #expect(springs.maximumDisplacement == largest)
    }
  }

  /// The reach (the bounds on all future displacements) must also hold for underdamped springs, which swing back.
  @Test(arguments: [0.1, 0.8, 1, 2], [false, true]) func noSpringEverLeavesTheReach(damping: Double, irregular: Bool)
    throws
  {
    let animator = DynamicAnimator()
    let springs = try AttachmentRangeBehavior(axis: .vertical, frequency: 2, damping: damping, remembersShifts: true)
    try animator.addBehavior(springs)
    try springs.setRange(0..<100, entering: .atRest) { range, place in
      for index in range { place(index, Point(x: 160, y: Double(index) * 50)) }
    }
    for step in 0..<150 {
      springs.shift(by: shift(step % 7 == 3 ? 90 : step.isMultiple(of: 3) ? -60 : 5, touch: Double(step) * 30))
      if step.isMultiple(of: 10) { springs.tightenReach() }
      animator.step(by: irregular && step.isMultiple(of: 4) ? 1 / 97 : 1 / 60)
    }
    springs.tightenReach()
    let reach = springs.reach
    #expect(reach.forward + reach.backward > 10)
    var (furthest, nearest) = (-Double.infinity, Double.infinity)
    for _ in 0..<100 {
      for index in springs.range {
        furthest = max(furthest, springs.displacement(ofItemAt: index))
        nearest = min(nearest, springs.displacement(ofItemAt: index))
      }
      animator.step(by: 1 / 60)
    }
    #expect(furthest <= reach.forward + 1e-7 && -nearest <= reach.backward + 1e-7)
    // The reach is close to the real extremes only if springs hardly overshoot and all timesteps are equal.
    guard damping >= 0.8, !irregular else { return }
    #expect(furthest > 0.2 * reach.forward || -nearest > 0.2 * reach.backward)
  }

  @Test func restingSpringsAreNotEvaluated() throws {
    let animator = DynamicAnimator()
    let springs = try range(0..<5000, of: animator)
    animator.step(by: 1 / 60)
    #expect(springs.evaluationCount == 0 && !animator.isRunning)
    springs.shift(by: shift(50))
    animator.step(by: 1 / 60)
    #expect(springs.evaluationCount == 5000 && animator.isRunning)
    for _ in 0..<600 { animator.step(by: 1 / 60) }
    #expect(springs.isResting && !animator.isRunning && springs.maximumDisplacement == 0)
    let evaluated = springs.evaluationCount
    for _ in 0..<100 { animator.step(by: 1 / 60) }
    #expect(springs.evaluationCount == evaluated)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func slidingAndSteppingAllocateNothing() throws {
    let animator = DynamicAnimator()
    let springs = try range(0..<20, of: animator)
    try springs.reserveCapacity(200)
    func frame(_ step: Int) throws {
      springs.shift(by: shift(step.isMultiple(of: 2) ? 30 : -31, touch: Double(step)))
      animator.step(by: 1 / 60)
      let low = abs((step * 3) % 400 - 200)
      try slide(springs, to: low..<low + 18 + step % 5, entering: .shifted(by: shift(7)))
    }
    for step in 0..<50 { try frame(step) }
    let before = allocation_counter_this_thread().count
    for step in 50..<1000 { try frame(step) }
    let after = allocation_counter_this_thread().count
    #expect(after == before)
    #expect(springs.evaluationCount > 10_000)
  }
}
