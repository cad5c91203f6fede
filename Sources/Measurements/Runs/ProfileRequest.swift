/// What a worker is to find out about the frames of a benchmark, in the pass that profiles.
package struct ProfileRequest: Codable, Sendable, Equatable {
  /// What is looked at.
  package enum Kind: String, Codable, Sendable {
    /// Stacks at random moments of the frames.
    case samples
    /// The stack of every allocation of the frames.
    case allocations
    /// When each frame and phase began and ended, once.
    case timeline
    /// Nothing by itself: callgrind, under which the worker runs, collects during the frames.
    case callgrind
  }

  /// Fewer say little of where time goes.
  package static let fewestSamples = 2_000

  /// Target, time limit and interval matter to `samples` alone.
  package var kind: Kind
  /// Numbers of recorded frames, from 0, ascending. The others run too, and are not looked at; what comes
  /// after the last one is left out.
  package var frames: [Int]
  /// Samples to take at least; the frames are run again, with fresh state, until there are this many.
  package var sampleTarget: Int
  /// Seconds after which no further repetition begins; thrice as many where there are not even
  /// `fewestSamples` yet.
  package var timeLimitSeconds: Double
  /// Mean time between samples, nanoseconds.
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

/// What a worker found out about frames.
package struct ProfileMeasurement: Codable, Sendable, Equatable {
  /// How often the frames were run, each time with fresh state.
  package var repetitionCount = 0
  /// Stacks that differ, in no order.
  package var stacks: [RecordedStack] = []
  /// The places that stacks refer to.
  package var places: [CodePlace] = []
  /// Paths of programs and libraries that places refer to; empty for the program itself.
  package var modules: [String] = []
  /// Samples or allocations seen in the frames, and those for which there was no room.
  package var seenCount = 0
  /// Those of `seenCount` for which there was no room.
  package var lostCount = 0
  /// Samples that came between the frames.
  package var outsideCount = 0
  /// Names of the phases that stacks and spans refer to.
  package var phaseNames: [String] = []
  /// Frames and phases in time, in the order in which they ended.
  package var spans: [TimelineSpan] = []
  /// Phases that found no room among the spans.
  package var lostSpanCount = 0
  /// Of each recorded frame up to the last one that was looked at.
  package var frameChecksums: [UInt64] = []
  /// Whether a repetition showed something else than the first did.
  package var isRepeatable = true

  package init() {}
}

/// A stack, and how often it was seen.
package struct RecordedStack: Codable, Sendable, Equatable {
  /// Indices of places, leaf first.
  package var places: [Int]
  /// Index of the innermost phase; nil outside all phases.
  package var phase: Int?
  /// Samples, or allocations.
  package var count: Int
  /// Of allocations, as asked for.
  package var bytes: Int
  /// Numbers of recorded frames.
  package var firstFrame: Int
  /// The one it was seen in last; where frames are run again, it may lie before `firstFrame`.
  package var lastFrame: Int
  /// Frames in which it was seen, and how often at most in one of them.
  package var frameCount: Int
  /// How often it was seen in the frame that had it most often.
  package var mostInFrame: Int
  /// Seen on a thread other than the one that runs the frames.
  package var isOtherThread: Bool
  /// Its callers could not be found to the end.
  package var isIncomplete: Bool

  package init(
    places: [Int], phase: Int?, count: Int, bytes: Int = 0, firstFrame: Int = 0, lastFrame: Int = 0,
    frameCount: Int = 1, mostInFrame: Int = 1, isOtherThread: Bool = false, isIncomplete: Bool = false
  ) {
    self.places = places
    self.phase = phase
    self.count = count
    self.bytes = bytes
    self.firstFrame = firstFrame
    self.lastFrame = lastFrame
    self.frameCount = frameCount
    self.mostInFrame = mostInFrame
    self.isOtherThread = isOtherThread
    self.isIncomplete = isIncomplete
  }
}

/// An address of code.
package struct CodePlace: Codable, Sendable, Hashable {
  /// Index of the module; nil where no module is known to lie there.
  package var module: Int?
  /// As the module's file has it, whatever address it was loaded to.
  package var address: UInt64

  package init(module: Int?, address: UInt64) {
    self.module = module
    self.address = address
  }
}

/// A frame or a phase in time.
package struct TimelineSpan: Codable, Sendable, Equatable {
  /// Number of the recorded frame.
  package var frame: Int
  /// Index of the phase; nil for the frame as a whole.
  package var phase: Int?
  /// Nanoseconds since the first frame that was looked at began.
  package var start: Double
  /// Nanoseconds since the same moment as `start`.
  package var end: Double

  package init(frame: Int, phase: Int?, start: Double, end: Double) {
    self.frame = frame
    self.phase = phase
    self.start = start
    self.end = end
  }
}
