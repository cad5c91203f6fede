import FrameBench
import Markup
import Measurements
import TextFormat

package struct OverviewRow {
  package let record: BenchmarkRecord
  private let group: ScenarioGroup
  /// The record of the reference strategy at this size. Nil if there is nothing to compare with.
  private let reference: BenchmarkRecord?

  package var id: BenchmarkID { record.id }
  package var warnings: [Warning] { group.warnings(of: id) }
  /// The name that all sizes of a strategy share: `list/viewport=320/tiled`. If the suite names no strategy, this is
  /// the name of the scenario.
  package var seriesName: String { group.isUndivided ? group.name : "\(group.name)/\(id.strategy)" }

  /// The statistic of time that decides which benchmark is cheaper.
  package var decisive: FlatRow.Statistic { group.unit.decisive }
  package var decisiveNanoseconds: Double { record.frame.aligned?[decisive] ?? 0 }

  package static func all(in document: RunDocument) -> [OverviewRow] {
    ScenarioGroup.all(in: document).flatMap(all(of:))
  }

  package static func all(of group: ScenarioGroup) -> [OverviewRow] {
    group.allRecords.map { record in
      let name = group.challengers.isEmpty ? nil : group.reference
      return OverviewRow(record: record, group: group, reference: name.flatMap { group.record($0, record.id.size) })
    }
  }

  package func time(_ statistic: FlatRow.Statistic) -> String {
    record.frame.timing(statistic).map { TimeUnit.text($0.nanoseconds) } ?? Format.absent
  }

  /// The most expensive frame: `frame 728 (rest)`; nil if no frame was recorded.
  package var worstFrame: String? { record.worstFrame.map { group.frameText($0, size: id.size) } }

  /// The mean number of allocations per frame. A dash if they were not counted.
  package var allocations: String { record.allocations?.frameThread.count.mean.map(Format.count) ?? Format.absent }

  /// The mean number of instructions per frame, from valgrind or else from the processor. A dash if not counted.
  package var instructions: String {
    let counted = record.instructions ?? record.hardwareInstructions
    return counted?.frames.mean.map { Format.count($0.rounded()) } ?? Format.absent
  }

  /// The cost divided by the cost of the reference strategy: `1×` for the reference itself, `differs` for a function
  /// that does not return what its reference returns. Empty if there is no reference.
  package func ratio(_ statistic: FlatRow.Statistic) -> String {
    if record.id == reference?.id { return "1×" }
    return contradictsReference ? "differs" : comparison(statistic)?.ratio ?? ""
  }

  private var contradictsReference: Bool { reference.map(record.contradicts) ?? false }

  fileprivate var solve: TimeRecord? { record.phase(BenchmarkRecord.solvePhaseName)?.time }

  /// The comparison with the reference strategy. Nil for the reference itself.
  private func comparison(_ statistic: FlatRow.Statistic) -> Comparison? {
    guard let reference, reference.id != record.id else { return nil }
    return Comparison(record, with: reference, by: statistic, group.clock)
  }

  /// The throughput of the median call: `12.3 MB/s`. Nil if the suite does not declare a throughput.
  package var throughput: String? {
    guard let rate = record.ratePerSecond, let unit = record.throughput?.unit else { return nil }
    let (scale, prefix) = [(1e9, "G"), (1e6, "M"), (1e3, "k")].first { rate >= $0.0 } ?? (1, "")
    let name =
      switch unit {
      case .items: prefix.isEmpty ? "items/s" : "\(prefix) items/s"
      case .bytes: "\(prefix)B/s"
      }
    return "\(Format.significant(rate / scale)) \(name)"
  }

  /// The fraction of the budget that the p99 frame uses. Nil for calls of functions.
  package var budgetShare: Double? {
    let budget = group.options.frameBudget.budgetNanoseconds
    return record.isFunction ? nil : record.frame.aligned.map { $0.p99 / budget }
  }

  /// `budgetShare` in percent. Empty for calls of functions.
  package var budget: String { record.isFunction ? "" : budgetShare.map(Format.percent) ?? Format.absent }
  fileprivate var budgetCell: RichText { RichText(budget, isStrong: (budgetShare ?? 0) > 1) }

  /// The cost of each frame along the scroll, relative to the worst frame.
  package var sparkline: Sparkline {
    let costs = record.frame.alignedNanoseconds
    let description = worstFrame.map {
      "Cost along the \(Format.plural(costs.count, WorkUnit([record]).sample)); the worst is \($0)."
    }
    return Sparkline(costs, description: description ?? "", width: 12)
  }

  fileprivate var tone: Tone? {
    if (budgetShare ?? 0) > 1 || contradictsReference { return .bad }
    return comparison(decisive)?.sign.flatMap { $0 < 0 ? .good : $0 > 0 ? .bad : nil }
  }
}

