/// The levels of a series, and the state of earlier reports.
struct LevelHistory: Sendable, Hashable {
  /// Ascending; includes those that are not confirmed.
  let shifts: [LevelShift]
  private let clipped: [Double]
  /// Independent values for each value, as far as the correlation is certain enough to merge by it.
  private let effectiveShare: Double

  /// A shift as reported when the series was shorter: index of the new level's first value, and whether it rose.
  typealias Reported = (position: Int, isRise: Bool)

  /// Distance within which two shifts are the same, in values: shifts move a little as later values come in.
  private static let sameWithin = 5
  /// A report stays known if a ramp over its place fits at most this much worse than a step elsewhere, in variances.
  private static let leastRampAdvantage = -4.0
  /// Values on each side that decide about a reported shift once nothing is found at its place any more.
  private static let reexaminedCount = 50
  /// A shift is withdrawn if such levels come up more often by chance: far more than the limit for
  /// confirming, so that nothing is withdrawn one night and reported again the next.
  private static let withdrawnPValue = 0.01
  /// Standard errors by which an autocorrelation is lowered before points are merged and drifts joined, and before it
  /// lowers the confirmation of a shift. More points are merged than refused: merging lengthens the other levels.
  private static let (mergingDeviations, confirmingDeviations) = (3.0, 8.0)

  /// The history of a series of one finite value a night, oldest first.
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

  /// Merges by the independent share of the values, as long as this removes points: if neighbours are
  /// correlated, E-divisive finds many false levels, and they hide the correlation.
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

  /// Moves points to the largest difference of the stretches beside them (least squares). E-divisive saw only windows.
  private static func refined(_ points: [Int], in values: [Double], effectiveShare: Double) -> [Int] {
    let correlation = Autocorrelation.correlation(effectiveShare: effectiveShare)
    var bounds = [0] + points + [values.count]
    for number in bounds.indices.dropFirst().dropLast() {
      let stretch = values[bounds[number - 1]..<bounds[number + 1]]
      bounds[number] = StepFit.bestIndex(in: stretch, correlation: correlation) ?? bounds[number]
    }
    return Array(bounds.dropFirst().dropLast())
  }

  /// The present shift of a reported one: the nearest in the same direction, if it is near enough or has moved there.
  func shift(_ reported: Reported) -> LevelShift? {
    let place = reported.position
    func distance(_ shift: LevelShift) -> Int { max(0, shift.position - place, place - shift.levelPosition) }
    let nearest = shifts.filter { $0.isRise == reported.isRise }.min { distance($0) < distance($1) }
    guard let nearest else { return nil }
    let slack = max(Self.sameWithin, place < nearest.position ? nearest.slack : nearest.levelSlack)
    return distance(nearest) <= slack || hasMoved(nearest, from: place) ? nearest : nil
  }

  /// Whether a shift is one that was reported farther away: with no other between, a ramp over both places fits as well
  /// as the step found now. A drift of few nights that is found as one step moves far from night to night. Correlated
  /// noise makes such ramps, too, behind which the report of a true step would be lost.
  private func hasMoved(_ shift: LevelShift, from place: Int) -> Bool {
    let (start, end) = (shift.position - shift.supportBefore, shift.levelPosition + shift.support)
    guard effectiveShare == 1, ((start + 1)..<end).contains(place) else { return false }
    guard shift.position == shift.levelPosition else { return true }
    let advantage = Drift.advantageOfRamp(clipped, step: shift.position, over: place, levels: start..<end)
    return advantage >= Self.leastRampAdvantage
  }

  /// Whether a shift needs no report any more: one of those reported is this one, or is part of the same drift.
  func isKnown(_ shift: LevelShift, _ reported: [Reported]) -> Bool { reported.contains { self.shift($0) == shift } }

  /// Whether later values contradict a reported shift: it is gone, and the values around its place are on one level.
  func isTakenBack(_ reported: Reported) -> Bool {
    guard shift(reported) == nil, (1..<clipped.count).contains(reported.position) else { return false }
    let others = shifts.filter { $0.isRise != reported.isRise }.map(\.position)
    let start = max(others.last { $0 < reported.position } ?? 0, reported.position - Self.reexaminedCount)
    let end = min(others.first { $0 > reported.position } ?? clipped.count, reported.position + Self.reexaminedCount)
    let test = LevelTest(clipped[start..<reported.position], clipped[reported.position..<end])
    return !(test.pValue <= Self.withdrawnPValue && (test.meanAfter > test.meanBefore) == reported.isRise)
  }
}
