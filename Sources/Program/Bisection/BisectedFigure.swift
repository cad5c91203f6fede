import Foundation
import Judging
import Measurements

/// The figure whose change is looked for.
struct BisectedFigure: Sendable, Hashable {
  /// `frameNanoseconds`, `allocationCount`, `checksum`, …
  var metric: String
  /// Nil for the whole frame.
  var phase: String?

  /// 98% of a normal distribution lie within this many standard deviations: the intervals of comparisons.
  private static let deviationsOfInterval = 2.326_347_874

  /// `frameNanoseconds.solve`; nil for what names no figure.
  init?(_ text: String) {
    guard let name = FigureName(text), name.statistic == nil else { return nil }
    (metric, phase) = (name.metric, name.phase)
  }

  init(_ row: ComparisonRow) {
    metric = row.metric.name
    phase = row.phase
  }

  var figure: FigureName { FigureName(metric: metric, phase: phase, statistic: nil) }

  var name: String { [metric, phase].compactMap { $0 }.joined(separator: ".") }

  /// The change that a comparison shows most clearly: a regression before an improvement, the whole frame
  /// before its phases, times before counts, and what is shown last.
  static func mainChange(in rows: [ComparisonRow]) -> BisectedFigure? {
    func rank(_ row: ComparisonRow) -> Int? {
      let isTime = row.metric == .frameTime
      let order = (isTime ? 0 : 2) + (row.phase == nil ? 0 : 1)
      switch row.verdict {
      case .regressed: return order
      case .improved: return order + 4
      case .behaviorChanged: return row.metric == .checksum ? 8 : nil
      case .unchanged, .inconclusive, .notJudged, .missing: return nil
      }
    }
    return rows.filter { rank($0) != nil }.min { (rank($0) ?? 9) < (rank($1) ?? 9) }.map(BisectedFigure.init)
  }

  func row(in document: ComparisonDocument) -> ComparisonRow? {
    document.rows.first { $0.metric.name == metric && $0.phase == phase }
  }

  func effect(in document: ComparisonDocument) -> Bisection.Effect {
    if let failure = document.failures.first { return .unmeasurable(failure.reason) }
    if let missing = document.rows.first(where: { $0.verdict == .missing }) {
      return .unmeasurable(missing.note ?? "it does not have the benchmark")
    }
    if document.method.source == .identicalPrograms { return .identical }
    guard let row = row(in: document) else { return .unmeasurable("it has no \(name)") }
    if metric == Metric.checksum.name { return .behavior(isChanged: row.verdict == .behaviorChanged) }
    if let low = row.low, let high = row.high, let change = row.change, low > -1 {
      let error = (log1p(high) - log1p(low)) / 2 / Self.deviationsOfInterval
      return .time(log1p(change), standardError: error)
    }
    guard case .number(let good)? = row.baseline, case .number(let candidate)? = row.candidate,
      row.pValue == nil
    else { return .unmeasurable("its \(name) could not be compared") }
    return .exact(good: good, candidate: candidate)
  }
}
