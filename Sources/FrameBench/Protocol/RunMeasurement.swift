/// The measurements of one run. Properties that the run's `MeasurementPass` does not measure are nil. Times include the
/// cost of reading the clock. They are rounded to 0.1 ns, or to 0.001 ns if a frame calls a function several times.
package struct RunMeasurement: Codable, Sendable, Equatable {
  /// The clock as calibrated in this run. The cost of its reads is not yet subtracted from the times.
  package var clock: ClockRecord
  package var frameNanoseconds: [Double]?
  /// The phases in the order in which they first ran; empty in the pass that times frames.
  package var phases: [PhaseMeasurement]
  /// Heap allocations. Also nil if the allocation counter does not work in this process.
  package var allocations: AllocationRecord?
  /// The scenario's counters by name, one value for each recorded frame.
  package var counters: [String: CountSeries]
  /// The units and directions of counters that do not use the defaults, by name. Nil if all use the defaults.
  package var counterKinds: [String: CounterKind]?
  /// Whether at least one frame did not call `endFrame()`, so that it ended when its body returned.
  package var endsWithBody = false
  /// The number of times that each frame calls the measured function. Nil unless the benchmark measures a function.
  package var callCount: Int?
  /// Whether a frame called `startFrame()` after `endFrame()`, so that only its last part counts. Nil means no.
  package var measuresSeveralParts: Bool?
  /// The time of the first call, if only this call seems to do the work, for example because the function keeps its
  /// result: with each of two fresh states, the first call took over 50 times as long as the others. Otherwise nil.
  /// Only the pass that counts allocations checks this.
  package var usedUpNanoseconds: Double?
  /// Whether set-up or frames posted jobs to the main queue that never ran, because neither set-up nor frames suspend.
  /// Nil means no, or that the pass did not count allocations.
  package var leavesMainQueueJobs: Bool?
  package var throughput: Throughput?
  /// Time in nanoseconds that the executor needs to start a frame that may suspend. Nil if the frames cannot suspend.
  package var executorNanoseconds: Double?
  /// Bytes that a set-up and a tear-down without frames between them leave on the heap. Nil below 1 KiB.
  package var leakedBytes: Int?
  /// Resources used by the process. All members are nil in the passes that compare output, count instructions or
  /// profile.
  package var memory: MemoryRecord
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits.
  package var checksum: String
  package var deviation: DeviationRecord?
  package var hardwareInstructions: InstructionRecord?
  package var profile: ProfileMeasurement?
  /// The fraction of the frames' CPU time that other threads used. Nil if it is negligible, or if the scenario declares
  /// how many cores it needs.
  package var otherThreadShare: Double?
  /// Whether the worker was pinned to cores: the one that the request names, and more if the scenario needs several.
  package var isPinned = false
  /// CPU time in nanoseconds that the process, and the children that it waited for, used until these measurements were
  /// sent.
  package var processNanoseconds: Int?
}

/// The measurements of one phase in one run. Properties that the pass does not measure are nil.
package struct PhaseMeasurement: Codable, Sendable, Equatable {
  package var name: String
  package var nanoseconds: [Double]?
  /// The number of pairs of clock reads that the phase's time includes in each frame: one pair each time the phase ran.
  package var clockPairs: CountSeries?
  /// The allocations of the phase on the thread that runs it.
  package var allocations: AllocationSeries?
  /// Whether the phase ran only inside other phases. Nil means no, or that the pass did not count allocations.
  package var isInner: Bool?
}

/// Rounds to tenths of a nanosecond, because the clocks are not more precise than that.
package func inTenths(_ nanoseconds: Double) -> Double { (nanoseconds * 10).rounded() / 10 }

/// Rounds to thousandths of a nanosecond. Times of repeated calls are means, so they are more precise than the clock.
package func inThousandths(_ nanoseconds: Double) -> Double { (nanoseconds * 1_000).rounded() / 1_000 }
