import Judging

extension ExitStatus {
  init(_ outcome: ComparisonDocument.Outcome, isStrict: Bool) {
    switch outcome {
    case .failed: self = .failure
    case .behaviorChanged: self = .behaviorChanged
    case .regressed: self = .regression
    case .inconclusive: self = isStrict ? .inconclusive : .success
    case .passed: self = .success
    }
  }
}
