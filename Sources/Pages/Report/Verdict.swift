import FrameBench
import Measurements
import Statistics
import TextFormat

// The verdict on a run in sentences of plain text: which strategy is cheaper, and whether frames fit the budget,
// allocate, and show the same output.

extension RunDocument {
  /// The whole run in two or three sentences.
  package var verdict: String { Overview(self).summary }

  /// Sentences that say which figures of the run to doubt, and why.
  package var caveats: [String] {
    guard !benchmarks.isEmpty else { return [] }
    let build = environment.buildConfiguration
    let noise = "With only \(Format.plural(options.runCount, "run")), p99 and worst times include the machine's noise."
    return [
      build == "release" ? nil : "This is a \(build) build: its times say nothing about a release build.",
      // With fewer than three runs, it is likely that some heavy frame was disturbed in every run.
      options.runCount < 3 ? noise : nil,
    ].compactMap(\.self)
      + contradictions.map {
        Words.contradiction(of: "\($0.id)", "\($0.reference)") + ": their costs cannot be compared."
      }
  }
}

extension RunDocument {
  /// The verb before "the budget". On a busy machine, other work may have taken the time, so the verb only says what
  /// happened.
  fileprivate func exceeding(count: Int) -> String { wasBusy ? "went over" : count == 1 ? "exceeds" : "exceed" }
  /// A sentence to append to a sentence about an exceeded budget. Empty if the machine was not busy.
  fileprivate var excuse: String { wasBusy ? " The machine was busy meanwhile, which may be why." : "" }
}

// MARK: - The whole run

extension Overview {
  fileprivate var summary: String {
    guard !rows.isEmpty else { return "Nothing was measured." }
    let sentences = [failureSentence, budgetSentence, slowestSentence, allocationSentence].compactMap(\.self)
    return (sentences + [differenceSentence].compactMap(\.self)).joined(separator: " ")
  }

  private var failureSentence: String? {
    let failed = document.failures.map(\.id).unique
    return failed.first.map { failed.count == 1 ? "\($0) failed." : "\(failed.count) benchmarks failed, first \($0)." }
  }

  /// A sentence on strategies that show something other than the reference strategy. Strategies whose items' positions
  /// were compared (`DeviationRecord`) are left out, because the sentences on their scenario describe them.
  private var differenceSentence: String? {
    let found = ScenarioGroup.all(in: document).flatMap { group in group.differences.map { "In \(group.name), \($0)" } }
    let others =
      found.count == 2 ? " 1 other strategy differs, too." : " \(found.count - 1) other strategies differ, too."
    return found.first.map { found.count > 1 ? "\($0)\(others)" : $0 }
  }

  private var budgetSentence: String? {
    let recorded = rows.filter { !$0.record.frame.alignedNanoseconds.isEmpty }
    guard !recorded.isEmpty else { return "No \(unit.sample) was recorded." }
    let timed = recorded.filter { !$0.record.isFunction }
    guard !timed.isEmpty else { return nil }
    let counts = document.options.judgedBudgets.map { budget in
      (budget, late: timed.count { budget.missedCount(in: $0.record.frame.alignedNanoseconds) > 0 })
    }
    let fitting = Format.list(counts.filter { $0.late == 0 }.map(\.0.rate))
    let missing = counts.filter { $0.late > 0 }
    let all = document.failures.isEmpty ? "Every frame" : "Every measured frame"
    guard let first = missing.first else { return "\(all) fits the budget at \(fitting)." }
    let others = missing.dropFirst().map { ", \(Format.integer($0.late)) at \($0.0.rate)" }.joined()
    return "\(Format.integer(first.late)) of \(Format.plural(timed.count, "benchmark"))"
      + " \(document.exceeding(count: first.late)) the budget at \(first.0.rate)\(others)"
      + (fitting.isEmpty ? "." : "; every frame fits it at \(fitting).") + document.excuse
  }

  /// The benchmarks that miss a budget. If several budgets are missed, these are the benchmarks that miss the most
  /// generous of them. Nil if no budget is missed.
  private var late: [OverviewRow]? {
    let timed = rows.filter { !$0.record.isFunction && !$0.record.frame.alignedNanoseconds.isEmpty }
    let missing = document.options.judgedBudgets.map { budget in
      timed.filter { budget.missedCount(in: $0.record.frame.alignedNanoseconds) > 0 }
    }
    return missing.filter { !$0.isEmpty }.min { $0.count < $1.count }
  }

