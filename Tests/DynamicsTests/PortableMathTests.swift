import Foundation
import Statistics
import Testing

@testable import Dynamics

/// Compares the elementary functions with the C library, whose error is little more than half a unit in the last place.
@Suite struct PortableMathTests {
  /// Returns the distance between a value and the expected one, in units in the last place.
  private func distance(_ value: Double, _ expected: Double) -> Double {
    if value == expected || (value.isNaN && expected.isNaN) { return 0 }
    return abs(value - expected) / expected.ulp
  }

  private func largestDistance(
    in range: ClosedRange<Double>, count: Int = 50_000, _ function: (Double) -> Double, _ expected: (Double) -> Double
  ) -> Double {
    var random = SplitMix64(seed: 12)
    return (0..<count).reduce(0.0) { largest, _ in
      let x = Double.random(in: range, using: &random)
      return max(largest, distance(function(x), expected(x)))
    }
  }

  @Test(arguments: [-745.0...709, -40...0, -0.5...0.5, -1e-9...1e-9]) func exponentialsAreRightToAUnitInTheLastPlace(
    _ range: ClosedRange<Double>
  ) {
    #expect(largestDistance(in: range, PortableMath.exp, Foundation.exp) <= 1)
    let small = max(range.lowerBound, -40)...min(range.upperBound, 0)
    #expect(largestDistance(in: small, PortableMath.expm1, Foundation.expm1) <= 3)
  }

  @Test(arguments: [1e-300...1e300, 0.5...2, 0.999...1.001, .leastNonzeroMagnitude...1e-308])
  func logarithmsAreRightToAUnitInTheLastPlace(_ range: ClosedRange<Double>) {
    #expect(largestDistance(in: range, PortableMath.log, Foundation.log) <= 1)
  }

  @Test(arguments: [-1e6...1e6, -1000...1000, -4...4, -0.1...0.1, 1.57...1.571, 31.41...31.42])
  func sinesAndCosinesAreRightToAUnitInTheLastPlace(_ range: ClosedRange<Double>) {
    #expect(largestDistance(in: range, PortableMath.sin, Foundation.sin) <= 1)
    #expect(largestDistance(in: range, PortableMath.cos, Foundation.cos) <= 1)
  }

  /// Beyond a million radians, the sine is only as precise as the last place of the angle.
  @Test func hugeAnglesStayWithinTheirOwnPrecision() {
    for (angle, precision) in [(1e7, 1e-8), (1e9, 1e-6), (1e12, 1e-3)] {
      #expect(abs(PortableMath.sin(angle) - Foundation.sin(angle)) < precision)
      #expect(abs(PortableMath.cos(angle) - Foundation.cos(angle)) < precision)
    }
    #expect(abs(PortableMath.sin(1e300)) <= 1 && abs(PortableMath.cos(1e300)) <= 1)
  }

  @Test func theEndsOfTheRangesAreThoseOfTheCLibrary() {
    for x in [0, -0.0, 1, -1e9, 1e9, -745.2, -745, -710, 709.7, 709.79, .infinity, -.infinity, .nan] as [Double] {
      #expect(distance(PortableMath.exp(x), Foundation.exp(x)) <= 1)
      #expect(distance(PortableMath.expm1(x), Foundation.expm1(x)) <= 3)
    }
    for x in [0, -1, 1, .leastNonzeroMagnitude, .infinity, .nan, .greatestFiniteMagnitude] as [Double] {
      #expect(distance(PortableMath.log(x), Foundation.log(x)) <= 1)
    }
    for x in [0, -0.0, .infinity, .nan, .pi, .pi / 2, 1e-300] as [Double] {
      #expect(distance(PortableMath.sin(x), Foundation.sin(x)) <= 1)
      #expect(distance(PortableMath.cos(x), Foundation.cos(x)) <= 1)
    }
  }
}
