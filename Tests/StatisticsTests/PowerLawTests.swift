import Testing

@testable import Statistics

@Suite struct PowerLawTests {
  @Test func nearlyLinearCostAgreesWithScipy() throws {
    let fit = try #require(PowerLaw(fitting: [(100, 1_920), (1_000, 16_500), (10_000, 163_000)]))
    // In scipy 1.17.1: r = stats.linregress(np.log(n), np.log(c)); r.slope, r.rvalue**2, np.exp(r.intercept)
    #expect(isClose(fit.exponent, 0.9644431878502041))
    #expect(isClose(try #require(fit.rSquared), 0.9996719542926958))
    #expect(isClose(fit.coefficient, 22.09673100851199))
  }

  @Test func flatCostHasAnExponentNearZero() throws {
    let fit = try #require(PowerLaw(fitting: [(100, 380), (1_000, 371), (10_000, 402), (100_000, 395)]))
    // The expected values come from scipy's linregress of the logarithms, as in the test above.
    #expect(isClose(fit.exponent, 0.008529264049837457))
    #expect(isClose(try #require(fit.rSquared), 0.48459099567369834, relative: 1e-11))
  }

  @Test func exactPowerIsRecovered() throws {
    let fit = try #require(PowerLaw(fitting: [10, 20, 40].map { ($0, 7 * $0 * $0.squareRoot()) }))
    #expect(isClose(fit.exponent, 1.5))
    #expect(isClose(fit.coefficient, 7))
    #expect(isClose(try #require(fit.rSquared), 1))
    #expect(isClose(try #require(fit.size(atCost: 7_000)), 100, relative: 1e-11))
  }

  @Test func twoSizesHaveAnExponentButNoRSquared() throws {
    let fit = try #require(PowerLaw(fitting: [(10, 5), (1_000, 500)]))
    #expect(isClose(fit.exponent, 1))
    #expect(fit.rSquared == nil)
  }

  @Test(arguments: [5, 0.1, 379.3, 1e7]) func equalCostsHaveNoVarianceToExplain(_ cost: Double) throws {
    let fit = try #require(PowerLaw(fitting: [(10, cost), (100, cost), (1_000, cost)]))
    #expect(abs(fit.exponent) < 1e-12)
    #expect(fit.rSquared == nil)
  }

  @Test func oneSizeIsTooFewToFit() {
    #expect(PowerLaw(fitting: [(100, 5), (100, 6)]) == nil)
    #expect(PowerLaw(fitting: []) == nil)
  }

  @Test func costsOfZeroAreLeftOut() throws {
    #expect(PowerLaw(fitting: [(10, 0), (100, 5)]) == nil)
    let fit = try #require(PowerLaw(fitting: [(1, 0), (10, 5), (100, 50)]))
    #expect(isClose(fit.exponent, 1))
  }
}
