import Foundation
import FrameBench

/// What comparisons find on this machine where it is known what there is to find.
public struct CalibrationDocument: Codable, Sendable, Equatable {
  public static let currentSchemaVersion = 1

  public var schemaVersion = CalibrationDocument.currentSchemaVersion
  /// The phase that work was planted in.
  public var phase: String
  /// Seconds that a comparison was given for each benchmark.
  public var secondsPerBenchmark: Double
  public var seed: UInt64
  public var cells: [CalibrationCell]

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

/// Comparisons of one benchmark with one slow-down at one tolerance.
public struct CalibrationCell: Codable, Sendable, Hashable {
  public var id: BenchmarkID
  /// Of the phase's time; 0: both builds are the same.
  public var planted: Double
  public var tolerance: Double
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

/// The table of a calibration.
public struct CalibrationMarkdown: Sendable {
  private let document: CalibrationDocument

  public init(_ document: CalibrationDocument) {
    self.document = document
  }

  public func render() -> String {
    var table = MarkdownTable([
      ("Benchmark", .left), ("Planted in \(document.phase)", .right), ("Measured", .right),
      ("Tolerance", .right),
      ("Found", .right), ("95% interval", .right), ("False alarms", .right), ("Longest", .right),
    ])
    for cell in document.cells {
      table.append([
        Markdown.code(cell.id.description),
        cell.planted == 0 ? "nothing" : ComparisonSummary.percent(cell.planted),
        cell.trialCount == 0
          ? Format.absent : ComparisonSummary.percent(cell.changeSum / Double(cell.trialCount)),
        ComparisonSummary.percent(cell.tolerance), "\(cell.foundCount) of \(cell.trialCount)",
        Self.interval(cell.foundCount, cell.trialCount), "\(cell.falseAlarmCount) of \(cell.trialCount)",
        "\(Format.fixed(cell.longestSeconds, decimals: 1)) s",
      ])
    }
    let tolerance = document.suggestedTolerance.map {
      "**Suggested tolerance: \(ComparisonSummary.percent($0))**, the smallest without a false alarm here."
    }
    return [tolerance ?? "**No tolerance was without a false alarm.**", table.render()].joined(
      separator: "\n\n") + "\n"
  }

  /// Wilson's score interval of a share ("Probable Inference", JASA 22, 1927).
  private static func interval(_ count: Int, _ total: Int) -> String {
    guard total > 0 else { return Format.absent }
    let (z, n) = (1.959_964, Double(total))
    let share = Double(count) / n
    let centre = share + z * z / (2 * n)
    let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let ends = [centre - half, centre + half].map { max(0, min(1, $0 / (1 + z * z / n))) }
    return ends.map { Format.fixed($0 * 100, decimals: 0) }.joined(separator: "–") + "%"
  }
}
