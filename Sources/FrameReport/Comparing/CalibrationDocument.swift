import Foundation
import FrameBench

/// What comparisons find on this machine where it is known what there is to find.
public struct CalibrationDocument: Codable, Sendable, Equatable {
  /// The only version that is read.
  public static let currentSchemaVersion = 1

  /// `currentSchemaVersion` of the program that wrote the document.
  public var schemaVersion = CalibrationDocument.currentSchemaVersion
  /// The phase that work was planted in.
  public var phase: String
  /// Seconds that a comparison was given for each benchmark.
  public var secondsPerBenchmark: Double
  /// Of the order in which things are compared, and of each comparison.
  public var seed: UInt64
  /// By benchmark, then by what was planted, then by tolerance.
  public var cells: [CalibrationCell]
  /// Nil where it was not noted.
  public var conditions: CalibrationConditions?

  /// Without `conditions`.
  public init(phase: String, secondsPerBenchmark: Double, seed: UInt64, cells: [CalibrationCell]) {
    self.phase = phase
    self.secondsPerBenchmark = secondsPerBenchmark
    self.seed = seed
    self.cells = cells
  }

  /// The smallest tolerance that never raised a false alarm; nil where all did, or nothing was compared.
  public var suggestedTolerance: Double? {
    // Work in one phase may well slow down the next: only where nothing was planted is an alarm surely false.
    let silent = Dictionary(grouping: cells.filter { $0.planted == 0 }, by: \.tolerance).filter { cells in
      cells.value.allSatisfy { $0.falseAlarmCount == 0 }
    }
    return silent.keys.min()
  }
}

/// Where and how a calibration was made.
public struct CalibrationConditions: Codable, Sendable, Equatable {
  /// UTC, ISO 8601.
  public var startedAt: String
  /// Wall time of all comparisons together, whole seconds.
  public var durationSeconds: Double
  /// The command line, without the program's path.
  public var arguments: [String]
  /// The name under which results of the machine are kept.
  public var machine: String
  /// Nil where the system does not tell.
  public var cpuModel: String?
  /// Cores that could be used at once: the allowed ones, or fewer where a quota holds.
  public var coreCount: Int
  /// Over one minute, one for each round of comparisons; what the calibration itself adds is in it.
  public var loadAverages: [Double]
  /// Link orders that the sets of a comparison were spread over. Nil: the program as it was built.
  public var layoutCount: Int?

  public init(
    startedAt: String, durationSeconds: Double = 0, arguments: [String], machine: String, cpuModel: String?,
    coreCount: Int, loadAverages: [Double] = []
  ) {
    self.startedAt = startedAt
    self.durationSeconds = durationSeconds
    self.arguments = arguments
    self.machine = machine
    self.cpuModel = cpuModel
    self.coreCount = coreCount
    self.loadAverages = loadAverages
  }
}

/// Comparisons of one benchmark with one slow-down at one tolerance.
public struct CalibrationCell: Codable, Sendable, Hashable {
  public var id: BenchmarkID
  /// Of the phase's time; 0: both builds are the same.
  public var planted: Double
  /// Fraction up to which a change is none: 0.01 is 1%.
  public var tolerance: Double
  /// Comparisons that were made. All tolerances judge the same ones.
  public var trialCount = 0
  /// Comparisons that reported the phase as regressed.
  public var foundCount = 0
  /// Comparisons that reported a change that was not there: any where nothing was planted, and where
  /// something was, one of another phase, or an improvement.
  public var falseAlarmCount = 0
  /// Sum over comparisons of the change that was measured in the phase, a fraction each.
  public var changeSum = 0.0
  /// Wall time of all comparisons together, seconds.
  public var seconds = 0.0
  /// Of the longest.
  public var longestSeconds = 0.0

  public init(id: BenchmarkID, planted: Double, tolerance: Double) {
    self.id = id
    self.planted = planted
    self.tolerance = tolerance
  }

  /// Counts one comparison, by its rows at this tolerance.
  /// - Parameter seconds: Wall time of the comparison.
  public mutating func add(_ rows: [ComparisonRow], phase: String, seconds: Double) {
    trialCount += 1
    self.seconds += seconds
    longestSeconds = max(longestSeconds, seconds)
    let planted = rows.first { $0.phase == phase && $0.metric == "frameNanoseconds" }
    changeSum += planted?.change ?? 0
    if rows.contains(where: { $0.phase == phase && $0.verdict == .regressed }) { foundCount += 1 }
    let isFalse = rows.contains { row in
      guard row.verdict == .regressed || row.verdict == .improved else { return false }
      let isPlanted = self.planted > 0 && (row.phase == phase || row.phase == nil)
      return !(isPlanted && row.verdict == .regressed)
    }
    if isFalse { falseAlarmCount += 1 }
  }
}
