import CFrameClock
import Foundation
import FrameBench
import Statistics
import Synchronization

/// How strongly work on another core slows down the core on which frames are measured. The two may be hardware threads
/// of one physical core, and share its execution units. Many hypervisors hide this, so it has to be measured.
package struct CoreSharing: Sendable, Equatable {
  /// The core whose work slows down the measuring core most.
  package var core: Int
  /// The time of a fixed piece of work while `core` is busy, divided by its time while `core` is idle.
  package var slowdown: Double

  /// The smallest slowdown that indicates a shared core. Separate cores also share caches and power, but stay below it.
  package static let leastSlowdown = 1.2

  /// Measures the slowdown that each of the other cores causes, and returns the largest. Nil if there is no other core.
  package static func measure(on core: Int, beside others: [Int]) async -> CoreSharing? {
    var worst: CoreSharing?
    // At most 32 cores are tested, because each takes a twentieth of a second.
    for other in others.prefix(32) where other != core {
      let shared = SharedFlags()
      async let neighbor: Void = DedicatedThread.run { _ in
        _ = Machine.pin(to: other)
        while !shared.isOver.load(ordering: .relaxed) {
          let isWanted = shared.isWanted.load(ordering: .relaxed)
          shared.isBusy.store(isWanted, ordering: .relaxed)
          if isWanted { blackHole(work(1)) } else { usleep(200) }
        }
      }
      let slowdown = await DedicatedThread.run { _ in
        _ = Machine.pin(to: core)
        var least = [Double.infinity, .infinity]
        // The other core is idle and busy alternately, so that a change in the machine's speed affects both states.
        for turn in 0..<8 {
          let isWanted = turn % 2 == 1
          shared.isWanted.store(isWanted, ordering: .relaxed)
          // The wait is limited, because the other thread may not get to run on a busy machine.
          for _ in 0..<1_000 where shared.isBusy.load(ordering: .relaxed) != isWanted { usleep(100) }
          least[turn % 2] = min(least[turn % 2], typical(seconds: 0.006))
        }
        shared.isOver.store(true, ordering: .relaxed)
        return least[1] / least[0]
      }
      await neighbor
      if slowdown.isFinite, slowdown > worst?.slowdown ?? 0 { worst = CoreSharing(core: other, slowdown: slowdown) }
    }
    return worst
  }

  /// Returns the fraction of the time in which a fixed piece of work was slow: it took at least `leastSlowdown` times
  /// its shortest time, although nothing was started on other cores. A hypervisor may let two virtual machines share a
  /// physical core at times, and does not report this as stolen time.
  package static func slowShare(on core: Int?, seconds: Double) async -> Double {
    await DedicatedThread.run { _ in
      _ = Machine.pin(to: core)
      let times = (0..<max(2, Int(seconds / 0.005))).map { _ in typical(seconds: 0.005) }
      let least = times.min() ?? 0
      return Double(times.count { $0 >= leastSlowdown * least }) / Double(times.count)
    }
  }

  private final class SharedFlags: Sendable {
    /// Whether the other core should be busy. `isBusy` tells whether it is busy now.
    let isWanted = Atomic<Bool>(false)
    let isBusy = Atomic<Bool>(false)
    let isOver = Atomic<Bool>(false)
  }

  /// Repeats the work for some seconds, and returns its median time in clock ticks.
  private static func typical(seconds: Double) -> Double {
    let clock = FrameClock.calibrated()
    let end = frame_clock_system_nanoseconds() + UInt64(seconds * 1e9)
    var times: [Double] = []
    repeat {
      let start = clock.startTicks()
      blackHole(work(start))
      times.append(Double(clock.endTicks() &- start))
    } while frame_clock_system_nanoseconds() < end
    return Quantile.median(times)
  }

  /// Multiplies in eight independent chains, which keep the core's multiplier busy. Threads of a core share the
  /// multiplier, so work on another thread slows this down. A single chain would mostly wait for its own results.
  private static func work(_ seed: UInt64) -> UInt64 {
    var (a, b, c, d) = (seed, seed &+ 1, seed &+ 2, seed &+ 3)
    var (e, f, g, h) = (seed &+ 4, seed &+ 5, seed &+ 6, seed &+ 7)
    for _ in 0..<1_000 {
      a = a &* 0x9E37_79B9_7F4A_7C15 &+ 1
      b = b &* 0x9E37_79B9_7F4A_7C15 &+ 1
      c = c &* 0x9E37_79B9_7F4A_7C15 &+ 1
      d = d &* 0x9E37_79B9_7F4A_7C15 &+ 1
      e = e &* 0x9E37_79B9_7F4A_7C15 &+ 1
      f = f &* 0x9E37_79B9_7F4A_7C15 &+ 1
      g = g &* 0x9E37_79B9_7F4A_7C15 &+ 1
      h = h &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
  }
}
