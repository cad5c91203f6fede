import Foundation
import Statistics
import Testing

@testable import Judging

/// Compares change points with those of Apache Otava, and intermediate results with those of scipy or with their
/// definitions.
@Suite struct ChangePointTests {
  struct Expectation: Decodable, CustomStringConvertible {
    var name: String
    var series: [Double]
    var windowLength: Int
    var maximumPValue: Double
    var minimumMagnitude: Double
    var points: [Point]

    struct Point: Decodable {
      var index: Int
      var energy: Double
      /// Nil if the p-value is not a number.
      var pValue: Double?
      var meanBefore: Double
      var meanAfter: Double
    }

    var description: String { "\(name), window \(windowLength), p \(maximumPValue), from \(minimumMagnitude)" }
  }

  static func expectations() throws -> [Expectation] {
    let url = try #require(Bundle.module.url(forResource: "otava", withExtension: "json", subdirectory: "Oracles"))
    return try JSONDecoder().decode([Expectation].self, from: Data(contentsOf: url))
  }

  /// The expectations were recorded from Otava by Oracles/otava_expectations.py.
  @Test func theSamePointsAreFoundAsByOtava() throws {
    let expectations = try Self.expectations()
    #expect(expectations.count > 50 && expectations.contains { $0.points.count > 4 })
    for expected in expectations {
      var detection = ChangePointDetection()
      detection.windowLength = expected.windowLength
      detection.maximumPValue = expected.maximumPValue
      detection.minimumMagnitude = expected.minimumMagnitude
      detection.retestsPointBefore = false
      let found = detection.changePoints(in: expected.series)
      #expect(found.map(\.index) == expected.points.map(\.index), "\(expected)")
      for (point, oracle) in zip(found, expected.points) {
        #expect(abs(point.energy - oracle.energy) <= 1e-9 * max(1, oracle.energy), "\(expected)")
        #expect(abs(point.test.meanBefore - oracle.meanBefore) <= 1e-9, "\(expected)")
        #expect(abs(point.test.meanAfter - oracle.meanAfter) <= 1e-9, "\(expected)")
        guard let p = oracle.pValue else { continue }
        #expect(abs(point.test.pValue - p) <= 1e-9 * p + 1e-300, "\(expected): \(point.test.pValue) \(p)")
      }
    }
  }

  @Test func everyPointIsTestedOnItsFinalStretches() throws {
    for expected in try Self.expectations() {
      let points = ChangePointDetection().changePoints(in: expected.series)
      let bounds = [0] + points.map(\.index) + [expected.series.count]
      for (number, point) in points.enumerated() {
        let before = expected.series[bounds[number]..<point.index]
        let after = expected.series[point.index..<bounds[number + 2]]
        #expect(point.test == LevelTest(before, after), "\(expected)")
      }
    }
  }

  /// The expected values come from scipy 1.16.3: `scipy.stats.t.sf(t, ν) * 2`.
  @Test(arguments: [
    (0.0, 5.0, 1.0), (1.0, 1.0, 0.5), (2.0, 10.0, 0.07338803477074037), (2.5, 3.0, 0.08770664700806555),
    (12.7062047364321, 1.0, 0.05), (-4.0, 48.0, 0.0002180124713615777), (30.0, 100.0, 8.380332558688336e-52),
    (0.001, 250.0, 0.9992029130562023),
  ]) func studentsTailsAreThoseOfScipy(t: Double, degrees: Double, expected: Double) {
    #expect(abs(StudentT.twoSidedPValue(t, degreesOfFreedom: degrees) - expected) <= 1e-9 * expected)
  }

  @Test func extremeTsHaveExtremeProbabilities() {
    #expect(StudentT.twoSidedPValue(.infinity, degreesOfFreedom: 3) == 0)
    #expect(StudentT.twoSidedPValue(.nan, degreesOfFreedom: 3).isNaN)
  }

  /// Computes the energy of every split from its definition, as a sum over all pairs.
  @Test func theSplitIsTheOneOfLargestEnergyByDefinition() {
    var generator = SplitMix64(seed: 7)
    for count in [2, 3, 5, 12, 40] {
      let values = (0..<count).map { Double(generator.next() % 1000) / 10 + ($0 > count / 2 ? 60 : 0) }
      var best = (index: 0, energy: -Double.infinity)
      for split in 1..<count {
        for end in (split + 1)...count {
          let (x, y) = (Array(values[..<split]), Array(values[split..<end]))
          let energy = Self.energy(x, y)
          if energy > best.energy { best = (split, energy) }
        }
      }
      let found = ChangePointDetection.energySplit([1e9, 1e9] + values + [-1e9], in: 2..<(count + 2))
      #expect(abs(found.energy - best.energy) <= 1e-9 * abs(best.energy))
      #expect(found.index - 2 == best.index)
    }
  }

  private static func energy(_ x: [Double], _ y: [Double]) -> Double {
    let (n, m) = (Double(x.count), Double(y.count))
    func distances(_ a: [Double], _ b: [Double]) -> Double {
      a.map { left in b.map { abs(left - $0) }.reduce(0, +) }.reduce(0, +)
    }
    var q = 2 / (n + m) * distances(x, y)
    if x.count > 1 { q -= 2 * m / (n + m) / (n - 1) * distances(x, x) / 2 }
    if y.count > 1 { q -= 2 * n / (n + m) / (m - 1) * distances(y, y) / 2 }
    return q
  }
}
