import FrameBench
import FrameReport

/// A benchmark's state in few words: the worst that is to say of it.
struct BenchmarkState {
  /// Plain text.
  let text: String
  /// Nil where it is neither.
  let isBad: Bool?

  /// A change point that began so many days ago is no news any more.
  static let newsDays = 60

  /// - Parameter trend: The figure that stands for the benchmark.
  init(_ id: BenchmarkID, _ trend: Trend, _ analysis: HistoryAnalysis) {
    let days = trend.nights.map { analysis.days[$0] }
    let shift = trend.shifts.last(where: trend.isReported)
    if analysis.nights.last?.failures.contains(where: { $0.id == id }) == true {
      (text, isBad) = ("failed", true)
    } else if analysis.missing.contains(id) {
      (text, isBad) = ("missing", true)
    } else if trend.nights.last != analysis.nights.count - 1 {
      (text, isBad) = (
        "not measured since \(trend.nights.last.map { analysis.nights[$0].day } ?? "ever")", nil
      )
    } else if analysis.behaviorChanged.contains(id) {
      (text, isBad) = ("behaves otherwise", true)
    } else if let shift, days[shift.position] > (analysis.days.last ?? 0) - Self.newsDays {
      let day = analysis.nights[trend.nights[shift.position]].day
      (text, isBad) = ("\(shift.isRegression ? "slower" : "faster") since \(day)", shift.isRegression)
    } else {
      (text, isBad) = ("steady", nil)
    }
  }

  var html: String {
    let escaped = SitePage.escape(text)
    return isBad.map { HTMLCell.toned(escaped, isBad: $0) } ?? escaped
  }
}
