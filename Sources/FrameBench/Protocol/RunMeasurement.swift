/// The measurements of one run. Properties that its pass does not measure are nil. Times include the cost of the clock.
/// They are rounded to 0.1 ns, those of repeated calls to 0.001 ns.
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
  /// The kinds of the counters whose kind differs from the default, by name. Nil if there are none.
  package var counterKinds: [String: CounterKind]?
  /// Whether at least one frame did not call `endFrame()`, so that it ended when its body returned. Nil in replies of
  /// older workers.
  package var endsWithBody: Bool?
  /// The number of times that each frame calls the measured function. Nil unless the benchmark measures a function.
  package var callCount: Int?
  /// Whether a frame measured several parts, of which only the last counts. Nil means no.
  package var measuresSeveralParts: Bool?
  /// The time of the first call, if the function seems to use up its input or to keep its result: with each of two
  /// fresh states, the first call takes over fifty times as long as the others. Otherwise nil, and in passes that do not
  /// count allocations.
  package var usedUpNanoseconds: Double?
  /// Whether set-up or frames that do not suspend posted jobs to the main queue, which never ran. Nil means no, or that
  /// the pass did not count allocations.
  package var leavesMainQueueJobs: Bool?
  package var throughput: Throughput?
  /// Time in nanoseconds that the executor needs to start a frame that may suspend. Nil if the frames do not suspend,
  /// and in replies of older workers.
  package var executorNanoseconds: Double?
  /// Bytes that stay on the heap after a set-up and a tear-down without frames. Nil below 1 KiB.
  package var leakedBytes: Int?
  /// Resources used by the process. All members are nil in the passes that compare output, count instructions or
  /// profile.
  package var memory: MemoryRecord
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits.
  package var checksum: String
  package var deviation: DeviationRecord?
  package var hardwareInstructions: InstructionRecord?
  package var profile: ProfileMeasurement?
  /// The share of the frames' CPU time that other threads used. Nil if it is negligible, or if the scenario declares
  /// how many cores it needs.
  package var otherThreadShare: Double?
  /// Whether the worker was pinned to cores: to the core that the request names, and to further cores if the scenario
  /// needs several.
  package var isPinned = false
  /// CPU time in nanoseconds of the process, and of the children that it waited for, until it sent these measurements.
  package var processNanoseconds: Int?
}

/// The measurements of one phase in one run. Properties that the pass does not measure are nil.
package struct PhaseMeasurement: Codable, Sendable, Equatable {
  package var name: String
  package var nanoseconds: [Double]?
  /// The number of pairs of clock reads in the phase's time, frame by frame. There is one pair each time the phase ran.
  package var clockPairs: CountSeries?
  /// The allocations on the frame's thread.
  package var allocations: AllocationSeries?
  /// Whether the phase ran only inside other phases. Nil means no, or that the pass did not count allocations.
  package var isInner: Bool?
}

/// Rounds to tenths of a nanosecond, the precision of times in documents. No clock here is more precise.
package func inTenths(_ nanoseconds: Double) -> Double { (nanoseconds * 10).rounded() / 10 }

/// Rounds to thousandths of a nanosecond. Times of repeated calls are means, so they are more precise than the clock.
package func inThousandths(_ nanoseconds: Double) -> Double { (nanoseconds * 1_000).rounded() / 1_000 }
