import FrameBench
import Judging
import Statistics

/// One benchmark between screening and verdict. Things are numbered as in `LockStepTimes`.
struct Screened {
  let id: BenchmarkID
  let times: LockStepTimes
  let testable: [Int]
  let suspicions: [Int: ComparisonRule.Direction]
  var confirmation: LockStepTimes?
  var adjustedPValues: [Int: Double] = [:]

  init(id: BenchmarkID, times: LockStepTimes, rule: ComparisonRule) {
    self.id = id
    self.times = times
    // The ratio of what is shorter than reading the clock is a ratio of errors.
    let shortest = Quantile.median(times.pairCosts)
    testable = times.times.indices.filter {
      $0 == 0 || Quantile.median(times.times[$0].baseline) >= shortest
    }
    var suspicions: [Int: ComparisonRule.Direction] = [:]
    for thing in testable { suspicions[thing] = rule.suspicion(times.times[thing]) }
    self.suspicions = suspicions
  }

  /// Corrects the p-values of all suspects for all times that were tested; what was not suspected counts
  /// with a p-value of 1.
  static func correct(_ screened: inout [Screened], testCount: Int) {
    let confirmed = screened.indices.flatMap { index in
      screened[index].confirmedPValues.sorted { $0.key < $1.key }.map { (index, $0.key, $0.value) }
    }
    let padding = Array(repeating: 1.0, count: max(0, testCount - confirmed.count))
    let adjusted = Holm.adjusted(confirmed.map(\.2) + padding)
    for (place, (index, thing, _)) in confirmed.enumerated() {
      screened[index].adjustedPValues[thing] = adjusted[place]
    }
  }

  /// Of the suspects, one-sided, not corrected.
  private var confirmedPValues: [Int: Double] {
    guard let confirmation else { return [:] }
    return suspicions.reduce(into: [:]) { values, suspect in
      guard let times = fresh(suspect.key, confirmation) else { return }
      values[suspect.key] = times.pValue(suspect.value)
    }
  }

  /// The phases of fresh processes are the same, unless a build is not deterministic.
  private func fresh(_ thing: Int, _ confirmation: LockStepTimes) -> PairedTimes? {
    confirmation.phases == times.phases ? confirmation.times[thing] : nil
  }

  func rows(_ rule: ComparisonRule) -> [ComparisonRow] {
    testable.map { thing in
      guard let direction = suspicions[thing], let confirmation, let fresh = fresh(thing, confirmation),
        let adjusted = adjustedPValues[thing]
      else {
        let times = times.times[thing]
        // A suspicion that could not be checked is inconclusive.
        let verdict = suspicions[thing] == nil ? rule.verdict(times) : .inconclusive
        return row(thing, self.times, rule, verdict)
      }
      let verdict = rule.verdict(fresh, suspected: direction, adjustedPValue: adjusted)
      var row = row(thing, confirmation, rule, verdict)
      if verdict.isChange { row.note = confirmation.difference(of: thing)?.sentence }
      return row
    }
  }

  private func row(
    _ thing: Int, _ times: LockStepTimes, _ rule: ComparisonRule, _ verdict: ChangeVerdict
  ) -> ComparisonRow {
    let figures = times.times[thing]
    let interval = figures.interval(rule.confidence)
    let baseline = Quantile.median(figures.baseline)
    // Not the candidate's own median: times of one set belong together, and on a machine that changes its
    // pace two medians may come from different sets, and contradict the change.
    let candidate = figures.change.map { baseline * (1 + $0) } ?? Quantile.median(figures.candidate)
    return ComparisonRow(
      id: id, metric: .frameTime, phase: thing == 0 ? nil : times.phases[thing - 1],
      baseline: .number(baseline), candidate: .number(candidate),
      change: figures.change, low: interval?.lowerBound, high: interval?.upperBound,
      pValue: SignedRankTest(figures.changes).pValue(.twoSided), verdict: verdict,
      control: figures.controlSpread, layout: times.layoutSpread(of: thing))
  }

  var shortPhaseWarning: Warning? {
    let short = times.times.indices.filter { !testable.contains($0) }.map { times.phases[$0 - 1] }
    guard !short.isEmpty else { return nil }
    return Warning(
      "Shorter than a clock read, so judged only as part of the frame: \(short.joined(separator: ", ")).",
      benchmark: id)
  }
}
