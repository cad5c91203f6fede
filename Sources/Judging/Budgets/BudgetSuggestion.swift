import Foundation
import FrameBench
import Measurements

/// Writes a budget file from a run: the measured values, and some headroom.
package struct BudgetSuggestion {
  /// Headroom above a measured time or memory, as a fraction of it. Exact counts get none.
  package var headroom = 0.5

  package init() {}

  /// The file's content, for the run's display. What was not measured has no limit.
  package func text(_ document: RunDocument) -> String {
    let rows = Dictionary(grouping: FlatRows(document).rows, by: \.id)
    let budget = document.options.frameBudget
    let entries = document.benchmarks.map { record in
      entry(
        record.id, rows[record.id] ?? [], missed: budget.missedCount(in: record.frame.alignedNanoseconds))
    }
    let percent = Int((headroom * 100).rounded())
    return """
      # What frames may cost, for `springbench gate`: docs/budgets.md explains the keys.
      # From a run on \(document.environment.machine), \(document.startedAt); times and memory have \(percent)% headroom.
      version: 1
      refreshRate: \(Int(budget.refreshRateHertz))
      share: \(budget.share)
      cpuSlowdown: 1
      budgets:
        - ids: "**"
          limits:
            missedFrames: 0

      """ + entries.joined()
  }

  private func entry(_ id: BenchmarkID, _ rows: [FlatRow], missed: Int) -> String {
    let limits: [(metric: Metric, statistic: FlatRow.Statistic)] = [
      (.frameTime, .p50), (.frameTime, .p99), (.allocationCount, .max), (.allocatedBytes, .max),
      (.peakResidentBytes, .total),
    ]
    let exception = missed > 0 ? ["      missedFrames: \(missed)\n"] : []
    let lines =
      exception
      + limits.compactMap { metric, statistic -> String? in
        let isExact = metric.nature == .exact
        let row = rows.first { $0.metric == metric.name && $0.phase == nil && $0.statistic == statistic }
        guard case .number(let value)? = row?.value else { return nil }
        let key = LimitKey.figure(FigureName(metric: metric.name, statistic: statistic))
        let limit = isExact ? value : roundedUp(value * (1 + headroom))
        return "      \(key): \(text(limit, Quantity(metric.unit), isExact: isExact))\n"
      }
    guard !lines.isEmpty else { return "" }
    return "  - ids: \(Self.quoted(id.description))\n    limits:\n" + lines.joined()
  }

  /// In a unit without rounding: a limit that is rounded down would fail the run that it came from.
  private func text(_ value: Double, _ quantity: Quantity, isExact: Bool) -> String {
    switch quantity {
    case .bytes where isExact: value == 0 ? "0" : "\(Int(value))B"
    case .bytes: "\(Int((value / 1024).rounded(.up)))KiB"
    case .time, .number, .hitchRatio: quantity.text(value)
    }
  }

  /// To two digits.
  private func roundedUp(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let step = pow(10, (log10(value)).rounded(.down) - 1)
    return (value / step).rounded(.up) * step
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }
}
