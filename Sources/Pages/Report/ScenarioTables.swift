import FrameBench
import Markup
import Measurements
import Statistics
import TextFormat

/// How the cost of a strategy grows with the number of items.
package struct Growth {
  package let median: PowerLaw?
  package let mean: PowerLaw?
  /// The smallest and the largest size, with their costs.
  private let ends: [(size: Int, costs: Summary)]

  package init(_ records: [BenchmarkRecord]) {
    let sizes = records.compactMap { record in record.frame.aligned.map { (size: record.id.size, costs: $0) } }
    median = PowerLaw(fitting: sizes.map { (Double($0.size), $0.costs.p50) })
    mean = PowerLaw(fitting: sizes.map { (Double($0.size), $0.costs.mean) })
    ends = [sizes.first, sizes.last].compactMap(\.self)
  }

  /// Whether the mean and the median grow at different rates, which happens if only some frames become slower.
  package var isDivided: Bool {
    guard let median, let mean else { return false }
    return abs(mean.exponent - median.exponent) > 0.15
  }

  /// A sentence on how median and mean grow. Nil if they grow at the same rate.
  package func sentence(_ name: String, _ unit: WorkUnit) -> String? {
    guard isDivided, ends.count == 2, ends[0].costs.p50 > 0, ends[0].costs.mean > 0 else { return nil }
    let factors = [ends[1].costs.p50 / ends[0].costs.p50, ends[1].costs.mean / ends[0].costs.mean].map(Format.ratio)
    return
      "\(name) has \(unit.noun)s of two kinds: from \(Format.integer(ends[0].size)) to \(Format.items(ends[1].size))"
      + " the median grows to \(factors[0]), the mean to \(factors[1])."
  }
}

extension ScenarioGroup {
  package func growth(of strategy: String) -> Growth { Growth(records(of: strategy)) }

  package var growthBlocks: [Block] {
    let fits = strategies.map { (name: label($0), growth: growth(of: $0)) }
    guard fits.contains(where: { $0.growth.median != nil }) else {
      let text: RichText = """
        One size does not show how cost grows with the number of items: run two or more, as in \
        \(code: "--sizes 100,1000,10000").
        """
      return [.paragraph(text)]
    }
    let none = RichText.absent("A fit needs two sizes.")
    func exponent(_ law: PowerLaw?) -> RichText { law.map { "\(Format.fixed($0.exponent, decimals: 2))" } ?? none }
    func word(_ law: PowerLaw?) -> RichText { law.map { "\(Self.word($0.exponent))" } ?? none }
    let divided = fits.compactMap { $0.growth.sentence($0.name, unit) }
    let table = Table(
      fits, .left("strategy") { "\($0.name)" }, .right("k") { exponent($0.growth.median) },
      .right("r²") { $0.growth.median.map(Self.rSquared) ?? none }, .left("growth") { word($0.growth.median) },
      divided.isEmpty ? nil : .right("k of the mean") { exponent($0.growth.mean) },
      divided.isEmpty ? nil : .left("growth of the mean") { word($0.growth.mean) })
    let capacity: RichText = unit == .call ? "" : ": \(code: "--capacity") measures how many items fit a frame"
    let legend: RichText = """
      Cost ~ items^k over the sizes that were measured, fitted to the medians by least squares in log-log space. It \
      says nothing about larger sizes\(capacity).
      """
    return [.paragraph(legend), .table(table)] + divided.map { .paragraph(.text($0)) }
  }

  private static func rSquared(_ law: PowerLaw) -> RichText {
    guard abs(law.exponent) >= 0.1, let rSquared = law.rSquared else {
      return .absent("Two sizes always fit, and on a flat line r² means nothing.")
    }
    let poorFit: RichText = """
      A poor fit: cost follows no single power of the number of items over these sizes. If a fixed cost \
      outweighs the items at small sizes, measure larger ones.
      """
    // With an r² below 0.95, the exponent does not tell how cost grows from one size to another.
    return RichText(Format.fixed(rSquared, decimals: 3)) + (rSquared < 0.95 ? .footnote(poorFit) : "")
  }

