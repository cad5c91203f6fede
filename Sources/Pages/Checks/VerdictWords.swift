import Judging

/// What comparisons, checks and nights call their verdicts: the words of a regression stand here and nowhere else. Raw
/// values are for scripts.
extension ChangeVerdict {
  /// In a column of a table, or in front of a colon.
  package var words: String {
    switch self {
    case .behaviorChanged: "behavior changed"
    case .notJudged: "not judged"
    case .improved, .unchanged, .regressed, .inconclusive, .missing: rawValue
    }
  }

  /// What a headline begins with.
  var opening: String {
    switch self {
    case .behaviorChanged: "Behavior changed in "
    case .missing: "Missing: "
    case .regressed: "Regression: "
    case .improved: "Improvement: "
    case .unchanged, .inconclusive, .notJudged: "\(words): "
    }
  }

  /// What the page of a night calls change points: `New regressions: 3 figures of 2 benchmarks`.
  var plural: String { self == .regressed ? "regressions" : "improvements" }
}

extension ComparisonRow {
  /// Between a figure and the name of the baseline: `solve time regressed against main`.
  var relation: String {
    switch verdict {
    case .unchanged: "is as in"
    case .improved: "is better than in"
    case .regressed: "regressed against"
    case .inconclusive: "may differ from"
    case .notJudged: "was measured at another time than"
    case .behaviorChanged: "differs from"
    case .missing: isLost ? "is gone since" : "is not in"
    }
  }
}

extension Check.Kind {
  /// In front of the subject or a sentence.
  package var words: String {
    switch self {
    case .behaviorChanged: ChangeVerdict.behaviorChanged.words
    case .notJudged: ChangeVerdict.notJudged.words
    case .notInBaseline: "not in the baseline"
    case .failure, .regression, .budget, .missing, .inconclusive: rawValue
    }
  }
}
