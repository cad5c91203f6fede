/// A scroll that was recorded on a device: the content offset and the touch over time. The recording is read from CSV
/// in the format of `docs/traces.md`.
///
/// Between two rows, offset and touch are interpolated linearly, and the phase is that of the earlier row. After the
/// last row, offset and touch keep their last values, and the phase is idle. The trace does not repeat, because the
/// list would jump back to the offset of the first row, which no finger can do.
public struct RecordedTrace: Sendable, Equatable {
  /// The state of the screen at one moment.
  public struct Row: Sendable, Equatable {
    /// The time: finite, not negative, and greater than that of the previous row. The trace starts at the first row,
    /// whatever the time of that row is.
    public let milliseconds: Double
    /// The content offset along the scroll axis, points.
    public let contentOffset: Double
    /// The x coordinate of the touch in the viewport, points.
    public let touchX: Double
    /// The y coordinate of the touch in the viewport, points.
    public let touchY: Double
    public let phase: ScrollPhase
  }

  /// The rows, at least two.
  public let rows: [Row]

  /// - Parameter rows: At least two rows. The caller has checked that their values are valid and their times increase.
  init(checked rows: [Row]) { self.rows = rows }

  /// Converts a trace to the rows that a recorder would have written, one per frame.
  ///
  /// Sampling the rows at the refresh rate of the trace gives identical frames.
  ///
  /// - Parameter trace: A trace with at least two frames.
  public init(_ trace: ScrollTrace) {
    precondition(trace.frames.count >= 2, "a recording of \(trace.frames.count) frame")
    rows = trace.frames.enumerated().map { index, frame in
      Row(
        milliseconds: Double(index) * 1_000 / Double(trace.refreshRateHertz), contentOffset: frame.contentOffset,
        touchX: frame.touchX, touchY: frame.touchY, phase: frame.phase)
    }
  }

  /// Seconds from the first row to the last.
  public var durationSeconds: Double {
    guard let first = rows.first, let last = rows.last else { return 0 }
    return (last.milliseconds - first.milliseconds) / 1_000
  }

  /// Returns the number of frames up to the last row. In later frames the list is at rest.
  public func frameCount(refreshRateHertz: Int) -> Int {
    precondition(refreshRateHertz > 0, "a refresh rate of \(refreshRateHertz) Hz")
    // Without the tolerance of 1e-6, rounding errors could drop the last frame if the last row falls exactly on it.
    return Int(durationSeconds * Double(refreshRateHertz) + 1e-6) + 1
  }

  /// Returns the state of the screen at a time after the first row. The offset is not rounded to
  /// `ScrollTrace.offsetStep`.
  ///
  /// O(log rows).
  public func frame(atMilliseconds milliseconds: Double) -> ScrollTrace.Frame {
    precondition(milliseconds >= 0, "a time of \(milliseconds) ms")
    let time = rows[0].milliseconds + milliseconds
    let nextIndex = firstIndex(after: time)
    guard nextIndex < rows.count else { return lastFrame(at: time) }
    let row = rows[nextIndex - 1]
    let next = rows[nextIndex]
    let fraction = (time - row.milliseconds) / (next.milliseconds - row.milliseconds)
    func interpolated(_ value: KeyPath<Row, Double>) -> Double {
      row[keyPath: value] + fraction * (next[keyPath: value] - row[keyPath: value])
    }
    return ScrollTrace.Frame(
      contentOffset: interpolated(\.contentOffset), touchX: interpolated(\.touchX), touchY: interpolated(\.touchY),
      phase: row.phase)
  }

  private func lastFrame(at time: Double) -> ScrollTrace.Frame {
    let last = rows[rows.count - 1]
    return ScrollTrace.Frame(
      contentOffset: last.contentOffset, touchX: last.touchX, touchY: last.touchY,
      phase: time > last.milliseconds ? .idle : last.phase)
  }

  /// Returns the index of the first row that is later than `time`. The time must not be before the first row.
  private func firstIndex(after time: Double) -> Int {
    var low = 1
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].milliseconds <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
