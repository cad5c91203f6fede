import FrameBench

/// What a comparison of two builds found: everything that its reports are made of.
public struct ComparisonDocument: Codable, Sendable, Equatable {
  /// Rises when a reader of the older version would misread the newer one.
  public static let currentSchemaVersion = 1

  /// `currentSchemaVersion` of the program that wrote the document.
  public var schemaVersion = ComparisonDocument.currentSchemaVersion
  /// UTC, ISO 8601.
  public var startedAt: String
  /// Wall time of the measuring part, seconds.
  public var durationSeconds: Double
  /// The command line that made this document, without the program's path.
  public var arguments: [String]
  /// What changes are counted from.
  public var baseline: BuildName
  /// What is judged.
  public var candidate: BuildName
  /// Those that both builds ran with; of two run documents, the candidate's.
  public var options: RunOptions
  /// How the verdicts on times came about.
  public var method: ComparisonMethod
  /// By benchmark, in the order of the suite; in each the checksum, times, then exact figures.
  public var rows: [ComparisonRow]
  /// Benchmarks that could not be measured; of two run documents, those of the candidate.
  public var failures: [BenchmarkFailure]
  /// What makes figures less sure, or keeps some from being compared.
  public var warnings: [Warning]
  /// Of benchmarks that became worse, the worst first; nil where none were asked for.
  public var profiles: [RegressionProfile]?

  public init(
    startedAt: String, durationSeconds: Double, arguments: [String], baseline: BuildName,
    candidate: BuildName, options: RunOptions, method: ComparisonMethod, rows: [ComparisonRow],
    failures: [BenchmarkFailure] = [], warnings: [Warning] = []
  ) {
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.arguments = arguments
    self.baseline = baseline
    self.candidate = candidate
    self.options = options
    self.method = method
    self.rows = rows
    self.failures = failures
    self.warnings = warnings
  }
}

/// One of the two builds, as a person calls it.
public struct BuildName: Codable, Sendable, Hashable {
  /// A branch, a revision or a path, as it was given.
  public var name: String
  /// Full hash; nil where the build is of no commit.
  public var commit: String?

  public init(name: String, commit: String? = nil) {
    self.name = name
    self.commit = commit
  }
}

/// How times were compared.
public struct ComparisonMethod: Codable, Sendable, Hashable {
  /// What was compared.
  public enum Source: String, Codable, Sendable {
    /// Two builds that took turns on one core.
    case lockStep
    /// Two runs that were measured before.
    case documents
    /// Two builds of which all that is loaded is the same: nothing was measured.
    case identicalPrograms
  }

  /// Of documents and identical programs no time is tested: the level and the three counts are 0 then.
  public var source = Source.lockStep
  /// A change within ± this fraction is none.
  public var tolerance: Double
  /// Chance of even one false alarm, by the test alone.
  public var familyAlpha: Double
  /// Times that were tested.
  public var testCount: Int
  /// Sets of four fresh processes that each benchmark ran in, and that each suspect ran in once more.
  public var screeningSetCount: Int
  /// At most: a busy machine has time for fewer.
  public var confirmingSetCount: Int
  /// Of the order of benchmarks, processes and turns.
  public var seed: UInt64
  /// Link orders of both builds that the sets of a benchmark were spread over; 1: the builds as they are. Nil in
  /// documents of earlier versions.
  public var layoutCount: Int?

  public init(
    source: Source = .lockStep, tolerance: Double, familyAlpha: Double, testCount: Int,
    screeningSetCount: Int,
    confirmingSetCount: Int, seed: UInt64, layoutCount: Int? = nil
  ) {
    self.source = source
    self.tolerance = tolerance
    self.familyAlpha = familyAlpha
    self.testCount = testCount
    self.screeningSetCount = screeningSetCount
    self.confirmingSetCount = confirmingSetCount
    self.seed = seed
    self.layoutCount = layoutCount
  }
}

extension ComparisonDocument {
  /// How a comparison ends, in the order in which one hides the next.
  public enum Outcome: Sendable, Hashable {
    /// A benchmark could not be measured.
    case failed
    /// What is shown changed, or a benchmark, phase or counter of the baseline is gone.
    case behaviorChanged
    case regressed
    /// Some time is uncertain, and nothing is worse.
    case inconclusive
    case passed
  }

  /// The gravest of what failures and rows say. A figure of the baseline that the candidate lacks, not only a
  /// whole benchmark, is a changed behaviour.
  public var outcome: Outcome {
    if !failures.isEmpty { return .failed }
    if rows.contains(where: { $0.verdict == .behaviorChanged || $0.isVanished }) { return .behaviorChanged }
    if rows.contains(where: { $0.verdict == .regressed }) { return .regressed }
    return rows.contains { $0.verdict == .inconclusive } ? .inconclusive : .passed
  }

  /// One JSON array, a row a line; every row has all eleven keys. What regressed has four more where profiles
  /// were asked for.
  public func flatRowsJSON() -> String { JSONText.rows(rows.map { $0.json(profile: profile(of: $0)) }) }
}

extension ComparisonRow {
  /// The baseline had it, the candidate has not.
  var isVanished: Bool { verdict == .missing && candidate == nil && baseline != nil }
}
