import Foundation
import Judging
import TextFormat

/// The page of a calibration: a verdict, the table, and how it was made.
package struct CalibrationReport: Sendable {
  private let document: CalibrationDocument
  private let picture: String?

  /// - Parameter picture: Name of the file that shows the curve, beside the page.
  package init(_ document: CalibrationDocument, picture: String? = nil) {
    self.document = document
    self.picture = picture
  }

  /// Without the picture where none is named, and without how it was made where that was not noted.
  package var blocks: [Block] {
    let shown = picture.map {
      RichText([.image(alternative: "Share of slow-downs found, by size", source: $0)])
    }
    return [.paragraph(verdict), .table(table)]
      + [shown, circumstances].compactMap(\.self).map(Block.paragraph)
  }

  private var verdict: RichText {
    guard document.cells.contains(where: { $0.planted == 0 }) else {
      return "Nothing was compared with itself, so this says nothing about false alarms."
    }
    guard let tolerance = document.suggestedTolerance else {
      return .strong("Every tolerance raised a false alarm.")
    }
    let suggestion = "Suggested tolerance: \(ComparisonSummary.percent(tolerance))"
    return "\(strong: "\(suggestion)"), the smallest without a false alarm here."
  }

  private var table: Table {
    var table = Table([
      ("Benchmark", .left), ("Planted in \(document.phase)", .right), ("Measured", .right),
      ("Tolerance", .right),
      ("Found", .right), ("95% interval", .right), ("False alarms", .right), ("Longest", .right),
    ])
    for cell in document.cells {
      table.append([
        .code(cell.id.description),
        cell.planted == 0 ? "nothing" : "\(ComparisonSummary.percent(cell.planted))",
        cell.trialCount == 0
          ? "\(Format.absent)" : "\(ComparisonSummary.percent(cell.changeSum / Double(cell.trialCount)))",
        "\(ComparisonSummary.percent(cell.tolerance))", "\(cell.foundCount) of \(cell.trialCount)",
        "\(Self.interval(cell.foundCount, cell.trialCount))",
        "\(cell.falseAlarmCount) of \(cell.trialCount)",
        "\(Format.fixed(cell.longestSeconds, decimals: 1)) s",
      ])
    }
    return table
  }

  private var circumstances: RichText? {
    guard let conditions = document.conditions else { return nil }
    let loads = conditions.loadAverages.sorted()
    let load =
      loads.isEmpty
      ? "load unknown"
      : "load \(Format.fixed(loads[0], decimals: 1)) to \(Format.fixed(loads[loads.count - 1], decimals: 1)),"
        + " mostly \(Format.fixed(loads[loads.count / 2], decimals: 1))"
    let command = (["springbench"] + conditions.arguments).joined(separator: " ")
    return """
      \(code: command) on \(conditions.machine) (\(conditions.cpuModel ?? "unknown CPU"), \
      \(Format.plural(conditions.coreCount, "core")), \(load)),\
      \(conditions.layoutCount.map { " \($0) link orders," } ?? "") \(conditions.startedAt), \
      \(Format.fixed(conditions.durationSeconds / 60, decimals: 0)) minutes, seed \(document.seed).
      """
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
