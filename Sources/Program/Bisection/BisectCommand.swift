import ArgumentParser
import Builds
import Execution
import FrameBench
import Judging
import Measurements
import Platform
import TextFormat

struct BisectCommand: BuildingCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Finds the commit between two that changed a figure.",
    discussion: """
      Compares the bad commit with the good one in lock step, then commits between them, by bisection, each \
      with the good one: a commit is bad if its figure lies beyond the midpoint of the two ends. Doubtful \
      commits are measured again, longer. At the end the commit is compared with the one before it. Commits \
      that do not build or cannot run the benchmark are skipped.

      EXAMPLES
        springbench bisect springs/tiled/10000 --good v1.2 --bad main
        springbench bisect springs/tiled/10000 --good a1b2c3d --bad e4f5a6b \\
          --metric frameNanoseconds.solve

      EXIT STATUS
        0  found
        1  it could not be measured
        6  the two do not differ, or the answer is less than 90% sure
      """)

  /// The confidence below which the result is inconclusive.
  static let requiredConfidence = 0.9

  @Argument(help: ArgumentHelp("The benchmark.", valueName: "id"), transform: OptionValue.benchmark) var id: BenchmarkID
  @Option("A commit before the change.", "rev") var good: String
  @Option("A commit with the change.", "rev") var bad = "HEAD"
  @Option(
    "frameNanoseconds, frameNanoseconds.solve, allocationCount, checksum, … (default: the one that differs most clearly).",
    "name",
    { text in
      guard let figure = FigureName(text), figure.statistic == nil else {
        throw ValueError("give one as in frameNanoseconds, frameNanoseconds.solve or allocationCount")
      }
      return figure
    }) var metric: FigureName?
  @OptionGroup(title: "Measuring") var measuring: ComparingOptions
  @OptionGroup(title: "Building") var building: BuildOptions
  @Flag(help: "Print one JSON array, an object per measured commit, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    let result = try await Interruption.cancelling { try await search(context) }
    try context.console.write(json ? try result.json() : result.text(width: context.console.outputWidth))
    guard result.culprit != nil else { return .inconclusive }
    return result.confidence >= Self.requiredConfidence ? .success : .inconclusive
  }

  private func search(_ context: CommandContext) async throws -> BisectResult {
    let builder = try await building.builder(console: context.console)
    let range = try await CommitRange.between(
      good, bad, Git(folder: builder.location.repository), flag: "--good and --bad")
    // Refuses a benchmark or a figure that the bad commit does not have, before anything is measured.
    let catalogue = try await Catalogue(of: try await builder.executables(for: .revision(bad)).map(\.url.path))
    _ = try catalogue.benchmark("\(id)")
    if let metric, let problem = try await FigureProbe(catalogue).problem(metric, of: [id]) {
      throw UsageError("--metric: \(problem)")
    }
    let last = range.commits[range.commits.count - 1]
    context.console.tell("\(range.commits.count) commits from \(range.good.shortHash) to \(last.shortHash)")
    let search = BisectSearch(
      id: id, range: range, building: building, comparison: measuring.comparison(of: try .only(id), context))
    let document = try await search.compare(range.good, last, nil, attempt: 1)
    if let failure = document.failures.first {
      throw RunError("\(failure.id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
    // Without a change, the checksum tells whether both commits have the benchmark.
    let checksum = ComparedFigure(name: FigureName(metric: Metric.checksum.name))
    let figure = metric.map { ComparedFigure(name: $0) } ?? .mainChange(in: document.rows)
    if figure == nil, case .unmeasurable(let reason) = checksum.effect(in: document) {
      throw RunError("\(id) cannot be compared between \(range.good.shortHash) and \(last.shortHash): \(reason)")
    }
    guard let figure else { return BisectResult(benchmark: id, range: range) }
    return try await search.result(figure, whole: document)
  }
}

/// Finds the commit in a range that changed a figure of a benchmark.
struct BisectSearch: Sendable {
  var id: BenchmarkID
  var range: CommitRange
  var building: BuildOptions
  /// The settings for comparing commits. They select only this benchmark.
  var comparison: RevisionComparison
  /// The time after which no further commit is measured. Nil means no limit.
  var deadline: ContinuousClock.Instant?

  private var isOver: Bool { deadline.map { $0 < .now } ?? false }

  /// - Parameter document: The comparison of the bad commit with the good commit, for this benchmark alone.
  func result(_ figure: ComparedFigure, whole document: ComparisonDocument) async throws -> BisectResult {
    var result = BisectResult(benchmark: id, range: range)
    result.figure = figure
    var whole = figure.effect(in: document)
    let last = range.commits[range.commits.count - 1]
    if case .unmeasurable(let reason) = whole {
      throw RunError("\(id) cannot be compared between \(range.good.shortHash) and \(last.shortHash): \(reason)")
    }
    result.whole = figure.row(in: document)
    guard figure.fault == .failure || result.whole?.verdict.isChange ?? false else { return result }
    let shown = result
    var rows: [Int: ComparisonRow] = [:]
    let finding = try await Bisection(count: range.commits.count, whole: whole).run(
      { position, attempt in
        let commit = range.commits[position]
        do {
          let document = try await compare(range.good, commit, figure, attempt: attempt)
          rows[position] = figure.row(in: document)
          return figure.effect(in: document)
        } catch  where Self.isFault(error, of: commit.hash) { return .unmeasurable("\(error)") }
      }, isOver: { isOver }, progress: { comparison.context.console.tell(shown.text(of: $0)) })
    if let again = finding.steps.first, again.decision == .again {
      (result.whole, whole) = (rows[again.position], again.effect)
      guard result.whole?.verdict == shown.whole?.verdict else { return result }
    }
    result.finding = finding
    guard finding.candidates.count == 1, let found = finding.candidates.first, !isOver else { return result }
    // So far, the found commit was compared only with the good commit. It must also differ from the commit before it.
    let parent = found == 0 ? range.good : range.commits[found - 1]
    let verification = try await compare(parent, range.commits[found], figure, attempt: 2)
    result.verify(by: verification, whole: whole)
    return result
  }

  /// Whether an error is caused by this commit alone: its program is missing, does not build, or does not start. Other
  /// commits can then still be compared.
  static func isFault(_ error: any Error, of commit: String) -> Bool {
    (error as? RevisionError).map { $0.isOfTheSources || $0 == .noBenchmarks(commit) } ?? (error is RunError)
  }

  func compare(_ base: CommitRange.Commit, _ candidate: CommitRange.Commit, _ figure: ComparedFigure?, attempt: Int)
    async throws -> ComparisonDocument
  {
    var comparison = comparison
    comparison.seconds = min(3_600, comparison.seconds * Double(1 << (attempt - 1)))
    comparison.seed &+= UInt64(attempt)
    comparison.frames = figure?.frames
    return try await comparison.compare(base.hash, with: .revision(candidate.hash), building: building)
  }
}
