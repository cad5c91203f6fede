import CSpringKernels
import Testing

/// Compares the results of the vector loops with plain arithmetic, bit by bit. At any vector width, operations must not
/// be fused, and sums must not be reordered.
@Suite struct KernelTests {
  /// Returns pseudorandom numbers, some of them negative or tiny.
  private func column(_ count: Int, seed: UInt64, scale: Double = 100) -> [Double] {
    var state = seed
    return (0..<count).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(Int64(bitPattern: state) >> 11) / Double(1 << 52) * scale
      return index % 7 == 3 ? value * 1e-9 : value
    }
  }

  /// Returns the sum, computed in the order of the kernels: first in eight lanes, then over pairs of lanes, and last
  /// the values that do not fill all lanes.
  private func laneSum(_ values: [Double]) -> Double {
    var lanes = [Double](repeating: 0, count: 8)
    let whole = values.count / 8 * 8
    for index in 0..<whole { lanes[index % 8] += values[index] }
    var sum = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    for index in whole..<values.count { sum += values[index] }
    return sum
  }

  static let counts = Array(0...33) + [100, 1023, 1024, 1025]

  @Test(arguments: counts, [0, -8.5]) func aStepIsTheMatrixTimesEachShiftedState(count: Int, shift: Double) {
    var (d, v) = (column(count, seed: 1), column(count, seed: 2))
    let (m00, m01, m10, m11) = (0.9971, 0.01613, -0.5821, 0.9123)
    let expected = zip(d, v).map { d, v in (m00 * (d + shift) + m01 * v, m10 * (d + shift) + m11 * v) }
    var (d2, v2) = (d, v)
    let largest = spring_step(&d, &v, count, shift, m00, m01, m10, m11)
    spring_advance(&d2, &v2, count, shift, m00, m01, m10, m11)
    #expect(d2 == d && v2 == v)
    #expect(d == expected.map(\.0) && v == expected.map(\.1))
    #expect(largest == expected.map { abs($0.0) }.max() ?? 0)
    #expect(spring_maximum(v, count) == expected.map { abs($0.1) }.max() ?? 0)
  }

  @Test(arguments: counts) func aShiftIsTheArticlesRuleForEachSpring(count: Int) {
    var d = column(count, seed: 3)
    let main = column(count, seed: 4, scale: 5000)
    let cross = column(count, seed: 5, scale: 300)
    for delta in [37.25, -61.5] {
      let expected = (0..<count).map { index in
        let ratio = (abs(120.5 - main[index]) + abs(33 - cross[index])) * (1 / 1500.0)
        return d[index] + delta * (ratio < 1 ? ratio : 1)
      }
      spring_shift(&d, main, cross, count, delta, 120.5, 33, 1 / 1500.0)
      #expect(d == expected)
    }
  }

  @Test(arguments: counts) func aResponseIsTheWeighedSumOfTheShifts(count: Int) {
    let delta = column(count, seed: 6)
    let (touchMain, touchCross) = (column(count, seed: 7, scale: 4000), column(count, seed: 8, scale: 300))
    let (weightD, weightV) = (column(count, seed: 9, scale: 1), column(count, seed: 10, scale: 6))
    let shifts = (0..<count).map { index in
      let ratio = (abs(touchMain[index] - 700) + abs(touchCross[index] - 160)) * (1 / 1500.0)
      return delta[index] * (ratio < 1 ? ratio : 1)
    }
    var (d, v) = (0.0, 0.0)
    spring_respond(delta, touchMain, touchCross, weightD, weightV, count, 700, 160, 1 / 1500.0, &d, &v)
    #expect(d == laneSum(zip(weightD, shifts).map { $0 * $1 }))
    #expect(v == laneSum(zip(weightV, shifts).map { $0 * $1 }))
  }

  @Test(arguments: counts) func theReachIsTheSumOfAllThatGoesOneWay(count: Int) {
    let delta = column(count, seed: 11)
    let ahead = column(count, seed: 12, scale: 1).map(abs)
    let behind = column(count, seed: 17, scale: 0.1).map(abs)
    var (forward, backward) = (0.0, 0.0)
    spring_reach(delta, ahead, behind, count, &forward, &backward)
    let (up, down) = (delta.map { max($0, 0) }, delta.map { max(-$0, 0) })
    #expect(forward == laneSum(delta.indices.map { up[$0] * ahead[$0] + down[$0] * behind[$0] }))
    #expect(backward == laneSum(delta.indices.map { up[$0] * behind[$0] + down[$0] * ahead[$0] }))
  }

  @Test func boundsHoldForEveryAnchorInTheRectangle() {
    let count = 40
    let delta = column(count, seed: 13)
    let (touchMain, touchCross) = (column(count, seed: 14, scale: 3000), column(count, seed: 15, scale: 300))
    let weight = column(count, seed: 16, scale: 1)
    for (low, high) in [(0.0, 100.0), (-500, 2500), (1e6, 2e6), (40, 40)] {
      var bounds = (low: 0.0, high: 0.0)
      spring_bounds(
        delta, touchMain, touchCross, weight, count, low, high, 0, 320, 1 / 1500.0, 1, &bounds.low, &bounds.high)
      var (least, most) = (Double.infinity, -Double.infinity)
      for step in 0...50 {
        var (d, v) = (0.0, 0.0)
        let anchor = low + (high - low) * Double(step) / 50
        spring_respond(
          delta, touchMain, touchCross, weight, weight, count, anchor, Double(step) * 6.4, 1 / 1500.0, &d, &v)
        #expect(d >= bounds.low - 1e-9 && d <= bounds.high + 1e-9)
        (least, most) = (min(least, d), max(most, d))
      }
      // If the touches are far away, all springs move alike, and the bounds must be narrow.
      if low == 1e6 { #expect(bounds.high - bounds.low < 1e-9 && most - least < 1e-9) }
    }
  }
}
