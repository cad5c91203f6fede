import Foundation
import Statistics
import Testing

@testable import Judging

/// Tests chains of cost ratios from night to night. The expected results come from formulas and simulated months.
@Suite struct CodeChainTests {
  private func ratio(_ fraction: Double, error: Double = 0.001) -> CodeRatio {
    CodeRatio(logarithm: log1p(fraction), variance: error * error)
  }

  /// Returns a chain in which each night is compared with the previous one.
  private func made(_ ratios: [CodeRatio], anchors: [Int: CodeChain.Link] = [:], reported: Set<Int> = []) -> CodeChain?
  {
    let links = ratios.enumerated().map { index, ratio in
      CodeChain.Link(base: index, night: index + 1, ratio: ratio, isReported: reported.contains(index + 1))
    }
    return CodeChain(Dictionary(uniqueKeysWithValues: links.map { ($0.night, $0) }), anchors: anchors)
  }

  @Test func ratiosMultiplyAndIntervalsGrowWithTheRootOfTheirNumber() throws {
    let chain = try #require(made([0.02, -0.01, 0.03, 0, 0.01, 0, 0, 0, 0].map { ratio($0) }))
    let whole = chain.ratio(over: 0..<9)
    #expect(abs(whole.change - (1.02 * 0.99 * 1.03 * 1.01 - 1)) < 1e-12)
    #expect(abs(whole.standardError - 0.003) < 1e-12)
    #expect(abs(chain.ratio(over: 1..<3).change - (0.99 * 1.03 - 1)) < 1e-12)
    #expect(chain.ratio(over: 4..<4) == CodeRatio(logarithm: 0, variance: 0))
  }

  @Test func theSameCodeCostsTheSameForCertain() throws {
    let chain = try #require(made([ratio(0.02), ratio(0, error: 0), ratio(0, error: 0)]))
    #expect(chain.ratio(over: 1..<3) == CodeRatio(logarithm: 0, variance: 0))
    #expect(abs(chain.ratio(over: 0..<3).standardError - 0.001) < 1e-15)
  }

  /// A link is the ratio of a night's time to that of the night before. An anchor is the ratio to a night further back,
  /// so it measures the product of the links between them a second time. Both measurements are weighted by their
  /// inverse variances, and their difference is distributed over the links.
  @Test func anAnchorIsAnotherMeasurementOfItsLinks() throws {
    let anchor = CodeChain.Link(base: 0, night: 4, ratio: ratio(0.06, error: 0.001))
    let chain = try #require(made((0..<4).map { _ in ratio(0.01) }, anchors: [4: anchor]))
    // In millionths, the variance of the sum of the links is 4, and that of the anchor is 1.
    let whole = chain.ratio(over: 0..<4)
    #expect(abs(whole.logarithm - (log1p(0.01) * 4 / 5 + log1p(0.06) * 4 / 5)) < 1e-12)
    #expect(abs(whole.standardError * whole.standardError - 0.8e-6) < 1e-15)
    let part = chain.ratio(over: 0..<1)
    #expect(abs(part.logarithm - whole.logarithm / 4) < 1e-12)
    #expect(abs(part.standardError * part.standardError - (1 - 1.0 / 5) * 1e-6) < 1e-15)
  }

  @Test func theLineEndsWhereANightWasNotComparedUnlessAnAnchorSpansIt() throws {
    let links = [1, 2, 4, 5].map { CodeChain.Link(base: $0 - 1, night: $0, ratio: ratio(0.01)) }
    let own = Dictionary(uniqueKeysWithValues: links.map { ($0.night, $0) })
    let short = try #require(CodeChain(own))
    #expect(short.links.map(\.night) == [4, 5] && short.position(of: 3) == 0 && short.position(of: 2) == nil)
    let long = try #require(CodeChain(own, anchors: [3: CodeChain.Link(base: 1, night: 3, ratio: ratio(0.05))]))
    #expect(long.links.map(\.night) == [1, 3, 4, 5])
    #expect(abs(long.ratio(over: 0..<4).change - (pow(1.01, 3) * 1.05 - 1)) < 1e-12)
    #expect(CodeChain([:]) == nil)
  }

  // MARK: - Made-up months

  /// Simulated nights: some commits change the cost by -2 to +3%, a drift is added, and ratios have an error.
  private struct MadeUpCode {
    var generator: SplitMix64
    var error = 0.001
    var drift: (start: Int, step: Double)?

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func normal() -> Double {
      let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
      return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }

    /// Returns the true logarithms of the cost relative to the first night, and the chain after each night.
    mutating func nights(_ count: Int, anchors: [(base: Int, night: Int)] = []) -> (
      truth: [Double], chains: [CodeChain]
    ) {
      var truth = [0.0]
      var (links, spans) = ([Int: CodeChain.Link](), [Int: CodeChain.Link]())
      var chains: [CodeChain] = []
      func measured(_ logarithm: Double) -> CodeRatio { CodeRatio(logarithm: logarithm, variance: error * error) }
      for night in 1...count {
        var step =
          Double.random(in: 0..<1, using: &generator) < 0.3 ? Double.random(in: -0.02...0.03, using: &generator) : 0
        if let drift, night > drift.start { step += drift.step }
        truth.append(truth[night - 1] + log1p(step))
        let ratio = measured(truth[night] - truth[night - 1] + error * normal())
        links[night] = CodeChain.Link(
          base: night - 1, night: night, ratio: ratio, isReported: ratio.low > 0.01 || ratio.high < -0.01)
        if let anchor = anchors.first(where: { $0.night == night }) {
          let ratio = measured(truth[night] - truth[anchor.base] + error * normal())
          spans[night] = CodeChain.Link(base: anchor.base, night: night, ratio: ratio)
        }
        chains.append(contentsOf: [CodeChain(links, anchors: spans)].compactMap(\.self))
      }
      return (truth, chains)
    }
  }

