/// What happened when, for a viewer.
package struct Timeline: Sendable {
  /// Of the benchmark; the viewer shows it as a process.
  package var name: String
  /// Frames and their phases, nanoseconds since the first frame began.
  package var spans: [Span]
  /// What a frame may cost, nanoseconds.
  package var budgetNanoseconds: Double
  /// By name, one value for each recorded frame: active items, tile churn, allocations.
  package var counters: [(name: String, values: [Int])]
  /// Per recorded frame the minimum over runs, nanoseconds.
  package var alignedNanoseconds: [Double]
  /// Numbers of the worst frames, around which all detail is kept; nil: kept everywhere.
  package var worstFrames: [Int]?

  /// A frame, or one of its phases.
  package struct Span: Sendable {
    /// Number among the recorded frames, from 0.
    package var frame: Int
    /// Nil for the frame as a whole.
    package var phase: String?
    /// Nanoseconds since the first frame began.
    package var start: Double
    /// On the same clock; the last phase may seem to outlast its frame, since reading the clock takes time.
    package var end: Double

    package init(frame: Int, phase: String?, start: Double, end: Double) {
      self.frame = frame
      self.phase = phase
      self.start = start
      self.end = end
    }
  }

  package init(
    name: String, spans: [Span], budgetNanoseconds: Double, counters: [(name: String, values: [Int])],
    alignedNanoseconds: [Double], worstFrames: [Int]?
  ) {
    self.name = name
    self.spans = spans
    self.budgetNanoseconds = budgetNanoseconds
    self.counters = counters
    self.alignedNanoseconds = alignedNanoseconds
    self.worstFrames = worstFrames
  }

  /// Frames before and after a worst one that keep their phases.
  static let detailRadius = 5

  package func keepsDetail(_ frame: Int) -> Bool {
    guard let worstFrames else { return true }
    return worstFrames.contains { abs($0 - frame) <= Self.detailRadius }
  }

  /// By the minimum over runs, which is what budgets are compared with elsewhere.
  package func misses(_ frame: Int) -> Bool {
    alignedNanoseconds.indices.contains(frame) && alignedNanoseconds[frame] > budgetNanoseconds
  }

  /// Numbers of the recorded frames whose least cost is above the budget, ascending; also of those without
  /// spans.
  package var missedFrames: [Int] { alignedNanoseconds.indices.filter(misses) }
}
