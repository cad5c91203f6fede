import ArgumentParser
import Foundation
import FrameBench
import Judging
import TextFormat

struct BisectCommand: ContextCommand {
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

  /// Below this confidence there is no answer.
  static let requiredConfidence = 0.9

  @Argument(help: ArgumentHelp("The benchmark.", valueName: "id"), transform: OptionValue.benchmark)
  var id: BenchmarkID

  @Option("A commit before the change.", "rev")
  var good: String

  @Option("A commit with the change.", "rev")
  var bad = "HEAD"

  @Option(
    "frameNanoseconds, frameNanoseconds.solve, allocationCount, checksum, … (default: the one that differs most clearly).",
    "name",
    { text in
      guard let figure = BisectedFigure(text) else {
        throw ValueError("give one as in frameNanoseconds, frameNanoseconds.solve or allocationCount")
      }
      return figure
    })
  var metric: BisectedFigure?

  @OptionGroup(title: "Measuring") var measuring: ComparingOptions

  @OptionGroup(title: "Building") var building: BuildOptions

  @Flag(help: "Print one JSON array, an object per measured commit, and nothing else.") var json = false

  func run(in context: CommandContext) async throws -> ExitStatus {
    try await building.enterSandbox(context)
    let result = try await Interruption.cancelling { try await search(context) }
    try context.console.write(json ? try result.json() : result.text())
    guard result.culprit != nil else { return .inconclusive }
    return result.confidence >= Self.requiredConfidence ? .success : .inconclusive
  }
}

