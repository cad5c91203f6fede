import Measurements
import TextFormat

/// What a run says, in sentences: which strategy is cheaper and by how much, whether frames fit their
/// budgets, whether they allocate, and whether the strategies show the same. Plain text.
package struct Verdict: Sendable, Hashable {
  /// What puts every figure of the run in doubt.
  package let caveats: [String]
  /// One for each scenario, in the order of the document.
  package let paragraphs: [Paragraph]

  /// What a run says of one scenario.
  package struct Paragraph: Sendable, Hashable {
    /// The comparison, or the cost where there is nothing to compare with.
    package let headline: String
    /// Sentences on budgets, capacity, allocations and what is shown, in this order.
    package let details: [String]

  }

  /// Of a run without benchmarks, one paragraph that says so.
  package init(_ document: RunDocument) {
    let groups = ScenarioGroup.all(in: document)
    caveats = groups.isEmpty ? [] : Self.buildCaveats(document.environment)
    guard !groups.isEmpty else {
      paragraphs = [Paragraph(headline: "Nothing was measured.", details: [])]
      return
    }
    paragraphs = groups.map { group in
      let prefix = groups.count > 1 ? "\(group.name): " : ""
      return Paragraph(
        headline: prefix + Self.headline(group, clock: document.environment.clock),
        details: Self.budgetSentences(group, budgets: document.options.judgedBudgets)
          + Self.claimSentence(group, document.claims ?? [], budgets: document.options.judgedBudgets)
          + Self.capacitySentences(document, scenario: group.name) + Self.allocationSentences(group)
          + Self.outputSentences(group))
    }
  }

  private static func headline(_ group: ScenarioGroup, clock: ClockRecord) -> String {
    guard let reference = group.reference, !group.challengers.isEmpty else {
      return group.strategies.map { soleCost(group, $0) }.joined(separator: " ")
    }
    let clauses = group.challengers.flatMap { challenger in
      let pairs = group.sizes.compactMap { size -> (size: Int, outcome: Comparison)? in
        guard let one = group.record(reference, size)?.frame.aligned?.p50,
          let other = group.record(challenger, size)?.frame.aligned?.p50
        else { return nil }
        return (size, Comparison(reference: one, challenger: other, shortest: clock.shortestNanoseconds))
      }
      return Self.clauses(pairs, reference: reference, challenger: challenger)
    }
    return clauses.joined(separator: "; ") + " (p50 frame)."
  }

  private static func clauses(
    _ pairs: [(size: Int, outcome: Comparison)], reference: String, challenger: String
  ) -> [String] {
    guard !pairs.isEmpty else {
      return ["\(challenger) and \(reference) were not measured at the same size"]
    }
    func factors(_ factor: (Comparison) -> String?) -> [(size: Int, factor: String)] {
      pairs.compactMap { pair in factor(pair.outcome).map { (pair.size, $0) } }
    }
    return [
      cheaper(challenger, than: reference, factors(\.factorCheaper)),
      cheaper(reference, than: challenger, factors(\.factorDearer)),
      atSizes(pairs.filter { $0.outcome == .equal }.map(\.size)).map {
        "\(challenger) and \(reference) cost the same \($0), to within 5%"
      },
      atSizes(pairs.filter { $0.outcome == .tooShort }.map(\.size)).map {
        "\(challenger) and \(reference) are both too short for the clock \($0)"
      },
    ].compactMap { $0 }
  }

  /// `tiled is 5.9× cheaper than naive at 100 items, 48× at 1,000 and 430× at 10,000`
  private static func cheaper(
    _ winner: String, than loser: String, _ factors: [(size: Int, factor: String)]
  ) -> String? {
    guard let first = factors.first else { return nil }
    let rest = factors.dropFirst().map { "\($0.factor) at \(Format.integer($0.size))" }
    let opening = "\(winner) is \(first.factor) cheaper than \(loser) at \(Format.items(first.size))"
    return Format.list([opening] + rest)
  }

  private static func soleCost(_ group: ScenarioGroup, _ strategy: String) -> String {
    let costs = group.records(of: strategy).compactMap { record -> (size: Int, cost: String)? in
      record.frame.aligned.map { (record.id.size, TimeUnit.text($0.p50)) }
    }
    guard let first = costs.first else { return "\(strategy) recorded no frames." }
    let rest = costs.dropFirst().map { "\($0.cost) at \(Format.integer($0.size))" }
    return Format.list(["A frame of \(strategy) costs \(first.cost) at \(Format.items(first.size))"] + rest)
      + " (p50)."
  }

  private static func buildCaveats(_ environment: Environment) -> [String] {
    environment.buildConfiguration == "release"
      ? []
      : ["This is a \(environment.buildConfiguration) build: its times say nothing about a release build."]
  }

  /// `at 100 items`, `at 100 and 1,000 items`; nil for no sizes.
  static func atSizes(_ sizes: [Int]) -> String? {
    guard let last = sizes.last else { return nil }
    return "at " + Format.list(sizes.dropLast().map(Format.integer) + [Format.items(last)])
  }
}
