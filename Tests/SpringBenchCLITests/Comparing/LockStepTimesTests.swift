import FrameReport
import Testing

@testable import SpringBenchCLI

/// What all processes of a comparison tell of single frames.
@Suite struct LockStepTimesTests {
  private static func times(_ costs: (_ process: Int, _ build: Build, _ frame: Int) -> Double)
    -> LockStepTimes
  {
    var times = LockStepTimes(frames: PairedTimes(), pairCost: 10)
    for process in 0..<5 {
      for build in Build.allCases {
        let frames = (0..<40).map { costs(process, build, $0) }
        times.addFrames(frames + frames, of: build, phases: ["solve"], frameCount: 40)
      }
    }
    return times
  }

  @Test func aFrameThatWasPreemptedInOneProcessDoesNotStandOut() throws {
    let times = Self.times { process, build, frame in
      // Another frame in every process, for ten milliseconds.
      if build == .candidate, frame == 7 * process { return 1e7 }
      return (build == .baseline ? 1_010 : 1_030) + Double(frame % 3)
    }
    let difference = try #require(times.difference(of: 0))
    #expect(difference.frames.isEmpty)
    #expect(difference.sentence == "spread over all frames")
  }

  @Test func framesThatCostMoreInEveryProcessAreNamed() throws {
    let times = Self.times { process, build, frame in
      if build == .candidate, frame == 12 || frame == 13 { return 2_010 }
      return 1_010 + Double((frame + process) % 3)
    }
    let difference = try #require(times.difference(of: 0))
    #expect(difference.frames == [12, 13])
    #expect(difference.worstCandidate == 2_000)
  }
}
