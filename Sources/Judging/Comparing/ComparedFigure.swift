import FrameBench
import Measurements

/// The figure whose change a bisection searches for.
package struct ComparedFigure: Sendable, Hashable, CustomStringConvertible {
  /// The name of the figure. If a time is named without a statistic, its mean is meant.
  package var name: FigureName
  /// The frames whose time is compared. Nil means all frames.
  package var frames: FrameSet?
  /// What is wrong with the candidate, if it has no value of the figure.
  package var fault: Fault?

  package enum Fault: String, Sendable {
    /// The candidate lacks the figure. If the figure is the checksum, it lacks the benchmark.
    case gone
    /// The candidate cannot run the benchmark.
    case failure
  }

  /// Whether `springbench bisect --metric` can name the figure.
  package var isNameable: Bool { name.statistic == nil && frames == nil && fault == nil }

  package var description: String {
    let isWhole = fault != nil && name.metric == Metric.checksum.name
    return [isWhole ? nil : name.description, frames.map { "of \($0.words)" }, fault?.rawValue].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The figure of a benchmark that the candidate cannot run.
  package static var failure: ComparedFigure {
    var figure = ComparedFigure(name: FigureName(metric: Metric.checksum.name))
    figure.fault = .failure
    return figure
  }

  /// Returns the figure with the most important change; nil if no figure changed. Regressions come before improvements,
  /// means of times before other figures, whole frames before phases, and larger changes before smaller ones.
  /// Changed output comes last.
  package static func mainChange(in rows: [ComparisonRow]) -> ComparedFigure? {
    func rank(_ row: ComparisonRow) -> Int? {
      let order = (row.metric == .frameTime ? row.isMean ? 0 : 2 : 4) + (row.phase == nil ? 0 : 1)
      switch row.verdict {
      case .regressed: return order
      case .improved: return order + 6
      case .behaviorChanged: return row.metric == .checksum ? 12 : nil
      case .unchanged, .inconclusive, .notJudged, .missing: return nil
      }
    }
    let ranked = rows.compactMap { row in rank(row).map { (row: row, rank: $0) } }
    func size(_ row: ComparisonRow) -> Double { abs(row.change ?? 0) }
    return ranked.min { ($0.rank, -size($0.row)) < ($1.rank, -size($1.row)) }.map { ComparedFigure($0.row) }
  }

  package init(name: FigureName) { self.name = name }

  package init(_ row: ComparisonRow) {
    let statistic = row.isMean || row.frames != nil ? nil : row.statistic
    name = FigureName(metric: row.metric.name, phase: row.phase, statistic: statistic)
    frames = row.frames
    if row.isLost { fault = .gone }
  }
}
