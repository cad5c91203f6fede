import FrameBench
import FrameReport
import TextFormat

/// What a night brought, as a page of markdown: the newest night of a history beside those before it.
package struct NightReport: Sendable {
  let analysis: HistoryAnalysis
  let night: Night
  let verdict: NightVerdict

  /// - Precondition: The history has a night.
  package init(_ analysis: HistoryAnalysis) {
    guard let night = analysis.nights.last else { preconditionFailure("a report of no night") }
    self.analysis = analysis
    self.night = night
    verdict = NightVerdict(analysis)
  }

  /// The whole page, with a line feed at its end.
  package func render() -> String {
    let suite = Markdown.escape(night.suite)
    let machine = Markdown.escape(night.environment.machine)
    var blocks = ["# The night of \(night.day): \(suite) on \(machine)"]
    blocks += verdict.sentences.map { Markdown.bold(Markdown.escape($0)) }
    blocks.append(about)
    blocks += failures + missing + changedBehavior + changedEnvironment
    blocks += ChangePointSection(analysis, verdict.findings).render()
    blocks += moves("Since the night before", \.sinceYesterday)
    let days = analysis.days
    blocks += moves("Since a week ago") { $0.sinceLastWeek(days: days) }
    if !analysis.appeared.isEmpty { blocks += ["## New", list(analysis.appeared) { _ in nil }] }
    blocks += ["## How this is measured", Self.method]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var about: String {
    let environment = night.environment
    let commit = environment.commit.map { Markdown.code(String($0.prefix(12))) } ?? "no commit"
    let dirty = environment.isDirty == true ? " with changes that are not committed" : ""
    return [
      Markdown.escape(night.startedAt), commit + dirty, Markdown.escape(environment.toolchain),
      Format.plural(night.benchmarks.count, "benchmark"),
      Format.plural(analysis.nights.count, "night") + " of history",
    ].joined(separator: " · ")
  }

  private var failures: [String] {
    guard !night.failures.isEmpty else { return [] }
    let reasons = Dictionary(night.failures.map { ($0.id, $0.reason) }) { first, _ in first }
    return ["## Failed", list(night.failures.map(\.id)) { reasons[$0] }]
  }

  private var missing: [String] {
    guard !analysis.missing.isEmpty else { return [] }
    return [
      "## Missing",
      "The night before had them, this one has not. Where that is meant, nothing is to do: the next night is"
        + " held against this one.",
      list(analysis.missing) { _ in nil },
    ]
  }

  private var changedBehavior: [String] {
    guard !analysis.behaviorChanged.isEmpty else { return [] }
    return [
      "## Behavior changed",
      "What these show is not what they showed before, so their costs are those of other work.",
      list(analysis.behaviorChanged) { _ in nil },
    ]
  }

  private var changedEnvironment: [String] {
    let changes = analysis.environmentChanges
    guard !changes.isEmpty else { return [] }
    return [
      "## Other environment",
      "From this night on figures are a segment of their own, and are not compared with those before.",
      changes.map { "- \(Markdown.escape($0))" }.joined(separator: "\n"),
    ]
  }

  private func list(_ ids: [BenchmarkID], _ detail: (BenchmarkID) -> String?) -> String {
    ids.map { id in
      "- \(Markdown.code(id.description))" + (detail(id).map { ": \(Markdown.escape($0))" } ?? "")
    }.joined(separator: "\n")
  }

  private func moves(_ title: String, _ move: (Trend) -> Trend.Move?) -> [String] {
    let compared = analysis.currentTrends.compactMap { trend in move(trend).map { (trend, $0) } }
    guard !compared.isEmpty else { return ["## \(title)", "There is no such night to compare with."] }
    let judged = compared.filter { $0.1.noise != nil }
    guard !judged.isEmpty else {
      return [
        "## \(title)", "Too few nights yet to tell what is noise: \(Trend.leastNightsForNoise) are needed.",
      ]
    }
    let moved = judged.filter(\.1.isBeyondNoise)
    let among = "of \(Format.plural(judged.count, "figure"))"
    guard !moved.isEmpty else { return ["## \(title)", "Nothing moved beyond its noise, \(among)."] }
    var table = MarkdownTable([
      ("benchmark", .left), ("figure", .left), ("before", .right), ("this night", .right), ("change", .right),
      ("noise", .right),
    ])
    for (trend, move) in moved {
      let quantity = FigureText.Quantity(trend.kind.unit)
      table.append([
        Markdown.code(trend.id.description), Markdown.escape(FigureText.name(trend.metric)),
        quantity.text(move.before), quantity.text(move.after),
        FigureText.change(move.before, move.after, quantity), "± " + quantity.text(move.noise ?? 0),
      ])
    }
    return ["## \(title)", "\(moved.count) \(among) moved beyond their noise.", table.render()]
  }

  private static let method =
    "Noise is four standard deviations of the difference, estimated from the nights before. A change point is"
    + " reported once, after \(Trend.requiredSupport) nights of the new level, or of a count without any noise"
    + " after one. Times are the minimum of the runs, frame by frame."
}
