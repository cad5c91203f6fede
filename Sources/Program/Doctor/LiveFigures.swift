import CAllocationCounter
import Foundation
import FrameBench
import Measurements

/// Figures that the doctor measures itself.
struct LiveFigures: Sendable {
  var clock: ClockRecord
  /// Cost of a frame of empty phases in the pass that times phases, nanoseconds. Reported times of phases do not
  /// contain it: the part that the clock sees is subtracted, the rest lies between phases. Nil if the empty
  /// scenario could not be run.
  var overhead: Double?
  /// The fixed kernel, repeated; nil if the clock did not move.
  var kernel: KernelTimes?
  /// Duration of the kernel, seconds.
  var seconds: Double
  /// Whether the measuring thread could be kept to its core.
  var isPinned: Bool
  /// Processes that were busy meanwhile.
  var busyProcesses: [BusyProcess]
  /// Share of all cores' time that the hypervisor gave to others meanwhile; nil if the kernel does not
  /// tell.
  var stolenShare: Double?
  var allocator: String
  var countsAllocations: Bool

  static func take(files: SystemFiles, core: Int?, seconds: Double) async -> LiveFigures {
    let before = ProcessorTimes(files: files)
    let start = ContinuousClock.now
    let measured = await DedicatedThread.run(core: core) { isPinned in
      let clock = FrameClock.calibrated().record
      // The minimum of a few: the cost without the noise.
      let overheads = (0..<5).compactMap { _ in HarnessOverhead.frameNanoseconds(hasPhases: true) }
      return (clock, overheads.min(), CalibrationKernel.measure(seconds: seconds), isPinned)
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let after = ProcessorTimes(files: files)
    return LiveFigures(
      clock: measured.0, overhead: measured.1, kernel: measured.2, seconds: seconds, isPinned: measured.3,
      busyProcesses: BusyProcess.between(
        before, after, seconds: elapsed, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
        except: Int(getpid())),
      stolenShare: stolenShare(before, after),
      allocator: String(cString: allocation_counter_allocator_name()),
      countsAllocations: allocation_counter_is_active())
  }

  static func stolenShare(_ before: ProcessorTimes, _ after: ProcessorTimes) -> Double? {
    guard let all = before.allTicks, let allLater = after.allTicks, let stolen = before.stolenTicks,
      let stolenLater = after.stolenTicks, allLater > all
    else { return nil }
    return Double(stolenLater - stolen) / Double(allLater - all)
  }
}
