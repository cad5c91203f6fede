/// How many instructions the frames of a benchmark executed.
///
/// The count describes work, not time: instructions differ in cost, and the effects of caches and branch prediction are
/// missing. Valgrind's callgrind gets the same count in every run of a build, so it reveals small changes in the work.
public struct InstructionRecord: Codable, Sendable, Equatable {
  /// The counter that was used. It determines which threads' instructions are included.
  public var source: InstructionSource
  /// Version of valgrind, such as `3.19.0`. Absent: the processor's own counter was used.
  public var version: String?
  /// Instructions of each counted frame, without the instructions of the counting itself. All recorded frames are
  /// counted, or only the first ones if counting all would take too long.
  public var frames: CountSeries
  /// The phases in the order in which they first ran; empty if only whole frames are counted.
  public var phases: [PhaseInstructions]
  /// Instructions that the counting itself adds to a frame without phases. They are already subtracted from `frames`.
  public var frameOverhead: Int

  public init(
    source: InstructionSource, version: String?, frames: CountSeries, phases: [PhaseInstructions], frameOverhead: Int
  ) {
    (self.source, self.version, self.frames) = (source, version, frames)
    (self.phases, self.frameOverhead) = (phases, frameOverhead)
  }

  /// The number of counted frames, which can be smaller than the number of recorded frames.
  public var frameCount: Int { frames.count }
}

/// A counter of instructions.
public enum InstructionSource: String, Codable, Sendable {
  /// Valgrind's callgrind counts the instructions that all threads execute outside the kernel. It simulates a machine
  /// without AVX-512.
  case callgrind
  /// The processor's counter counts the instructions that the frame's thread executes outside the kernel.
  case hardware
}

/// Instructions of one phase.
public struct PhaseInstructions: Codable, Sendable, Equatable {
  /// The name of the phase, as in `Phase.name`.
  public var name: String
  /// Instructions of the phase in each counted frame, 0 if the phase did not run. They include the instructions of
  /// phases measured inside this one.
  public var frames: CountSeries

  public init(name: String, frames: CountSeries) { (self.name, self.frames) = (name, frames) }
}
