import Judging
import TextFormat

/// Whether a night is red, and why.
package struct NightVerdict: Sendable {
  /// Change points that this night reports.
  package let findings: [HistoryAnalysis.Finding]
  /// Benchmarks that could not be measured.
  package let failedCount: Int
  /// Benchmarks that the night before had, measured or failed, and this one lacks.
  package let missingCount: Int
  /// Benchmarks whose checksum changed although the options did not.
  package let behaviorChangedCount: Int
  /// Of the findings, those that are slower or more, and began lately.
  package let regressions: [HistoryAnalysis.Finding]
  /// Change points that earlier nights reported and this one withdraws; never a reason to be red.
  package let withdrawals: [HistoryAnalysis.Withdrawal]
  /// Of earlier nights and not withdrawn: slower or more, in the last weeks.
  package let standing: [HistoryAnalysis.Finding]
  /// Counts that are higher than ever, in a history too short for change points.
  package let risen: [Trend]
  /// The night measured nothing.
  package let isEmpty: Bool

  /// A change point that began more nights ago is reported, but is no reason to be red: it came in by import.
  static let recentNights = 30

  /// Of the newest night. Where there is none, nothing was measured.
  package init(_ analysis: HistoryAnalysis) {
    let night = analysis.nights.last
    let findings = analysis.announced
    self.findings = findings
    standing = analysis.recentFindings.filter { $0.shift.isRegression && !findings.contains($0) }
    risen = analysis.risenCounts
    withdrawals = analysis.newestWithdrawals
    failedCount = night?.failures.count ?? 0
    missingCount = analysis.missing.count
    behaviorChangedCount = analysis.behaviorChanged.count
    isEmpty = night?.benchmarks.isEmpty ?? true
    regressions = findings.filter { finding in
      finding.shift.isRegression
        && finding.trend.values.count - finding.shift.levelPosition <= Self.recentNights
    }
  }

  /// Whether nothing was measured, or a benchmark failed, is missing, behaves otherwise or regressed lately.
  package var isRed: Bool {
    isEmpty || failedCount + missingCount + behaviorChangedCount + regressions.count > 0
  }

  /// Nil for a night without bad news while an earlier regression is still there.
  package var tone: Tone? { isRed ? .bad : standing.isEmpty && risen.isEmpty ? .good : nil }

  /// Plain text, the worst first.
  package var sentences: [String] {
    var sentences: [String] = []
    if isEmpty { sentences.append("Nothing was measured.") }
    if failedCount > 0 { sentences.append("\(Format.plural(failedCount, "benchmark")) failed.") }
    if missingCount > 0 {
      sentences.append(
        "\(Format.plural(missingCount, "benchmark")) of the night before \(are(missingCount)) missing.")
    }
    if behaviorChangedCount > 0 {
      sentences.append(
        "\(Format.plural(behaviorChangedCount, "benchmark")) behave\(behaviorChangedCount == 1 ? "s" : "") otherwise than before."
      )
    }
    let improvements = findings.filter { !$0.shift.isRegression }
    if !regressions.isEmpty {
      sentences.append("New \(ChangeVerdict.regressed.plural): \(Self.summary(regressions)).")
    }
    if !improvements.isEmpty {
      sentences.append("New \(ChangeVerdict.improved.plural): \(Self.summary(improvements)).")
    }
    if !withdrawals.isEmpty {
      sentences.append(
        "\(Format.plural(withdrawals.count, "change point")) of earlier nights \(are(withdrawals.count)) withdrawn."
      )
    }
    if let sentence = Self.sentence(risen) { sentences.append(sentence) }
    guard sentences.isEmpty else { return sentences }
    guard !standing.isEmpty else { return ["Nothing is wrong, and no level changed."] }
    return [
      "No level changed, but earlier \(ChangeVerdict.regressed.plural) are still there: \(Self.summary(standing)), in the last"
        + " \(HistoryAnalysis.newsDays) days."
    ]
  }

  private static func sentence(_ risen: [Trend]) -> String? {
    guard let first = risen.first, let value = first.values.last else { return nil }
    let quantity = FigureText.Quantity(first.kind.unit)
    let before = quantity.text(first.values.dropLast().last ?? 0)
    let others = Set(risen.map(\.id)).count - 1
    let rest = others == 0 ? "" : " So did counts of \(Format.plural(others, "other benchmark"))."
    return
      "\(first.id): \(FigureText.name(first.metric)) rose from \(before) to \(quantity.text(value)), more than in"
      + " any night before.\(rest)"
  }

  private func are(_ count: Int) -> String { count == 1 ? "is" : "are" }

  private static func summary(_ findings: [HistoryAnalysis.Finding]) -> String {
    let ids = Set(findings.map(\.trend.id))
    let text = "\(Format.plural(findings.count, "figure")) of \(Format.plural(ids.count, "benchmark"))"
    guard let largest = findings.max(by: { size($0) < size($1) }) else { return text }
    let quantity = FigureText.Quantity(largest.trend.kind.unit)
    let change = FigureText.change(largest.shift.before, largest.shift.after, quantity)
    return "\(text), at most \(change) (\(largest.trend.id), \(FigureText.name(largest.trend.metric)))"
  }

  private static func size(_ finding: HistoryAnalysis.Finding) -> Double {
    finding.shift.relativeChange.map { abs($0) } ?? .infinity
  }
}
