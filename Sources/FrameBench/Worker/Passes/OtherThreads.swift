import Glibc

/// Measures, by CPU time, how much of the work of frames is done by threads other than the one that runs them.
struct OtherThreads {
  private struct Reading {
    var process = 0
    var thread = 0
    var wall = 0
    var id = pthread_self()

    // The same order each time, so that the time between two reads cancels out.
    static func now() -> Reading {
      Reading(
        process: nanoseconds(CLOCK_PROCESS_CPUTIME_ID), thread: nanoseconds(CLOCK_THREAD_CPUTIME_ID),
        wall: nanoseconds(CLOCK_MONOTONIC))
    }
  }

  private var start = Reading()
  private var end = Reading()
  /// Sums over the recorded frames, nanoseconds.
  private(set) var process = 0
  private(set) var others = 0
  private(set) var wall = 0

  init(process: Int = 0, others: Int = 0, wall: Int = 0) {
    (self.process, self.others, self.wall) = (process, others, wall)
  }

  mutating func beginFrame() { start = .now() }

  mutating func endFrame() { end = .now() }

  mutating func keepFrame() {
    // If one thread begins a measured part and another ends it, what the first one did is unknown.
    guard start.id == end.id else { return }
    process += end.process - start.process
    others += end.process - start.process - (end.thread - start.thread)
    wall += end.wall - start.wall
  }

  /// Nil if it is next to nothing.
  /// - Parameter helper: CPU time of a thread that belongs to the worker, nanoseconds.
  func share(without helper: Int = 0) -> Double? {
    let work = others - helper
    // Where frames wait for a timer or a device, the threads that wake them take most of what little CPU time there is.
    let leastShare = 0.05
    guard work > 1_000_000, Double(work) >= leastShare * Double(max(wall, process)) else { return nil }
    return Double(work) / Double(process - helper)
  }

  /// Nil if the thread has ended.
  static func nanoseconds(of thread: pthread_t) -> Int? {
    var clock = clockid_t()
    return pthread_getcpuclockid(thread, &clock) == 0 ? nanoseconds(clock) : nil
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
