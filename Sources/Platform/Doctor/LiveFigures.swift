import CAllocationCounter
import Foundation
import FrameBench
import Measurements

package struct LiveFigures: Sendable {
  package var clock: ClockRecord
  /// The time of a frame whose phases are empty but timed, in nanoseconds. Reported times of phases do not include this
  /// cost. Nil if the empty scenario could not be run.
  package var overhead: Double?
  /// The times of the calibration kernel, a fixed piece of work that is repeated. Nil if the clock did not move.
  package var kernel: KernelTimes?
  /// The seconds for which the calibration kernel was repeated.
  package var seconds: Double
  package var isPinned: Bool
  package var busyProcesses: [BusyProcess]
  /// The fraction of all cores' time that the hypervisor gave to other machines during the measurement. Nil if the
  /// kernel does not show it.
  package var stolenShare: Double?
  package var allocator: String
  package var countsAllocations: Bool
  /// The slowdown caused by work on another core. Nil if there is no other core.
  package var sharing: CoreSharing?
  /// The fraction of the time in which something else used the execution units of the measuring core.
  package var slowShare = 0.0
  /// The reason why the processor's counters cannot be read. Nil if they can.
  package var counterObstacle: String?

  /// - Parameters:
  ///   - core: The measuring core.
  ///   - cores: All cores that may be used.
  package static func take(files: SystemFiles, core: Int?, among cores: [Int], seconds: Double) async -> LiveFigures {
    let before = ProcessorTimes(files: files)
    let start = ContinuousClock.now
    let measured = await DedicatedThread.run { _ in
      let isPinned = Machine.pin(to: core)
      let clock = FrameClock.calibrated().record
      // The minimum of several measurements is the cost without the noise.
      let overheads = (0..<5).compactMap { _ in HarnessOverhead.frameNanoseconds(hasPhases: true) }
      return (clock, overheads.min(), CalibrationKernel.measure(seconds: seconds), isPinned)
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let after = ProcessorTimes(files: files)
    var sharing: CoreSharing?
    if let core { sharing = await CoreSharing.measure(on: core, beside: cores) }
    let slowShare = await CoreSharing.slowShare(on: core, seconds: seconds / 2)
    return LiveFigures(
      clock: measured.0, overhead: measured.1, kernel: measured.2, seconds: seconds, isPinned: measured.3,
      busyProcesses: BusyProcess.between(
        before, after, seconds: elapsed, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))), except: Int(getpid())),
      stolenShare: stolenShare(before, after), allocator: String(cString: allocation_counter_allocator_name()),
      countsAllocations: allocation_counter_is_active(), sharing: sharing, slowShare: slowShare,
      counterObstacle: HardwareCounter.obstacle)
  }

  package static func stolenShare(_ before: ProcessorTimes, _ after: ProcessorTimes) -> Double? {
    guard let first = before.ticks, let second = after.ticks, second.all > first.all else { return nil }
    return Double(second.stolen - first.stolen) / Double(second.all - first.all)
  }
}

package enum HarnessOverhead {
  /// The number of phases to measure, as many as a frame of a collection view has.
  package static let phaseCount = 4

  /// Runs an empty scenario on this thread. Returns the median nanoseconds between the starts of two frames, or nil if
  /// the scenario failed.
  /// - Parameter hasPhases: Whether each frame times `phaseCount` empty phases.
  package static func frameNanoseconds(hasPhases: Bool) -> Double? {
    let clock = FrameClock.calibrated()
    let frameCount = 5_000
    nonisolated(unsafe) let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: frameCount)
    starts.initialize(repeating: 0, count: frameCount)
    defer { starts.deallocate() }
    var suite = Suite("overhead")
    suite.add("empty") { _ in
      let clock = FrameClock.calibrated()
      return { frame, timer in
        starts[frame.index] = clock.startTicks()
        if hasPhases {
          timer.measure(.boundsChange) {}
          timer.measure(.solve) {}
          timer.measure(.prepare) {}
          timer.measure(.query) {}
        }
        timer.endFrame()
        return 0
      }
    }
    var options = RunOptions()
    (options.warmUpFrameCount, options.frameCount) = (0, frameCount)
    let request = WorkerRequest(
      benchmark: BenchmarkID(scenario: "empty", strategy: Suite.defaultStrategy, size: 1), pass: .phases,
      options: options)
    guard case .measured = Worker(suite).reply(to: request).outcome else { return nil }
    let steps = (1..<frameCount).map { starts[$0] &- starts[$0 - 1] }.sorted()
    return max(0, Double(steps[steps.count / 2]) - readTicks(clock)) * clock.nanosecondsPerTick
  }

  /// Returns by how many ticks a frame of the empty scenario is longer because the frame itself reads the clock. This
  /// is the minimum of several means, because a preemption makes a mean larger.
  private static func readTicks(_ clock: FrameClock) -> Double {
    let count = 500
    let means = (0..<20).map { _ in
      let start = clock.startTicks()
      var last = start
      for _ in 0..<count { last = clock.startTicks() }
      return Double(last &- start) / Double(count)
    }
    return means.min() ?? 0
  }
}
