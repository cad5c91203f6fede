import FrameBench
import Measurements
import Testing

@testable import Judging

@Suite struct ComparisonRuleTests {
  /// Returns times whose changes scatter by ±`noise` around `change`, one per set. The controls, which compare the
  /// baseline with itself, scatter by as much around `control`.
  static func times(change: Double, noise: Double = 0.001, control: Double = 0, count: Int = 24) -> PairedTimes {
    var times = PairedTimes()
    for index in 0..<count {
      let wobble = noise * (Double(index % 7) - 3) / 3
      times.changes.append(change + wobble)
      times.controls.append(control - wobble)
      times.baseline.append(1_000)
      times.candidate.append(1_000 * (1 + change))
    }
    return times
  }

  private let rule = ComparisonRule(tolerance: 0.01)

  @Test func aClearSlowDownIsSuspectedAndReported() {
    let times = Self.times(change: 0.02)
    #expect(rule.suspicion(times) == .slower)
    #expect(rule.verdict(times, suspected: .slower, pValue: 0.001) == .regressed)
  }

  @Test func aClearSpeedUpIsAnImprovement() {
    let times = Self.times(change: -0.02)
    #expect(rule.suspicion(times) == .faster)
    #expect(rule.verdict(times, suspected: .faster, pValue: 0.001) == .improved)
  }

  @Test func inOneLinkOrderAShortTimeHasToChangeByMore() {
    var rule = ComparisonRule(tolerance: 0.01)
    rule.hasOneLayout = true
    // The allowance for differences between link orders is 20% + 170% ÷ √1000 = 25.4% of a time of 1,000 ns.
    #expect(abs(ComparisonRule.layoutAllowance(nanoseconds: 1_000) - 0.2538) < 0.0001)
    let slower = Self.times(change: 0.2)
    #expect(rule.suspicion(slower) == nil)
    #expect(rule.verdict(slower, suspected: .slower, pValue: 0) == .inconclusive)
    let muchSlower = Self.times(change: 0.3)
    #expect(rule.suspicion(muchSlower) == .slower)
    #expect(rule.verdict(muchSlower, suspected: .slower, pValue: 0) == .regressed)
    // A time within the tolerance is unchanged, whatever effect the link order may have.
    #expect(rule.verdict(Self.times(change: 0.005)) == .unchanged)
    #expect(rule.verdict(slower) == .inconclusive)
  }

  @Test func whatIsWithinTheToleranceIsUnchanged() {
    let times = Self.times(change: 0.005)
    #expect(rule.suspicion(times) == nil)
    #expect(rule.verdict(times) == .unchanged)
  }

  @Test func anIntervalThatDoesNotClearTheToleranceIsInconclusive() {
    let times = Self.times(change: 0.0105, noise: 0.005)
    #expect(rule.verdict(times) == .inconclusive)
    #expect(rule.verdict(times, suspected: .slower, pValue: 0) == .inconclusive)
  }

  @Test func aPValueAboveTheFamilyLevelReportsNothing() {
    #expect(rule.verdict(Self.times(change: 0.02), suspected: .slower, pValue: 0.011) == .inconclusive)
  }

  @Test func aBaselineThatDiffersFromItselfRaisesTheBar() {
    let noisy = Self.times(change: 0.02, control: 0.05)
    #expect(noisy.controlSpread > 0.03)
    #expect(rule.verdict(noisy, suspected: .slower, pValue: 0) == .inconclusive)
  }

  @Test func freshMeasurementsInTheOtherDirectionConfirmNothing() {
    #expect(rule.verdict(Self.times(change: -0.02), suspected: .slower, pValue: 0) == .inconclusive)
  }

  @Test func atNoToleranceASmallButCertainChangeIsReported() {
    let rule = ComparisonRule(tolerance: 0)
    let times = Self.times(change: 0.003, noise: 0.0005)
    #expect(rule.suspicion(times) == .slower)
    #expect(rule.verdict(times, suspected: .slower, pValue: 0.001) == .regressed)
  }

  @Test func aWorstFrameIsNeverQuickerThanTheP99() {
    func row(_ statistic: FlatRow.Statistic, _ old: Double, _ new: Double, high: Double? = nil, phase: String? = nil)
      -> ComparisonRow
    {
      var row = ComparisonRow(
        id: BenchmarkID(scenario: "s", strategy: "a", size: 1), metric: .frameTime, phase: phase, statistic: statistic,
        baseline: .number(old), candidate: .number(new), verdict: .regressed)
      (row.change, row.high) = (new / old - 1, high)
      return row
    }
    let rows = [row(.p50, 3, 15), row(.p99, 3, 15.5), row(.max, 4.5, 10), row(.mean, 1, 2, phase: "solve")]
    let ordered = Screened.ordered(rows)
    #expect(ordered.map { $0.candidate?.number } == [15, 15.5, 15.5, 2])
    #expect(ordered.map { $0.baseline?.number } == [3, 3, 4.5 * 1.55, 1], "the change of the worst frame stays")
    let wide = Screened.ordered([row(.p99, 3, 15.5), row(.max, 4.5, 10, high: 3)])
    #expect(wide.map { $0.candidate?.number } == [15.5, 15.5])
    #expect(wide[1].baseline?.number == 4.5 && wide[1].change == 15.5 / 4.5 - 1, "the interval allows another change")
  }

  @Test func tooFewSetsAreInconclusive() {
    #expect(rule.verdict(Self.times(change: 0.5, count: 3)) == .inconclusive)
    #expect(rule.verdict(PairedTimes()) == .inconclusive)
    #expect(rule.suspicion(PairedTimes()) == nil)
  }
}