  private static func word(_ exponent: Double) -> String {
    switch exponent {
    case ..<(-0.1): "falls"
    case ..<0.1: "flat"
    case ..<0.9: "less than linear"
    case ...1.1: "linear"
    default: "more than linear"
    }
  }

  package var headroomBlocks: [Block] {
    let none = RichText.absent(Figure.noFrames)
    let shares = options.judgedBudgets.map { budget -> TableColumn<BenchmarkRecord> in
      .right("of \(budget.label)") { record in
        record.frame.aligned.map {
          RichText(Format.percent($0.p99 / budget.budgetNanoseconds), isStrong: $0.p99 > budget.budgetNanoseconds)
        } ?? none
      }
    }
    let misses = options.judgedBudgets.map { budget -> TableColumn<BenchmarkRecord> in
      .right("missed at \(budget.rate)") { record in
        let frames = record.frame.alignedNanoseconds
        guard !frames.isEmpty else { return none }
        let count = budget.missedCount(in: frames)
        guard count > 0, let ratio = budget.hitchTimeRatio(in: frames) else { return "\(Format.integer(count))" }
        return "\(Format.integer(count)) (\(Format.significant(ratio)) ms/s)"
      }
    }
    let table = Table(
      recordsByStrategy,
      names + [.right("p99 frame") { $0.frame.aligned.map { "\(TimeUnit.text($0.p99))" } ?? none }] + shares + misses)
    let legend: RichText = """
      Share of a display's frame period that the p99 frame uses, and how many frames miss it (with their hitch ratio):
      """
    return [.paragraph(legend), .table(table)]
  }

  private var names: [TableColumn<BenchmarkRecord>] {
    [.left("strategy") { "\(label($0.id.strategy))" }, .right("items") { "\(Format.integer($0.id.size))" }]
  }

  package var budgetBlocks: [Block] {
    func cell(_ none: RichText = .absent(Figure.noFrames), _ text: @escaping (BudgetRecord, TimeUnit) -> RichText) -> (
      BenchmarkRecord
    ) -> RichText {
      { record in
        guard let figures = record.budgetFigures(options) else { return none }
        let overrun = figures.overrun
        return text(figures, TimeUnit.fitting([overrun.p50, overrun.p99, overrun.max].map(abs)))
      }
    }
    let table = Table(
      recordsByStrategy,
      names + [
        .left("unit", cell("") { "\($1.symbol)" }), .right("overrun p50", cell { "\($1.number($0.overrun.p50))" }),
        .right("p99", cell { "\($1.number($0.overrun.p99))" }),
        .right("worst", cell { "\($1.number($0.overrun.max))" }),
        .right(
          "missed frames",
          cell { figures, _ in
            RichText(Format.integer(figures.missedFrameCount), isStrong: figures.missedFrameCount > 0)
          }), .right("hitch ratio", cell { figures, _ in "\(Format.significant(figures.hitchTimeRatio)) ms/s" }),
        .left(
          "class", cell { figures, _ in RichText(figures.hitchClass.rawValue, isStrong: figures.hitchClass != .good) }),
      ])
    let legend: RichText = """
      Against the budget at \(options.frameBudget.label): overrun is the cost of a frame minus the budget, so \
      a negative overrun is time to spare.
      """
    return [.paragraph(legend), .table(table)]
  }

  package var capacities: [CapacityRecord] { (document.capacities ?? []).filter { $0.scenario == name } }

  package func capacityBlocks(headingLevel: Int) -> [Block] {
    guard let first = capacities.first else { return [] }
    let table = Table(
      capacities, .left("strategy") { "\(label($0.strategy))" },
      .right("items that fit") { capacity in
        let isLeast = capacity.exceedingItemCount == nil
        return "\(capacity.itemCount.map { (isLeast ? "at least " : "") + Format.integer($0) } ?? "none")"
      },
      .right("p99 frame") { capacity in
        let probe = capacity.probes.last { $0.itemCount == capacity.itemCount }
        return "\(probe.map { TimeUnit.text($0.p99Nanoseconds) } ?? "")"
      }, .right("do not fit") { "\($0.exceedingItemCount.map(Format.integer) ?? "")" },
      .right("tried") { "\(Format.plural($0.probes.count, "size"))" },
      .left("ended by") { "\($0.endText)\($0.failure.map { RichText.footnote("\($0).") } ?? "")" })
    let legend: RichText = """
      The largest number of items whose p99 frame, aligned over up to 10 runs, fits the budget at \
      \(first.budgetLabel). The number grows fourfold until it does not fit; then the gap is closed to \
      within \(Format.percent(first.precision)).
      """
    return [.heading(level: headingLevel, "Capacity"), .paragraph(legend), .table(table)]
  }

