import FrameBench
import Measurements
import TextFormat

/// Every benchmark of a run in a line.
struct OverviewTable {
  private let document: RunDocument
  private let rows: [OverviewRow]
  private let link: (String) -> String?

  /// - Parameter link: From the page to what it says of a scenario, percent-encoded; nil where it says no more.
  init(_ document: RunDocument, link: @escaping (String) -> String?) {
    self.document = document
    self.link = link
    rows = OverviewRow.all(in: document)
  }

  /// Empty where nothing was measured.
  var blocks: [Block] {
    guard !rows.isEmpty else { return [] }
    var table = Table(columns.map { ($0.title, $0.alignment) })
    for row in rows { table.append(columns.map { $0.cell(row) }) }
    return [.table(table), .paragraph(legend)]
  }

  private struct Column {
    var title: RichText
    var alignment = Table.Alignment.right
    var cell: (OverviewRow) -> RichText
  }

  private var columns: [Column] {
    let comparesAny = rows.contains { !$0.tailRatio.isEmpty }
    var columns = [
      Column(title: "benchmark", alignment: .left, cell: name),
      Column(title: "p50") { time($0, .p50) },
      Column(title: "p99") { time($0, .p99) },
      Column(title: "worst") { time($0, .worst) },
      Column(title: "allocs") { "\($0.allocations)" },
    ]
    if comparesAny {
      columns += [
        Column(title: "p50 ÷ \(reference)") { "\($0.medianRatio)" },
        Column(title: "p99 ÷ \(reference)") { "\($0.tailRatio)" },
      ]
    }
    if rows.contains(where: { $0.throughput != nil }) {
      columns.append(Column(title: "throughput") { "\($0.throughput ?? "")" })
    }
    if unit == .frame {
      columns.append(
        Column(title: "of \(document.options.frameBudget.rate)") { row in
          RichText(row.budget, isStrong: (row.budgetShare ?? 0) > 1)
        })
    }
    if rows.contains(where: { $0.record.phases.count > 1 }) {
      columns.append(
        Column(title: "slow frames in", alignment: .left) { row in
          guard row.record.phases.count > 1, let phase = row.record.slowestPhase else { return "" }
          return "\(code: phase.name) \(Format.percent(phase.share))"
        })
    }
    columns.append(
      Column(title: "\(unit.sample)s", alignment: .left) { RichText([.sparkline($0.sparkline)]) })
    return columns
  }

  private func name(_ row: OverviewRow) -> RichText {
    let id = RichText(row.id.description)
    let name = link(row.id.variant).map { "\(id, link: $0)" } ?? id
    return document.warnings.filter { $0.benchmark == row.id }.reduce(name) { $0 + $1.mark }
  }

  private func time(_ row: OverviewRow, _ statistic: FrameStatistic) -> RichText {
    row.record.frame.aligned == nil ? .absent(Figure.noFrames) : "\(row.interval(statistic))"
  }

  private var unit: WorkUnit { document.unit }

  private var reference: String { OverviewRow.referenceName(document) }

  private var legend: RichText {
    var sentences = [
      "Times are of \(document.options.samplesPhrase(document.benchmarks)), each the minimum of"
        + " \(document.options.runsPhrase(document.benchmarks))."
    ]
    if rows.contains(where: { $0.record.frame.halfWidths != nil }) {
      sentences.append("± is the 95% interval from the spread between \(document.options.unitsOfSpread).")
    }
    if rows.contains(where: { !$0.tailRatio.isEmpty }) {
      sentences.append(
        """
        Below 1× is cheaper than \(reference == "reference" ? "the first strategy of the scenario" : reference); \
        = is about the same: the intervals overlap\
        \(document.options.layoutCount == nil ? ", or code layout may explain the difference" : ""); \
        ~ is rounded accordingly.
        """)
    }
    if unit == .frame {
      sentences.append(
        """
        \(document.options.frameBudget.rate) leaves \
        \(TimeUnit.text(document.options.frameBudget.budgetNanoseconds)) for a frame; the share is the p99 frame's.
        """)
    }
    sentences.append("Allocs are allocations per \(unit.noun), on average.")
    return RichText(sentences.joined(separator: " "))
  }
}
