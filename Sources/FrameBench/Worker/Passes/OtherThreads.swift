import Glibc

/// Measures how much CPU time during frames is used by threads other than the one that runs the frames.
struct OtherThreads {
  private struct Reading {
    var process = 0
    var thread = 0
    var wall = 0
    var id = pthread_self()

    // The clocks are always read in this order, so that the time between two reads cancels out in differences.
    static func now() -> Reading {
      Reading(
        process: timespec.now(CLOCK_PROCESS_CPUTIME_ID).nanoseconds,
        thread: timespec.now(CLOCK_THREAD_CPUTIME_ID).nanoseconds, wall: timespec.now(CLOCK_MONOTONIC).nanoseconds)
    }
  }

  private var start = Reading()
  private var end = Reading()
  /// Sums over the recorded frames, nanoseconds: CPU time of the process and of its other threads, and wall time.
  private(set) var process = 0
  private(set) var others = 0
  private(set) var wall = 0

  init(process: Int = 0, others: Int = 0, wall: Int = 0) {
    (self.process, self.others, self.wall) = (process, others, wall)
  }

  mutating func beginFrame() { start = .now() }

  mutating func endFrame() { end = .now() }

  mutating func keepFrame() {
    // If one thread begins a measured part and another ends it, the CPU time of the first thread is unknown.
    guard start.id == end.id else { return }
    process += end.process - start.process
    others += end.process - start.process - (end.thread - start.thread)
    wall += end.wall - start.wall
  }

  /// Returns the fraction of the frames' CPU time that other threads used. Nil if they used less than 1 ms, or less
  /// than 5% of the CPU time or the wall time.
  /// - Parameter helper: CPU time in nanoseconds of the worker's own helper thread, which should not count.
  func share(without helper: Int = 0) -> Double? {
    let work = others - helper
    // Frames that wait for a timer or a device use little CPU time, most of it in the threads that wake them. So other
    // threads count only if they also use a noticeable fraction of the wall time.
    let leastShare = 0.05
    guard work > 1_000_000, Double(work) >= leastShare * Double(max(wall, process)) else { return nil }
    return Double(work) / Double(process - helper)
  }

  /// Returns the CPU time of a thread; nil if the thread has ended.
  static func nanoseconds(of thread: pthread_t) -> Int? {
    var clock = clockid_t()
    return pthread_getcpuclockid(thread, &clock) == 0 ? timespec.now(clock).nanoseconds : nil
  }
}
