import Measurements
import TextFormat

/// Raw pooled percentiles beside the aligned ones, so that aligning hides no stall.
struct RawTable {
  private let group: ScenarioGroup

  init(group: ScenarioGroup) {
    self.group = group
  }

  var block: Block {
    var table = Table(
      [("items", .right), ("strategy", .left), ("", .left), ("unit", .left)]
        + ["aligned p50", "p90", "p99", "worst", "N", "raw p50", "p90", "p99", "worst", "N"].map {
          ("\($0)", .right)
        })
    for record in group.allRecords {
      let opening: [RichText] = ["\(Format.integer(record.id.size))", "\(record.id.strategy)"]
      let unit = record.frame.aligned.map { TimeUnit.fitting([$0.p50, $0.p99]) }
      table.append(opening + [.strong("\(group.unit.noun)")] + cells(record.frame, unit))
      for phase in record.phases {
        table.append(["", "", .code(phase.name)] + cells(phase.time, unit))
      }
    }
    let legend: RichText =
      """
      Aligned: each \(group.unit.sample)'s minimum over the runs, then percentiles over the \(group.unit.sample)s: the \
      cost of the work. Raw: percentiles over all \(group.unit.sample)s of all runs, the machine's stalls included. \
      Percentiles are Hyndman and Fan's type 7 (numpy's default); N is the number of values.
      """
    return .details(
      summary: "Raw percentiles beside the aligned ones", [.paragraph(legend), .table(table)])
  }

  private func cells(_ time: TimeRecord, _ unit: TimeUnit?) -> [RichText] {
    let raw = time.pooled
    let statistics: [FlatRow.Statistic] = [.p50, .p90, .p99, .max]
    let aligned = statistics.map { statistic in time.aligned?[statistic].map { Timing(nanoseconds: $0) } }
    let ofRaw = [raw.p50, raw.p90, raw.p99, raw.max].map {
      raw.sampleCount > 0 ? Timing(nanoseconds: $0) : nil
    }
    let row = FigureRow(
      label: "", figures: (aligned + ofRaw).map { Figure(time: $0) }, unitNearby: unit)
    let cells = row.cells
    return ["\(row.unitSymbol)"] + cells.prefix(4)
      + ["\(Format.integer(time.alignedNanoseconds.count))"]
      + cells.suffix(4) + ["\(Format.integer(raw.sampleCount))"]
  }
}
