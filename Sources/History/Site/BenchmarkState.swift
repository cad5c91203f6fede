import FrameBench
import FrameReport

/// A benchmark's state in few words: the worst that is to say of it.
struct BenchmarkState {
  /// Plain text.
  let text: String
  /// Nil where it is neither.
  let tone: Tone?

  /// A change point that began so many days ago is no news any more.
  static let newsDays = 60

  /// - Parameter trend: The figure that stands for the benchmark.
  init(_ id: BenchmarkID, _ trend: Trend, _ analysis: HistoryAnalysis) {
    let days = trend.nights.map { analysis.days[$0] }
    let shift = trend.shifts.last(where: trend.isReported)
    if analysis.nights.last?.failures.contains(where: { $0.id == id }) == true {
      (text, tone) = ("failed", .bad)
    } else if analysis.missing.contains(id) {
      (text, tone) = ("missing", .bad)
    } else if trend.nights.last != analysis.nights.count - 1 {
      (text, tone) = (
        "not measured since \(trend.nights.last.map { analysis.nights[$0].day } ?? "ever")", nil
      )
    } else if analysis.behaviorChanged.contains(id) {
      (text, tone) = ("behaves otherwise", .bad)
    } else if let shift, days[shift.position] > (analysis.days.last ?? 0) - Self.newsDays {
      let day = analysis.nights[trend.nights[shift.position]].day
      (text, tone) = shift.isRegression ? ("slower since \(day)", .bad) : ("faster since \(day)", .good)
    } else {
      (text, tone) = ("steady", nil)
    }
  }

  var richText: RichText { tone.map { .strong(text, $0) } ?? .text(text) }
}
