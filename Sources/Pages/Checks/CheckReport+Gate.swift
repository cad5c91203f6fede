import Judging
import Markup
import Measurements
import TextFormat

/// The texts of a gate's report, and functions that add the checks of a comparison and of a budget file.
extension CheckReport {
  package var gateHeadline: String {
    let groups = failedGroups
    guard let first = groups.first else {
      let unsure = checks.count { $0.outcome == .noted && $0.kind == .inconclusive }
      let unjudged = checks.count { $0.kind == .notJudged }
      let rules = checks.count { $0.kind == .ruleChanged }
      let noted = checks.count { $0.outcome == .noted } - unsure - unjudged - rules
      let tail = [
        rules > 0 ? "\(Format.plural(rules, "rule")) changed" : nil, noted > 0 ? "\(noted) noted" : nil,
        unsure > 0 ? "\(unsure) inconclusive" : nil, unjudged > 0 ? "\(unjudged) not judged" : nil,
      ].compactMap(\.self)
      let passed = Format.plural(checks.count { $0.outcome == .passed }, "check")
      return "The gate passed: \((["\(passed) passed"] + tail).joined(separator: ", "))."
    }
    let rest = groups.count > 1 ? " (and \(groups.count - 1) more)" : ""
    // A sentence about changed behavior does not say what changed, so the kind is put before it.
    let what = first.kind == .behaviorChanged && first.checks[0].row != nil ? "\(first.kind.words) in " : ""
    return "The gate failed: \(what)\(first.sentence)\(rest)."
  }

  /// The text for a terminal or a log: the verdict, then failures and notes with a line for each cause.
  /// - Parameter width: The columns of the terminal. Nil for a log, whose lines are not wrapped.
  package func gateText(width: Int?) -> String {
    let unsure = noted.count { $0.kind == .inconclusive }
    let tail = [unsure > 0 ? "\(unsure) inconclusive; --strict fails on them" : nil, against].compactMap(\.self)
    func line(_ word: String, _ group: CheckGroup) -> String {
      let place = group.places.map { " (\($0))" } ?? ""
      return "\(word)  \(group.kind.words)  \(group.text.plainText)\(place)"
    }
    let improved = CheckGroup.all(of: checks.filter { $0.row?.verdict == .improved }, in: comparison)
    let better = improved.map { "good  improvement  \($0.text.plainText)" }
    let groups = failedGroups.map { line("FAIL", $0) } + better + notedGroups.map { line("note", $0) }
    let lines = [headline] + groups + doubts.map(\.plainText) + tail
    let wrapped = lines.flatMap { line in width.map { Terminal.wrapped(line, width: $0, indent: 2) } ?? [line] }
    // A line break would cut the command of the last line in two.
    return (wrapped + [next?.line].compactMap(\.self)).joined(separator: "\n") + "\n"
  }

  /// Adds the checks of a comparison. The outcome of a failed check becomes `noted` if the failure is acknowledged, or
  /// if `kinds` lacks its kind.
  /// - Parameter needsAll: Whether a benchmark that the baseline lacks fails the gate. True for a saved baseline,
  ///   because the benchmark would otherwise never be compared. False for a revision, which naturally lacks the new
  ///   benchmarks of a branch.
  package mutating func add(
    _ comparison: ComparisonDocument, needsAll: Bool, failingOn kinds: Set<Check.Kind>, acknowledging file: BudgetFile?,
    today: String
  ) {
    self.comparison = comparison
    // A comparison of run documents repeats the failures of the run, which are already in the report.
    let failures = Set(checks.filter { $0.kind == .failure }.map(\.sentence))
    for var check in comparison.checks(failsInconclusive: true) {
      if check.kind == .failure, failures.contains(check.sentence) { continue }
      let row = check.row
      if needsAll, row?.isNewBenchmark ?? false {
        check.kind = .notInBaseline
        check.outcome = .failed
      } else if check.outcome == .failed, check.kind != .failure {
        if !kinds.contains(check.kind) { check.outcome = .noted }
        // An acknowledgement of a checksum accepts changed behavior, not a benchmark that is gone.
        if let row, let file, check.kind != .missing {
          let (current, expired) = file.acknowledgement(
            of: row.limitKey, for: [row.id], on: today, against: comparison.baseline)
          check.note(acknowledged: current, expired: current == nil ? expired : nil)
        }
      }
      checks.append(check)
    }
  }

  package mutating func add(_ findings: [BudgetFinding], of file: BudgetFile, failingOn kinds: Set<Check.Kind>) {
    for finding in findings {
      var check = Check(
        subject: finding.subject, figure: finding.limit.key.description, kind: .budget, outcome: .passed,
        sentence: finding.sentence)
      check.place = (file.path, finding.limit.place.line)
      check.benchmarks = finding.benchmarks
      check.excess = finding.excess
      var acknowledged: Acknowledgement?
      switch finding.outcome {
      case .passed: break
      case .exceeded: check.outcome = kinds.contains(.budget) ? .failed : .noted
      case .acknowledged(let entry): acknowledged = entry
      case .leftOut: (check.outcome, check.isMeasured) = (.noted, false)
      case .notMeasured:
        check.kind = .missing
        check.outcome = kinds.contains(.missing) ? .failed : .noted
      }
      check.note(acknowledged: acknowledged, expired: finding.expired)
      checks.append(check)
    }
  }
}

extension Check.Kind {
  /// The kinds of checks that `--fail-on` accepts. By default, all of them except `inconclusive` fail the gate.
  package static let choices: [Check.Kind] = [.regression, .budget, .missing, .behaviorChanged, .inconclusive]
}

extension Check {
  fileprivate mutating func note(acknowledged: Acknowledgement?, expired: Acknowledgement?) {
    if let acknowledged {
      outcome = .noted
      add(remark: "acknowledged until \(acknowledged.until): \(acknowledged.reason)")
    }
    if let expired { add(remark: "it was acknowledged until \(expired.until), which has passed: \(expired.reason)") }
  }
}

extension ComparisonRow {
  /// The name of the row's figure in a budget file. The name of a time ends in its statistic, and the name of a count
  /// in `total`. A time of only some frames has the same name as the mean of all frames.
  package var limitKey: LimitKey {
    .figure(FigureName(metric: metric.name, phase: phase, statistic: metric.isTimed ? statistic ?? .mean : .total))
  }
}
