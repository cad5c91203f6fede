import Measurements
import TextFormat

/// Raw pooled percentiles beside the aligned ones, so that aligning hides no stall.
struct RawTable {
  private let group: ScenarioGroup

  init(group: ScenarioGroup) {
    self.group = group
  }

  func render(_ notes: inout Footnotes) -> String {
    var table = MarkdownTable(
      [("items", .right), ("strategy", .left), ("", .left), ("unit", .left)]
        + ["aligned p50", "p90", "p99", "worst", "N", "raw p50", "p90", "p99", "worst", "N"].map {
          ($0, .right)
        })
    for record in group.allRecords {
      let opening = [Format.integer(record.id.size), Markdown.escape(record.id.strategy)]
      let unit = record.frame.aligned.map { TimeUnit.fitting([$0.p50, $0.p99]) }
      table.append(opening + ["**frame**"] + cells(record.frame, unit, &notes))
      for phase in record.phases {
        table.append(["", "", Markdown.code(phase.name)] + cells(phase.time, unit, &notes))
      }
    }
    let body = """
      Aligned: each frame's minimum over the runs, then percentiles over the frames; what the work costs. \
      Raw: percentiles over all frames of all runs; what the machine made of it, stalls included. \
      Percentiles are of Hyndman and Fan's type 7 (numpy's default), N is the number of values they rest on.

      \(table.render())
      """
    return Markdown.folded("Raw percentiles beside the aligned ones", body)
  }

  private func cells(_ time: TimeRecord, _ unit: TimeUnit?, _ notes: inout Footnotes) -> [String] {
    let raw = time.pooled
    let aligned = time.aligned.map { [$0.p50, $0.p90, $0.p99, $0.max] }
    let row = FigureRow(
      label: "",
      figures: (aligned.map { $0.map(Figure.time) } ?? Array(repeating: .absent(Figure.noFrames), count: 4))
        + [raw.p50, raw.p90, raw.p99, raw.max].map {
          raw.sampleCount > 0 ? .time($0) : .absent(Figure.noFrames)
        }, unitNearby: unit)
    let cells = row.cells(&notes)
    return [row.unitSymbol] + cells.prefix(4) + [Format.integer(time.alignedNanoseconds.count)]
      + cells.suffix(4) + [Format.integer(raw.sampleCount)]
  }
}
