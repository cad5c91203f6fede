import Glibc

/// The kernel's figures for the calling thread.
struct ThreadUse {
  /// The number of times that the kernel took the core from the thread, and that the thread gave it up to wait.
  let involuntarySwitchCount, voluntarySwitchCount: Int
  /// CPU time of the thread.
  let nanoseconds: Double

  /// Returns the part of `whole`, the nanoseconds since `before`, during which others had the core. It is 0 if the
  /// thread also waited for something else, because the two times cannot be told apart.
  func waiting(since before: ThreadUse, _ whole: Double) -> Double {
    let isOfOthers =
      involuntarySwitchCount != before.involuntarySwitchCount && voluntarySwitchCount == before.voluntarySwitchCount
    return isOfOthers ? max(0, whole - (nanoseconds - before.nanoseconds)) : 0
  }

  /// Returns the time since `start`, when the thread's figures were these, without the part during which others had the
  /// core.
  func ownTime(since start: ContinuousClock.Instant) -> Duration {
    let whole = ContinuousClock.now - start
    return whole - .nanoseconds(Int64(ThreadUse.now.waiting(since: self, whole / .nanoseconds(1))))
  }

  static var now: ThreadUse {
    var usage = rusage()
    // 1 is RUSAGE_THREAD, which Swift does not import.
    getrusage(1, &usage)
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadUse(
      involuntarySwitchCount: usage.ru_nivcsw, voluntarySwitchCount: usage.ru_nvcsw,
      nanoseconds: Double(time.tv_sec) * 1e9 + Double(time.tv_nsec))
  }
}
