/// How many instructions the frames of a benchmark took.
///
/// A model of the machine, not time: instructions differ in cost, and caches and branches do not show. But
/// the count is the same in every run of a build, so it reveals small changes in the work.
public struct InstructionRecord: Codable, Sendable, Equatable {
  /// The counter, which decides whose instructions are included.
  public var source: InstructionSource
  /// Version of valgrind: `3.19.0`. Absent: the processor counted.
  public var version: String?
  /// One per frame: the first recorded frames, all of them unless that takes too long. The instructions of
  /// the counting itself are subtracted.
  public var frames: CountSeries
  /// The phases in the order in which they first ran; empty if only whole frames are counted.
  public var phases: [PhaseInstructions]
  /// Instructions that the counting adds to a frame without phases; already subtracted.
  public var frameOverhead: Int

  public init(
    source: InstructionSource, version: String?, frames: CountSeries, phases: [PhaseInstructions], frameOverhead: Int
  ) {
    self.source = source
    self.version = version
    self.frames = frames
    self.phases = phases
    self.frameOverhead = frameOverhead
  }

  /// Frames that were counted, which may be fewer than were recorded.
  public var frameCount: Int { frames.count }
  /// Sum over the counted frames.
  public var total: Int { frames.total }
}

/// A counter of instructions.
public enum InstructionSource: String, Codable, Sendable {
  /// Valgrind's callgrind: every instruction outside the kernel, in all threads, on a machine without AVX-512.
  case callgrind
  /// The processor's counter: instructions of the frame's thread outside the kernel.
  case hardware
}

/// Instructions of one phase.
public struct PhaseInstructions: Codable, Sendable, Equatable {
  /// The name of the phase, as in `Phase.name`.
  public var name: String
  /// One per frame, 0 if the phase did not run; includes the phases measured inside it.
  public var frames: CountSeries

  public init(name: String, frames: CountSeries) {
    self.name = name
    self.frames = frames
  }

  /// Sum over the counted frames, phases measured inside included.
  public var total: Int { frames.total }
}
