import FrameBench
import Measurements
import Statistics
import TextFormat

extension Verdict {
  /// Which frames exceed the budget of a display, rate by rate; the budgets that all frames fit share one
  /// sentence.
  static func budgetSentences(_ group: ScenarioGroup, budgets: [FrameBudget]) -> [String] {
    let records = group.allRecords.filter { !$0.frame.alignedNanoseconds.isEmpty }
    guard !records.isEmpty else { return [] }
    var fitting: [FrameBudget] = []
    var missing: [String] = []
    for budget in budgets {
      let late = records.filter { budget.missedCount(in: $0.frame.alignedNanoseconds) > 0 }
      if late.isEmpty {
        fitting.append(budget)
      } else {
        missing.append(missSentence(budget, late: late, of: records))
      }
    }
    var sentences: [String] = []
    if !fitting.isEmpty {
      let labels = Format.list(fitting.map(\.label))
      let every = isComplete(group) ? "Every frame" : "Every measured frame"
      sentences.append("\(every) of \(everyone(group)) fits the budget at \(labels).")
    }
    return missing + sentences + noiseSentence(fitting, records)
  }

  private static func missSentence(
    _ budget: FrameBudget, late: [BenchmarkRecord], of records: [BenchmarkRecord]
  ) -> String {
    let clauses = late.map { record in
      let frames = record.frame.alignedNanoseconds
      let missed = Format.integer(budget.missedCount(in: frames))
      let ratio = budget.hitchTimeRatio(in: frames) ?? 0
      return "\(record.id.strategy) exceeds the budget at \(Format.items(record.id.size))"
        + " in \(missed) of \(Format.plural(frames.count, "frame"))"
        + " (hitch ratio \(Format.significant(ratio)) ms/s, \(HitchClass(millisecondsPerSecond: ratio).rawValue))"
    }
    let rest = late.count == records.count ? "" : "; everything else fits"
    return "At \(budget.label) \(Format.list(clauses))\(rest)."
  }

  /// Says where only the noise of the machine exceeds a budget, so that aligning hides no stall.
  private static func noiseSentence(_ fitting: [FrameBudget], _ records: [BenchmarkRecord]) -> [String] {
    guard let worst = records.max(by: { $0.frame.pooled.max < $1.frame.pooled.max }) else { return [] }
    let exceeded = fitting.filter { worst.frame.pooled.max > $0.budgetNanoseconds }
    guard !exceeded.isEmpty else { return [] }
    return [
      "The slowest raw sample took \(TimeUnit.text(worst.frame.pooled.max))"
        + " (\(worst.id.strategy) at \(Format.items(worst.id.size))), more than the budget at"
        + " \(Format.list(exceeded.map(\.label))); but no frame is that slow in every run."
    ]
  }

  /// Whether every strategy was measured at every size.
  private static func isComplete(_ group: ScenarioGroup) -> Bool {
    group.allRecords.count == group.strategies.count * group.sizes.count
  }

  /// `naive`, `both strategies`, `all 3 strategies`
  private static func everyone(_ group: ScenarioGroup) -> String {
    switch group.strategies.count {
    case 1: group.strategies[0]
    case 2: "both strategies"
    default: "all \(group.strategies.count) strategies"
    }
  }

  static func allocationSentences(_ group: ScenarioGroup) -> [String] {
    let counted = group.allRecords.compactMap { record in record.allocations.map { (record.id, $0) } }
    guard !counted.isEmpty else { return ["Allocations were not counted."] }
    let allocating = counted.compactMap { id, allocations -> String? in
      guard let first = allocations.firstAllocatingFrame, let mean = allocations.frameThread.count.mean
      else { return nil }
      return "\(id.strategy) at \(Format.items(id.size)) (\(Format.count(mean)) a \(group.unit.noun),"
        + " first in \(group.frameText(first, size: id.size)))"
    }
    let uncounted = group.allRecords.filter { $0.allocations == nil }.map {
      "\($0.id.strategy) at \(Format.items($0.id.size))"
    }
    let steady =
      allocating.isEmpty
      ? "After warm-up no \(group.unit.noun) allocates"
      : "After warm-up these still allocate: \(Format.list(firstOnes(allocating)))"
    let gap = uncounted.isEmpty ? "" : "; not counted for \(Format.list(uncounted))"
    return [steady + gap + "."]
  }

  /// Three, and how many more there are: the tables have them all.
  private static func firstOnes(_ names: [String]) -> [String] {
    names.count > 4 ? names.prefix(3) + ["\(names.count - 3) more"] : names
  }

  /// Whether the strategies show what the reference shows.
  static func outputSentences(_ group: ScenarioGroup) -> [String] {
    guard let reference = group.reference else { return [] }
    return group.challengers.compactMap { challenger in
      let deviations = group.records(of: challenger).compactMap(\.deviation)
      if let sentence = DeviationRecord.sentence(challenger, deviations) { return sentence }
      var same: [Int] = []
      var different: [Int] = []
      for size in group.sizes {
        guard let one = group.record(reference, size), let other = group.record(challenger, size),
          one.hasOutput || other.hasOutput
        else { continue }
        if one.checksum == other.checksum { same.append(size) } else { different.append(size) }
      }
      let verb = group.unit == .call ? "return" : "show"
      let claim = "\(challenger) \(verb)s exactly what \(reference) \(verb)s"
      switch (atSizes(same), atSizes(different)) {
      case (nil, nil): return nil
      case (_?, nil): return "\(claim)."
      case (nil, _?):
        return "\(challenger) does not \(verb) exactly what \(reference) \(verb)s: checksums differ."
      case (let same?, let different?): return "\(claim) \(same), not \(different): checksums differ."
      }
    }
  }
}
