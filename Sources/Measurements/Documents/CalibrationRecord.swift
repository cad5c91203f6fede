import FrameBench
import Statistics

/// How fast a machine is, and how steadily, measured with a fixed piece of work that fits into a core's
/// registers.
///
/// Documents with different scores come from different machines, or from times when the machine was clocked
/// differently.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  /// Steps of the kernel in one sample.
  public var roundCount: Int
  /// Before the first run.
  public var start: KernelTimes
  /// After the last run; absent if the run ended before.
  public var end: KernelTimes?

  public init(roundCount: Int, start: KernelTimes, end: KernelTimes?) {
    self.roundCount = roundCount
    self.start = start
    self.end = end
  }

  /// Steps per microsecond at the machine's fastest; more is faster.
  public var score: Double {
    Double(roundCount) * 1_000 / min(start.fastest, end?.fastest ?? start.fastest)
  }

  /// How much slower the machine was at the end, as a fraction of the start; nil if unknown.
  public var drift: Double? { end.map { $0.fastest / start.fastest - 1 } }
}