  private var slowestSentence: String? {
    // Calls of functions have no budget, so they are not compared with frames.
    let frames = rows.filter { !$0.record.isFunction }
    let named = late ?? (frames.isEmpty ? rows : frames)
    guard rows.count > 1, let slowest = named.max(by: { $0.decisiveNanoseconds < $1.decisiveNanoseconds }),
      slowest.decisiveNanoseconds > 0
    else { return nil }
    let worst = isOfSingles ? "" : ", worst \(slowest.time(.max))"
    let statistic = isOfSingles ? "" : "\(slowest.decisive.rawValue) "
    return "Slowest: \(slowest.id), \(statistic)\(slowest.time(slowest.decisive))"
      + (slowest.budgetShare == nil ? "" : " (\(slowest.budget) of the budget)") + worst
      + (slowest.worstFrame.map { " in \($0)" } ?? "")
      + (slowest.record.slowestPhase.map { ", mostly in \($0.name)" } ?? "") + "."
  }

  private var allocationSentence: String? {
    let counted = rows.filter { $0.record.allocations?.frameThread.count.mean != nil }
    guard !counted.isEmpty else { return "Allocations were not counted." }
    /// Says how many benchmarks allocate, and which one allocates most. Nil if none allocates.
    func sentence(_ place: String, _ series: KeyPath<AllocationRecord, AllocationSeries>) -> String? {
      let means = counted.map { (row: $0, mean: $0.record.allocations?[keyPath: series].count.mean ?? 0) }
      let allocating = means.filter { $0.mean > 0 }
      return allocating.max { $0.mean < $1.mean }.map { most in
        "\(Format.integer(allocating.count)) of \(Format.plural(counted.count, "benchmark"))"
          + " \(allocating.count == 1 ? "allocates" : "allocate")\(place) after warm-up; \(most.row.id) has the most:"
          + " \(Format.count(most.mean)) a \(WorkUnit([most.row.record]).noun)."
      }
    }
    let others = sentence(" on other threads", \.otherThreads)
    let none = "No \(counted.count == rows.count ? "" : "counted ")\(unit.noun) allocates"
    let own = sentence("", \.frameThread) ?? none + (others == nil ? "." : " on its own thread.")
    return own + (others.map { " \($0)" } ?? "")
  }
}

// MARK: - A scenario

extension ScenarioGroup {
  /// The first sentence, which compares strategies by p99 frame or median call, or states the only strategy's cost.
  package var headline: String { headlines.first ?? "" }

  /// Sentences on the other statistics, budgets, claims, capacity, allocations and output, in this order.
  package var details: [String] {
    headlines.dropFirst() + (unit == .frame ? budgetSentences : []) + claimSentence + capacitySentences
      + allocationSentences + outputSentences
  }

  /// Words for sizes: `at 100 items`, `at 100 and 1,000 items`. Nil if there are no sizes.
  private static func atSizes(_ sizes: [Int]) -> String? {
    guard let last = sizes.last else { return nil }
    return "at " + Format.list(sizes.dropLast().map(Format.integer) + [Format.items(last)])
  }

  /// Sentences that compare strategies by the decisive statistic (the p99 of frames, the median of calls), and by other
  /// statistics if they lead to different conclusions.
  package var headlines: [String] {
    guard let reference, !challengers.isEmpty else { return strategies.flatMap(soleCost) }
    func pairs(_ challenger: String, _ statistic: FlatRow.Statistic) -> [Pair] {
      sizes.compactMap { size in
        guard let one = record(reference, size), let other = record(challenger, size), !other.contradicts(one) else {
          return nil
        }
        return Comparison(other, with: one, by: statistic, clock).map { (size, $0) }
      }
    }
    let contradicting = challengers.filter { challenger in
      records(of: challenger).contains { record in
        self.record(reference, record.id.size).map(record.contradicts) ?? false
      }
    }
    return toldStatistics.enumerated().compactMap { index, statistic -> String? in
      let clauses = challengers.flatMap { challenger -> [String] in
        let (own, decisive) = (pairs(challenger, statistic), pairs(challenger, unit.decisive))
        let told = index == 0 ? own : zip(own, decisive).filter { $0.outcome.differs(from: $1.outcome) }.map(\.0)
        guard index == 0 || !told.isEmpty else { return [] }
        if told.isEmpty, contradicting.contains(challenger) { return [Words.contradiction(of: challenger, reference)] }
        return Self.clauses(told, reference: reference, challenger: challenger)
      }
      return clauses.isEmpty ? nil : "\(title(statistic)): \(clauses.joined(separator: "; "))."
    }
  }

