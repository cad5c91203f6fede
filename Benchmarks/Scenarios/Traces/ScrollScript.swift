/// A scroll as a function of continuous time, made of gestures one after another.
///
/// It does not depend on frames, so displays of 60, 90 and 120 Hz show the same motion.
public struct ScrollScript: Sendable, Equatable {
  public let gestures: [ScrollGesture]
  /// The content offset at time 0, points.
  public let startOffset: Double
  /// The last touch before time 0, in points of the viewport.
  public let startTouch: ScrollTouch
  /// Seconds until the last gesture has ended. After that the list rests.
  public let duration: Double
  /// The content offset at the end, points.
  public let endOffset: Double

  private let segments: [Segment]
  private let endTouch: ScrollTouch

  /// - Parameter gestures: The gestures in order. A fling that is caught is followed by a drag or a hold, or is the
  ///   last gesture. A drag with a release velocity is followed by a fling.
  public init(startOffset: Double, startTouch: ScrollTouch = ScrollTouch(x: 0, y: 0), gestures: [ScrollGesture]) {
    precondition(startOffset.isFinite, "a start offset of \(startOffset) points")
    precondition(startTouch.isFinite, "a touch at (\(startTouch.x), \(startTouch.y))")
    self.gestures = gestures
    self.startOffset = startOffset
    self.startTouch = startTouch

    var start = 0.0
    var offset = startOffset
    var touch = startTouch
    segments = gestures.indices.map { index in
      let next = index + 1 < gestures.count ? gestures[index + 1] : nil
      gestures[index].checkPreconditions(next: next)
      let segment = Segment(gestures[index], next: next, start: start, offset: offset, touch: touch)
      start += segment.duration
      offset = segment.offset(after: segment.duration)
      touch = segment.touch(after: segment.duration)
      return segment
    }
    duration = start
    endOffset = offset
    endTouch = touch
  }

  /// Returns the state of the screen at a time. The offset is not rounded to `ScrollTrace.offsetStep`.
  ///
  /// O(log gestures).
  public func frame(atSeconds seconds: Double) -> ScrollTrace.Frame {
    precondition(seconds >= 0, "a time of \(seconds) s")
    guard seconds < duration, let segment = segment(at: seconds) else {
      return ScrollTrace.Frame(contentOffset: endOffset, touchX: endTouch.x, touchY: endTouch.y, phase: .idle)
    }
    let elapsed = seconds - segment.start
    let touch = segment.touch(after: elapsed)
    return ScrollTrace.Frame(
      contentOffset: segment.offset(after: elapsed), touchX: touch.x, touchY: touch.y, phase: segment.phase)
  }

  /// Returns the last segment that has begun by this time.
  private func segment(at seconds: Double) -> Segment? {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : segments[low - 1]
  }
}

extension ScrollScript {
  /// A gesture with its start time.
  private struct Segment: Sendable, Equatable {
    enum Motion: Sendable, Equatable {
      case rest
      case stroke(FingerStroke, sideways: Double)
      case coast(ScrollDeceleration)
    }

    let start: Double
    let duration: Double
    let phase: ScrollPhase
    private let startOffset: Double
    private let startTouch: ScrollTouch
    private let motion: Motion

    init(_ gesture: ScrollGesture, next: ScrollGesture?, start: Double, offset: Double, touch: ScrollTouch) {
      self.start = start
      startOffset = offset
      switch gesture {
      case .drag(let distance, let duration, let from, let sideways, let release):
        self.duration = duration
        phase = .dragging
        startTouch = from
        let stroke = FingerStroke(
          distance: distance, duration: duration, releaseVelocity: release ?? next?.flingVelocity ?? 0)
        motion = .stroke(stroke, sideways: sideways)
      case .hold(let duration, let at):
        self.duration = duration
        phase = .dragging
        startTouch = at
        motion = .rest
      case .fling(let velocity, let caughtAfter):
        let deceleration = ScrollDeceleration(initialVelocity: velocity)
        duration = min(deceleration.duration, caughtAfter ?? .infinity)
        phase = .decelerating
        startTouch = touch
        motion = .coast(deceleration)
      case .pause(let duration):
        self.duration = duration
        phase = .idle
        startTouch = touch
        motion = .rest
      }
    }

    func offset(after elapsed: Double) -> Double {
      switch motion {
      case .rest: startOffset
      case .stroke(let stroke, _): startOffset + stroke.displacement(after: elapsed)
      case .coast(let deceleration): startOffset + deceleration.displacement(after: elapsed)
      }
    }

    func touch(after elapsed: Double) -> ScrollTouch {
      switch motion {
      case .rest, .coast: startTouch
      case .stroke(let stroke, let sideways):
        ScrollTouch(
          x: startTouch.x + sideways * stroke.drift(after: elapsed),
          y: startTouch.y - stroke.displacement(after: elapsed))
      }
    }
  }
}

extension ScrollGesture {
  fileprivate var flingVelocity: Double? {
    switch self {
    case .fling(let velocity, _): velocity
    case .drag, .hold, .pause: nil
    }
  }
}
