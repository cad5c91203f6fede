import Testing

@testable import Platform

@Suite struct HarnessCostTests {
  @Test func theKernelIsMeasuredAHundredTimesAtLeast() throws {
    let times = try #require(CalibrationKernel.measure(seconds: 0))
    #expect(times.sampleCount >= 100)
    #expect(times.fastest > 0)
    #expect(times.fastest <= times.p50)
    #expect(times.p50 <= times.slowest)
  }

  @Test func anEmptyScenarioCostsMoreWithPhasesThanWithout() throws {
    let empty = try #require(HarnessOverhead.frameNanoseconds(hasPhases: false))
    let timed = try #require(HarnessOverhead.frameNanoseconds(hasPhases: true))
    #expect(timed > empty)
    #expect(HarnessOverhead.phaseCount == 4)
  }
}
