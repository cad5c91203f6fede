import FrameBench

extension Examination {
  /// A timed phase of an empty scenario should cost less than this, nanoseconds.
  static let largestPhaseCost = 40.0

  /// What was measured here and now.
  var measuredFindings: [Finding] {
    [noise, stolen, overhead, clock].compactMap { $0 }
  }

  private var noise: Finding {
    let why = "Whatever slows down a fixed piece of work slows down frames just as much and as often."
    guard let kernel = live.kernel else {
      return Finding(
        "noise", .severe, "The clock does not move: nothing can be measured.", why: why,
        remedy: "Run on a machine with a working CLOCK_MONOTONIC_RAW.")
    }
    let spread = kernel.spread
    let what =
      "For \(Self.decimal(live.seconds, places: 1)) s a fixed piece of work took"
      + " \(Self.duration(kernel.fastest)) at best, half of the time up to"
      + " \(Self.percent(kernel.typicalExcess)) more, 1 time in 100 at least \(Self.percent(spread)) more,"
      + " \(Self.duration(kernel.slowest)) at worst."
    // A frame's minimum over twenty runs removes what happens now and then, not what happens all the time.
    let severity: Finding.Severity =
      kernel.typicalExcess > 0.05 ? .severe : spread > 0.2 ? .warning : spread > 0.02 ? .note : .good
    let remedy: String? =
      switch severity {
      case .good: nil
      case .note: "Trust the frame-aligned figures; the raw p99 includes this noise."
      case .warning: "Trust the frame-aligned figures, not the raw ones; see below for possible causes."
      case .severe: "Stop other work, see below, and run the doctor again before you measure."
      }
    return Finding(
      "noise", severity, what, why: why, remedy: remedy, value: (spread * 10_000).rounded() / 10_000,
      unit: "fraction")
  }

  private var stolen: Finding? {
    guard let share = live.stolenShare, share >= 0.005 else { return nil }
    return Finding(
      "stolenTime", share > 0.05 ? .severe : .warning,
      "The hypervisor gave \(Self.percent(share)) of the processor's time to other machines meanwhile.",
      why: "A frame that another machine interrupts looks slow, and nothing on this machine shows why.",
      remedy: "Measure at another time, or on a machine with dedicated cores.",
      value: (share * 10_000).rounded() / 10_000, unit: "fraction")
  }

  private var overhead: Finding {
    let why = "It is spent in addition to the measured work; the part that the clock sees is subtracted."
    guard let overhead = live.overhead else {
      return Finding(
        "overhead", .warning, "The cost of an empty scenario could not be measured.", why: why,
        remedy: "Report it, with what `springbench run` prints.")
    }
    let cost = overhead.nanosecondsPerTimedPhase
    let isSmall = cost < Self.largestPhaseCost
    return Finding(
      "overhead", isSmall ? .good : .warning,
      "An empty scenario of \(HarnessOverhead.phaseCount) phases costs"
        + " \(Self.decimal(overhead.timedFrameNanoseconds, places: 0)) ns a frame:"
        + " \(Self.decimal(cost, places: 1)) ns per timed phase.", why: why,
      remedy: isSmall
        ? nil
        : "Expected: less than \(Int(Self.largestPhaseCost)) ns: measure a release build on an idle machine.",
      value: (cost * 10).rounded() / 10, unit: "ns")
  }

  private var clock: Finding {
    let cost = Self.decimal(live.clock.pairCostNanoseconds, places: 1)
    let step = Self.decimal(live.clock.resolutionNanoseconds, places: 1)
    let figures = "a pair of reads costs \(cost) ns, which is subtracted; its step is \(step) ns"
    let isCounter = live.clock.source.hasPrefix("tsc")
    return Finding(
      "clock", isCounter ? .good : .warning,
      isCounter
        ? "Frames are timed by the processor's time stamp counter, which ticks at a constant rate: \(figures)."
        : "The time stamp counter cannot be trusted, so frames are timed by \(live.clock.source): \(figures).",
      why: "Times of less than a few clock steps cannot be told from zero.",
      remedy: isCounter ? nil : "Measure phases with many items, or with --instructions.",
      value: (live.clock.pairCostNanoseconds * 10).rounded() / 10, unit: "ns")
  }
}
