import Measurements
import Statistics
import TextFormat

extension Verdict {
  /// Whether claims about strategies hold, in one sentence. They may not hold on another machine, so it also
  /// says how much slower that could be.
  static func claimSentence(
    _ group: ScenarioGroup, _ claims: [ClaimRecord], budgets: [FrameBudget]
  ) -> [String] {
    let own = claims.filter { $0.scenario == group.scenario && group.strategies.contains($0.strategy) }
    let clauses = own.map { claimClause(group, $0, budgets) }
    return clauses.isEmpty ? [] : [clauses.joined(separator: "; ") + "."]
  }

  private static func claimClause(
    _ group: ScenarioGroup, _ claim: ClaimRecord, _ budgets: [FrameBudget]
  ) -> String {
    // As many items as claimed, or more; where these do not fit, fewer might.
    let records = group.records(of: claim.strategy)
    guard let record = records.first(where: { $0.id.size >= claim.itemCount }),
      let cost = record.frame.aligned?.p99
    else { return "whether \(claim.strategy) copes with \(claim.wording) was not measured" }
    let evidence = "the p99 frame of \(Format.items(record.id.size)) takes \(TimeUnit.text(cost))"
    let fitting = budgets.filter { cost <= $0.budgetNanoseconds }
    let missed = budgets.filter { cost > $0.budgetNanoseconds }
    guard !fitting.isEmpty else {
      return "\(claim.strategy) does not cope with \(claim.wording) at \(rates(missed)): \(evidence)"
    }
    let slowdowns = fitting.map { Format.significant($0.budgetNanoseconds / cost, digits: 2) }
    return "\(claim.strategy) copes with \(claim.wording) at \(rates(fitting))"
      + (missed.isEmpty ? "" : ", not at \(rates(missed))")
      + ": \(evidence), and would still fit on a machine \(Format.list(slowdowns)) times slower"
  }

  private static func rates(_ budgets: [FrameBudget]) -> String { Format.list(budgets.map(\.rate)) }
}
