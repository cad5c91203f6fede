import Glibc

/// The kernel's figures for the calling thread and its process.
struct ThreadUse {
  /// How often the kernel took the core from the thread, and how often the thread gave up the core to wait.
  let involuntarySwitchCount, voluntarySwitchCount: Int
  /// CPU time of the process. It includes other threads of the program, because a frame may wait for them, for example
  /// with `sched_yield`.
  let nanoseconds: Double

  /// Returns for how many of the `whole` nanoseconds since `before` other processes had the core. Returns 0 if the
  /// thread also gave up the core to wait, because the two kinds of time cannot be told apart.
  func waiting(since before: ThreadUse, _ whole: Double) -> Double {
    let isOfOthers =
      involuntarySwitchCount != before.involuntarySwitchCount && voluntarySwitchCount == before.voluntarySwitchCount
    return isOfOthers ? max(0, whole - (nanoseconds - before.nanoseconds)) : 0
  }

  static var now: ThreadUse {
    var usage = rusage()
    // 1 is RUSAGE_THREAD, which Swift does not import.
    getrusage(1, &usage)
    return ThreadUse(
      involuntarySwitchCount: usage.ru_nivcsw, voluntarySwitchCount: usage.ru_nvcsw,
      nanoseconds: Double(timespec.now(CLOCK_PROCESS_CPUTIME_ID).nanoseconds))
  }
}

extension timespec {
  package var nanoseconds: Int { tv_sec * 1_000_000_000 + tv_nsec }

  /// Reads one of the system's clocks, such as `CLOCK_MONOTONIC`.
  package static func now(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

extension timeval { package var nanoseconds: Int { tv_sec * 1_000_000_000 + tv_usec * 1_000 } }

struct ThreadStopwatch {
  private let use = ThreadUse.now
  private let start = ContinuousClock.now

  /// Returns the time since the start and the part of it during which other processes had the core, nanoseconds.
  func read() -> (whole: Double, waiting: Double) {
    let whole = (ContinuousClock.now - start) / .nanoseconds(1)
    return (whole, ThreadUse.now.waiting(since: use, whole))
  }

  /// Returns the nanoseconds since the start, without the time during which other processes had the core.
  func ownNanoseconds() -> Int {
    let (whole, waiting) = read()
    return Int((whole - waiting).rounded())
  }
}
