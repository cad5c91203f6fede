/// The dotted spelling of a figure, as budgets, histories and options use it: `frameNanoseconds.solve.p99`.
package struct FigureName: Sendable, Hashable, CustomStringConvertible {
  package var metric: String
  /// Nil for the whole frame. May contain dots.
  package var phase: String?
  /// Nil if all of them are meant.
  package var statistic: FlatRow.Statistic?

  package init(metric: String, phase: String? = nil, statistic: FlatRow.Statistic? = nil) {
    self.metric = metric
    self.phase = phase
    self.statistic = statistic
  }

  /// Nil if a part is empty.
  ///
  /// If the last part is a statistic, it is taken as one. Everything between a metric of the harness and the
  /// end is a phase, dots included; the name of a counter, which has no phases, may contain dots, too.
  package init?(_ text: String) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    if parts.count > 1, let statistic = FlatRow.Statistic(rawValue: parts[parts.count - 1]) {
      self.statistic = statistic
      parts.removeLast()
    }
    guard Metric.named(parts[0]) != nil else {
      metric = parts.joined(separator: ".")
      return
    }
    metric = parts[0]
    if parts.count > 1 { phase = parts.dropFirst().joined(separator: ".") }
  }

  package var description: String {
    [metric, phase, statistic?.rawValue].compactMap(\.self).joined(separator: ".")
  }
}

extension FlatRow {
  package var figure: FigureName { FigureName(metric: metric, phase: phase, statistic: statistic) }
}
