import Measurements
import Statistics
import TextFormat

/// How cost grows with the number of items, and how much of a frame it leaves.
struct GrowthSection {
  private let group: ScenarioGroup
  private let budgets: [FrameBudget]

  init(group: ScenarioGroup, document: RunDocument) {
    self.group = group
    budgets = document.options.judgedBudgets
  }

  /// How cost grows, or that it was measured at too few sizes to tell.
  var growth: [Block] {
    let fits = group.strategies.map { (strategy: $0, law: fit($0)) }
    guard fits.contains(where: { $0.law != nil }) else {
      return [
        .paragraph(
          """
          One size does not show how cost grows with the number of items: run two or more, as in \
          \(code: "--sizes 100,1000,10000").
          """)
      ]
    }
    var table = Table(
      [("strategy", .left), ("k", .right), ("r²", .right), ("growth", .left)])
    for (strategy, law) in fits {
      let cells = law.map { law -> [RichText] in
        [
          "\(Format.fixed(law.exponent, decimals: 2))",
          rSquared(law).map { RichText($0) + (isPoor(law) ? .footnote(Self.poorFit) : "") }
            ?? .absent(Self.noRSquared),
          "\(word(law.exponent))",
        ]
      }
      let none: RichText = law == nil ? .absent("A fit needs two sizes.") : "\(Format.absent)"
      table.append(["\(strategy)"] + (cells ?? [none, none, none]))
    }
    return [
      .paragraph(
        """
        Cost ~ items^k over the sizes that were measured, fitted to the medians by least squares in log-log space. It \
        says nothing about larger sizes\(capacity).
        """), .table(table),
    ]
  }

  private var capacity: RichText {
    group.unit == .call ? "" : ": \(code: "--capacity") measures how many items fit a frame"
  }

  /// The share of each display's frame that the p99 frame uses, and the frames that miss it.
  var headroom: [Block] {
    var table = Table(
      [("strategy", .left), ("items", .right), ("p99 frame", .right)]
        + budgets.map { ("of \($0.label)", .right) } + budgets.map { ("missed at \($0.rate)", .right) })
    for record in group.strategies.flatMap(group.records(of:)) {
      let frames = record.frame.alignedNanoseconds
      let p99 = record.frame.aligned?.p99
      let none = RichText.absent(Figure.noFrames)
      let shares = budgets.map { budget in
        p99.map {
          RichText(
            Format.percent($0 / budget.budgetNanoseconds), isStrong: $0 > budget.budgetNanoseconds)
        } ?? none
      }
      let misses = budgets.map { frames.isEmpty ? none : "\(missed($0, frames))" }
      table.append(
        [
          "\(record.id.strategy)", "\(Format.integer(record.id.size))",
          p99.map { "\(TimeUnit.text($0))" } ?? none,
        ] + shares + misses)
    }
    return [
      .paragraph(
        """
        Share of a display's frame period that the p99 frame uses, and how many frames miss it (with their hitch ratio):
        """), .table(table),
    ]
  }

  /// `0`, `24 (500 ms/s)`
  private func missed(_ budget: FrameBudget, _ frames: [Double]) -> String {
    let count = budget.missedCount(in: frames)
    guard count > 0, let ratio = budget.hitchTimeRatio(in: frames) else { return Format.integer(count) }
    return "\(Format.integer(count)) (\(Format.significant(ratio)) ms/s)"
  }

  private func fit(_ strategy: String) -> PowerLaw? {
    PowerLaw(
      fitting: group.records(of: strategy).compactMap { record in
        record.frame.aligned.map { (Double(record.id.size), $0.p50) }
      })
  }

  /// Nil where it says nothing.
  private func rSquared(_ law: PowerLaw) -> String? {
    guard abs(law.exponent) >= 0.1 else { return nil }
    return law.rSquared.map { Format.fixed($0, decimals: 3) }
  }

  /// Below this the exponent describes no two of the sizes.
  private static let leastRSquared = 0.95

  private func isPoor(_ law: PowerLaw) -> Bool { (law.rSquared ?? 1) < Self.leastRSquared }

  private static let poorFit: RichText =
    """
    A poor fit: cost follows no single power of the number of items over these sizes. If a fixed cost \
    outweighs the items at small sizes, measure larger ones.
    """

  private static let noRSquared =
    "Two sizes always fit, and on a flat line r² means nothing."

  private func word(_ exponent: Double) -> String {
    switch exponent {
    case ..<(-0.1): "falls"
    case ..<0.1: "flat"
    case ..<0.9: "less than linear"
    case ...1.1: "linear"
    default: "more than linear"
    }
  }
}
