import FrameBench
import Measurements
import Statistics
import TextFormat

/// The overview's figures of one benchmark, for every output.
struct OverviewRow {
  let record: BenchmarkRecord
  private let group: ScenarioGroup
  /// Nil if there is nothing to compare with.
  private let reference: BenchmarkRecord?

  var id: BenchmarkID { record.id }

  /// The rows of all benchmarks of a document, by scenario, size and strategy.
  static func all(in document: RunDocument) -> [OverviewRow] {
    ScenarioGroup.all(in: document).flatMap(all(of:))
  }

  static func all(of group: ScenarioGroup) -> [OverviewRow] {
    group.allRecords.map { record in
      let name = group.challengers.isEmpty ? nil : group.reference
      return OverviewRow(
        record: record, group: group, reference: name.flatMap { group.record($0, record.id.size) })
    }
  }

  func time(_ statistic: FlatRow.Statistic) -> String {
    record.frame.timing(statistic).map { TimeUnit.text($0.nanoseconds) } ?? Format.absent
  }

  /// The most expensive frame: `frame 728 (rest)`; nil if no frame was recorded.
  var worstFrame: String? { record.worstFrame.map { group.frameText($0, size: id.size) } }

  /// Mean per frame; a dash if they were not counted.
  var allocations: String {
    record.allocations?.frameThread.count.mean.map(Format.count) ?? Format.absent
  }

  /// Cost ÷ the reference strategy's, `1×` for that strategy itself; empty if there is nothing to compare
  /// with.
  func ratio(_ statistic: FlatRow.Statistic) -> String {
    record.id == reference?.id ? "1×" : comparison(statistic)?.ratio ?? ""
  }

  /// Nil for the reference strategy itself.
  private func comparison(_ statistic: FlatRow.Statistic) -> Comparison? {
    guard let reference, reference.id != record.id else { return nil }
    return Comparison(record, with: reference, by: statistic, group.clock)
  }

  /// `12.3 MB/s` for the median call; nil if the suite does not declare a throughput.
  var throughput: String? {
    guard let rate = record.ratePerSecond, let unit = record.throughput?.unit else { return nil }
    let (scaled, prefix) =
      [(1e9, "G"), (1e6, "M"), (1e3, "k")].first { rate >= $0.0 }.map { (rate / $0.0, $0.1) }
      ?? (rate, "")
    let name =
      switch unit {
      case .items: prefix.isEmpty ? "items/s" : "\(prefix) items/s"
      case .bytes: "\(prefix)B/s"
      }
    return "\(Format.significant(scaled)) \(name)"
  }

  /// The share of the budget that the p99 frame uses; nil for calls of functions.
  var budgetShare: Double? {
    let budget = group.options.frameBudget.budgetNanoseconds
    return record.isFunction ? nil : record.frame.aligned.map { $0.p99 / budget }
  }

  /// Empty for calls of functions.
  var budget: String { record.isFunction ? "" : budgetShare.map(Format.percent) ?? Format.absent }

  /// The cost of each frame along the scroll, as a share of the worst.
  var sparkline: Sparkline {
    let costs = record.frame.alignedNanoseconds
    return Sparkline(
      costs,
      description: worstFrame.map {
        "Cost along the \(Format.plural(costs.count, WorkUnit([record]).sample)); the worst is \($0)."
      } ?? "")
  }

  fileprivate var tone: Tone? {
    if (budgetShare ?? 0) > 1 { return .bad }
    return comparison(.p99)?.sign.flatMap { $0 < 0 ? .good : $0 > 0 ? .bad : nil }
  }
}

/// Every benchmark of a run in a line.
struct Overview {
  let document: RunDocument
  let rows: [OverviewRow]
  /// Whether it is for a terminal: short words, and no marks of footnotes.
  private let isBrief: Bool

  init(_ document: RunDocument, isBrief: Bool = false) {
    self.document = document
    self.isBrief = isBrief
    rows = OverviewRow.all(in: document)
  }

  var unit: WorkUnit { document.unit }
  private var rate: String { document.options.frameBudget.rate }

  /// The strategy that all scenarios compare with: `naive`; `reference` if they differ.
  private var reference: String {
    let names = Set(
      ScenarioGroup.all(in: document).filter { !$0.challengers.isEmpty }.compactMap(\.reference))
    return names.count == 1 ? names.first ?? "" : "reference"
  }

  private var comparesAny: Bool { rows.contains { !$0.ratio(.p99).isEmpty } }

  /// The table and how to read it; empty if nothing was measured.
  ///
  /// - Parameter link: Percent-encoded link from the page to a scenario's details; nil if there are none.
  func blocks(link: @escaping (String) -> String?) -> [Block] {
    guard !rows.isEmpty else { return [] }
    let opening = TableColumn<OverviewRow>.left("benchmark") { row in
      let id = RichText(row.id.description)
      let name = link(row.id.variant).map { "\(id, link: $0)" } ?? id
      return document.warnings.filter { $0.benchmark == row.id }.reduce(name) { $0 + $1.mark }
    }
    return [.table(table(rows, [opening])), .paragraph(legend)]
  }

