/// The levels of a series, and how what was reported of it earlier stands now.
public struct LevelHistory: Sendable, Hashable {
  /// Ascending; also those that are not confirmed.
  public let shifts: [LevelShift]
  private let clipped: [Double]

  /// A shift that was reported when the series was shorter.
  public struct Reported: Sendable, Hashable {
    /// Index of the first value of the new level, as it was known then.
    public var index: Int
    /// Whether the level rose; nil where that was not kept.
    public var isRise: Bool?

    public init(index: Int, isRise: Bool?) {
      self.index = index
      self.isRise = isRise
    }
  }

  /// Shifts move by a few values as later ones come in: those so near are the same.
  private static let sameWithin = 5
  /// Values on each side that a reported shift is held against once nothing is found at its place any more.
  private static let reexaminedCount = 50
  /// It is withdrawn where such levels come up more often by chance: far more than where shifts are confirmed, so
  /// that nothing is withdrawn one night and reported again the next.
  private static let withdrawnPValue = 0.01

  /// - Parameters:
  ///   - series: One finite value a night, oldest first.
  ///   - detection: How change points are found.
  ///   - memory: Spares the work that was done for a shorter series.
  public init(
    _ series: [Double], detection: ChangePointDetection = ChangePointDetection(), memory: SplitMemory? = nil
  ) {
    let clipped = LoneOutliers.clipped(series)
    let points = Self.refined(detection.changePoints(in: clipped, memory: memory).map(\.index), in: clipped)
    let starts = [0] + points
    let ranges = zip(starts, points + [series.count]).map { $0..<$1 }
    let share = points.isEmpty ? 1 : Autocorrelation.effectiveShare(clipped, levels: ranges)
    self.clipped = clipped
    shifts = zip(ranges, ranges.dropFirst()).map {
      LevelShift(series, clipped: clipped, before: $0, after: $1, effectiveShare: share)
    }
  }

  /// Moves each point to where the two stretches beside it differ most: the least-squares estimate. E-divisive saw
  /// only the window around it.
  private static func refined(_ points: [Int], in values: [Double]) -> [Int] {
    var points = points
    for number in points.indices {
      let start = number == 0 ? 0 : points[number - 1]
      let end = number + 1 < points.count ? points[number + 1] : values.count
      let count = Double(end - start)
      let mean = values[start..<end].reduce(0, +) / count
      var (sum, largest) = (0.0, 0.0)
      for split in (start + 1)..<end {
        sum += values[split - 1] - mean
        let before = Double(split - start)
        let explained = sum * sum / (before * (count - before))
        if explained > largest { (largest, points[number]) = (explained, split) }
      }
    }
    return points
  }

  // MARK: What was reported

  /// The shift that a reported one is now: the nearest in the same direction, if it is near enough.
  public func shift(_ reported: Reported) -> LevelShift? {
    let isRise = reported.isRise ?? rose(at: reported.index)
    let same = shifts.filter { $0.isRise == isRise }
    let nearest = same.min { abs($0.index - reported.index) < abs($1.index - reported.index) }
    guard let nearest else { return nil }
    return abs(nearest.index - reported.index) <= max(Self.sameWithin, nearest.slack) ? nearest : nil
  }

  /// Whether a shift needs no report any more: one of those that were reported is this one, or is part of the
  /// same drift.
  public func isKnown(_ shift: LevelShift, _ reported: [Reported]) -> Bool {
    reported.contains { earlier in
      if self.shift(earlier) == shift { return true }
      guard shift.isGradual, (earlier.isRise ?? rose(at: earlier.index)) == shift.isRise else { return false }
      let between = min(earlier.index, shift.index)..<max(earlier.index, shift.index)
      return !shifts.contains { $0.isRise != shift.isRise && between.contains($0.index) }
    }
  }

  /// Whether later values take a reported shift back: there is none any more, and what lies before and behind its
  /// place is one level.
  public func isTakenBack(_ reported: Reported) -> Bool {
    guard shift(reported) == nil, (1..<clipped.count).contains(reported.index) else { return false }
    let isRise = reported.isRise ?? rose(at: reported.index)
    let others = shifts.filter { $0.isRise != isRise }.map(\.index)
    let start = max(
      others.last { $0 < reported.index } ?? 0, reported.index - Self.reexaminedCount)
    let end = min(
      others.first { $0 > reported.index } ?? clipped.count, reported.index + Self.reexaminedCount)
    let test = LevelTest(clipped[start..<reported.index], clipped[reported.index..<end])
    return !(test.pValue <= Self.withdrawnPValue && (test.meanAfter > test.meanBefore) == isRise)
  }

  private func rose(at index: Int) -> Bool {
    guard (1..<clipped.count).contains(index) else { return true }
    let near = Self.sameWithin
    return Quantile.median(clipped[index..<min(clipped.count, index + near)])
      > Quantile.median(clipped[max(0, index - near)..<index])
  }
}
