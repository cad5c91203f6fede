import Testing

@testable import Statistics

struct BootstrapTests {
  /// The expected values come from scipy.stats.t.ppf.
  @Test(arguments: [
    (0.975, 4.0, 2.7764451051977934), (0.975, 9, 2.262157162798205), (0.99, 4, 3.746947387979196),
    (0.6, 3, 0.2766706623326898), (0.4, 3, -0.2766706623326898), (0.5, 3, 0),
  ]) func quantilesOfStudentsTAreThoseOfScipy(probability: Double, degrees: Double, t: Double) {
    #expect(abs(StudentT.quantile(probability, degreesOfFreedom: degrees) - t) < 1e-9)
  }

  /// The interval for the mean of normally distributed values must contain the true mean in 95 of 100 cases.
  @Test(arguments: [5, 10, 20]) func theIntervalOfAMeanCoversTheTruthAsOftenAsItSays(count: Int) throws {
    var generator = SplitMix64(seed: 7)
    var covered = 0
    let trials = 400
    for _ in 0..<trials {
      // The sum of twelve uniform values is nearly normal.
      let values = (0..<count).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + generator.uniform(in: 0...1) } }
      let widths = try #require(
        Bootstrap.halfWidths(unitCount: count) { weights in
          [zip(values, weights).reduce(0) { $0 + $1.0 * Double($1.1) } / Double(weights.reduce(0, +))]
        })
      if abs(values.reduce(0, +) / Double(count)) <= widths[0] { covered += 1 }
    }
    #expect((0.92...0.985).contains(Double(covered) / Double(trials)), "\(covered) of \(trials)")
  }

  @Test func aMinimumIsUncertainByWhatLeavingItOutWouldChange() throws {
    let values = [100.0, 100, 103, 110, 150]
    let widths = try #require(
      Bootstrap.halfWidths(unitCount: values.count) { weights in
        [zip(values, weights).filter { $0.1 > 0 }.map(\.0).min() ?? 0]
      })
    #expect(widths[0] > 0.5 && widths[0] < 20)
  }

  @Test func equalUnitsAreCertainAndTwoAreTooFew() {
    #expect(Bootstrap.halfWidths(unitCount: 4) { _ in [7] } == [0])
    #expect(Bootstrap.halfWidths(unitCount: 2) { _ in [7] } == nil)
  }
}
