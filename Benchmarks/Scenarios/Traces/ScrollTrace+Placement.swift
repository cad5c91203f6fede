extension ScrollTrace {
  /// A trace that was shifted to fit content of a certain length.
  public struct Placement: Sendable, Equatable {
    public var trace: ScrollTrace
    /// The number of frames whose offset does not fit the content. If it is not 0, the list scrolls less than a longer
    /// list would, so the figures of this size are not comparable with those of other sizes.
    public var clampedFrameCount: Int
  }

  /// Returns the trace, shifted by a whole number of points, so that its first frame is within half a point of
  /// `offset`. The offset changes by exactly the same amount in each frame as before.
  public func rebased(toOffset offset: Double) -> ScrollTrace {
    shifted(by: (offset - frames[0].contentOffset).rounded())
  }

  /// Returns the trace, shifted to the middle of content that can scroll by `scrollRange` points. The new offsets are
  /// in `0...scrollRange`.
  ///
  /// If the content is long enough, the offset changes by exactly the same amount in each frame as before. The shift is
  /// a whole number of points, unless only a fractional shift makes the trace fit. If the content is too short, offsets
  /// are clamped at both ends, and `clampedFrameCount` is the number of clamped frames. Content shorter than its
  /// viewport (a negative range) does not scroll.
  public func placed(inContentOf scrollRange: Double) -> Placement {
    precondition(abs(scrollRange) <= Self.offsetLimit, "a scroll range of \(scrollRange) points")
    let range = Self.onGrid(max(scrollRange, 0), .down)
    let margin = (range - (extent.upperBound - extent.lowerBound)) / 2
    let wholeShift = (margin - extent.lowerBound).rounded()
    if extent.lowerBound + wholeShift >= 0, extent.upperBound + wholeShift <= range {
      return Placement(trace: shifted(by: wholeShift), clampedFrameCount: 0)
    }
    let centered = shifted(by: Self.onGrid(margin, .down) - extent.lowerBound)
    return centered.clamped(to: 0...range)
  }

  /// - Parameter shift: A multiple of `offsetStep`, points.
  private func shifted(by shift: Double) -> ScrollTrace { mapOffsets { $0 + shift } }

  private func clamped(to range: ClosedRange<Double>) -> Placement {
    Placement(
      trace: mapOffsets { min(max($0, range.lowerBound), range.upperBound) },
      clampedFrameCount: frames.count { !range.contains($0.contentOffset) })
  }

  private func mapOffsets(_ transform: (Double) -> Double) -> ScrollTrace {
    let moved = frames.map { frame in
      var frame = frame
      frame.contentOffset = transform(frame.contentOffset)
      return frame
    }
    return ScrollTrace(frames: moved, refreshRateHertz: refreshRateHertz)
  }
}
