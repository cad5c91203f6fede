import FrameBench
import Judging

/// A benchmark's state in a few words: the worst that there is to say about it.
struct BenchmarkState {
  /// Plain text.
  let text: String
  /// Nil where it is neither.
  let tone: Tone?

  /// - Parameter trend: The figure that stands for the benchmark.
  init(_ id: BenchmarkID, _ trend: Trend, _ analysis: HistoryAnalysis) {
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
    } else if let (words, isBad) = Self.news(id, trend, analysis) {
      (text, tone) = (words, isBad ? .bad : .good)
    } else {
      (text, tone) = ("steady", nil)
    }
  }

  /// The newest regression, of the main figure before others; else the newest improvement.
  private static func news(
    _ id: BenchmarkID, _ main: Trend, _ analysis: HistoryAnalysis
  ) -> (text: String, isBad: Bool)? {
    let recent = analysis.recentFindings.filter { $0.trend.id == id }
    let ofMain = recent.filter { $0.trend.metric == main.metric }
    let bad = ofMain.first(where: \.shift.isRegression) ?? recent.first(where: \.shift.isRegression)
    if bad == nil, let risen = analysis.risenCounts.first(where: { $0.id == id }) {
      let day = analysis.nights[analysis.nights.count - 1].day
      return ("\(words(risen, before: risen.values.dropLast().max() ?? 0, isBad: true)) since \(day)", true)
    }
    guard let news = bad ?? ofMain.first ?? recent.first else { return nil }
    let day = analysis.nights[news.trend.nights[news.shift.position]].day
    let isBad = news.shift.isRegression
    return ("\(words(news.trend, before: news.shift.before, isBad: isBad)) since \(day)", isBad)
  }

  /// `slower`, `allocates`, `fewer allocations`, `more bytes allocated`
  private static func words(_ trend: Trend, before: Double, isBad: Bool) -> String {
    if trend.kind == .frameTime { return isBad ? "slower" : "faster" }
    let isAllocation = trend.kind == .allocationCount || trend.kind == .allocatedBytes
    if isAllocation, isBad { return before == 0 ? "allocates" : "allocates more" }
    if isAllocation { return "allocates less" }
    return "\(trend.kind.title) \(isBad ? "worse" : "better")"
  }

  var richText: RichText { tone.map { .strong(text, $0) } ?? .text(text) }
}
