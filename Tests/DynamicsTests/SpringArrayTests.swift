import Testing

@testable import Dynamics

/// What the array of springs knows of them without looking, and when it lets them rest.
@Suite struct SpringArrayTests {
  /// From -1 to 1, without a pattern.
  private static func next(_ state: inout UInt64) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
  }

  /// Springs of many kinds that are pushed now and then: what the array knows without looking must hold.
  @Test(arguments: [(1.0, 0.8), (1, 0), (4, 0.05), (1, 1), (2, 3), (0.3, 40), (1e-3, 0.5), (0, 0)])
  func springsRestExactlyWhenAllOfThemCould(frequency: Double, damping: Double) throws {
    let parameters = try SpringParameters(frequency: frequency, damping: damping, item: "item")
    let transition = SpringTransition(parameters, duration: 1 / 60)
    let (tolerance, ω) = (1e-7, parameters.angularFrequency)
    var springs = SpringArray()
    try springs.append(2_500)
    var random: UInt64 = 11
    var (d, v) = ([Double](repeating: 0, count: 2_500), [Double](repeating: 0, count: 2_500))
    for step in 0..<1_500 {
      if [0, 1, 2, 30, 31, 300, 700].contains(step) {
        for index in 0..<2_500 {
          // The chunk in the middle is left alone by some of the pushes.
          let push = step >= 300 && (1_024..<2_048).contains(index) ? 0 : 50 * Self.next(&random)
          d[index] += push
          springs.displacement[index] += push
        }
        springs.wake(displacedBy: 50)
      }
      if step == 500 { springs.displace(at: 1_500, to: 3) }
      if step == 500 { d[1_500] = 3 }
      _ = springs.step(transition, restTolerance: tolerance, angularFrequency: ω)
      for first in stride(from: 0, to: 2_500, by: SpringArray.chunkSize) {
        let chunk = first..<min(first + SpringArray.chunkSize, 2_500)
        for index in chunk {
          (d[index], v[index]) = (
            transition.m00 * d[index] + transition.m01 * v[index],
            transition.m10 * d[index] + transition.m11 * v[index]
          )
        }
        if chunk.allSatisfy({ abs(d[$0]) <= tolerance && abs(v[$0]) <= tolerance * ω }) {
          for index in chunk { (d[index], v[index]) = (0, 0) }
        }
      }
      let largest = d.reduce(0) { max($0, abs($1)) }
      #expect(springs.displacementBound >= largest && springs.maximumDisplacement() == largest)
      if step.isMultiple(of: 50) || step > 1_400 {
        #expect((0..<2_500).allSatisfy { springs.displacement[$0] == d[$0] && springs.velocity[$0] == v[$0] })
      }
    }
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
    #expect(springs.displacementBound <= 100 * (1 + 1e-9) && springs.maximumDisplacement < 2)
    for _ in 0..<120 { animator.step(by: 1 / 60) }
    #expect(springs.displacementBound < 1)
  }
}
