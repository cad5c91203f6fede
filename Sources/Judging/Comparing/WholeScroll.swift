import Measurements

// What turns cannot see: they reach only the first frames of a long scroll, and the median over their rounds leaves out
// a single long frame.

extension TimeRecord {
  /// Frames that turns reach however long a frame takes.
  private static let seenFrameCount = 16

  /// Whether a build takes far longer on its whole scroll than its first frames would have it, or in its longest frame.
  /// The two were measured one after the other, each in one link order, so only what neither noise nor the places of
  /// code explain counts: a fifth and more of the mean (`ComparisonRule.layoutAllowance`), or a frame twice as long as
  /// any in any run of the other.
  /// - Parameter change: What turns found, a fraction.
  package func isSlower(than baseline: TimeRecord, change: Double) -> Bool {
    guard let own = aligned, let other = baseline.aligned, other.mean > 0 else { return false }
    func seen(_ record: TimeRecord) -> Double {
      record.alignedNanoseconds.prefix(Self.seenFrameCount).reduce(0, +) / Double(Self.seenFrameCount)
    }
    let expected = max(1, 1 + change, seen(baseline) > 0 ? seen(self) / seen(baseline) : 1)
    return own.mean / other.mean > expected * (1 + ComparisonRule.layoutAllowance(nanoseconds: other.mean))
      || own.max > 2 * expected * baseline.pooled.max
  }
}

extension ComparisonRow {
  /// The time of a frame becomes that of the whole scroll, which has regressed; it has no interval.
  package mutating func regress(from baseline: TimeRecord, to candidate: TimeRecord) {
    guard let old = baseline.aligned?.mean, let new = candidate.aligned?.mean else { return }
    (verdict, change, self.baseline, self.candidate) = (.regressed, new / old - 1, .number(old), .number(new))
    (low, high, pValue, suspicionPValue) = (nil, nil, nil, nil)
    let frames = FrameDifference(baseline: baseline.alignedNanoseconds, candidate: candidate.alignedNanoseconds)
    note = "on the whole scroll" + (frames.map { ", \($0.sentence)" } ?? "")
  }
}
