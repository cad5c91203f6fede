import FrameBench
import Judging
import Markup
import Measurements

/// One check of a gate or a comparison, and its result. Reports for CI consist of checks.
package struct Check: Sendable {
  /// The kinds of checks. Reports contain the raw values.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case failure
    case regression
    case budget
    /// A benchmark, or a figure that a limit needs, is missing.
    case missing
    case behaviorChanged
    case inconclusive
    /// A figure that cannot be judged, such as a time whose spread is unknown. Such a check never fails.
    case notJudged
    /// The baseline lacks a benchmark that was run.
    case notInBaseline
    /// The candidate changes how a scenario is measured or judged. Such a check never fails.
    case ruleChanged
  }

  /// The result of a check. Scripts read the raw values, so they must not change.
  package enum Outcome: String, Sendable, Hashable {
    case passed
    case failed
    /// A finding that is no reason to fail.
    case noted
  }

  /// The name of what is checked, such as `springs/tiled/10000`, or `springs/tiled` for all sizes.
  package var subject: String
  /// The name of the figure, such as `solve time` or `allocationCount.max`.
  package var figure: String
  /// The kind. If the check passed, this is the kind of failure that it looked for: `regression` for a row of a
  /// comparison, `budget` for a limit.
  package var kind: Kind
  /// The result. Options of the command, such as `--fail-on`, decide which kinds fail.
  package var outcome: Outcome
  /// The result in one sentence without a full stop, with the subject, the size of the change, and the baseline or
  /// limit.
  package var sentence: String
  /// A remark at the end of `sentence`, for example that the change is acknowledged.
  package private(set) var remark: String?
  /// The benchmarks to run to repeat the check. Empty means everything that ran.
  package var benchmarks: [BenchmarkID]
  package var row: ComparisonRow?
  /// The fraction by which the figure exceeds its limit. Nil if there is no limit.
  package var excess: Double?
  /// False if the run has no value to compare with the limit.
  package var isMeasured = true
  /// The file and the line that contain the limit.
  package var place: (path: String, line: Int)?

  package init(
    subject: String, figure: String, kind: Kind, outcome: Outcome, sentence: String, benchmarks: [BenchmarkID] = []
  ) {
    (self.subject, self.figure, self.kind, self.outcome) = (subject, figure, kind, outcome)
    (self.sentence, self.benchmarks) = (sentence, benchmarks)
  }

  package init(failure: BenchmarkFailure) {
    self.init(
      subject: "\(failure.id)", figure: "measuring", kind: .failure, outcome: .failed,
      sentence: "\(failure.id) could not be measured: \(failure.briefReason)", benchmarks: [failure.id])
  }

  package init(_ change: RuleChange) {
    self.init(
      subject: change.scenario, figure: change.rule, kind: .ruleChanged, outcome: .noted, sentence: change.sentence)
  }

  package mutating func add(remark text: String) {
    sentence += "; \(text)"
    remark = [remark, text].compactMap(\.self).joined(separator: "; ")
  }
}

extension ComparisonDocument {
  /// Returns a check for each judged row, each failure and each changed rule.
  /// - Parameter failsInconclusive: Whether inconclusive rows fail.
  package func checks(failsInconclusive: Bool = false) -> [Check] {
    let judged = rows.filter { $0.isJudged && ($0.isMean || $0.verdict != .inconclusive) }
    let profiled = profiledRows
    return failures.map { Check(failure: $0) }
      + judged.map { check($0, failsInconclusive, profiled.contains($0) ? finding($0) : nil) }
      + (ruleChanges ?? []).map { Check($0) }
  }

  private func check(_ row: ComparisonRow, _ failsInconclusive: Bool, _ finding: String?) -> Check {
    let values = row.metric == .checksum ? "" : ": \(row.baselineText) → \(row.candidateText)"
    let size = row.change == nil ? "" : ", \(row.changeText)"
    let tail = [row.note, finding].compactMap(\.self).map { "; \($0)" }.joined()
    let (kind, outcome): (Check.Kind, Check.Outcome) =
      switch row.verdict {
      case .unchanged, .improved: (.regression, .passed)
      case .regressed: (.regression, .failed)
      case .inconclusive: (.inconclusive, failsInconclusive ? .failed : .noted)
      case .notJudged: (.notJudged, .noted)
      case .behaviorChanged: (.behaviorChanged, .failed)
      case .missing: (.missing, row.isLost ? .failed : .noted)
      }
    var check = Check(
      subject: "\(row.id)", figure: row.figureText, kind: kind, outcome: outcome,
      sentence: "\(row.id) \(row.figureText) \(row.relation) \(baseline.name)\(values)\(size)\(tail)",
      // A benchmark that no longer exists cannot be run again.
      benchmarks: row.isLost ? [] : [row.id])
    check.row = row
    return check
  }

  package func finding(_ row: ComparisonRow) -> String? {
    guard let profile = profile(of: row), let page = profile.page else { return nil }
    return [profile.finding(row)?.plainText, "profile in \(page)"].compactMap(\.self).joined(separator: ", ")
  }
}

extension RunDocument {
  /// Returns a check for each function that does not return the same value as its reference strategy.
  package func contradictionChecks(fail: Bool) -> [Check] {
    contradictions.map { id, reference in
      Check(
        subject: "\(id)", figure: "output", kind: .behaviorChanged, outcome: fail ? .failed : .noted,
        sentence: Words.contradiction(of: "\(id)", "\(reference)"), benchmarks: [id, reference])
    }
  }
}

extension Check.Kind {
  /// The words that reports put before the subject or the sentence, such as `not judged`.
  package var words: String {
    switch self {
    case .behaviorChanged: ChangeVerdict.behaviorChanged.words
    case .notJudged: ChangeVerdict.notJudged.words
    case .notInBaseline: "not in the baseline"
    case .ruleChanged: Words.ruleChanged
    case .regression: Words.regression
    case .failure, .budget, .missing, .inconclusive: rawValue
    }
  }
}
