import Measurements
import TextFormat

/// What a run says, in sentences: which strategy is cheaper and by how much, whether frames fit their
/// budgets, whether they allocate, and whether the strategies show the same. Plain text.
package struct Verdict: Sendable, Hashable {
  /// What puts every figure of the run in doubt.
  package let caveats: [String]
  /// The whole run in two or three sentences.
  package let summary: String
  /// One for each scenario, in the order of the document.
  package let paragraphs: [Paragraph]

  /// What a run says about one scenario.
  package struct Paragraph: Sendable, Hashable {
    /// Nil where there is nothing else to tell it from.
    package let scenario: String?
    /// The comparison by the p99 frame, or the cost where there is nothing to compare with.
    package let headline: String
    /// Sentences on other frames, budgets, capacity, allocations and what is shown, in this order.
    package let details: [String]

  }

  /// Of a run without benchmarks, one paragraph that says so.
  package init(_ document: RunDocument) {
    let groups = ScenarioGroup.all(in: document)
    summary = Self.summary(document)
    caveats = groups.isEmpty ? [] : Self.caveats(document)
    guard !groups.isEmpty else {
      paragraphs = [Paragraph(scenario: nil, headline: "Nothing was measured.", details: [])]
      return
    }
    paragraphs = groups.map { Self.paragraph($0, document, isAlone: groups.count == 1) }
  }

  static func paragraph(
    _ group: ScenarioGroup, _ document: RunDocument, isAlone: Bool = false
  ) -> Paragraph {
    let budgets = document.options.judgedBudgets
    let headlines = headlines(group, clock: document.environment.clock)
    return Paragraph(
      scenario: isAlone ? nil : group.name,
      headline: headlines.first ?? "",
      details: headlines.dropFirst()
        + (group.unit == .frame ? budgetSentences(group, budgets: budgets) : [])
        + claimSentence(group, document.claims ?? [], budgets: budgets)
        + capacitySentences(document, scenario: group.name) + allocationSentences(group)
        + outputSentences(group))
  }

  /// Runs below which some heavy frame was probably disturbed each time.
  private static let fewestRuns = 3

  private static func caveats(_ document: RunDocument) -> [String] {
    let build = document.environment.buildConfiguration
    let runCount = document.options.runCount
    return [
      build == "release" ? nil : "This is a \(build) build: its times say nothing about a release build.",
      runCount >= fewestRuns
        ? nil
        : "With only \(Format.plural(runCount, "run")), p99 and worst \(document.unit.noun)s include the machine's noise.",
    ].compactMap(\.self)
  }

  /// `at 100 items`, `at 100 and 1,000 items`; nil for no sizes.
  static func atSizes(_ sizes: [Int]) -> String? {
    guard let last = sizes.last else { return nil }
    return "at " + Format.list(sizes.dropLast().map(Format.integer) + [Format.items(last)])
  }
}