  /// A folded table of the percentiles of raw and of aligned times. Raw times show stalls. Aligned times hide stalls,
  /// because they are minima over the runs.
  package var rawBlock: Block {
    let rows = allRecords.flatMap { record -> [[RichText]] in
      let (items, strategy) = (Format.integer(record.id.size), label(record.id.strategy))
      let opening: [RichText] = [.text(items), .text(strategy), .strong(unit.noun)]
      let near = record.frame.aligned.map { TimeUnit.fitting([$0.p50, $0.p99]) }
      return [opening + Self.rawCells(record.frame, near)]
        + record.phases.map { ["", "", .code($0.name)] + Self.rawCells($0.time, near) }
    }
    let titles: [RichText] = [
      "items", "strategy", "", "unit", "aligned p50", "p90", "p99", "worst", "N", "raw p50", "p90", "p99", "worst", "N",
    ]
    let table = Table(
      rows,
      titles.enumerated().map { column, title in
        (1...3).contains(column) ? .left(title) { $0[column] } : .right(title) { $0[column] }
      })
    let legend: RichText = """
      Aligned: each \(unit.sample)'s minimum over the runs, then percentiles over the \(unit.sample)s: the \
      cost of the work. Raw: percentiles over all \(unit.sample)s of all runs, the machine's stalls included. \
      Percentiles are Hyndman and Fan's type 7 (numpy's default); N is the number of values.
      """
    return .details(summary: "Raw percentiles beside the aligned ones", [.paragraph(legend), .table(table)])
  }

  private static func rawCells(_ time: TimeRecord, _ unit: TimeUnit?) -> [RichText] {
    let raw = time.pooled
    let aligned = [FlatRow.Statistic.p50, .p90, .p99, .max].map { time.aligned?[$0] }
    let ofRaw = [raw.p50, raw.p90, raw.p99, raw.max].map { raw.sampleCount > 0 ? $0 : nil }
    let row = FigureRow(
      label: "", figures: (aligned + ofRaw).map { Figure(time: $0.map { Timing(nanoseconds: $0) }) }, unitNearby: unit)
    let cells = row.figures.indices.map(row.cell)
    return ["\(row.unitSymbol)"] + cells.prefix(4) + ["\(Format.integer(time.alignedNanoseconds.count))"]
      + cells.suffix(4) + ["\(Format.integer(raw.sampleCount))"]
  }
}

extension CapacityRecord {
  /// The budget in words: `60 Hz (16.67 ms)`.
  package var budgetLabel: String {
    var options = RunOptions()
    options.refreshRateHertz = refreshRateHertz
    options.budgetShare = share
    return options.frameBudget.label
  }

  fileprivate var endText: String {
    switch end {
    case .found: "precision reached"
    case .timeLimit: "the time limit (\(Format.significant(durationSeconds)) s)"
    case .memoryLimit: "memory: more items do not fit"
    case .sizeLimit: "the largest size that is tried"
    case .failure: "a worker failed"
    }
  }

  /// The capacity in words: `naive takes 41,000,000 items`, `… at least 1,000 items`,
  /// `… between 1,000 and 4,000 items`.
  package func clause(_ name: String) -> String {
    guard let itemCount else { return "\(name) does not fit even with the smallest list that was tried" }
    guard let exceedingItemCount else { return "\(name) takes at least \(Format.items(itemCount))" }
    let isPrecise = Double(exceedingItemCount) <= Double(itemCount) * (1 + precision)
    return isPrecise || exceedingItemCount - itemCount <= 1
      ? "\(name) takes \(Format.items(itemCount))"
      : "\(name) takes between \(Format.integer(itemCount)) and \(Format.items(exceedingItemCount))"
  }
}
