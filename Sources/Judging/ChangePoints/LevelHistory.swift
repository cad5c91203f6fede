/// The levels of a series, and how earlier reports relate to them.
struct LevelHistory: Sendable, Hashable {
  /// The changes of level in ascending order, including those that are not confirmed.
  let shifts: [LevelShift]
  private let clipped: [Double]
  /// The fraction of the values that count as independent, computed with `mergingDeviations`.
  private let effectiveShare: Double

  /// A shift as it was reported when the series was shorter: the index of the first value after the old level, and
  /// whether the level rose.
  typealias Reported = (position: Int, isRise: Bool)

  /// Two changes of level at most this many values apart count as the same, because their places move a little as later
  /// values come in.
  private static let sameWithin = 5
  /// A step counts as a shift that was reported at another position if a ramp between the two positions fits nearly as
  /// well as the step: if the ramp's advantage (`Drift.advantageOfRamp`) is at least this.
  private static let leastRampAdvantage = -4.0
  /// The number of values tested on each side of a reported shift that is no longer found.
  private static let reexaminedCount = 50
  /// A reported shift is withdrawn if the p-value at its position is above this. The limit is far above the one for
  /// confirming, so that nothing is withdrawn one night and reported again the next.
  private static let withdrawnPValue = 0.01
  /// The numbers of standard errors that are subtracted from an estimated autocorrelation: to merge levels or join them
  /// to drifts, and to confirm shifts. The first number is smaller, so that more of the short levels that noise makes
  /// are merged. Otherwise, such levels could hide a true step next to them.
  private static let (mergingDeviations, confirmingDeviations) = (3.0, 8.0)

  /// - Parameter series: One finite value per night, oldest first.
  init(_ series: [Double], memory: SplitMemory? = nil) {
    clipped = LoneOutliers.clipped(series)
    let levels = Self.levels(clipped, memory)
    effectiveShare = Self.effectiveShare(clipped, levels, deviations: Self.mergingDeviations)
    let share = Self.effectiveShare(clipped, levels, deviations: Self.confirmingDeviations)
    var shifts: [LevelShift] = []
    for number in levels.indices.dropFirst() {
      let (before, after) = (levels[number - 1], levels[number])
      let shift = LevelShift(series, clipped: clipped, old: before, new: after, effectiveShare: share)
      guard let last = shifts.last, last.isRise == shift.isRise, after.count >= Drift.leastCount,
        Drift.joins(clipped, levels[(number - 2)...number], effectiveShare: effectiveShare)
      else {
        shifts.append(shift)
        continue
      }
      let start = last.position - last.supportBefore
      let whole = LevelShift(series, clipped: clipped, old: start..<last.position, new: after, effectiveShare: share)
      shifts[shifts.count - 1] = whole.drift(from: last, to: shift)
    }
    self.shifts = shifts
  }

  /// Finds the levels. If neighboring values are correlated, E-divisive finds many false levels, which hide the
  /// correlation until they are merged. So two steps are repeated until no point is removed: estimate the fraction of
  /// independent values, and remove the points that are not significant with this fraction.
  private static func levels(_ clipped: [Double], _ memory: SplitMemory?) -> [Range<Int>] {
    let detection = ChangePointDetection()
    let found = detection.changePoints(in: clipped, memory: memory).map(\.index)
    var points = refined(found, in: clipped, effectiveShare: 1)
    var share = 1.0
    while true {
      let levels = zip([0] + points, points + [clipped.count]).map { $0..<$1 }
      share = min(share, effectiveShare(clipped, levels, deviations: mergingDeviations))
      let kept = share < 1 ? detection.merged(points, in: clipped, effectiveShare: share) : points
      if kept.count == points.count { return levels }
      points = refined(kept, in: clipped, effectiveShare: share)
    }
  }

  private static func effectiveShare(_ clipped: [Double], _ levels: [Range<Int>], deviations: Double) -> Double {
    levels.count < 2 ? 1 : Autocorrelation.effectiveShare(clipped, levels: levels, deviations: deviations)
  }

  /// Moves each point to where the stretches on both sides of it differ most (least squares), because E-divisive
  /// examined only windows.
  private static func refined(_ points: [Int], in values: [Double], effectiveShare: Double) -> [Int] {
    let correlation = Autocorrelation.correlation(effectiveShare: effectiveShare)
    var bounds = [0] + points + [values.count]
    for number in bounds.indices.dropFirst().dropLast() {
      let stretch = values[bounds[number - 1]..<bounds[number + 1]]
      bounds[number] = StepFit.bestIndex(in: stretch, correlation: correlation) ?? bounds[number]
    }
    return Array(bounds.dropFirst().dropLast())
  }

  /// The current form of a reported shift: the nearest shift in the same direction, if it is near enough or has moved
  /// from the reported position. Otherwise nil.
  func shift(_ reported: Reported) -> LevelShift? {
    let place = reported.position
    func distance(_ shift: LevelShift) -> Int { max(0, shift.position - place, place - shift.levelPosition) }
    let nearest = shifts.filter { $0.isRise == reported.isRise }.min { distance($0) < distance($1) }
    guard let nearest else { return nil }
    let slack = max(Self.sameWithin, place < nearest.position ? nearest.slack : nearest.levelSlack)
    return distance(nearest) <= slack || hasMoved(nearest, from: place) ? nearest : nil
  }

  /// Whether a shift is the same as one that was reported at another place. A drift over few nights is found as one
  /// step, whose place changes much from night to night. So the two shifts are the same if no other shift lies between
  /// their places, and a ramp from one place to the other fits about as well as the step.
  ///
  /// Always false if values are correlated: correlated noise makes such ramps as well, and they would hide a true step.
  private func hasMoved(_ shift: LevelShift, from place: Int) -> Bool {
    let (start, end) = (shift.position - shift.supportBefore, shift.levelPosition + shift.support)
    guard effectiveShare == 1, ((start + 1)..<end).contains(place) else { return false }
    guard shift.position == shift.levelPosition else { return true }
    let advantage = Drift.advantageOfRamp(clipped, step: shift.position, over: place, levels: start..<end)
    return advantage >= Self.leastRampAdvantage
  }

  /// Whether a shift need not be reported, because a reported one is the same shift or part of the same drift.
  func isKnown(_ shift: LevelShift, _ reported: [Reported]) -> Bool { reported.contains { self.shift($0) == shift } }

  /// Whether later values contradict a reported shift: the shift is no longer found, and the values around its position
  /// are on one level.
  func isTakenBack(_ reported: Reported) -> Bool {
    guard shift(reported) == nil, (1..<clipped.count).contains(reported.position) else { return false }
    let others = shifts.filter { $0.isRise != reported.isRise }.map(\.position)
    let start = max(others.last { $0 < reported.position } ?? 0, reported.position - Self.reexaminedCount)
    let end = min(others.first { $0 > reported.position } ?? clipped.count, reported.position + Self.reexaminedCount)
    let test = LevelTest(clipped[start..<reported.position], clipped[reported.position..<end])
    return !(test.pValue <= Self.withdrawnPValue && (test.meanAfter > test.meanBefore) == reported.isRise)
  }
}
