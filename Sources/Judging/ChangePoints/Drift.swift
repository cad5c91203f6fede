import Statistics

/// Decides whether three levels of a series are a gradual drift from the first to the last, or two steps.
enum Drift {
  /// The minimum number of values of a drift's last level.
  static let leastCount = 4
  /// The levels count as steps only if they fit better than a ramp by more than this (see `advantageOfSteps`).
  private static let leastAdvantage = 14.0
  /// Limits how many values are examined on each side of a ramp: this many times the ramp's length. If the level on
  /// the other side of the ramp is longer than the ramp, `advantageOfSteps` uses that level's length instead.
  private static let reach = 2
  /// Where the ramp may start and end: at the steps (0), or farther out by these fractions of the outer levels.
  private static let kneeParts = [0, 0.125, 0.25, 0.5, 0.75, 1]

  /// Whether three adjacent levels form a drift: constant, then linear, then constant, without a jump. The levels are
  /// no drift if the middle level is flat, or if a jump is far larger than the slope around it.
  static func joins(_ values: [Double], _ levels: ArraySlice<Range<Int>>, effectiveShare: Double) -> Bool {
    advantageOfSteps(values, levels) * effectiveShare <= leastAdvantage
  }

  /// Returns how much better the three levels fit than the best ramp: the difference between the sums of squared
  /// distances, divided by the variance of one value around its level. Negative if the ramp fits better.
  static func advantageOfSteps(_ values: [Double], _ levels: ArraySlice<Range<Int>>) -> Double {
    guard levels.count == 3, let before = levels.first, let after = levels.last else { return .infinity }
    let between = before.upperBound..<after.lowerBound
    let start = max(before.lowerBound, before.upperBound - reach * max(between.count, after.count, leastCount))
    let end = min(after.upperBound, after.lowerBound + reach * max(between.count, before.count, leastCount))
    let steps = [start..<before.upperBound, between, after.lowerBound..<end].reduce(0) {
      $0 + Moments(values[$1]).squares
    }
    guard let ramp = bestRamp(values[start..<end], over: between), steps > 0 else { return .infinity }
    return (ramp - steps) / (steps / Double(max(1, end - start - 3)))
  }

  /// Returns how much better a ramp between `step` and `place` fits than the step alone: the difference between the
  /// sums of squared distances, divided by the variance of one value around the ramp. Negative if the step fits better.
  /// - Parameter levels: The range of the two levels that the step separates.
  static func advantageOfRamp(_ values: [Double], step: Int, over place: Int, levels: Range<Int>) -> Double {
    let ramp = min(place, step)..<max(place, step)
    let margin = reach * max(ramp.count, leastCount)
    let start = max(levels.lowerBound, ramp.lowerBound - margin)
    let end = min(levels.upperBound, ramp.upperBound + margin)
    let one = Moments(values[start..<step]).squares + Moments(values[step..<end]).squares
    guard let best = bestRamp(values[start..<end], over: ramp), best > 0 else { return -.infinity }
    return (one - best) / (best / Double(max(1, end - start - 3)))
  }

  /// The smallest sum of squared distances from a ramp that spans at least this range.
  private static func bestRamp(_ values: ArraySlice<Double>, over range: Range<Int>) -> Double? {
    let starts = kneeParts.map { range.lowerBound - Int($0 * Double(range.lowerBound - values.startIndex)) }
    let ends = kneeParts.map { range.upperBound + Int($0 * Double(values.endIndex - range.upperBound)) }
    return starts.flatMap { start in ends.map { squaredDistances(values, ramp: start..<$0) } }.min()
  }

  /// The sum of squared distances from the least-squares fit of a + b·x. x rises from 0 to 1 over the ramp, and the
  /// first value of the ramp is half a step above 0.
  private static func squaredDistances(_ values: ArraySlice<Double>, ramp: Range<Int>) -> Double {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    var (x, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0)
    for index in values.indices {
      let risen = (Double(index - ramp.lowerBound) + 0.5) / Double(ramp.count)
      let part = min(1, max(0, risen))
      let distance = values[index] - mean
      x += part
      xx += part * part
      xy += part * distance
      yy += distance * distance
    }
    let spread = xx - x * x / count
    return spread > 0 ? yy - xy * xy / spread : yy
  }
}
