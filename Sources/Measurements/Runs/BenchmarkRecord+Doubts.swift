import FrameBench
import TextFormat

extension BenchmarkRecord {
  /// If less than this share of the median frame is outside all phases, there is no warning.
  private static let tolerableShare = 0.1
  /// Nanoseconds; below this, no clock here can tell a time from its own step.
  private static let tolerableNanoseconds = 50.0

  /// A warning if frames end only with their body and a large part is in no phase: most likely a checksum is
  /// measured with the frame. Nil if there are no phases, or little is outside them.
  var tailWarning: Warning? {
    guard !phases.isEmpty, let whole = frame.aligned?.p50 else { return nil }
    let outside = whole - phases.compactMap(\.time.aligned?.p50).reduce(0, +)
    guard outside > max(Self.tolerableShare * whole, Self.tolerableNanoseconds) else { return nil }
    return Warning(
      "\(Format.percent(outside / whole)) of the median frame is outside all phases, and the frame ends where its body"
        + " returns. Call timer.endFrame() before work that should not be measured, such as a checksum, or make it a phase.",
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
