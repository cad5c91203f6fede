/// Elementary functions that give the same bits on every processor.
///
/// The functions of the C library differ in the last bit between processors with and without fused multiply-add. These
/// functions consist only of additions, multiplications and divisions, whose rounding IEEE 754 defines. Their errors
/// are below one unit in the last place, or below three for `expm1`. The method is that of W. J. Cody and W. Waite,
/// "Software Manual for the Elementary Functions" (1980): the argument is reduced by a constant that is split into
/// parts, then a series is evaluated.
package enum PortableMath {
  /// ln 2 as a sum of two parts. The first has only 33 bits, so its product with any exponent is exact.
  private static let ln2 = (high: 0x1.62e42fefp-1, low: 0x1.473de6af278edp-34)

  package static func exp(_ x: Double) -> Double {
    guard x > -746 else { return x.isNaN ? x : 0 }
    guard x < 710 else { return x.isNaN ? x : .infinity }
    let k = (x * 1.4426950408889634).rounded()
    let (high, low) = (x - k * ln2.high, k * ln2.low)
    let r = high - low
    let sum = 1 + (high + (r * r * exponentialSeries(r) - low))
    // Multiplies in two steps, because the power of 2 may be out of range even if the product is not.
    let half = (k / 2).rounded(.towardZero)
    return sum * powerOf2(Int(half)) * powerOf2(Int(k - half))
  }

  /// Returns e to the power of x, minus 1, without cancellation near 0.
  package static func expm1(_ x: Double) -> Double { abs(x) < 0.35 ? x + x * x * exponentialSeries(x) : exp(x) - 1 }

  /// Returns (eʳ − 1 − r) / r² for |r| ≤ 0.35.
  private static func exponentialSeries(_ r: Double) -> Double {
    var sum = (1 / 6_227_020_800.0 * r + 1 / 479_001_600) * r + 1 / 39_916_800
    sum = ((sum * r + 1 / 3_628_800) * r + 1 / 362_880) * r + 1 / 40_320
    sum = ((sum * r + 1 / 5_040) * r + 1 / 720) * r + 1 / 120
    return ((sum * r + 1 / 24) * r + 1 / 6) * r + 0.5
  }

  private static func powerOf2(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

  package static func log(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x == .infinity ? x : .nan }
    var (k, m) = (Double(x.exponent), x.significand)
    if m > 1.4142135623730951 { (k, m) = (k + 1, m / 2) }
    let f = m - 1
    let s = f / (2 + f)
    let z = s * s
    // ln(1 + f) = f − f²/2 + s·(f²/2 + R(s²)), as in fdlibm's `e_log.c`. R is a power series. It is small compared with
    // f, so its errors hardly affect the result.
    let half = f * f / 2
    var sum = ((1 / 25.0 * z + 1 / 23) * z + 1 / 21) * z + 1 / 19
    sum = ((sum * z + 1 / 17) * z + 1 / 15) * z + 1 / 13
    sum = ((sum * z + 1 / 11) * z + 1 / 9) * z + 1 / 7
    sum = (sum * z + 1 / 5) * z + 1 / 3
    let rest = 2 * z * sum
    return k * ln2.high - ((half - (s * (half + rest) + k * ln2.low)) - f)
  }

  /// Returns the sine of an angle in radians.
  package static func sin(_ x: Double) -> Double {
    let (quadrant, r, tail) = reduced(x)
    let value = quadrant & 1 == 0 ? sineSeries(r, tail) : cosineSeries(r, tail)
    return quadrant & 2 == 0 ? value : -value
  }

  /// Returns the cosine of an angle in radians.
  package static func cos(_ x: Double) -> Double {
    let (quadrant, r, tail) = reduced(x)
    let value = quadrant & 1 == 0 ? cosineSeries(r, tail) : sineSeries(r, tail)
    return (quadrant + 1) & 2 == 0 ? value : -value
  }

  /// π/2 as a sum of four parts. The first three have at most 33 bits each, so their products with integers below 2²⁰
  /// are exact.
  private static let halfPi = (0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104)
  /// The largest angle, in radians, for which multiples of the first three parts of π/2 are exact. Doubles beyond it
  /// are at least 1e-10 apart, so a less exact reduction suffices for them.
  private static let largestReduced = 1_000_000.0

  /// Subtracts a multiple of π/2 from the angle. The remainder is at most π/4 in magnitude and is returned as the sum
  /// `r + tail`.
  private static func reduced(_ angle: Double) -> (quadrant: Int, r: Double, tail: Double) {
    guard angle.isFinite else { return (0, .nan, 0) }
    let x = abs(angle) <= largestReduced ? angle : angle.remainder(dividingBy: 2 * .pi)
    let n = (x * 0.6366197723675814).rounded()
    guard n != 0 else { return (0, x, 0) }
    let first = x - n * halfPi.0
    let second = n * halfPi.1
    let sum = first - second
    let lost = (first - sum) - second
    let third = n * halfPi.2
    let r = sum - third
    return (Int(n), r, ((sum - r) - third) + (lost - n * halfPi.3))
  }

  private static func sineSeries(_ r: Double, _ tail: Double) -> Double {
    let z = r * r
    var sum = (1 / 355_687_428_096_000.0 * z - 1 / 1_307_674_368_000) * z + 1 / 6_227_020_800
    sum = ((sum * z - 1 / 39_916_800) * z + 1 / 362_880) * z - 1 / 5_040
    sum = sum * z + 1 / 120
    return r + (z * r * (-1 / 6 + z * sum) + tail * (1 - z / 2))
  }

  private static func cosineSeries(_ r: Double, _ tail: Double) -> Double {
    let z = r * r
    var sum = (1 / 20_922_789_888_000.0 * z - 1 / 87_178_291_200) * z + 1 / 479_001_600
    sum = ((sum * z - 1 / 3_628_800) * z + 1 / 40_320) * z - 1 / 720
    sum = sum * z + 1 / 24
    let half = z / 2
    let head = 1 - half
    return head + (((1 - head) - half) + (z * z * sum - r * tail))
  }
}
