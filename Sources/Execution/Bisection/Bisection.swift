import Foundation
import Platform

/// Finds the commit that changed a figure, by bisection of a range of commits. At this commit, the figure crosses the
/// midpoint between its values at the good end and the bad end of the range.
///
/// Measurements are uncertain, so each decision may be wrong. The probability of an error is the probability of getting
/// this measurement for a commit on the other side of the midpoint.
package struct Bisection: Sendable {
  package enum Effect: Sendable, Equatable {
    /// The logarithm of candidate ÷ good, the ratio of their times, with its standard error.
    case time(Double, standardError: Double)
    /// Two counts. The regression is nil if the candidate did not regress.
    case exact(good: Double, candidate: Double, Regression? = nil)
    /// Whether the candidate's output differs from the output of the good end.
    case behavior(isChanged: Bool)
    /// The comparison has no row for this figure, because the figure did not change.
    case unchanged
    /// The candidate runs the same code as the good end.
    case identical
    /// The candidate could not be measured, for this reason.
    case unmeasurable(String)
  }

  package enum Regression: Sendable {
    case ofTotal
    /// The total does not show it. The total may be no worse, while a single frame is. It may be worse for another
    /// reason, such as a cache beside a leak. Or it has noise.
    case ofVerdict
  }

  package struct Step: Sendable, Equatable {
    package var position: Int
    package var effect: Effect
    package var decision: Decision
    /// The probability that the decision is wrong; 0 if it is based on counts, which have no noise.
    package var doubt: Double
  }

  package enum Decision: String, Sendable {
    case good, bad, skipped
    /// The bad end was measured again, and its new effect is on the good side of the midpoint. So the search began anew
    /// with the new effect, or ended without a culprit.
    case again
  }

  package struct Finding: Sendable, Equatable {
    package var steps: [Step]
    /// The positions of the commits that may have changed the figure, ascending. There are several if some commits were
    /// not measured.
    package var candidates: [Int]
    package var confidence: Double { steps.reduce(1) { $0 * (1 - $1.doubt) } }
  }

  /// The number of commits after the good end, including the bad end.
  package var count: Int
  /// How the bad end differs from the good end.
  package private(set) var whole: Effect
  /// The largest accepted `Step.doubt`. If a doubt is larger, the commit is measured again, each time for longer.
  package var acceptedDoubt = 0.01
  package var attemptCount = 3

  package init(count: Int, whole: Effect) { (self.count, self.whole) = (count, whole) }

  /// If the bad end seems to be the culprit, it is measured again: if its change was first measured as too large, all
  /// commits before it look good. If its new effect is on the good side of the midpoint, the search begins anew with
  /// the new effect. If the new effect could be noise, the search ends, and all commits remain candidates, and so they do if
  /// there is no time to measure it again.
  /// - Parameters:
  ///   - measure: Measures the commit at a position of the range. Attempts are counted from 1.
  ///   - isOver: Returns whether no time is left to measure another commit. Several candidates may then remain.
  package func run(
    _ measure: (_ position: Int, _ attempt: Int) async throws -> Effect, isOver: () -> Bool = { false },
    progress: (Step) -> Void = { _ in }
  ) async rethrows -> Finding {
    precondition(count > 0, "a range of \(count) commits")
    let first = try await search(measure, isOver, progress)
    guard first.candidates == [count - 1], count > 1 else { return first }
    let all = Finding(steps: first.steps, candidates: Array(0..<count))
    if case .exact(_, _, .ofVerdict) = whole, isOver() { return all }
    guard case .time(let total, _) = whole else { return first }
    guard !isOver() else { return all }
    var again = try await decide(count - 1, measure, attempt: 2)
    guard again.decision == .good else { return first }
    (again.decision, again.doubt) = (.again, 0)
    progress(again)
    var rest = Finding(steps: [], candidates: Array(0..<count))
    if case .time(let change, let error) = again.effect, change * total > 0, abs(change) > 2 * error {
      var anew = self
      anew.whole = again.effect
      rest = try await anew.search(measure, isOver, progress)
    }
    return Finding(steps: [again] + rest.steps, candidates: rest.candidates)
  }

  private func search(_ measure: (Int, Int) async throws -> Effect, _ isOver: () -> Bool, _ progress: (Step) -> Void)
    async rethrows -> Finding
  {
    var low = -1
    var high = count - 1
    var skipped: Set<Int> = []
    var steps: [Step] = []
    while !isOver(), let position = Self.middle(low, high, without: skipped) {
      let step = try await decide(position, measure, attempt: 1)
      steps.append(step)
      progress(step)
      switch step.decision {
      case .good: low = position
      case .bad: high = position
      case .skipped, .again: skipped.insert(position)
      }
    }
    return Finding(steps: steps, candidates: Array((low + 1)...high))
  }

  private func decide(_ position: Int, _ measure: (Int, Int) async throws -> Effect, attempt: Int) async rethrows
    -> Step
  {
    var attempt = attempt
    while true {
      let effect = try await measure(position, attempt)
      guard let (isBad, doubt) = judge(effect) else {
        return Step(position: position, effect: effect, decision: .skipped, doubt: 0)
      }
      if doubt <= acceptedDoubt || attempt == attemptCount {
        return Step(position: position, effect: effect, decision: isBad ? .bad : .good, doubt: doubt)
      }
      attempt += 1
    }
  }

  /// Returns whether a commit with this effect is bad, and the probability that this is wrong. Returns nil if the
  /// effect does not allow a decision.
  /// - Parameter share: A commit is bad if its change is beyond this share of the whole change. The usual limit is the
  ///   midpoint. Beyond 0, any change in the direction of the whole change is bad.
  package func judge(_ effect: Effect, beyond share: Double = 0.5) -> (isBad: Bool, doubt: Double)? {
    switch (effect, whole) {
    case (.time(let change, let error), .time(let total, let totalError)):
      // The limit is a share of the whole change, so its error is the same share of the whole change's error.
      let distance = (change - share * total) * (total < 0 ? -1 : 1)
      let spread = (error * error + share * share * totalError * totalError).squareRoot()
      return (distance > 0, Self.doubt(abs(distance), spread))
    case (.exact(_, _, let regression), .exact(_, _, .ofVerdict)): return (regression != nil, 0)
    case (.exact(let good, let candidate, _), .exact(let wholeGood, let bad, _)):
      let total = bad - wholeGood
      return ((candidate - good) * (total < 0 ? -1 : 1) > share * abs(total), 0)
    case (.behavior(let isChanged), .behavior): return (isChanged, 0)
    case (.identical, _): return (false, 0)
    case (.unchanged, _): return (false, Self.leastDoubt)
    default: return nil
    }
  }

  /// Returns the measurable position nearest to the middle of `low` and `high`; nil if none is left between them.
  private static func middle(_ low: Int, _ high: Int, without skipped: Set<Int>) -> Int? {
    let between = (low + 1)..<max(low + 1, high)
    let middle = (low + high) / 2
    return between.filter { !skipped.contains($0) }.min { abs($0 - middle) < abs($1 - middle) }
  }

  /// Returns the probability that a measurement at this distance from the limit is on the wrong side of it. The
  /// result is never below `leastDoubt`, because the spread does not include errors that all samples share.
  private static func doubt(_ distance: Double, _ spread: Double) -> Double {
    max(leastDoubt, spread > 0 ? upperTail(distance / spread) : distance > 0 ? 0 : 0.5)
  }

  private static let leastDoubt = 1e-4

  /// Returns P(Z > z) of the normal distribution.
  package static func upperTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }
}
