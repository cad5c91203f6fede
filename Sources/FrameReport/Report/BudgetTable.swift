import Measurements
import TextFormat

/// The frames of a scenario beside the budget of the run's refresh rate and share.
struct BudgetTable {
  private let group: ScenarioGroup
  private let options: RunOptions

  init(group: ScenarioGroup, options: RunOptions) {
    self.group = group
    self.options = options
  }

  func render(_ notes: inout Footnotes) -> String {
    let budget = options.frameBudget
    var table = MarkdownTable(
      [
        ("strategy", .left), ("items", .right), ("unit", .left), ("overrun p50", .right), ("p99", .right),
        ("worst", .right), ("missed frames", .right), ("hitch ratio", .right), ("class", .left),
      ])
    for record in group.strategies.flatMap(group.records(of:)) {
      let name = [Markdown.escape(record.id.strategy), Format.integer(record.id.size)]
      guard let figures = BudgetRecord(frames: record.frame.alignedNanoseconds, options: options) else {
        let none = Format.absent + notes.mark(Figure.noFrames)
        table.append(name + ["", none, none, none, none, none, none])
        continue
      }
      let overruns = [figures.overrun.p50, figures.overrun.p99, figures.overrun.max]
      let unit = TimeUnit.fitting(overruns.map(abs))
      let missed = Format.integer(figures.missedFrameCount)
      let isBad = figures.hitchClass != .good
      table.append(
        name + [unit.symbol] + overruns.map(unit.number) + [
          figures.missedFrameCount > 0 ? Markdown.bold(missed) : missed,
          "\(Format.significant(figures.hitchTimeRatio)) ms/s",
          isBad ? Markdown.bold(figures.hitchClass.rawValue) : figures.hitchClass.rawValue,
        ])
    }
    return """
      Beside the budget at \(budget.label): overrun is the cost of a frame less the budget, so what is \
      negative is time to spare.

      \(table.render())
      """
  }
}