  private typealias Pair = (size: Int, outcome: Comparison)

  /// The statistics to compare, the decisive one first. A single sample has no percentiles.
  private var toldStatistics: [FlatRow.Statistic] {
    guard !allRecords.allSatisfy({ $0.frame.alignedNanoseconds.count == 1 }) else { return [.max] }
    return unit == .call ? [.p50, .p99, .max] : [.p99, .p50, .max]
  }

  /// The name of a statistic at the beginning of a sentence: `p99 frame`.
  private func title(_ statistic: FlatRow.Statistic) -> String {
    if toldStatistics.count == 1 { return "The only \(unit.sample)" }
    let name = statistic == .p50 ? "Median" : statistic == .max ? "Worst" : statistic.rawValue
    return "\(name) \(unit.noun)"
  }

  private static func clauses(_ pairs: [Pair], reference: String, challenger: String) -> [String] {
    guard !pairs.isEmpty else { return ["\(challenger) and \(reference) were not measured at the same size"] }
    func factors(_ factor: (Comparison) -> String?) -> [(size: Int, text: String)] {
      pairs.compactMap { pair in factor(pair.outcome).map { (pair.size, $0) } }
    }
    // Names only the largest and the smallest size. The tables show all sizes.
    func cheaper(_ winner: String, than loser: String, _ factors: [(size: Int, text: String)]) -> String? {
      ofEnds(factors).map { factor, place, other in "\(winner) is \(factor) cheaper than \(loser) at \(place)\(other)" }
    }
    return [
      cheaper(challenger, than: reference, factors(\.factorCheaper)),
      cheaper(reference, than: challenger, factors(\.factorDearer)),
      atSizes(pairs.filter { $0.outcome == .equal }.map(\.size)).map {
        "\(challenger) and \(reference) cost about the same \($0)"
      },
      atSizes(pairs.filter { $0.outcome == .tooShort }.map(\.size)).map {
        "\(challenger) and \(reference) are both too short for the clock \($0)"
      },
    ].compactMap { $0 }
  }

  /// Returns the figure of the largest size (`text`), this size in words (`place`), and words on the smallest size and
  /// its figure (`other`). `other` is empty if there is only one size.
  private static func ofEnds(_ figures: [(size: Int, text: String)]) -> (text: String, place: String, other: String)? {
    guard let first = figures.first, let last = figures.last else { return nil }
    let other = figures.count > 1 ? ", \(first.text) at \(Format.integer(first.size))" : ""
    return (last.text, Format.items(last.size), other)
  }

  private func soleCost(_ strategy: String) -> [String] {
    let sentences = toldStatistics.prefix(2).compactMap { statistic -> String? in
      let costs = records(of: strategy).compactMap { record in
        record.frame.timing(statistic).map { (size: record.id.size, text: TimeUnit.text($0.nanoseconds)) }
      }
      return Self.ofEnds(costs).map { cost, place, other in
        "\(title(statistic)): " + (isPlain ? "\(cost)." : "\(label(strategy)) takes \(cost) at \(place)\(other).")
      }
    }
    return sentences.isEmpty ? ["\(label(strategy)) recorded no \(unit.sample)s."] : sentences
  }

