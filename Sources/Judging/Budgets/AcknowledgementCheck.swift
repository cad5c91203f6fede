import FrameBench
import Measurements
import TextFormat

extension BudgetFile {
  /// - Parameters:
  ///   - known: All benchmarks that there are.
  ///   - compared: What the run was compared by with a baseline, which may have figures that the run lacks.
  /// - Throws: If an acknowledgement names a figure that nothing measures, with its place.
  package func checkAcknowledgements(
    _ document: RunDocument, known: [BenchmarkID], compared: [LimitKey] = []
  ) throws(BudgetError) {
    let measured = Set(document.benchmarks.map(\.id))
    let keys = FlatRows(document).rows.map { LimitKey.figure($0.figure) } + compared
    let names = Set(keys.map(\.fullName)).sorted()
    for entry in acknowledgements
    where Acknowledgement.isOfFigure(entry.metric) && !names.contains(where: entry.covers) {
      // One that was left out may have a counter of that name.
      guard known.filter(entry.pattern.matches).allSatisfy(measured.contains) else { continue }
      let metric = Self.metric(entry.metric)
      let ofMetric = names.filter { Self.metric($0) == metric }
      if ofMetric.isEmpty, Metric.named(metric) != nil { continue }
      let choice = ofMetric.isEmpty ? Set(names.map(Self.metric)).sorted() : ofMetric
      throw BudgetError(
        path: path, place: entry.metricPlace,
        message: "no metric \"\(entry.metric)\"; "
          + Suggestion.remedy(for: entry.metric, among: choice, called: "there are"))
    }
  }

  private static func metric(_ name: String) -> String { FigureName(name)?.metric ?? name }
}

extension Acknowledgement {
  /// The figure, or all figures of a metric or a phase, that it covers; nil for what is computed of several
  /// benchmarks, or of the file's display.
  package var figure: FigureName? { Self.figure(metric) }

  /// The same for an entry that does not exist yet.
  package static func figure(_ metric: String) -> FigureName? {
    isOfFigure(metric) ? FigureName(metric) : nil
  }

  /// The strategies that a ratio compares; empty for other figures.
  package static func strategies(_ metric: String) -> [String] {
    if case .ratio(let above, let below, _)? = try? LimitKey.parse(metric) { [above, below] } else { [] }
  }

  /// False for what is computed of several benchmarks, or of the file's display.
  fileprivate static func isOfFigure(_ metric: String) -> Bool {
    switch try? LimitKey.parse(metric) {
    case .figure, nil: true
    case .missedFrames, .hitchTimeRatio, .growthExponent, .ratio: false
    }
  }
}
