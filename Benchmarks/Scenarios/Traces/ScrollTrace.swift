/// The content offset and the touch in each frame of a scroll.
///
/// Offsets are multiples of 1/1024 point, whose sums are exact up to 2⁴² points. So a trace can be moved to another
/// place of the content, and the offset still changes by the same amount in each frame.
public struct ScrollTrace: Sendable, Equatable {
  /// One frame of the display.
  public struct Frame: Sendable, Equatable {
    /// The offset along the scroll axis, points. It grows as the list scrolls towards its end.
    public var contentOffset: Double
    /// The x coordinate of the last touch in the viewport, points. It stays the same after the finger has lifted.
    public var touchX: Double
    /// The y coordinate of the last touch in the viewport, points. It stays the same after the finger has lifted.
    public var touchY: Double
    public var phase: ScrollPhase
    /// Whether layouts see the touch at the origin of the content instead of at `touchX` and `touchY`. The articles on
    /// springy lists take a touch at the origin to mean that no finger is on the screen.
    public var touchIsAtOrigin = false

    public init(contentOffset: Double, touchX: Double, touchY: Double, phase: ScrollPhase) {
      self.contentOffset = contentOffset
      self.touchX = touchX
      self.touchY = touchY
      self.phase = phase
    }
  }

  /// The frames, at least one.
  public let frames: [Frame]
  /// Frames per second.
  public let refreshRateHertz: Int
  /// The smallest and largest content offset, points.
  public let extent: ClosedRange<Double>

  /// - Parameter frames: At least one frame. Offsets must be finite and are rounded to multiples of `offsetStep`.
  public init(frames: [Frame], refreshRateHertz: Int) {
    precondition(!frames.isEmpty, "a trace of no frames")
    precondition(refreshRateHertz > 0, "a refresh rate of \(refreshRateHertz) Hz")
    var least = Double.infinity
    var greatest = -Double.infinity
    self.frames = frames.map { frame in
      var rounded = frame
      rounded.contentOffset = Self.onGrid(frame.contentOffset, .toNearestOrAwayFromZero)
      least = min(least, rounded.contentOffset)
      greatest = max(greatest, rounded.contentOffset)
      return rounded
    }
    self.refreshRateHertz = refreshRateHertz
    extent = least...greatest
  }

  /// Samples a script at the times 0, 1/hz, 2/hz, …
  public init(_ script: ScrollScript, refreshRateHertz: Int, frameCount: Int) {
    self.init(refreshRateHertz: refreshRateHertz, frameCount: frameCount) {
      script.frame(atSeconds: Double($0) / Double(refreshRateHertz))
    }
  }

  /// Samples a recording at the times 0, 1/hz, 2/hz, … after its first row.
  public init(_ recording: RecordedTrace, refreshRateHertz: Int, frameCount: Int) {
    self.init(refreshRateHertz: refreshRateHertz, frameCount: frameCount) {
      recording.frame(atMilliseconds: Double($0) * 1_000 / Double(refreshRateHertz))
    }
  }

  private init(refreshRateHertz: Int, frameCount: Int, frame: (Int) -> Frame) {
    precondition(refreshRateHertz > 0, "a refresh rate of \(refreshRateHertz) Hz")
    precondition(frameCount > 0, "a trace of \(frameCount) frames")
    self.init(frames: (0..<frameCount).map(frame), refreshRateHertz: refreshRateHertz)
  }

  /// Returns the trace with the touch at the origin of the content in all frames without a finger on the screen.
  public func liftingTouchToOrigin() -> ScrollTrace {
    let lifted = frames.map { frame in
      var frame = frame
      frame.touchIsAtOrigin = frame.phase != .dragging
      return frame
    }
    return ScrollTrace(frames: lifted, refreshRateHertz: refreshRateHertz)
  }

  /// Returns the change of the offset since the previous frame, points. 0 for the first frame.
  public func delta(at index: Int) -> Double {
    index == 0 ? 0 : frames[index].contentOffset - frames[index - 1].contentOffset
  }
}

extension ScrollTrace {
  /// Offsets lie on a grid: each is a multiple of this step, in points.
  public static let offsetStep = 1.0 / 1_024
  /// The largest absolute offset, points. Beyond it, a Double cannot tell neighboring multiples of `offsetStep` apart.
  static let offsetLimit = 0x1p42

  static func onGrid(_ offset: Double, _ rule: FloatingPointRoundingRule) -> Double {
    precondition(abs(offset) <= offsetLimit, "a content offset of \(offset) points")
    // Adding 0 turns -0 into 0, so that equal offsets have equal bits.
    return (offset / offsetStep).rounded(rule) * offsetStep + 0
  }
}
