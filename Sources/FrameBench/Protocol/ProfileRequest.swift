package struct ProfileRequest: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable {
    /// Stacks at random moments of the frames.
    case samples
    /// The stack of every allocation of the frames.
    case allocations
    /// When each frame and phase began and ended, once.
    case timeline
    /// Nothing by itself: the worker runs under callgrind, which collects during the frames.
    case callgrind
  }

  /// Fewer say little about where time goes.
  package static let fewestSamples = 2_000

  /// Target, time limit and interval apply only to `samples`.
  package var kind: Kind
  /// Numbers of recorded frames, from 0, ascending. The others run, too, up to the last one.
  package var frames: [Int]
  /// The frames are run again, with fresh state, until there are this many samples.
  package var sampleTarget: Int
  /// After this time no further repetition begins; three times as late if there are fewer than `fewestSamples` yet.
  package var timeLimitSeconds: Double
  package var sampleIntervalNanoseconds: Int

  package init(
    kind: Kind, frames: [Int], sampleTarget: Int = 4_000, timeLimitSeconds: Double = 60,
    sampleIntervalNanoseconds: Int = 250_000
  ) {
    self.kind = kind
    self.frames = frames
    self.sampleTarget = sampleTarget
    self.timeLimitSeconds = timeLimitSeconds
    self.sampleIntervalNanoseconds = sampleIntervalNanoseconds
  }
}

package struct ProfileMeasurement: Codable, Sendable, Equatable {
  /// How often the frames were run, each time with fresh state.
  package var repetitionCount = 0
  package var stacks: [RecordedStack] = []
  package var places: [CodePlace] = []
  /// Paths of programs and libraries; an empty path stands for the program itself.
  package var modules: [String] = []
  /// Samples or allocations in the frames, including those that did not fit.
  package var seenCount = 0
  /// How many of `seenCount` did not fit.
  package var lostCount = 0
  /// Samples that came between the frames.
  package var outsideCount = 0
  package var phaseNames: [String] = []
  /// Frames and phases in time, in the order in which they ended.
  package var spans: [TimelineSpan] = []
  package var lostSpanCount = 0
  /// Checksums of the recorded frames up to the last profiled one.
  package var frameChecksums: [UInt64] = []
  /// Whether each repetition showed the same as the first.
  package var isRepeatable = true
}

package struct RecordedStack: Codable, Sendable, Equatable {
  /// Indices of places, leaf first.
  package var places: [Int]
  /// Index of the innermost phase; nil outside all phases.
  package var phase: Int?
  /// Samples, or allocations.
  package var count: Int
  /// Bytes requested; allocations only.
  package var bytes: Int
  /// The first recorded frame that it was seen in, and the last one, which comes before it if frames are repeated.
  package var firstFrame: Int
  package var lastFrame: Int
  package var frameCount: Int
  /// The stack's largest count in one frame.
  package var mostInFrame: Int
  /// Whether the stack was seen on a thread other than the one that runs the frames.
  package var isOtherThread: Bool
  package var isIncomplete: Bool
}

package struct CodePlace: Codable, Sendable, Hashable {
  /// Index of the module; nil if no module is known to be there.
  package var module: Int?
  /// Address in the module's file, independent of where it was loaded.
  package var address: UInt64
}

package struct TimelineSpan: Codable, Sendable, Equatable {
  package var frame: Int
  /// Index of the phase; nil for the frame as a whole.
  package var phase: Int?
  /// Nanoseconds since the first profiled frame began, as is `end`.
  package var start: Double
  package var end: Double
}
