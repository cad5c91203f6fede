import CFrameClock
import FrameBench
import Measurements

/// The fixed piece of work that measures the speed of a machine.
enum CalibrationKernel {
  /// Some 20 microseconds at 2.6 GHz: shorter than a time slice, a thousand times longer than a clock read.
  static let roundCount = 10_000

  /// Repeats the kernel on this thread for some seconds, at least a hundred times; nil if the clock did not
  /// move.
  static func measure(seconds: Double) -> KernelTimes? {
    precondition(seconds >= 0 && seconds.isFinite, "calibration for \(seconds) s")
    let clock = FrameClock.calibrated()
    var samples: [Double] = []
    samples.reserveCapacity(Int(min(seconds, 60) * 100_000) + 100)
    var seed: UInt64 = 1
    let end = frame_clock_system_nanoseconds() + UInt64(seconds * 1e9)
    repeat {
      let start = clock.startTicks()
      seed = frame_clock_kernel(UInt64(roundCount), seed)
      samples.append(Double(clock.endTicks() &- start) * clock.nanosecondsPerTick)
    } while samples.count < 100 || frame_clock_system_nanoseconds() < end
    // The result must be used, or the optimiser could remove the work.
    return KernelTimes(samples: seed == 0 ? [] : samples)
  }
}
