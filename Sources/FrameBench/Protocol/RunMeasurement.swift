/// The measurements of one run; nil for what its pass does not measure. Times are as the clock read them, in 0.1 ns.
package struct RunMeasurement: Codable, Sendable, Equatable {
  /// Calibrated in this run; the cost of its reads is not yet subtracted from the times.
  package var clock: ClockRecord
  package var frameNanoseconds: [Double]?
  /// The phases in the order in which they first ran; empty in the pass that times frames.
  package var phases: [PhaseMeasurement]
  /// Also nil if the counter does not work.
  package var allocations: AllocationRecord?
  /// The scenario's counters by name, one value for each recorded frame.
  package var counters: [String: CountSeries]
  /// The kinds of counters whose declaration differs from the default.
  package var counterKinds: [String: CounterKind]?
  /// Whether frames ended when their body returned, and not by `endFrame()`; nil in replies of older workers.
  package var endsWithBody: Bool?
  /// Calls of the function in each frame; nil if frames are not calls.
  package var callCount: Int?
  package var throughput: Throughput?
  /// What an executor takes to start a frame that may suspend; nil if frames do not, and in replies of older workers.
  package var executorNanoseconds: Double?
  /// What a set-up leaves on the heap after its tear-down; also nil if that is next to nothing.
  package var leakedBytes: Int?
  /// All nil in the passes that look at output, count instructions or profile.
  package var memory: MemoryRecord
  /// Hash over the checksums of all recorded frames, 16 hexadecimal digits.
  package var checksum: String
  package var deviation: DeviationRecord?
  package var hardwareInstructions: InstructionRecord?
  package var profile: ProfileMeasurement?
  /// Share of the CPU time of frames that other threads took; nil if that is next to nothing, and if the scenario says
  /// how many cores it needs.
  package var otherThreadShare: Double?
  /// Whether the run kept to the core that the request named, or to as many as its scenario asks for.
  package var isPinned = false
}

/// One phase in one run; nil for what its pass does not measure.
package struct PhaseMeasurement: Codable, Sendable, Equatable {
  package var name: String
  package var nanoseconds: [Double]?
  /// Pairs of clock reads that the phase's time contains, frame by frame: one each time the phase ran.
  package var clockPairs: CountSeries?
  /// The allocations on the frame's thread.
  package var allocations: AllocationSeries?
}

/// Times in documents are in tenths of a nanosecond: no clock here is more precise.
package func inTenths(_ nanoseconds: Double) -> Double { (nanoseconds * 10).rounded() / 10 }

/// Times of calls that were repeated for the clock's sake are finer.
package func inThousandths(_ nanoseconds: Double) -> Double { (nanoseconds * 1_000).rounded() / 1_000 }
