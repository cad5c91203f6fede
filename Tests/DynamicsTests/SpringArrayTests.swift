import CSpringKernels
import Glibc
import Testing

@testable import Dynamics

/// Tests when an array puts springs to rest. Also tests its bounds on the displacements, which it updates without
/// looking at each spring.
@Suite struct SpringArrayTests {
  /// Returns a pseudorandom number from -1 to 1.
  private static func next(_ state: inout UInt64) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
  }

  /// Springs with different parameters are pushed now and then. The array's bound on the displacements must hold after
  /// every step.
  @Test(arguments: [(1.0, 0.8), (1, 0), (4, 0.05), (1, 1), (2, 3), (0.3, 40), (1e-3, 0.5), (0, 0)])
  func springsRestExactlyWhenAllOfThemCould(frequency: Double, damping: Double) throws {
    let parameters = try SpringParameters(frequency: frequency, damping: damping, item: "item")
    let transition = SpringTransition(parameters, duration: 1 / 60)
    let (tolerance, ω) = (1e-7, parameters.angularFrequency)
    var quietTime = 0.0
    var springs = SpringArray()
    try springs.append(2_500)
    var random: UInt64 = 11
    var (d, v) = ([Double](repeating: 0, count: 2_500), [Double](repeating: 0, count: 2_500))
    for step in 0..<1_500 {
      if [0, 1, 2, 30, 31, 300, 700].contains(step) {
        for index in d.indices {
          // From step 300 on, the 1,024 springs in the middle are not pushed, so they come to rest earlier.
          let push = step >= 300 && (1_024..<2_048).contains(index) ? 0 : 50 * Self.next(&random)
          d[index] += push
          let displacement = springs.displacement
          displacement[index] += push
        }
        springs.wake(displacedBy: 50)
        quietTime = 0
      }
      if step == 500 {
        springs.displace(at: 1_500, to: 3)
        d[1_500] = 3
        quietTime = 0
      }
      _ = springs.step(transition, parameters, duration: 1 / 60, restTolerance: tolerance)
      quietTime += 1 / 60
      let hasFaded = quietTime * parameters.decayRate >= 1
      let largest = measuredStep(&d, &v, transition, hasFaded ? tolerance : 0, ω)
      #expect(springs.displacementBound >= largest && springs.maximumDisplacement() == largest)
      #expect(springs.isResting == (spring_maximum(d, d.count) == 0 && spring_maximum(v, v.count) == 0))
      #expect(memcmp(springs.displacement, d, 8 * d.count) == 0)
      #expect(memcmp(springs.velocity, v, 8 * v.count) == 0)
    }
  }

  /// Steps every spring. Puts the springs of a chunk (1,024 springs) onto their anchors if all of them rest.
  /// - Returns: The largest displacement.
  private func measuredStep(
    _ d: inout [Double], _ v: inout [Double], _ transition: SpringTransition, _ tolerance: Double, _ ω: Double
  ) -> Double {
    d.withUnsafeMutableBufferPointer { d in
      v.withUnsafeMutableBufferPointer { v in
        stride(from: 0, to: d.count, by: SpringArray.chunkSize).reduce(0) { largest, first in
          let length = min(SpringArray.chunkSize, d.count - first)
          guard let d = d.baseAddress.map({ $0 + first }), let v = v.baseAddress.map({ $0 + first }) else {
            return largest
          }
          let maximum = spring_step(d, v, length, 0, transition.m00, transition.m01, transition.m10, transition.m11)
          guard maximum <= tolerance, spring_maximum(v, length) <= tolerance * ω else { return max(largest, maximum) }
          d.update(repeating: 0, count: length)
          v.update(repeating: 0, count: length)
          return largest
        }
      }
    }
  }

  @Test func springsThatAreShiftedBackOntoTheirAnchorsRestOnceTheyWereLeftAlone() throws {
    let parameters = try SpringParameters(frequency: 1, damping: 0.8, item: "item")
    let transition = SpringTransition(parameters, duration: 1e-9)
    var springs = SpringArray()
    try springs.append(10)
    func push(by distance: Double) {
      let displacement = springs.displacement
      for index in 0..<10 { displacement[index] += distance }
      springs.wake(displacedBy: abs(distance))
    }
    func step(lasting duration: Double) {
      _ = springs.step(transition, parameters, duration: duration, restTolerance: 1e-3)
    }
    push(by: 100)
    step(lasting: 1)
    #expect(!springs.isResting && springs.displacementBound >= 99)
    push(by: -100)
    step(lasting: 0.5 / parameters.decayRate)
    #expect(!springs.isResting && springs.displacementBound > 0)
    step(lasting: 0.5 / parameters.decayRate)
    #expect(springs.isResting && springs.displacementBound == 0)
  }

  @Test func theBoundIsOfTheSizeOfTheMotion() throws {
    let animator = DynamicAnimator()
    let springs = try AttachmentRangeBehavior(axis: .vertical, frequency: 1, damping: 0.8)
    try animator.addBehavior(springs)
    try springs.setRange(0..<3000, entering: .atRest) { stretch, place in
      for index in stretch { place(index, Point(x: 0, y: Double(index))) }
    }
    springs.shift(by: ScrollShift(delta: 100, touch: Point(x: 0, y: -1e5), resistance: 1500))
    for _ in 0..<60 { animator.step(by: 1 / 60) }
    #expect(springs.columns.displacementBound <= 100 * (1 + 1e-9) && springs.maximumDisplacement < 2)
    for _ in 0..<120 { animator.step(by: 1 / 60) }
    #expect(springs.columns.displacementBound < 1)
  }

  /// The array shifts distant springs only in the next step, or when they are read. No value may reveal the delay.
  @Test(arguments: [1_500, 0, 40, .infinity], [true, false]) func aShiftMovesEverySpringByTheArticlesRule(
    resistance: Double, ascends: Bool
  ) throws {
    let parameters = try SpringParameters(frequency: 1, damping: 0.8, item: "item")
    let transition = SpringTransition(parameters, duration: 1 / 60)
    let count = 2_500
    var springs = SpringArray(extraColumns: 2)
    try springs.append(count)
    var random: UInt64 = 5
    // The first thousand rows are at equal distances, and the following rows at growing distances.
    let main: [Double] = (0..<count).map { index in
      let gap = index > 1_000 ? index * index / 1_000 : 0
      return Double(7 * index + gap)
    }
    for index in 0..<count { (springs.extra(0)[index], springs.extra(1)[index]) = (main[index], 160) }
    var (d, v) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    for round in 0..<300 {
      let shift = ScrollShift.Projected(
        delta: 40 * Self.next(&random), touchMain: 9_000 + 12_000 * Self.next(&random), touchCross: 33,
        inverseResistance: 1 / resistance)
      springs.shift(by: shift, anchorsAscend: ascends)
      for index in 0..<count { d[index] += shift.distance(anchorMain: main[index], anchorCross: 160) }
      if round % 5 == 1 {
        springs.settle()
        #expect(memcmp(springs.displacement, d, 8 * count) == 0)
      }
      // Sometimes two shifts come before a step.
      if round % 3 == 2 { continue }
      _ = springs.step(transition, parameters, duration: 1 / 60, restTolerance: 1e-7)
      let largest = measuredStep(&d, &v, transition, 0, parameters.angularFrequency)
      #expect(memcmp(springs.displacement, d, 8 * count) == 0 && memcmp(springs.velocity, v, 8 * count) == 0)
      #expect(springs.displacementBound >= largest)
    }
  }
}
