import FrameBench
import Testing

@testable import Judging
@testable import Pages

@Suite struct ComparisonRuleTests {
  /// Sets that scatter by ±`noise` around a change, with a control that scatters likewise around its own.
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
    // Of 1 µs: 20% + 170% ÷ √1000 is 25.4%.
    #expect(abs(ComparisonRule.layoutAllowance(nanoseconds: 1_000) - 0.2538) < 0.0001)
    let slower = Self.times(change: 0.2)
    #expect(rule.suspicion(slower) == nil)
    #expect(rule.verdict(slower, suspected: .slower, pValue: 0) == .inconclusive)
    let muchSlower = Self.times(change: 0.3)
    #expect(rule.suspicion(muchSlower) == .slower)
    #expect(rule.verdict(muchSlower, suspected: .slower, pValue: 0) == .regressed)
    // What is unchanged is so by the tolerance, whatever layouts do.
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

  @Test func tooFewSetsAreInconclusive() {
    #expect(rule.verdict(Self.times(change: 0.5, count: 3)) == .inconclusive)
    #expect(rule.verdict(PairedTimes()) == .inconclusive)
    #expect(rule.suspicion(PairedTimes()) == nil)
  }
}

@Suite struct FrameDifferenceTests {
  private let flat = (0..<400).map { 1_000 + Double($0 % 5) }

  @Test func framesThatStandOutAreNamed() throws {
    var candidate = flat.map { $0 + 1 }
    for frame in 100...103 { candidate[frame] += 900 }
    candidate[250] += 1_500
    let difference = try #require(FrameDifference(baseline: flat, candidate: candidate))
    #expect(difference.frames == [100, 101, 102, 103, 250])
    #expect(difference.worstFrame == 250)
    #expect(difference.sentence == "in 5 frames of 400 (100–103, 250), most in frame 250: 1.00 µs → 2.50 µs")
  }

  @Test func aDifferenceOfAllFramesNamesNone() throws {
    let difference = try #require(FrameDifference(baseline: flat, candidate: flat.map { $0 * 1.05 }))
    #expect(difference.frames.isEmpty)
    #expect(difference.sentence == "spread over all frames")
  }

  @Test func aFasterBuildIsLocatedToo() throws {
    var candidate = flat
    candidate[7] = 400
    let difference = try #require(FrameDifference(baseline: flat, candidate: candidate))
    #expect(difference.frames == [7])
    #expect(difference.worstFrame == 7)
  }

  @Test func framesThatWereNotMeasuredAreLeftOut() throws {
    var baseline = flat
    for frame in 10..<400 { baseline[frame] = .nan }
    var candidate = flat
    candidate[3] += 500
    candidate[300] += 9_000
    let difference = try #require(FrameDifference(baseline: baseline, candidate: candidate))
    #expect(difference.frames == [3])
    for frame in 5..<400 { baseline[frame] = .nan }
    #expect(FrameDifference(baseline: baseline, candidate: candidate) == nil)
  }
}