  @Test(arguments: [[], [(0, 10), (10, 20), (20, 30)]] as [[(Int, Int)]])
  func theCurveIsWithinItsIntervalOfTheTrueProductOnNearlyAllNights(_ anchors: [(Int, Int)]) {
    var (covered, count) = (0, 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      var code = MadeUpCode(seed: seed)
      code.drift = (0, 0.001)
      let (truth, chains) = code.nights(30, anchors: anchors.map { (base: $0.0, night: $0.1) })
      for (index, chain) in chains.enumerated() {
        let ratio = chain.ratio(over: 0..<(index + 1))
        let actual = expm1(truth[index + 1])
        if (ratio.low...ratio.high).contains(actual) { covered += 1 }
        count += 1
      }
    }
    // The intervals have a confidence of 98%. The bounds are wide, because the nights of a month share their errors.
    #expect(Double(covered) / Double(count) > 0.965, "\(covered) of \(count)")
    #expect(Double(covered) / Double(count) < 0.995, "\(covered) of \(count)")
  }

  /// Returns the first report of a drift, with the night on which the drift is reported.
  private func firstReport(_ chains: [CodeChain]) -> (night: Int, drift: CodeChain.Drift)? {
    chains.lazy.enumerated().compactMap { index, chain in chain.drift().map { (index + 1, $0) } }.first
  }

  /// Returns every tenth night with its anchor, the night ten nights earlier. `springbench nightly` also compares such
  /// a night with its anchor.
  private func anchors(_ count: Int) -> [(base: Int, night: Int)] {
    stride(from: 10, through: count, by: 10).map { ($0 - 10, $0) }
  }

  @Test(arguments: [0, 15], [(0.001, 30), (0.002, 15)]) func aDriftIsNamedWithItsFirstCommits(
    _ start: Int, _ drift: (step: Double, nights: Int)
  ) {
    var (found, near) = (0, 0)
    for seed in 1...100 as ClosedRange<UInt64> {
      var code = MadeUpCode(seed: seed)
      code.drift = (start, drift.step)
      let count = start + drift.nights
      guard let report = firstReport(code.nights(count, anchors: anchors(count)).chains) else { continue }
      found += report.drift.ratio.low > 0 ? 1 : 0
      near += abs(report.drift.links[0].night - start - 1) <= 10 ? 1 : 0
    }
    #expect(found >= 90 && near >= 90, "\(found), \(near) of 100")
  }

  @Test func commitsThatWereReportedAndChanceAreNoDrift() {
    let reports = (1...200 as ClosedRange<UInt64>).count { seed in
      var code = MadeUpCode(seed: seed)
      return firstReport(code.nights(60, anchors: anchors(60)).chains) != nil
    }
    // In a few histories, small commits happen to add up.
    #expect(reports <= 6, "\(reports) of 200 histories of 60 nights")
  }

  @Test func aDriftThatWasReportedIsNotPartOfTheNext() throws {
    let chain = try #require(made((0..<20).map { _ in ratio(0.002) }))
    let drift = try #require(chain.drift())
    #expect(drift.links.map(\.night) == Array(1...20))
    #expect(chain.drift(after: 18) == nil)
    #expect(chain.drift(after: 8)?.links.first?.night == 9)
  }

  @Test func anAnchorIsDueAfterSoManyNightsOfChangedCodeOrOnceTheIntervalIsWide() throws {
    let chain = try #require(made((0..<12).map { $0 % 2 == 0 ? ratio(0.001) : ratio(0, error: 0) }))
    #expect(chain.nextAnchor(after: 6, tried: nil) == 0)
    #expect(chain.nextAnchor(after: 7, tried: nil) == nil)
    #expect(chain.nextAnchor(after: 6, tried: 5) == nil)
    let long = try #require(made((0..<20).map { _ in ratio(0.001) }))
    #expect(long.nextAnchor(after: 10, tried: 10, failed: 10) == 10, "the commit of night 0 may never build again")
    #expect(long.nextAnchor(after: 10, tried: 10) == 0)
    let wide = try #require(made((0..<7).map { _ in ratio(0, error: 0.01) }))
    #expect(wide.nextAnchor(after: 30, tried: nil) == 0)
    let anchor = CodeChain.Link(base: 0, night: 7, ratio: ratio(0))
    #expect(
      try #require(made((0..<7).map { _ in ratio(0, error: 0.01) }, anchors: [7: anchor])).nextAnchor(
        after: 7, tried: nil) == nil)
  }
}