package struct Overview {
  package let document: RunDocument
  package let rows: [OverviewRow]
  /// Whether the overview is for a terminal, with short words and without marks of footnotes.
  private let isBrief: Bool

  package init(_ document: RunDocument, isBrief: Bool = false) {
    (self.document, self.isBrief, rows) = (document, isBrief, OverviewRow.all(in: document))
  }

  package var unit: WorkUnit { document.unit }
  private var rate: String { document.options.frameBudget.rate }

  /// The reference strategy of all scenarios, such as `naive`, or the word `reference` if scenarios have different
  /// ones.
  private var reference: String {
    let names = Set(ScenarioGroup.all(in: document).filter { !$0.challengers.isEmpty }.compactMap(\.reference))
    return names.count == 1 ? names.first ?? "" : "reference"
  }

  /// Whether each benchmark has at most one sample, so that there are no percentiles.
  package var isOfSingles: Bool { rows.allSatisfy { $0.record.frame.alignedNanoseconds.count <= 1 } }
  private var decisive: FlatRow.Statistic { unit.decisive }
  private var costTitle: String { isOfSingles ? "time" : decisive.rawValue }

  private var comparesAny: Bool { rows.contains { !$0.ratio(decisive).isEmpty } }
  private var hasThroughput: Bool { rows.contains { $0.throughput != nil } }
  private var hasInstructions: Bool {
    rows.contains { $0.record.instructions != nil || $0.record.hardwareInstructions != nil }
  }

  /// The table and how to read it; empty if nothing was measured.
  package func blocks(link: @escaping (String) -> String?) -> [Block] {
    guard !rows.isEmpty else { return [] }
    let opening = TableColumn<OverviewRow>.left("benchmark") { row in
      let id = RichText(row.id.description)
      let name = link(row.id.variant).map { "\(id, link: $0)" } ?? id
      return row.warnings.reduce(name) { $0 + $1.mark }
    }
    return [.table(table(rows, [opening])), .paragraph(legend)]
  }

  package func table(_ shown: [OverviewRow]) -> Table { table(shown, [.left("benchmark") { "\($0.id)" }]) }

  /// The titles of the sizes in a matrix, which shows at most the three largest sizes side by side.
  package static let ordinals = ["1st", "2nd", "3rd"]

  /// A table with a row for each strategy of a scenario. Sizes are side by side, the smallest first.
  package func matrix(_ lines: [[OverviewRow]]) -> Table {
    let ordinals = Self.ordinals
    let lines = lines.map { Array($0.suffix(ordinals.count)) }
    let sizeCount = lines.map(\.count).max() ?? 0
    typealias Column = TableColumn<[OverviewRow]>
    func bySize(_ title: String, rank: Int? = nil, _ cell: @escaping (OverviewRow) -> RichText) -> [Column] {
      ordinals.prefix(sizeCount).enumerated().map { column, ordinal in
        let words = [column == 0 ? title : nil, sizeCount > 1 ? ordinal : nil].compactMap(\.self)
        return .right("\(words.joined(separator: " "))", rank: rank) { column < $0.count ? cell($0[column]) : "" }
      }
    }
    func ofLargest(_ title: RichText, rank: Int? = nil, _ cell: @escaping (OverviewRow) -> RichText) -> Column {
      .right(title, rank: rank) { $0.last.map(cell) ?? "" }
    }
    func solve(_ row: OverviewRow) -> RichText { "\(row.solve?.aligned.map { TimeUnit.text($0.p50) } ?? "")" }
    let hasSolver = rows.contains { $0.solve != nil }
    let opening: [Column?] = [
      .left("benchmark") { "\($0.first?.seriesName ?? "")" },
      lines.joined().allSatisfy { $0.id.size == 1 }
        ? nil
        : .right("items") { line in
          let ends = [line.first, line.last].compactMap { $0.map { Self.brief($0.id.size) } }
          return "\(ends.unique.joined(separator: "–"))"
        },
    ]
    let largest: [Column?] = [
      hasThroughput ? ofLargest("throughput", rank: 7) { "\($0.throughput ?? "")" } : nil,
      hasSolver ? ofLargest("solve", solve) : nil,
      hasInstructions ? ofLargest("instr", rank: 8) { "\($0.instructions)" } : nil,
      ofLargest("allocs") { "\($0.allocations)" },
      comparesAny ? ofLargest("÷\(reference)") { "\($0.ratio(decisive))" } : nil,
      unit == .call ? nil : ofLargest("\(rate)", rank: 6, \.budgetCell),
    ]
    let other: FlatRow.Statistic = decisive == .p50 ? .p99 : .p50
    let wide: [Column?] =
      (isOfSingles ? [] : bySize(other.rawValue, rank: 2) { "\($0.time(other))" })
      + (hasSolver ? bySize("solve", rank: 5, solve) : []) + [
        .left("slow in", rank: 4) { "\($0.last?.record.slowestPhase?.name ?? "")" },
        .left("\(unit.sample)s", rank: 3) { RichText($0.last.map { [.sparkline($0.sparkline)] } ?? []) },
      ]
    var table = Table(lines, opening + bySize(costTitle) { "\($0.time(decisive))" } + largest + wide) { $0.last?.tone }
    let sizes = sizeCount > 1 ? "The \(costTitle) is of each size, smallest first; the rest of the largest. " : ""
    table.caption = "\(sizes)More: --verbose, or the report."
    return table
  }

  /// The size in few characters: `100`, `10k`, `2M`.
  private static func brief(_ size: Int) -> String {
    let unit = [(1_000_000, "M"), (1_000, "k")].first { size >= $0.0 && size.isMultiple(of: $0.0) }
    return unit.map { "\(size / $0.0)\($0.1)" } ?? Format.integer(size)
  }

  package func table(of group: ScenarioGroup) -> Table {
    let leading = Set(group.sizes.compactMap { group.records(at: $0).first?.id })
    var table = table(
      OverviewRow.all(of: group),
      [
        .right("items") { leading.contains($0.id) ? "\(Format.integer($0.id.size))" : "" },
        .left("") { "\(group.isUndivided ? "" : $0.id.strategy)" },
      ],
      active: group.allRecords.contains { $0.counters[BenchmarkRecord.activeCounterName] != nil }
        ? .right("active", rank: 1) {
          let mean = $0.record.counters[BenchmarkRecord.activeCounterName]?.mean
          return "\(mean.map(Format.count) ?? Format.absent)"
        } : nil)
    table.title = .strong(group.name)
    return table
  }

  private func table(
    _ shown: [OverviewRow], _ opening: [TableColumn<OverviewRow>?], active: TableColumn<OverviewRow>? = nil
  ) -> Table {
    let over: RichText = isBrief ? "÷\(reference)" : " ÷ \(reference)"
    func cost(_ title: String, _ statistic: FlatRow.Statistic, rank: Int?) -> TableColumn<OverviewRow> {
      .right("\(title)", rank: rank) { time($0.record.frame.timing(statistic)) }
    }
    func ratio(_ statistic: FlatRow.Statistic) -> TableColumn<OverviewRow>? {
      let isDecisive = statistic == decisive
      // A page on GitHub is too narrow for both ratios. Its sentences already say what the second ratio adds.
      guard comparesAny, isDecisive || isBrief && !isOfSingles else { return nil }
      let title = isDecisive ? costTitle : statistic.rawValue
      return .right("\(title)\(over)", rank: isDecisive ? 9 : 2) { "\($0.ratio(statistic))" }
    }
    let columns: [TableColumn<OverviewRow>?] = [
      // Narrow tables leave out the p99 of functions before the p50, because on a busy machine the p99 says more about
      // the machine than about the code.
      isOfSingles ? cost(costTitle, decisive, rank: nil) : cost("p50", .p50, rank: unit == .frame ? 8 : nil),
      hasThroughput ? .right("throughput", rank: 8) { "\($0.throughput ?? "")" } : nil,
      isOfSingles ? nil : cost("p99", .p99, rank: unit == .frame ? nil : unit == .call ? 5 : 11),
      isOfSingles ? nil : cost("worst", .max, rank: 4),
      shown.contains { $0.solve != nil }
        ? .right("solve p50", rank: 5) { $0.solve.map { time($0.timing(.p50)) } ?? "" } : nil,
      hasInstructions ? .right(isBrief ? "instr" : "instructions", rank: 6) { "\($0.instructions)" } : nil,
      .right("allocs", rank: 7) { "\($0.allocations)" }, active, ratio(.p50), ratio(.p99),
      unit == .call ? nil : .right(isBrief ? "\(rate)" : "of \(rate)", rank: 10, \.budgetCell),
      rows.contains { $0.record.phases.count > 1 }
        ? .left(isBrief ? "slow in" : "slow frames in", rank: 3) { row in
          guard let phase = row.record.slowestPhase else { return "" }
          return isBrief ? "\(phase.name)" : "\(code: phase.name)\u{A0}\(Format.percent(phase.share))"
        } : nil,
      // Pages have no room for the sparkline next to a throughput.
      !isBrief && hasThroughput
        ? nil : .left("\(unit.sample)s", rank: 0) { row in RichText([.sparkline(row.sparkline)]) },
    ]
    return Table(shown, opening + columns, tone: \.tone)
  }

  /// A time with its interval: `271 ns ±3%`. In a terminal it is padded, so that the times of a column line up.
  private func time(_ timing: Timing?) -> RichText {
    guard let timing else { return .absent(Figure.noFrames) }
    let spread = isBrief ? timing.spreadText.count : 0
    return "\(timing.text)\(String(repeating: " ", count: spread == 0 ? 0 : max(0, "±0.1%".count - spread)))"
  }

  private var legend: RichText {
    let options = document.options
    let sentences: [String?] = [
      "Percentiles are over \(options.samplesPhrase(document.benchmarks)); the time of a \(unit.sample) is the minimum"
        + " of \(options.runsPhrase(document.benchmarks)).",
      rows.contains { $0.record.frame.halfWidths != nil }
        ? "± is half the width of the 95% interval, from the spread between \(options.unitsOfSpread)." : nil,
      comparesAny
        ? """
        Ratios below 1× are cheaper than \(reference == "reference" ? "the first strategy of the scenario" : reference); \
        = means about the same, because the intervals overlap\
        \(options.layoutCount == nil ? " or code layout may explain the difference" : ""); \
        ~ means that the ratio is rounded, because an interval is wide.
        """ : nil,
      unit == .call
        ? nil
        : "\(rate) leaves \(TimeUnit.text(options.frameBudget.budgetNanoseconds)) for a frame; its column is the"
          + " share that the p99 frame takes.",
      (hasInstructions ? "Instructions and allocs are those" : "Allocs are allocations")
        + " per \(unit.noun), on average.",
    ]
    return RichText(sentences.compactMap(\.self).joined(separator: " "))
  }
}
