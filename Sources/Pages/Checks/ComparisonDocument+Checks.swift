import Judging
import Measurements

extension ComparisonDocument {
  /// A check for each row and each failure.
  ///
  /// - Parameter failsInconclusive: Whether what is uncertain is a failure.
  package func checks(failsInconclusive: Bool = false) -> [Check] {
    failures.map {
      Check(failure: $0)
    }
      + rows.map {
        $0.check(
          baseline: baseline.name, failsInconclusive: failsInconclusive,
          finding: leads($0) ? finding($0) : nil)
      }
  }

  /// What a profile says of the benchmark that changed most; nil where there is none.
  func profileFinding(of change: ComparisonFinding) -> String? {
    change.members.lazy.compactMap { finding($0.lead) }.first
  }

  private func finding(_ row: ComparisonRow) -> String? {
    guard let profile = profile(of: row), let page = profile.page else { return nil }
    return [profile.finding(row)?.plainText, "profile in \(page)"].compactMap(\.self).joined(separator: ", ")
  }
}

extension ComparisonRow {
  func check(baseline name: String, failsInconclusive: Bool, finding: String?) -> Check {
    let figure = ComparisonSummary.figure(self)
    let values =
      metric == .checksum
      ? "" : ": \(ComparisonSummary.value(baseline, self)) → \(ComparisonSummary.value(candidate, self))"
    let size = change == nil ? "" : ", \(ComparisonSummary.change(self))"
    let tail = [note, finding].compactMap(\.self).map { "; \($0)" }.joined()
    func check(_ kind: Check.Kind, _ outcome: Check.Outcome, _ what: String) -> Check {
      var check = Check(
        subject: "\(id)", figure: figure, kind: kind, outcome: outcome,
        sentence: "\(id) \(figure) \(what) \(name)\(values)\(size)\(tail)")
      check.row = self
      // No selection finds a benchmark that is gone.
      check.benchmarks = isLost ? [] : [id]
      return check
    }
    switch verdict {
    case .unchanged: return check(.regression, .passed, "is as in")
    case .improved: return check(.regression, .passed, "is better than in")
    case .regressed: return check(.regression, .failed, "regressed against")
    case .inconclusive:
      return check(.inconclusive, failsInconclusive ? .failed : .noted, "may differ from")
    case .notJudged: return check(.notJudged, .noted, "was measured at another time than")
    case .behaviorChanged: return check(.behaviorChanged, .failed, "differs from")
    case .missing:
      return isLost
        ? check(.missing, .failed, "is gone since") : check(.missing, .noted, "is not in")
    }
  }
}

extension Check {
  /// A benchmark that could not be measured.
  package init(failure: BenchmarkFailure) {
    self.init(
      subject: "\(failure.id)", figure: "measuring", kind: .failure, outcome: .failed,
      sentence: "\(failure.id) could not be measured: \(failure.reason)")
    benchmarks = [failure.id]
  }
}
