/// What a worker is to find out about the frames of a benchmark, in the pass that profiles.
public struct ProfileRequest: Codable, Sendable, Equatable {
  /// What is looked at.
  public enum Kind: String, Codable, Sendable {
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
  public static let fewestSamples = 2_000

  /// Target, time limit and interval matter to `samples` alone.
  public var kind: Kind
  /// Numbers of recorded frames, from 0, ascending. The others run too, and are not looked at; what comes
  /// after the last one is left out.
  public var frames: [Int]
  /// Samples to take at least; the frames are run again, with fresh state, until there are so many.
  public var sampleTarget: Int
  /// Seconds after which no further repetition begins; thrice as many where there are not even
  /// `fewestSamples` yet.
  public var timeLimitSeconds: Double
  /// Mean time between samples, nanoseconds.
  public var sampleIntervalNanoseconds: Int

  public init(
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
public struct ProfileMeasurement: Codable, Sendable, Equatable {
  /// How often the frames were run, each time with fresh state.
  public var repetitionCount = 0
  /// Stacks that differ, in no order.
  public var stacks: [RecordedStack] = []
  /// The places that stacks refer to.
  public var places: [CodePlace] = []
  /// Paths of programs and libraries that places refer to; empty for the program itself.
  public var modules: [String] = []
  /// Samples or allocations seen in the frames, and those for which there was no room.
  public var seenCount = 0
  /// Those of `seenCount` for which there was no room.
  public var lostCount = 0
  /// Samples that came between the frames.
  public var outsideCount = 0
  /// Names of the phases that stacks and spans refer to.
  public var phaseNames: [String] = []
  /// Frames and phases in time, in the order in which they ended.
  public var spans: [TimelineSpan] = []
  /// Phases that found no room among the spans.
  public var lostSpanCount = 0
  /// Of each recorded frame up to the last one that was looked at.
  public var frameChecksums: [UInt64] = []
  /// Whether a repetition showed something else than the first did.
  public var isRepeatable = true

  public init() {}
}

/// A stack, and how often it was seen.
public struct RecordedStack: Codable, Sendable, Equatable {
  /// Indices of places, leaf first.
  public var places: [Int]
  /// Index of the innermost phase; nil outside all phases.
  public var phase: Int?
  /// Samples, or allocations.
  public var count: Int
  /// Of allocations, as asked for.
  public var bytes: Int
  /// Numbers of recorded frames.
  public var firstFrame: Int
  /// The one it was seen in last; where frames are run again, it may lie before `firstFrame`.
  public var lastFrame: Int
  /// Frames in which it was seen, and how often at most in one of them.
  public var frameCount: Int
  /// How often it was seen in the frame that had it most often.
  public var mostInFrame: Int
  /// Seen on a thread other than the one that runs the frames.
  public var isOtherThread: Bool
  /// Its callers could not be found to the end.
  public var isIncomplete: Bool

  public init(
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
public struct CodePlace: Codable, Sendable, Hashable {
  /// Index of the module; nil where no module is known to lie there.
  public var module: Int?
  /// As the module's file has it, whatever address it was loaded to.
  public var address: UInt64

  public init(module: Int?, address: UInt64) {
    self.module = module
    self.address = address
  }
}

/// A frame or a phase in time.
public struct TimelineSpan: Codable, Sendable, Equatable {
  /// Number of the recorded frame.
  public var frame: Int
  /// Index of the phase; nil for the frame as a whole.
  public var phase: Int?
  /// Nanoseconds since the first frame that was looked at began.
  public var start: Double
  /// Nanoseconds since the same moment as `start`.
  public var end: Double

  public init(frame: Int, phase: Int?, start: Double, end: Double) {
    self.frame = frame
    self.phase = phase
    self.start = start
    self.end = end
  }
}
