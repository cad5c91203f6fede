import Measurements
import TextFormat

/// The figures that a terminal has room for, in the order in which they stand.
enum TerminalColumn: CaseIterable {
  case p50, p99, worst, solve, allocations, active, comparison

  func title(reference: String) -> String {
    switch self {
    case .p50: "p50"
    case .p99: "p99"
    case .worst: "worst"
    case .solve: "solve p50"
    case .allocations: "allocs"
    case .active: "active"
    case .comparison: "p99 ÷ \(reference)"
    }
  }

  /// Whether the scenario has anything to show in this column.
  func applies(to group: ScenarioGroup) -> Bool {
    switch self {
    case .p50, .p99, .worst, .allocations: true
    case .solve: group.allRecords.contains { $0.phase(BenchmarkRecord.solvePhaseName) != nil }
    case .active: group.allRecords.contains { $0.counters[BenchmarkRecord.activeCounterName] != nil }
    case .comparison: !group.challengers.isEmpty
    }
  }

  func text(_ record: BenchmarkRecord) -> String {
    switch self {
    case .p50: time(record.frame.timing(.p50))
    case .p99: time(record.frame.timing(.p99))
    case .worst: time(record.frame.timing(.max))
    case .solve: time(record.phase(BenchmarkRecord.solvePhaseName)?.time.timing(.p50))
    case .allocations: count(record.allocations?.frameThread.count.mean)
    case .active: count(record.counters[BenchmarkRecord.activeCounterName]?.mean)
    case .comparison: ""
    }
  }

  /// The column to leave out first of these; nil where only the essential ones remain.
  static func leastImportant(of columns: [TerminalColumn]) -> TerminalColumn? {
    [.active, .worst, .solve, .allocations, .p99].first(where: columns.contains)
  }

  private func time(_ time: Timing?) -> String { time?.text ?? Format.absent }

  private func count(_ mean: Double?) -> String { mean.map(Format.count) ?? Format.absent }
}