  /// Sentences on frames that exceed the budget of a display, one for each refresh rate. The budgets that all frames
  /// fit share one sentence.
  private var budgetSentences: [String] {
    let records = allRecords.filter { !$0.frame.alignedNanoseconds.isEmpty }
    guard !records.isEmpty else { return [] }
    let judged = options.judgedBudgets.map { budget in
      (budget: budget, late: records.filter { budget.missedCount(in: $0.frame.alignedNanoseconds) > 0 })
    }
    let fitting = judged.filter(\.late.isEmpty).map(\.budget)
    let missing = judged.filter { !$0.late.isEmpty }.map { missSentence($0.budget, late: $0.late, of: records) }
    let isComplete = allRecords.count == strategies.count * sizes.count
    let everyone =
      switch strategies.count {
      case 1: label(strategies[0])
      case 2: "both strategies"
      default: "all \(strategies.count) strategies"
      }
    let labels = Format.list(fitting.map(\.label))
    let fit = "Every \(isComplete ? "" : "measured ")frame of \(everyone) fits the budget at \(labels)."
    return missing + (fitting.isEmpty ? [] : [fit]) + noiseSentence(fitting, records)
  }

  private func missSentence(_ budget: FrameBudget, late: [BenchmarkRecord], of records: [BenchmarkRecord]) -> String {
    let clauses = late.map { record in
      let frames = record.frame.alignedNanoseconds
      let missed = Format.integer(budget.missedCount(in: frames))
      let ratio = budget.hitchTimeRatio(in: frames) ?? 0
      return "\(label(record.id.strategy)) \(document.exceeding(count: 1)) the budget"
        + " at \(Format.items(record.id.size)) in \(missed) of \(Format.plural(frames.count, "frame"))"
        + " (hitch ratio \(Format.significant(ratio)) ms/s, \(HitchClass(millisecondsPerSecond: ratio).rawValue))"
    }
    let rest = late.count == records.count ? "" : "; everything else fits"
    return "At \(budget.label) \(Format.list(clauses))\(rest).\(document.excuse)"
  }

  /// A sentence on budgets that only raw samples exceed, because of the machine's noise. Other sentences use minima
  /// over the runs, which do not show such stalls.
  private func noiseSentence(_ fitting: [FrameBudget], _ records: [BenchmarkRecord]) -> [String] {
    guard let worst = records.max(by: { $0.frame.pooled.max < $1.frame.pooled.max }) else { return [] }
    let exceeded = fitting.filter { worst.frame.pooled.max > $0.budgetNanoseconds }
    guard !exceeded.isEmpty else { return [] }
    return [
      "The slowest raw sample took \(TimeUnit.text(worst.frame.pooled.max))"
        + " (\(label(worst.id.strategy)) at \(Format.items(worst.id.size))), more than the budget at"
        + " \(Format.list(exceeded.map(\.label))); but no frame is that slow in every run."
    ]
  }

  private var allocationSentences: [String] {
    let counted = allRecords.compactMap { record in record.allocations.map { (record.id, $0) } }
    guard !counted.isEmpty else { return ["Allocations were not counted."] }
    func place(_ id: BenchmarkID) -> String { isPlain ? name : "\(label(id.strategy)) at \(Format.items(id.size))" }
    let allocating = counted.compactMap { id, allocations -> String? in
      guard let first = allocations.firstAllocatingFrame, let mean = allocations.frameThread.count.mean else {
        return nil
      }
      return "\(place(id)) (\(Format.count(mean)) a \(unit.noun), first in \(frameText(first, size: id.size)))"
    }
    let others = counted.compactMap { id, allocations -> String? in
      guard let mean = allocations.otherThreads.count.mean, mean > 0 else { return nil }
      return "\(place(id)) (\(Format.count(mean)) a \(unit.noun))"
    }
    let uncounted = allRecords.filter { $0.allocations == nil }.map {
      "\(label($0.id.strategy)) at \(Format.items($0.id.size))"
    }
    /// Names only a few benchmarks. The tables list all of them.
    func list(_ all: [String]) -> String { Format.list(all, atMost: 3) }
    let none = "no \(unit.noun) allocates" + (others.isEmpty ? "" : " on its own thread")
    let steady = allocating.isEmpty ? none : "these still allocate: \(list(allocating))"
    let beside = others.isEmpty ? "" : "; on other threads, these allocate: \(list(others))"
    let gap = uncounted.isEmpty ? "" : "; not counted for \(Format.list(uncounted))"
    return ["After warm-up \(steady)\(beside)\(gap)."]
  }

