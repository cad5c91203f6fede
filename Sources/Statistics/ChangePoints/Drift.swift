/// Whether a series drifts from one level to another, over a third one between them, or takes two steps.
enum Drift {
  /// Values of the last level below which nothing is a drift yet.
  static let leastCount = 4
  /// Squared distances, in variances of one value, by which two steps have to fit better than a ramp to count as
  /// steps.
  private static let leastAdvantage = 12.0
  /// On both sides, no more of the outer levels is looked at than so many times the other ones.
  private static let reach = 2
  /// Where the ramp starts and ends in the outer levels: at the step, or farther away by these parts.
  private static let kneeParts = [0, 0.125, 0.25, 0.5, 0.75, 1]

  /// Whether three levels are those of a drift: constant, then linear, then constant, without a jump.
  ///
  /// What stands still in the middle, or jumps by far more than the slope around it, is not a drift.
  ///
  /// - Parameters:
  ///   - levels: Three adjacent ranges of the values.
  ///   - effectiveShare: Independent values for each value, from 0 to 1.
  static func joins(_ values: [Double], _ levels: ArraySlice<Range<Int>>, effectiveShare: Double) -> Bool {
    advantageOfSteps(values, levels) * effectiveShare <= leastAdvantage
  }

  /// By how much the three levels fit better than the best ramp: the difference of the squared distances, in
  /// variances of one value around its level. Negative where the ramp fits better.
  static func advantageOfSteps(_ values: [Double], _ levels: ArraySlice<Range<Int>>) -> Double {
    guard levels.count == 3, let before = levels.first, let after = levels.last else { return .infinity }
    let between = before.upperBound..<after.lowerBound
    let start = max(
      before.lowerBound, before.upperBound - reach * max(between.count, after.count, leastCount))
    let end = min(after.upperBound, after.lowerBound + reach * max(between.count, before.count, leastCount))
    let steps = [start..<before.upperBound, between, after.lowerBound..<end]
      .reduce(0) { $0 + squaredDistances(values[$1]) }
    let knees = kneeParts.map { before.upperBound - Int($0 * Double(before.upperBound - start)) }
    let ends = kneeParts.map { after.lowerBound + Int($0 * Double(end - after.lowerBound)) }
    let ramps = knees.flatMap { knee in ends.map { squaredDistances(values[start..<end], ramp: knee..<$0) } }
    guard let ramp = ramps.min(), steps > 0 else { return .infinity }
    return (ramp - steps) / (steps / Double(max(1, end - start - 3)))
  }

  private static func squaredDistances(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// From the least-squares fit of a + b·x, where x rises from 0 to 1 over the ramp, from half a value before it to
  /// half a value before its end.
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
