import FrameBench
import TextFormat

extension BenchmarkRecord {
  /// If less than this share of the median frame is outside all phases, there is no warning.
  private static let tolerableShare = 0.1
  /// Nanoseconds; below this, no clock here can tell a time from its own step.
  private static let tolerableNanoseconds = 50.0

  /// Whether more of the median frame is outside its phases than frames and phases that are measured apart differ by.
  ///
  /// - Parameter pairCost: What two reads of the clock cost, nanoseconds. The processor does some of a short phase's
  ///   work beside them, so that up to so much of each phase is missing.
  static func isUnexplained(frame: Double, phases: [Double], pairCost: Double) -> Bool {
    frame - phases.reduce(0, +)
      > max(tolerableShare * frame, tolerableNanoseconds) + Double(phases.count) * pairCost
  }

  /// A warning if much of the median frame is in no phase: a checksum is measured with the frame, or the machine
  /// disturbed the runs that time frames. Nil if there are no phases, or little is outside them.
  func tailWarning(endsWithBody: Bool, pairCost: Double) -> Warning? {
    let times = phases.compactMap(\.time.aligned?.p50)
    guard !times.isEmpty, let whole = frame.aligned?.p50,
      Self.isUnexplained(frame: whole, phases: times, pairCost: pairCost)
    else { return nil }
    let share = Format.percent((whole - times.reduce(0, +)) / whole)
    return Warning(
      endsWithBody
        ? "\(share) of the median frame is outside all phases, and the frame ends where its body returns. Call"
          + " timer.endFrame() before work that should not be measured, such as a checksum, or make it a phase."
        : "\(share) of the median frame is outside all phases, which were measured in other runs. Make that work a"
          + " phase; if there is none, something disturbed the runs: measure again.",
      benchmark: id)
  }

  /// A warning if a call takes no longer than that of an empty function. Nil for frames.
  var emptyCallWarning: Warning? {
    guard isFunction, let call = frame.aligned?.p50, call < Self.leastCallNanoseconds else { return nil }
    return Warning(
      "A call takes no longer than that of an empty function: the processor does its work beside the next call, or the"
        + " optimiser has left it out. What goes in through identity(_:) is not computed in advance.",
      benchmark: id)
  }

  /// Less than half a cycle of any processor.
  private static let leastCallNanoseconds = 0.1
}