  private var outputSentences: [String] {
    challengers.compactMap { challenger in
      let deviations = records(of: challenger).compactMap(\.deviation)
      return DeviationRecord.sentence(challenger, deviations) ?? output(of: challenger)?.sentence
    }
  }

  /// Sentences on strategies that show something other than the reference strategy. Strategies whose items' positions
  /// were compared (`DeviationRecord`) are left out.
  fileprivate var differences: [String] {
    guard unit == .frame else { return [] }
    return challengers.filter { records(of: $0).allSatisfy { $0.deviation == nil } }.compactMap { challenger in
      output(of: challenger).flatMap { $0.isSame ? nil : $0.sentence }
    }
  }

  /// Whether the strategy's checksums equal the reference strategy's, in words. Nil if they cannot be compared.
  private func output(of challenger: String) -> (isSame: Bool, sentence: String)? {
    guard let reference else { return nil }
    let compared = sizes.compactMap { size -> (size: Int, isSame: Bool)? in
      guard let one = record(reference, size), let other = record(challenger, size), one.hasOutput || other.hasOutput
      else { return nil }
      return (size, one.checksum == other.checksum)
    }
    let verb = unit == .call ? "return" : "show"
    let claim = "\(challenger) \(verb)s exactly what \(reference) \(verb)s"
    let (same, different) = (compared.filter(\.isSame), compared.filter { !$0.isSame })
    switch (Self.atSizes(same.map(\.size)), Self.atSizes(different.map(\.size))) {
    case (nil, nil): return nil
    case (_?, nil): return (true, "\(claim).")
    case (nil, _?):
      return (false, "\(challenger) does not \(verb) exactly what \(reference) \(verb)s: checksums differ.")
    case (let same?, let different?): return (false, "\(claim) \(same), not \(different): checksums differ.")
    }
  }

  /// One sentence on the suite's claims about strategies: whether they hold, and how much slower a machine could be
  /// before they fail.
  private var claimSentence: [String] {
    let own = (document.claims ?? []).filter { $0.scenario == scenario && strategies.contains($0.strategy) }
    return own.isEmpty ? [] : [own.map(claimClause).joined(separator: "; ") + "."]
  }

  private func claimClause(_ claim: ClaimRecord) -> String {
    func rates(_ budgets: [FrameBudget]) -> String { Format.list(budgets.map(\.rate)) }
    // Uses the smallest measured size with at least the claimed number of items. If that size is larger than claimed
    // and misses the budget, the claimed size might still fit.
    guard let record = records(of: claim.strategy).first(where: { $0.id.size >= claim.itemCount }),
      let cost = record.frame.aligned?.p99
    else { return "whether \(label(claim.strategy)) copes with \(claim.wording) was not measured" }
    let evidence = "the p99 frame of \(Format.items(record.id.size)) takes \(TimeUnit.text(cost))"
    let fitting = options.judgedBudgets.filter { cost <= $0.budgetNanoseconds }
    let missed = options.judgedBudgets.filter { cost > $0.budgetNanoseconds }
    let isMeasured = record.id.size == claim.itemCount
    guard !fitting.isEmpty else {
      return isMeasured
        ? "\(label(claim.strategy)) does not cope with \(claim.wording) at \(rates(missed)): \(evidence)"
        : "whether \(label(claim.strategy)) copes with \(claim.wording) was not measured: \(evidence)"
    }
    let slowdowns = fitting.map { Format.significant($0.budgetNanoseconds / cost, digits: 2) }
    return "\(label(claim.strategy)) copes with \(claim.wording) at \(rates(fitting))"
      + (missed.isEmpty || !isMeasured ? "" : ", not at \(rates(missed))")
      + ": \(evidence), and would still fit on a machine \(Format.list(slowdowns)) times slower"
  }

  /// A sentence on capacities:
  /// `Within the budget at 60 Hz (16.67 ms) naive takes 5,180,929 items and tiled takes at least 1,000,000,000 items.`
  package var capacitySentences: [String] {
    guard let first = capacities.first else { return [] }
    let clauses = capacities.map { $0.clause(label($0.strategy)) }
    return ["Within the budget at \(first.budgetLabel) \(Format.list(clauses))."]
  }
}
