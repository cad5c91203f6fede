import Foundation
import Testing

@testable import SpringPeers

@Suite struct TrajectoryTests {
  static let swinging = Contestant.allCases.filter(\.oscillates)

  @Test(arguments: swinging) func everyContestantSwingsWithinItsStatedError(_ contestant: Contestant) throws {
    #expect(try PeerCheck.measure(contestant, seed: 7).violations == [])
  }

  @Test(arguments: swinging, [0.3, 0.95]) func otherDampingsAreSimulatedToo(_ contestant: Contestant, damping: Double)
    throws
  {
    let trajectory = try Trajectory.measure(contestant, damping: damping)
    #expect(trajectory.largestError < (contestant.accuracy == .exact ? 1e-9 : 20))
    #expect(trajectory.oscillates)
  }

  /// Returns the violations of a contestant whose spring has the given motion.
  private func violations(of contestant: Contestant, damping: Double, _ motion: (_ expected: [Double]) -> [Double])
    -> [String]
  {
    let analytic = Oscillation(frequency: 1, damping: damping, initialDisplacement: 100)
    let expected = (0...Trajectory.stepCount).map { analytic.displacement(at: Double($0) / 60) }
    return PeerCheck(
      contestant: contestant,
      trajectories: [Trajectory(damping: damping, displacements: motion(expected), expected: expected)],
      scroll: ScrollAgreement()
    ).violations
  }

  @Test(arguments: swinging, PeerCheck.dampings) func aSpringThatDoesNotSwingIsFound(
    _ contestant: Contestant, damping: Double
  ) {
    #expect(violations(of: contestant, damping: damping) { $0 }.isEmpty)
    #expect(violations(of: contestant, damping: damping) { $0.map { _ in 100 } }.count == 2)
    #expect(violations(of: contestant, damping: damping) { $0.map { _ in 0 } }.count == 2)
    #expect(!violations(of: contestant, damping: damping) { $0.map { _ in .nan } }.isEmpty)
    #expect(!violations(of: contestant, damping: damping) { $0.map { abs($0) } }.isEmpty)
  }

  @Test func oneStepThatIsNoNumberIsFoundThoughGoodOnesFollow() {
    for contestant in Self.swinging {
      let found = violations(of: contestant, damping: 0.8) { expected in
        var motion = expected
        motion[50] = .nan
        return motion
      }
      #expect(found.count == 1 && found[0].contains("nan") && found[0].hasPrefix(contestant.name))
    }
  }

  @Test func aSpringOfHalfTheFrequencyIsFound() {
    let slow = Oscillation(frequency: 0.5, damping: 0.8, initialDisplacement: 100)
    for contestant in Self.swinging {
      let found = violations(of: contestant, damping: 0.8) { expected in
        expected.indices.map { slow.displacement(at: Double($0) / 60) }
      }
      #expect(!found.isEmpty)
    }
  }

  @Test func aContestantThatIgnoresTheScrollIsFound() {
    for contestant in Self.swinging {
      let check = PeerCheck(
        contestant: contestant, trajectories: [],
        scroll: ScrollAgreement(largestDifference: 300, largestDisplacement: 300))
      #expect(check.violations.count == 1)
    }
  }

  @Test func theAnalyticMotionSolvesTheEquationOfASpring() {
    for damping in [0.0, 0.1, 0.8, 0.99] {
      let motion = Oscillation(frequency: 1.5, damping: damping, initialDisplacement: 80)
      let ω = 2 * Double.pi * 1.5
      #expect(abs(motion.displacement(at: 0) - 80) < 1e-12)
      for seconds in [0.1, 0.37, 1.2] {
        let h = 1e-4
        let (before, now, after) = (
          motion.displacement(at: seconds - h), motion.displacement(at: seconds), motion.displacement(at: seconds + h)
        )
        let acceleration = (after - 2 * now + before) / (h * h)
        let velocity = (after - before) / (2 * h)
        #expect(abs(acceleration + 2 * damping * ω * velocity + ω * ω * now) < 1e-2)
      }
    }
  }

  @Test func crossingsAreCountedPastWhatIsHardlyVisible() {
    #expect(Trajectory.crossings([100, 10, -10, -0.1, 0.1, -5, 20, 0, 30]) == 2)
    #expect(Trajectory.crossings([0.1, -0.1, 0.2]) == 0)
  }
}
