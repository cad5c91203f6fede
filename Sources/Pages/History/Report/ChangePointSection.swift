import Judging
import TextFormat

/// Change points as part of a page: those of the same nights share a heading, because one commit often moves
/// several figures.
struct ChangePointSection {
  private let analysis: HistoryAnalysis
  /// The latest first.
  private let groups: [[HistoryAnalysis.Finding]]

  init(_ analysis: HistoryAnalysis, _ findings: [HistoryAnalysis.Finding]) {
    self.analysis = analysis
    let byNights = Dictionary(grouping: findings) { finding in
      [finding.shift.position, finding.shift.levelPosition].map { finding.trend.nights[$0] }
    }
    groups = byNights.sorted { $1.key.lexicographicallyPrecedes($0.key) }.map(\.value)
  }

  var blocks: [Block] {
    [.heading(level: 2, "Change points")]
      + (groups.isEmpty
        ? [.paragraph("None.")]
        : groups.flatMap { [.paragraph(heading($0)), .table(table($0))] })
  }

  private func heading(_ findings: [HistoryAnalysis.Finding]) -> RichText {
    guard let first = findings.first else { return "" }
    let isDrift = first.shift.position != first.shift.levelPosition
    let days = analysis.dayText(of: first)
    // The first figure's range: a night that lacks one of the others would only make theirs wider.
    let range = analysis.commitRange(of: first)
    let commits = range.map { range -> RichText in
      range.good == range.bad
        ? ", both at commit \(code: range.bad.prefix(12)), so the code is not the cause"
        : ", commits \(code: "\(range.good.prefix(12))..\(range.bad.prefix(12))")"
    }
    let nights: RichText = isDrift ? "Drift in the nights of \(days)" : "From the night of \(days) on"
    return "\(nights)\(commits ?? ", commits unknown"):"
  }

  private func table(_ findings: [HistoryAnalysis.Finding]) -> Table {
    var table = Table([
      ("benchmark", .left), ("figure", .left), ("before", .right), ("after", .right), ("change", .right),
      ("confidence", .right), ("nights", .right),
    ])
    for finding in findings {
      let quantity = FigureText.Quantity(finding.trend.kind.unit)
      table.append([
        .code(finding.trend.id.description), .text(FigureText.name(finding.trend.metric)),
        .text(quantity.text(finding.shift.before)), .text(quantity.text(finding.shift.after)),
        .text(FigureText.change(finding.shift.before, finding.shift.after, quantity)),
        .text(finding.shift.confidenceText), .text(Format.integer(finding.shift.support)),
      ])
    }
    return table
  }
}

extension Trend.Shift {
  /// `99.97%`, `> 99.99%`: never rounded up to certainty.
  package var confidenceText: String {
    guard pValue < 0.000_1 else {
      return Format.significant((confidence * 1e4).rounded(.down) / 100, digits: 4) + "%"
    }
    return "> 99.99%"
  }
}
