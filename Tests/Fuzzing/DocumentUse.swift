import Builds
import Execution
import Formats
import Judging
import Markup
import Measurements
import Pages
import Platform
import Program

/// What commands do with a run document after they have read it.
enum DocumentUse: CaseIterable {
  case format, page, terminal, comparison, budgets, suggestion, history, merge, storing

  /// Uses the document as the command does, and throws the command's errors. Ends the process if content is lost.
  func run(_ document: RunDocument, pick: UInt64) throws {
    switch self {
    case .format:
      let formats = ReportFormat.allCases
      _ = try formats[Int(pick % UInt64(formats.count))].render(document)
    case .page: _ = StoredReport(document, path: "run.json", isHTML: false).text
    case .terminal: _ = document.terminalText(width: Int(pick % 200), usesColor: pick % 2 == 0, isVerbose: true)
    case .comparison:
      let other = Corpus.document(pick)
      let pairs = pick % 2 == 0 ? (other, document) : (document, other)
      try Self.compare(pairs.0, pairs.1)
    case .budgets: try Self.check(document, BudgetFile(reading: Self.limits, path: "springbench.yml"))
    case .suggestion:
      let text = document.suggestedBudgets()
      guard let file = try? BudgetFile(reading: text, path: "springbench.yml") else {
        fatalError("a suggested budget file cannot be read")
      }
      try Self.check(document, file)
    case .history:
      let night = try Night(reading: try Night(document).data())
      try NightUse.all(night, pick: pick)
    case .merge:
      let merged = try DocumentMerge.merged([("a", document), ("b", Corpus.document(pick))]).document
      try Self.store(merged)
    case .storing: try Self.store(document)
    }
  }

  private static func compare(_ baseline: RunDocument, _ candidate: RunDocument) throws {
    let comparison = try StoredComparison(tolerance: 0.01, isForced: true, arguments: []).compare(
      baseline: Baseline([baseline]), named: "a", with: candidate, named: "b")
    show(comparison)
  }

  static func show(_ comparison: ComparisonDocument) {
    _ = comparison.text(usesColor: true)
    let blocks = comparison.blocks()
    _ = blocks.markdown()
    _ = blocks.gitHubSummary()
    _ = blocks.html(title: "springbench compare")
    _ = comparison.flatRowsJSON()
    let checks = CheckReport(
      title: "springbench compare", headline: "", checks: comparison.checks(failsInconclusive: true),
      startedAt: comparison.startedAt, durationSeconds: 0
    ) { "\($0)" }
    _ = checks.junit()
    _ = checks.githubAnnotations()
    _ = checks.json()
  }

  static func check(_ document: RunDocument, _ file: BudgetFile) throws {
    let known = document.allIDs
    let findings = try BudgetCheck.findings(file, document, known: known, expected: known, today: "2026-11-21")
    for finding in findings { _ = finding.sentence }
    for id in known.prefix(2) { _ = findings.explanation(of: id, path: file.path) }
    try file.checkAcknowledgements(document, known: known, compared: [])
  }

  private static func store(_ document: RunDocument) throws {
    guard let data = try? document.encoded(), (try? RunDocument(contentsOf: data)) == document else {
      fatalError("a document is not read as it was written")
    }
  }

  /// A budget file with a limit of each kind. Every run exceeds all of these limits.
  private static let limits = """
    version: 1
    cpuSlowdown: 4
    budgets:
      - ids: "**"
        limits:
          frameNanoseconds.p99: 0.001ns
          frameNanoseconds.mean: ">= 1000s"
          overrunNanoseconds.p99: 1ns
          allocationCount.max: 0
          allocatedBytes.total: 0.001B
          peakResidentBytes: 1B
          missedFrames: 0
          hitchTimeRatio: 0.001
          growthExponent: 0.001
          ratio.naive/tiled: ">= 1000"
    """
}
