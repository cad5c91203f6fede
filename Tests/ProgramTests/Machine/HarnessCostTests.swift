import Testing

@testable import Program

@Suite struct HarnessCostTests {
  @Test func theKernelIsMeasuredAHundredTimesAtLeast() throws {
    let times = try #require(CalibrationKernel.measure(seconds: 0))
    #expect(times.sampleCount >= 100)
    #expect(times.fastest > 0)
    #expect(times.fastest <= times.p50)
    #expect(times.p50 <= times.slowest)
  }

  @Test func anEmptyScenarioCostsMoreWithPhasesThanWithout() throws {
    let overhead = try #require(HarnessOverhead.measure())
    #expect(overhead.timedFrameNanoseconds > overhead.emptyFrameNanoseconds)
    #expect(overhead.nanosecondsPerTimedPhase == overhead.timedFrameNanoseconds / 4)
  }
}
