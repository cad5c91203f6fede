import Foundation
import FrameBench
import Judging
import TextFormat

/// Runs the comparisons that a bisection asks for.
struct BisectSearch: Sendable {
  var benchmark: BenchmarkID
  var good: String
  var bad: String
  /// Nil: what differs most clearly.
  var figure: BisectedFigure?
  /// Of the first attempt.
  var settings: ComparisonSettings
  var building: BuildSettings
  var arguments: [String]
  var console: Console

  init(
    benchmark: BenchmarkID, good: String, bad: String, figure: BisectedFigure? = nil,
    settings: ComparisonSettings, building: BuildSettings, arguments: [String], console: Console
  ) {
    self.benchmark = benchmark
    self.good = good
    self.bad = bad
    self.figure = figure
    self.settings = settings
    self.building = building
    self.arguments = arguments
    self.console = console
  }

  /// Throws `CancellationError`, `RevisionError`, `RunError`, `UsageError`.
  func run() async throws -> BisectResult {
    let builder = try await building.builder(console: console)
    let range = try await CommitRange.between(good, bad, Git(folder: builder.location.repository))
    try await check(try await builder.executables(for: .revision(bad)))
    let last = range.commits.count - 1
    tell("\(range.commits.count) commits from \(range.good.shortHash) to \(range.commits[last].shortHash)")
    let document = try await compare(range.good.hash, range.commits[last].hash, attempt: 1)
    var result = BisectResult(benchmark: benchmark, range: range)
    if let failure = document.failures.first {
      throw RunError("\(failure.id): \(failure.reason)\(lastLine(ofStandardError: failure.standardError))")
    }
    guard let figure = figure ?? BisectedFigure.mainChange(in: document.rows) else { return result }
    result.figure = figure
    let whole = figure.effect(in: document)
    if case .unmeasurable(let reason) = whole {
      throw RunError("\(benchmark) cannot be compared between \(good) and \(bad): \(reason)")
    }
    result.whole = figure.row(in: document)
    guard result.whole?.verdict.isChange ?? false else { return result }
    let shown = result
    let finding = try await Bisection(count: range.commits.count, whole: whole).run(
      { position, attempt in try await effect(of: position, figure, range, attempt) },
      progress: { tell(shown.text(of: $0)) })
    result.finding = finding
    guard finding.candidates.count == 1, let found = finding.candidates.first else { return result }
    try await verify(found, figure, whole, range, &result)
    return result
  }

  /// Refuses a benchmark or a figure that the bad commit does not have.
  private func check(_ builds: [BuiltRevision]) async throws {
    do {
      let catalogue = try await Catalogue(of: builds.map(\.url.path))
      _ = try catalogue.benchmark("\(benchmark)")
      guard let figure else { return }
      if let problem = try await FigureProbe(catalogue.programs).problem(figure.figure, of: [benchmark]) {
        throw UsageError("--metric: \(problem)")
      }
    } catch is BenchmarkProgram.IsEarlier {
      // It cannot be asked.
    }
  }

  /// The commit against the one before it.
  private func verify(
    _ found: Int, _ figure: BisectedFigure, _ whole: Bisection.Effect, _ range: CommitRange,
    _ result: inout BisectResult
  ) async throws {
    let parent = found == 0 ? range.good : range.commits[found - 1]
    let document = try await compare(parent.hash, range.commits[found].hash, attempt: 2)
    result.own = figure.row(in: document)
    result.verificationDoubt = Self.doubt(of: figure.effect(in: document), whole)
  }

  /// The chance that the commit changed nothing, or in the other direction.
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
    of position: Int, _ figure: BisectedFigure, _ range: CommitRange, _ attempt: Int
  ) async throws -> Bisection.Effect {
    do {
      return figure.effect(
        in: try await compare(range.good.hash, range.commits[position].hash, attempt: attempt))
    } catch let error as RevisionError where !error.isUsage && error.isOfTheSources {
      return .unmeasurable(error.description)
    }
  }

  private func compare(_ base: String, _ candidate: String, attempt: Int) async throws -> ComparisonDocument {
    var settings = settings
    settings.seconds = min(3_600, settings.seconds * Double(1 << (attempt - 1)))
    settings.seed &+= UInt64(attempt)
    let comparison = RevisionComparison(
      settings: settings,
      selection: BenchmarkSelection(
        filter: ["^\(NSRegularExpression.escapedPattern(for: benchmark.description))$"],
        sizes: [benchmark.size]),
      arguments: arguments)
    return try await comparison.compare(
      base, with: .revision(candidate), building: building, console: console)
  }

  private func tell(_ text: String) { console.writeError("springbench: \(oneLine(text))\n") }
}

extension RevisionError {
  /// Whether another commit may fare better.
  fileprivate var isOfTheSources: Bool {
    switch self {
    case .doesNotBuild, .noPackageInRevision, .noSuchProduct, .timedOut: true
    case .beginsWithDash, .emptyName, .unknown, .ambiguous, .notACommit, .noRepository, .bareRepository,
      .noPackage, .noBenchmarks, .missingTool, .git, .diskFull, .files:
      false
    }
  }
}
