/// A scroll that was recorded on a device: content offset and touch over time, read from CSV
/// (`docs/traces.md` describes the format).
///
/// Between rows offset and touch are interpolated linearly, and the phase is that of the row before. After
/// the last row they hold their last values, and the phase is idle: starting again would make the list jump,
/// which no finger does.
public struct RecordedTrace: Sendable, Equatable {
  /// The state at one moment.
  public struct Row: Sendable, Equatable {
    /// Finite, not negative, and greater than that of the row before; the first row is the start of the
    /// trace, whatever its time.
    public let milliseconds: Double
    /// Points along the scroll axis.
    public let contentOffset: Double
    /// Viewport points.
    public let touchX: Double
    /// Viewport points.
    public let touchY: Double
    public let phase: ScrollPhase
  }

  /// At least two.
  public let rows: [Row]

  /// - Parameter rows: Already checked.
  init(checked rows: [Row]) { self.rows = rows }

  /// The trace as a recorder would have seen it, one row per frame.
  ///
  /// Sampled at the same refresh rate it gives the same frames to the last bit.
  ///
  /// - Parameter trace: Has at least two frames.
  public init(_ trace: ScrollTrace) {
    precondition(trace.frames.count >= 2, "a recording of \(trace.frames.count) frame")
    rows = trace.frames.enumerated().map { index, frame in
      Row(
        milliseconds: Double(index) * 1_000 / Double(trace.refreshRateHertz), contentOffset: frame.contentOffset,
        touchX: frame.touchX, touchY: frame.touchY, phase: frame.phase)
    }
  }

  /// From the first row to the last.
  public var durationSeconds: Double {
    guard let first = rows.first, let last = rows.last else { return 0 }
    return (last.milliseconds - first.milliseconds) / 1_000
  }

  /// Number of frames up to the last row; later ones show a list at rest.
  public func frameCount(refreshRateHertz: Int) -> Int {
    precondition(refreshRateHertz > 0, "a refresh rate of \(refreshRateHertz) Hz")
    // Rounding of the product must not lose a last row that falls exactly on a frame.
    return Int(durationSeconds * Double(refreshRateHertz) + 1e-6) + 1
  }

  /// The state of the screen at a time after the first row; its offset is not rounded to a trace's grid.
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

  /// Index of the first row later than a time that is not before the first row.
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