  /// - Parameter shown: The rows that fit.
  func table(_ shown: [OverviewRow]) -> Table { table(shown, [.left("benchmark") { "\($0.id)" }]) }

  /// A scenario, size by size, with the work of its animator.
  func table(of group: ScenarioGroup) -> Table {
    let leading = Set(group.sizes.compactMap { group.records(at: $0).first?.id })
    var table = table(
      OverviewRow.all(of: group),
      [
        .right("items") { leading.contains($0.id) ? "\(Format.integer($0.id.size))" : "" },
        .left("") { "\($0.id.strategy)" },
      ],
      solve: group.allRecords.contains { $0.phase(BenchmarkRecord.solvePhaseName) != nil }
        ? .right("solve p50", rank: 5) {
          time($0.record.phase(BenchmarkRecord.solvePhaseName)?.time.timing(.p50))
        } : nil,
      active: group.allRecords.contains { $0.counters[BenchmarkRecord.activeCounterName] != nil }
        ? .right("active", rank: 1) {
          let mean = $0.record.counters[BenchmarkRecord.activeCounterName]?.mean
          return "\(mean.map(Format.count) ?? Format.absent)"
        } : nil)
    table.title = .strong(group.name)
    return table
  }

  private func table(
    _ shown: [OverviewRow], _ opening: [TableColumn<OverviewRow>?], solve: TableColumn<OverviewRow>? = nil,
    active: TableColumn<OverviewRow>? = nil
  ) -> Table {
    let over: RichText = isBrief ? "÷\(reference)" : " ÷ \(reference)"
    let columns: [TableColumn<OverviewRow>?] = [
      .right("p50", rank: 6) { time($0.record.frame.timing(.p50)) },
      .right("p99") { time($0.record.frame.timing(.p99)) },
      .right("worst", rank: 4) { time($0.record.frame.timing(.max)) },
      solve, .right("allocs", rank: 7) { "\($0.allocations)" }, active,
      comparesAny ? .right("p50\(over)", rank: 2) { "\($0.ratio(.p50))" } : nil,
      comparesAny ? .right("p99\(over)", rank: 8) { "\($0.ratio(.p99))" } : nil,
      rows.contains { $0.throughput != nil }
        ? .right("throughput", rank: 3) { "\($0.throughput ?? "")" } : nil,
      unit == .call
        ? nil
        : .right(isBrief ? "\(rate)" : "of \(rate)", rank: 9) {
          RichText($0.budget, isStrong: ($0.budgetShare ?? 0) > 1)
        },
      rows.contains { $0.record.phases.count > 1 }
        ? .left(isBrief ? "slow in" : "slow frames in", rank: 3) { row in
          guard let phase = row.record.slowestPhase else { return "" }
          return isBrief ? "\(phase.name)" : "\(code: phase.name) \(Format.percent(phase.share))"
        } : nil,
      .left("\(unit.sample)s", rank: 0) { row in
        var line = row.sparkline
        if isBrief { line.width = 12 }
        return RichText([.sparkline(line)])
      },
    ]
    var table = Table(shown, opening + columns)
    for (index, row) in shown.enumerated() { table.tones[index] = row.tone }
    return table
  }

  /// `271 ns ±3%`; padded in a terminal, so that the times of a column line up.
  private func time(_ timing: Timing?) -> RichText {
    guard let timing else { return .absent(Figure.noFrames) }
    let spread = isBrief ? timing.spreadText.count : 0
    let spaces = String(repeating: " ", count: spread == 0 ? 0 : max(0, "±0.1%".count - spread))
    return "\(timing.text)\(spaces)"
  }

  private var legend: RichText {
    let options = document.options
    let sentences: [String?] = [
      "Times are of \(options.samplesPhrase(document.benchmarks)), each the minimum of"
        + " \(options.runsPhrase(document.benchmarks)).",
      rows.contains { $0.record.frame.halfWidths != nil }
        ? "± is the 95% interval from the spread between \(options.unitsOfSpread)." : nil,
      comparesAny
        ? """
        Below 1× is cheaper than \(reference == "reference" ? "the first strategy of the scenario" : reference); \
        = is about the same: the intervals overlap\
        \(options.layoutCount == nil ? ", or code layout may explain the difference" : ""); \
        ~ is rounded accordingly.
        """ : nil,
      unit == .frame
        ? "\(rate) leaves \(TimeUnit.text(options.frameBudget.budgetNanoseconds)) for a frame; the share is the p99"
          + " frame's." : nil,
      "Allocs are allocations per \(unit.noun), on average.",
    ]
    return RichText(sentences.compactMap(\.self).joined(separator: " "))
  }
}
