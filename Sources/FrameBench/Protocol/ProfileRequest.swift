package struct ProfileRequest: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable {
    /// The worker records stacks at random moments of the frames.
    case samples
    /// The worker records the stack of every allocation of the frames.
    case allocations
    /// The worker records when each frame and phase begins and ends, and runs the frames once.
    case timeline
    /// The worker itself records nothing. It runs under callgrind, which counts calls and instructions in the frames.
    case callgrind
  }

  /// With fewer samples than this, a profile shows little about where the time goes.
  package static let fewestSamples = 2_000

  /// The kind of profile. Only `samples` uses the target, the time limit and the interval.
  package var kind: Kind
  /// Numbers of the recorded frames to profile, counted from 0, in ascending order. The frames between them also run,
  /// but are not profiled.
  package var frames: [Int]
  /// The number of samples to take. The run is repeated with fresh state until this number is reached.
  package var sampleTarget: Int
  /// Seconds after which no further repetition begins. The limit is three times as long while there are fewer than
  /// `fewestSamples` samples.
  package var timeLimitSeconds: Double
  package var sampleIntervalNanoseconds: Int

  package init(
    kind: Kind, frames: [Int], sampleTarget: Int = 4_000, timeLimitSeconds: Double = 60,
    sampleIntervalNanoseconds: Int = 250_000
  ) {
    (self.kind, self.frames, self.sampleTarget) = (kind, frames, sampleTarget)
    (self.timeLimitSeconds, self.sampleIntervalNanoseconds) = (timeLimitSeconds, sampleIntervalNanoseconds)
  }
}

package struct ProfileMeasurement: Codable, Sendable, Equatable {
  /// The number of times that the frames were run, each time with fresh state.
  package var repetitionCount = 0
  package var stacks: [RecordedStack] = []
  package var places: [CodePlace] = []
  /// Paths of programs and libraries. The empty path is the program itself.
  package var modules: [String] = []
  /// The number of samples or allocations in the profiled frames, recorded or not.
  package var seenCount = 0
  /// How many of the `seenCount` samples or allocations were not recorded, because no memory was left.
  package var lostCount = 0
  package var phaseNames: [String] = []
  /// When frames and phases ran, in the order in which they ended.
  package var spans: [TimelineSpan] = []
  /// The number of frames and phases that are missing in `spans`, because no memory was left.
  package var lostSpanCount = 0
  /// The checksum of each recorded frame, up to the last profiled frame.
  package var frameChecksums: [UInt64] = []
  /// Whether the frames had the same checksums in each repetition.
  package var isRepeatable = true
}

package struct RecordedStack: Codable, Sendable, Equatable {
  /// Indices in `ProfileMeasurement.places`. The innermost function comes first.
  package var places: [Int]
  /// Index in `ProfileMeasurement.phaseNames` of the innermost phase; nil outside all phases.
  package var phase: Int?
  /// The number of samples or allocations that had this stack.
  package var count: Int
  /// Bytes that these allocations requested; 0 for samples.
  package var bytes: Int
  /// Numbers of the recorded frames in which the stack was seen first and last. If the run was repeated, `lastFrame`
  /// can be smaller than `firstFrame`.
  package var firstFrame: Int
  package var lastFrame: Int
  package var frameCount: Int
  /// The largest number of samples or allocations that had this stack in one frame.
  package var mostInFrame: Int
  /// Whether the stack was seen on a thread other than the one that runs the frames.
  package var isOtherThread: Bool
  package var isIncomplete: Bool
}

package struct CodePlace: Codable, Sendable, Hashable {
  /// Index in `ProfileMeasurement.modules`; nil if no loaded program or library contains the address.
  package var module: Int?
  /// Address in the module's file, independent of where the module was loaded.
  package var address: UInt64
}

package struct TimelineSpan: Codable, Sendable, Equatable {
  package var frame: Int
  /// Index of the phase in `ProfileMeasurement.phaseNames`; nil for the frame as a whole.
  package var phase: Int?
  /// Begin and end in nanoseconds since the first profiled frame began.
  package var start: Double
  package var end: Double
}
