import FrameBench
import Measurements
import TextFormat

/// A rule of a scenario, such as a tolerance, that the candidate declares differently than the baseline. The baseline's
/// rule applies, because a change must not set the rule by which it is judged.
package struct RuleChange: Codable, Sendable, Hashable {
  /// The name of the scenario, as in ids.
  package var scenario: String
  /// The rule in words: `tolerance of times`.
  package var rule: String
  /// The baseline's value in words, with its unit: `3%`.
  package var baseline: String
  package var candidate: String
  /// Whether both builds were measured and judged by the baseline's rule. If false, each build used its own rule.
  package var isHeld: Bool
  /// Whether the rule determines how many frames run.
  package var isOfFrames: Bool { Fact.ofFrames.contains(rule) }

  package static func all(_ baseline: ScenarioDescription, _ candidate: ScenarioDescription) -> [RuleChange] {
    changes(of: baseline.name, [baseline, candidate].map(\.rules))
  }

  /// The rules that differ between run documents. Numbers of frames are left out, because figures of different numbers
  /// of frames are not compared.
  package static func all(of scenario: String, _ baseline: RunDocument, _ candidate: RunDocument) -> [RuleChange] {
    changes(
      of: scenario,
      [baseline, candidate].map { document in
        [Fact].tolerances(document.tolerancesPercent?[scenario], document.allocationTolerances?[scenario]) + [
          .cores(document.cores?[scenario])
        ]
      })
  }

  private static func changes(of scenario: String, _ rules: [[Fact]]) -> [RuleChange] {
    // Two rules of the baseline cannot be applied to the candidate: the number of cores, which a worker takes from its
    // own build's scenario, and the reference strategy, which each build declares for itself.
    let own = [Fact.cores(nil), .reference("")].map(\.name)
    return rules[0].differences(from: rules[1]).map { rule, old, new in
      RuleChange(scenario: scenario, rule: rule, baseline: old, candidate: new, isHeld: !own.contains(rule))
    }
  }
}

extension RunDocument {
  /// A copy of the run with the tolerances that the comparison used, because a change must not widen its own limits.
  /// Scenarios that the baseline lacks keep their own tolerances.
  package func tolerant(as comparison: ComparisonDocument) -> RunDocument {
    var (times, allocations) = (tolerancesPercent ?? [:], allocationTolerances ?? [:])
    let changed = Set((comparison.ruleChanges ?? []).filter { $0.rule == Fact.ofTimes }.map(\.scenario))
    for scenario in Set(comparison.heldIDs.map(\.scenario)) {
      // A comparison with `--tolerance` names no tolerances of scenarios. One that did not change is the baseline's, too.
      let tolerance = comparison.method.scenarioTolerances?[scenario]
      if tolerance != nil || changed.contains(scenario) { times[scenario] = tolerance.map { $0 * 100 } }
      allocations[scenario] = comparison.method.allocationTolerances?[scenario]
    }
    var run = self
    (run.tolerancesPercent, run.allocationTolerances) = (times, allocations)
    return run
  }
}

extension RunOptions {
  /// A copy of the options with the frames of the comparison, because a change must not choose the frames over which its
  /// limits are checked. Benchmarks that the baseline lacks keep their own frames. So do all benchmarks if the command
  /// lines named different frames.
  package func framed(as comparison: ComparisonDocument) -> RunOptions {
    let other = comparison.options
    guard namesFrames(of: other) else { return self }
    let held = Set(comparison.heldIDs.flatMap { [$0.scenario, "\($0.variant)/\($0.size)"] })
    var options = self
    options.scenarioFrames =
      (scenarioFrames ?? [:]).filter { !held.contains($0.key) }.merging(other.scenarioFrames ?? [:]) { $1 }.unlessEmpty
    return options
  }

  /// Whether the command lines of both options named the same frames.
  package func namesFrames(of other: RunOptions) -> Bool {
    (frameCount, warmUpFrameCount) == (other.frameCount, other.warmUpFrameCount)
  }
}

extension ComparisonDocument {
  /// The benchmarks to which the baseline's rules apply. Identical programs have the same rules.
  fileprivate var heldIDs: Set<BenchmarkID> {
    Set(rows.filter { !$0.isNewBenchmark && $0.note != ComparisonRow.identicalProgram }.map(\.id))
  }
}

extension ExactComparison {
  /// The counters that both builds have and declare differently.
  package var changedCounters: [RuleChange] {
    let names = baseline.counters.keys.filter { candidate.counters[$0] != nil }.sorted()
    return names.compactMap { name in
      let kinds = [baseline, candidate].map { $0.counterKinds?[name] ?? CounterKind() }
      guard kinds[0] != kinds[1] else { return nil }
      return RuleChange(
        scenario: candidate.id.scenario, rule: "counter \(name)", baseline: kinds[0].words, candidate: kinds[1].words,
        isHeld: true)
    }
  }
}

extension ScenarioDescription {
  fileprivate var rules: [Fact] {
    let usual = "as elsewhere"
    let ofRuns = [
      Fact(Fact.ofFrames[0], frames?.recorded.map(Format.integer) ?? usual),
      Fact(Fact.ofFrames[1], frames?.warmUp.map(Format.integer) ?? usual),
      Fact(Fact.ofFrames[2], secondsPerRun.map { "at most \(Format.count($0))" } ?? "any"),
      Fact("sizes of --quick", quickSizes == sizes ? "all" : Format.list(quickSizes.map(Format.integer))),
      .cores(cores), .reference(referenceStrategy),
    ]
    return [Fact].tolerances(tolerancePercent, allocationTolerance) + ofRuns
  }
}

extension Fact {
  fileprivate static let ofTimes = "tolerance of times"
  fileprivate static let ofFrames = ["frames", "warm-up frames", "seconds of a run"]

  fileprivate static func reference(_ strategy: String) -> Fact { Fact("reference strategy", strategy) }

  /// - Parameter count: The number of cores. Nil means one, and `Int.max` means all.
  fileprivate static func cores(_ count: Int?) -> Fact {
    Fact("cores", count == .max ? "all" : Format.integer(count ?? 1))
  }
}

extension [Fact] {
  fileprivate static func tolerances(_ percent: Double?, _ allocations: AllocationTolerance?) -> [Fact] {
    [
      Fact(Fact.ofTimes, percent.map { "\(Format.count($0))%" } ?? "the usual one"),
      Fact("tolerance of allocations", allocations?.words ?? "none"),
    ]
  }
}

extension AllocationTolerance {
  /// For example, `50 a frame or 1%`.
  package var words: String {
    let parts = [count > 0 ? "\(Format.count(count)) a frame" : nil, percent > 0 ? "\(Format.count(percent))%" : nil]
    let text = parts.compactMap(\.self).joined(separator: " or ")
    return text.isEmpty ? "none" : text
  }
}

extension CounterKind {
  fileprivate var words: String {
    let better =
      switch direction {
      case .lowerIsBetter: "less is better"
      case .higherIsBetter: "more is better"
      case .neither: "neither is better"
      }
    return "\(unit.rawValue), \(better)"
  }
}