/// The comparisons that a bisection asks for.
extension BisectCommand {
  /// Throws `CancellationError`, `RevisionError`, `RunError`, `UsageError`.
  private func search(_ context: CommandContext) async throws -> BisectResult {
    let builder = try await building.settings.builder(console: context.console)
    let range = try await CommitRange.between(good, bad, Git(folder: builder.location.repository))
    try await check(try await builder.executables(for: .revision(bad)))
    let last = range.commits.count - 1
    tell(
      context,
      "\(range.commits.count) commits from \(range.good.shortHash) to \(range.commits[last].shortHash)")
    let document = try await compare(range.good.hash, range.commits[last].hash, attempt: 1, context)
    var result = BisectResult(benchmark: id, range: range)
    if let failure = document.failures.first {
      throw RunError("\(failure.id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
    guard let figure = metric ?? BisectedFigure.mainChange(in: document.rows) else { return result }
    result.figure = figure
    let whole = figure.effect(in: document)
    if case .unmeasurable(let reason) = whole {
      throw RunError("\(id) cannot be compared between \(good) and \(bad): \(reason)")
    }
    result.whole = figure.row(in: document)
    guard result.whole?.verdict.isChange ?? false else { return result }
    let shown = result
    let finding = try await Bisection(count: range.commits.count, whole: whole).run(
      { position, attempt in try await effect(of: position, figure, range, attempt, context) },
      progress: { tell(context, shown.text(of: $0)) })
    result.finding = finding
    guard finding.candidates.count == 1, let found = finding.candidates.first else { return result }
    try await verify(found, figure, whole, range, &result, context)
    return result
  }

  /// Refuses a benchmark or a figure that the bad commit does not have.
  private func check(_ builds: [BuiltRevision]) async throws {
    let catalogue = try await Catalogue(of: builds.map(\.url.path))
    _ = try catalogue.benchmark("\(id)")
    guard let metric else { return }
    if let problem = try await FigureProbe(catalogue.programs).problem(metric.figure, of: [id]) {
      throw UsageError("--metric: \(problem)")
    }
  }

  /// Compares the commit with the one before it.
  private func verify(
    _ found: Int, _ figure: BisectedFigure, _ whole: Bisection.Effect, _ range: CommitRange,
    _ result: inout BisectResult, _ context: CommandContext
  ) async throws {
    let parent = found == 0 ? range.good : range.commits[found - 1]
    let document = try await compare(parent.hash, range.commits[found].hash, attempt: 2, context)
    result.own = figure.row(in: document)
    result.verificationDoubt = Self.doubt(of: figure.effect(in: document), whole)
  }

  /// The probability that the commit changed nothing, or in the other direction.
  static func doubt(of own: Bisection.Effect, _ whole: Bisection.Effect) -> Double {
    switch (own, whole) {
    case (.time(let change, let error), .time(let total, _)):
      return Bisection.doubt(change * (total < 0 ? -1 : 1), error)
    case (.exact(let before, let after), .exact(let good, let bad)):
      return (after - before) * (bad - good) > 0 ? 0 : 1
    case (.behavior(let isChanged), .behavior): return isChanged ? 0 : 1
    default: return 1
    }
  }

  private func effect(
    of position: Int, _ figure: BisectedFigure, _ range: CommitRange, _ attempt: Int,
    _ context: CommandContext
  ) async throws -> Bisection.Effect {
    do {
      return figure.effect(
        in: try await compare(range.good.hash, range.commits[position].hash, attempt: attempt, context))
    } catch let error as RevisionError where !error.isUsage && error.isOfTheSources {
      return .unmeasurable(error.description)
    }
  }

  private func compare(
    _ base: String, _ candidate: String, attempt: Int, _ context: CommandContext
  ) async throws -> ComparisonDocument {
    var settings = measuring.settings
    settings.seconds = min(3_600, settings.seconds * Double(1 << (attempt - 1)))
    settings.seed &+= UInt64(attempt)
    let comparison = RevisionComparison(
      settings: settings,
      selection: BenchmarkSelection(
        filter: ["^\(NSRegularExpression.escapedPattern(for: id.description))$"], sizes: [id.size]),
      arguments: context.arguments)
    return try await comparison.compare(
      base, with: .revision(candidate), building: building.settings, console: context.console)
  }

  private func tell(_ context: CommandContext, _ text: String) {
    context.console.writeError("springbench: \(oneLine(text))\n")
  }
}

extension RevisionError {
  /// Whether another commit may succeed.
  fileprivate var isOfTheSources: Bool {
    switch self {
    case .doesNotBuild, .noPackageInRevision, .noSuchProduct, .timedOut: true
    case .beginsWithDash, .emptyName, .unknown, .ambiguous, .notACommit, .noRepository, .bareRepository,
      .noPackage, .noBenchmarks, .missingTool, .git, .diskFull, .files:
      false
    }
  }
}

/// The commits between two, as a line.
struct CommitRange: Sendable {
  struct Commit: Sendable, Hashable {
    var hash: String
    var date: String
    var subject: String

    var shortHash: String { String(hash.prefix(10)) }
  }

  var good: Commit
  /// After the good one, oldest first; the last is the bad one.
  var commits: [Commit]
  /// Whether only the first parents of merges are in it.
  var isFirstParent: Bool

  /// Along first parents if those lead from the bad commit to the good one, so that a merged branch is one
  /// step; else all commits that descend from the good one.
  static func between(_ good: String, _ bad: String, _ git: Git) async throws -> CommitRange {
    let goodHash = try await git.state(of: good).checkout
    let badHash = try await git.state(of: bad).checkout
    guard goodHash != badHash else {
      throw UsageError("--good and --bad", "both are \(goodHash.prefix(10))", remedy: "name two commits")
    }
    guard try await git.run(["merge-base", "--is-ancestor", goodHash, badHash]).isSuccess else {
      let isReverse = try await git.run(["merge-base", "--is-ancestor", badHash, goodHash]).isSuccess
      throw UsageError(
        "--good", "\(good) is not an ancestor of \(bad)",
        remedy: isReverse
          ? "swap them: --good \(bad) --bad \(good)"
          : "name the commit where the branches diverge: git merge-base \(good) \(bad)")
    }
    let duty = "list the commits from \(good) to \(bad)"
    let line = try await git.output(["rev-list", "--first-parent", badHash], to: duty).split(separator: "\n")
    let isFirstParent = line.contains { $0 == goodHash }
    let hashes =
      isFirstParent
      ? line.prefix { $0 != goodHash }.reversed().map(String.init)
      : try await git.output(
        ["rev-list", "--reverse", "--topo-order", "--ancestry-path", "\(goodHash)..\(badHash)"], to: duty
      ).split(separator: "\n").map(String.init)
    var commits: [Commit] = []
    for hash in [goodHash] + hashes { commits.append(try await commit(hash, git)) }
    return CommitRange(good: commits[0], commits: Array(commits.dropFirst()), isFirstParent: isFirstParent)
  }

  private static func commit(_ hash: String, _ git: Git) async throws -> Commit {
    let text = try await git.output(
      ["show", "--no-patch", "--no-show-signature", "--format=%cd%x09%s", "--date=short", hash],
      to: "read commit \(hash)")
    let parts = text.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return Commit(hash: hash, date: parts[0], subject: oneLine(parts.count > 1 ? parts[1] : ""))
  }
}
