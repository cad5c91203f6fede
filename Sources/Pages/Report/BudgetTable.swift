import FrameBench
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

  var blocks: [Block] {
    var table = Table(
      [
        ("strategy", .left), ("items", .right), ("unit", .left), ("overrun p50", .right), ("p99", .right),
        ("worst", .right), ("missed frames", .right), ("hitch ratio", .right), ("class", .left),
      ])
    for record in group.strategies.flatMap(group.records(of:)) {
      let name: [RichText] = ["\(record.id.strategy)", "\(Format.integer(record.id.size))"]
      guard let figures = record.budgetFigures(options) else {
        let none = RichText.absent(Figure.noFrames)
        table.append(name + ["", none, none, none, none, none, none])
        continue
      }
      let overruns = [figures.overrun.p50, figures.overrun.p99, figures.overrun.max]
      let unit = TimeUnit.fitting(overruns.map(abs))
      table.append(
        name + ["\(unit.symbol)"] + overruns.map { "\(unit.number($0))" } + [
          RichText(Format.integer(figures.missedFrameCount), isStrong: figures.missedFrameCount > 0),
          "\(Format.significant(figures.hitchTimeRatio)) ms/s",
          RichText(figures.hitchClass.rawValue, isStrong: figures.hitchClass != .good),
        ])
    }
    return [
      .paragraph(
        """
        Against the budget at \(options.frameBudget.label): overrun is the cost of a frame minus the budget, so \
        a negative overrun is time to spare.
        """), .table(table),
    ]
  }
}
