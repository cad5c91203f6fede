import Measurements
import Statistics
import TextFormat

extension Verdict {
  /// The whole run in two or three sentences: what misses a budget, what is slowest and where, what allocates.
  static func summary(_ document: RunDocument) -> String {
    let rows = OverviewRow.all(in: document)
    guard !rows.isEmpty else { return "Nothing was measured." }
    let unit = document.unit
    return
      (budgetSentence(document, rows, unit) + slowestSentence(rows, unit) + allocationSentence(rows, unit))
      .joined(separator: " ")
  }

  private static func budgetSentence(
    _ document: RunDocument, _ rows: [OverviewRow], _ unit: WorkUnit
  ) -> [String] {
    let recorded = rows.filter { !$0.record.frame.alignedNanoseconds.isEmpty }
    guard !recorded.isEmpty else { return ["No \(unit.sample) was recorded."] }
    let timed = recorded.filter { !$0.record.isFunction }
    guard !timed.isEmpty else { return [] }
    let counts = document.options.judgedBudgets.map { budget in
      (budget, late: timed.count { budget.missedCount(in: $0.record.frame.alignedNanoseconds) > 0 })
    }
    let fitting = Format.list(counts.filter { $0.late == 0 }.map(\.0.rate))
    let missing = counts.filter { $0.late > 0 }
    guard let first = missing.first else { return ["Every frame fits the budget at \(fitting)."] }
    let others = missing.dropFirst().map { ", \(Format.integer($0.late)) at \($0.0.rate)" }.joined()
    return [
      "\(Format.integer(first.late)) of \(Format.plural(timed.count, "benchmark"))"
        + " \(first.late == 1 ? "exceeds" : "exceed") the budget at \(first.0.rate)\(others)"
        + (fitting.isEmpty ? "." : "; every frame fits it at \(fitting).")
    ]
  }

  private static func slowestSentence(_ rows: [OverviewRow], _ unit: WorkUnit) -> [String] {
    func cost(_ row: OverviewRow) -> Double { row.record.frame.aligned?.p99 ?? 0 }
    guard rows.count > 1,
      let slowest = rows.filter({ unit == .call || !$0.record.isFunction }).max(by: { cost($0) < cost($1) }),
      cost(slowest) > 0
    else { return [] }
    let phase = slowest.record.phases.count > 1 ? slowest.record.slowestPhase : nil
    return [
      "Slowest: \(slowest.id), p99 \(slowest.time(.p99))"
        + (slowest.budgetShare == nil ? "" : " (\(slowest.budget) of the budget)") + ", worst"
        + " \(slowest.time(.worst))"
        + (slowest.worstFrame.map { " in \($0)" } ?? "")
        + (phase.map { ", mostly in \($0.name)" } ?? "") + "."
    ]
  }

  private static func allocationSentence(_ rows: [OverviewRow], _ unit: WorkUnit) -> [String] {
    let counted = rows.compactMap { row in
      row.record.allocations?.frameThread.count.mean.map { (row: row, mean: $0) }
    }
    guard !counted.isEmpty else { return ["Allocations were not counted."] }
    let allocating = counted.filter { $0.mean > 0 }
    guard let most = allocating.max(by: { $0.mean < $1.mean }) else {
      return ["No \(counted.count == rows.count ? "" : "counted ")\(unit.noun) allocates."]
    }
    return [
      "\(Format.integer(allocating.count)) of \(Format.plural(counted.count, "benchmark"))"
        + " \(allocating.count == 1 ? "allocates" : "allocate") after warm-up; \(most.row.id) has the most:"
        + " \(Format.count(most.mean)) a \(WorkUnit([most.row.record]).noun)."
    ]
  }
}
