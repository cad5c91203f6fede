/// How the program ends; the same in every command, so that a job can tell a slower branch from a
/// broken machine.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The run itself failed.
  case failure = 1
  case regression = 2
  case budgetExceeded = 3
  /// The baseline is missing, or not comparable.
  case notComparable = 4
  /// Behavior changed, or a benchmark, phase or counter of the baseline is missing.
  case behaviorChanged = 5
  /// Only where `--strict` asks for a clear answer.
  case inconclusive = 6
  case usage = 64
}
