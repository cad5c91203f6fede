import CFrameClock
import Testing

@testable import FrameBench

@Suite struct FrameClockTests {
  @Test func theClockAgreesWithTheSystemsOverTenMilliseconds() {
    let clock = FrameClock.calibrated()
    // An interruption between the reads of the two clocks spoils an attempt, so the best of five attempts counts.
    let ratios = (0..<5).map { _ in
      let system = frame_clock_system_nanoseconds()
      let start = clock.startTicks()
      while frame_clock_system_nanoseconds() - system < 10_000_000 {}
      let nanoseconds = Double(clock.endTicks() - start) * clock.nanosecondsPerTick
      return nanoseconds / Double(frame_clock_system_nanoseconds() - system)
    }
    let nearest = ratios.min { abs($0 - 1) < abs($1 - 1) }
    #expect(abs((nearest ?? 0) - 1) < 0.01)
  }

  @Test func everyClockKnowsWhatItCostsAndHowFineItIs() {
    for clock in [FrameClock.calibrated(), .system()] {
      #expect(clock.pairCostNanoseconds > 0)
      #expect(clock.resolutionNanoseconds > 0)
      #expect(clock.record.pairCostNanoseconds == clock.pairCostNanoseconds)
    }
    #expect(FrameClock.system().record.source == "clock_gettime(CLOCK_MONOTONIC_RAW)")
  }

  @Test func theCounterIsUsedWhereTheProcessorHasOne() {
    let expected = frame_clock_has_invariant_counter() ? "tsc" : "clock_gettime(CLOCK_MONOTONIC_RAW)"
    #expect(FrameClock.calibrated().record.source == expected)
  }
}
