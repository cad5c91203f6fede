import FrameBench
import TextFormat

extension BenchmarkRecord {
  /// Less than this share of the median frame may be outside of phases without a word.
  private static let tolerableShare = 0.1
  /// Nanoseconds; less than this no clock here tells from its own step.
  private static let tolerableNanoseconds = 50.0

  /// What to say where frames end only with their body, and much of one is in no phase: a checksum, most likely,
  /// that is measured along. Nil where there are no phases, or little is outside of them.
  var tailWarning: Warning? {
    guard !phases.isEmpty, let whole = frame.aligned?.p50 else { return nil }
    let outside = whole - phases.compactMap(\.time.aligned?.p50).reduce(0, +)
    guard outside > max(Self.tolerableShare * whole, Self.tolerableNanoseconds) else { return nil }
    return Warning(
      "\(Format.percent(outside / whole)) of the median frame is outside all phases, and the frame ends where its body"
        + " returns. Call timer.endFrame() before work that should not be measured, such as a checksum, or make it a phase.",
      benchmark: id)
  }
}
