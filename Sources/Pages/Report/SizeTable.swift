import FrameBench
import Measurements
import TextFormat

/// The table of one scenario at one size: what a frame costs, and where; strategies side by side.
struct SizeTable {
  private let group: ScenarioGroup
  private let size: Int
  private let records: [BenchmarkRecord]
  private let clock: ClockRecord
  private let warnings: [Warning]

  init(group: ScenarioGroup, size: Int, document: RunDocument) {
    self.group = group
    self.size = size
    records = group.records(at: size)
    clock = document.environment.clock.perCall(records)
    warnings = document.warnings
  }

  var blocks: [Block] {
    // The first column is the reference's only where the reference was measured at this size.
    let challengers = records.first?.id.strategy == group.reference ? Array(records.indices.dropFirst()) : []
    var header: [(RichText, Table.Alignment)] = [("", .left), ("unit", .left)]
    for record in records {
      let own = warnings.filter { $0.benchmark == record.id }
      header.append((own.reduce("\(record.id.strategy)") { $0 + $1.mark }, .right))
    }
    for column in challengers {
      header.append(("\(records[column].id.strategy) ÷ \(records[0].id.strategy)", .right))
    }
    var table = Table(header)
    for row in rows {
      let ratios = challengers.map { RichText(row.ratio(ofColumn: $0, toColumn: 0)) }
      table.append([row.header, "\(row.unitSymbol)"] + row.cells + ratios)
    }
    return [.table(table)] + missing
  }

  private var missing: [Block] {
    let absent = group.strategies.filter { group.record($0, size) == nil }
    guard !absent.isEmpty else { return [] }
    let names = absent.map { strategy -> RichText in
      "\(strategy)\(footnote: RichText(group.reasonForAbsence(strategy, size)))"
    }
    return [.paragraph("Not in this table: \(names.list()).")]
  }

  private var rows: [FigureRow] {
    frameRows + phaseRows + solverRows + FigureRow.instructions(records) + allocationRows + counterRows
      + memoryRows + FigureRow.deviations(records)
      + (records.contains(where: \.hasOutput) ? [checksumRow] : [])
  }

  private var unit: WorkUnit { group.unit }

  // MARK: Time

  private var frameRows: [FigureRow] {
    func row(_ label: RichText, _ statistic: FlatRow.Statistic) -> FigureRow {
      timeRow(.strong(label), records.map { $0.frame.timing(statistic) })
    }
    var tail = row("\(unit.noun) p99", .p99)
    if let fewest = records.compactMap({ $0.frame.aligned?.count }).min(), fewest < 1_000 {
      tail.labelNote =
        "A p99 needs 1,000 \(unit.sample)s; this one rests on \(Format.plural(fewest, unit.sample))."
    }
    return [
      row("\(unit.noun) p50", .p50), row("\(unit.noun) p90", .p90), tail, row("worst \(unit.noun)", .max),
    ]
  }

  private var phaseRows: [FigureRow] {
    records.phaseNames.flatMap { name -> [FigureRow] in
      let phases = records.map { $0.phase(name)?.time }
      let label: RichText =
        name == BenchmarkRecord.solvePhaseName ? "solver (\(code: name))" : .code(name)
      let reason = "This strategy has no phase \(name)."
      return [
        timeRow("\(label) p50", phases.map { $0?.timing(.p50) }, otherwise: reason),
        timeRow("\(label) p99", phases.map { $0?.timing(.p99) }, otherwise: reason),
      ]
    }
  }

  private func timeRow(
    _ label: RichText, _ times: [Timing?], otherwise reason: String = Figure.noFrames
  ) -> FigureRow {
    FigureRow(
      label: label, figures: times.map { Figure(time: $0, otherwise: reason) }, resolution: Resolution(clock),
      doubts: doubts(times.map { $0?.nanoseconds ?? .infinity }), unitNearby: frameUnit)
  }

  /// The unit that suits the frames; the phases take it too.
  private var frameUnit: TimeUnit {
    let times = records.compactMap(\.frame.aligned)
    return TimeUnit.fitting(times.map(\.p50) + times.map(\.p99))
  }

  private var solverRows: [FigureRow] {
    guard records.contains(where: { $0.counters[BenchmarkRecord.springCounterName] != nil }) else {
      return []
    }
    let solves = records.map { $0.phase(BenchmarkRecord.solvePhaseName)?.time.aligned?.p50 ?? .infinity }
    return [
      FigureRow(
        label: "solver per spring",
        figures: records.map { record in
          Figure(
            time: record.solveNanosecondsPerSpring.map { Timing(nanoseconds: $0) },
            otherwise: "No spring was advanced or counted.")
        }, doubts: doubts(solves))
    ]
  }

  private func doubts(_ times: [Double]) -> [Int: String] {
    let resolution = Format.significant(clock.resolutionNanoseconds)
    let note = "Too short for the clock: less than 3 of its steps of \(resolution) ns."
    let short = times.indices.filter { times[$0] < clock.shortestNanoseconds }
    return Dictionary(uniqueKeysWithValues: short.map { ($0, note) })
  }

  // MARK: Counts

  private var allocationRows: [FigureRow] {
    func row(_ label: RichText, _ figure: (AllocationRecord) -> Figure) -> FigureRow {
      FigureRow(label: label, figures: records.map { $0.allocations.map(figure) ?? .absent(Self.notCounted) })
    }
    let allocations = records.compactMap(\.allocations)
    let isAllocating = allocations.contains { $0.frameThread.count.total > 0 }
    var rows = [row(.strong("allocations per \(unit.noun)")) { Figure(count: $0.frameThread.count) }]
    if isAllocating { rows += allocatingPhaseRows }
    rows.append(
      row("allocated per \(unit.noun)") {
        $0.frameThread.bytes.mean.map(Figure.bytes) ?? .absent(Figure.noFrames)
      })
    if isAllocating { rows.append(firstAllocationRow) }
    if allocations.contains(where: { $0.otherThreads.count.total > 0 }) {
      rows.append(row("allocations on other threads") { Figure(count: $0.otherThreads.count) })
      rows.append(
        row("allocated on other threads") {
          $0.otherThreads.bytes.mean.map(Figure.bytes) ?? .absent(Figure.noFrames)
        })
    }
    if !allocations.isEmpty {
      rows.append(row("allocations in set-up") { .count(mean: Double($0.setUpCount), maximum: nil) })
      rows.append(row("allocations in warm-up") { .count(mean: Double($0.warmUpCount), maximum: nil) })
    }
    return rows
  }

  private var allocatingPhaseRows: [FigureRow] {
    records.phaseNames.compactMap { name in
      let series = records.map { $0.phase(name)?.allocations?.count }
      guard series.contains(where: { ($0?.total ?? 0) > 0 }) else { return nil }
      return FigureRow(
        label: "… of which in \(code: name)",
        figures: series.map { $0.map(Figure.init(count:)) ?? .absent(Self.notCounted) })
    }
  }

  private var firstAllocationRow: FigureRow {
    FigureRow(
      label: "first allocating \(unit.sample), counted from 0",
      figures: records.map { record in
        guard let allocations = record.allocations else { return .absent(Self.notCounted) }
        return .text("\(allocations.firstAllocatingFrame.map(Format.integer) ?? "none")")
      }, hasRatio: false)
  }

  private var counterRows: [FigureRow] {
    records.counterNames.map { name in
      FigureRow(
        label: Self.counterLabels[name] ?? .code(name),
        figures: records.map { record in
          record.counters[name].map(Figure.init(count:)) ?? .absent("This strategy does not count \(name).")
        })
    }
  }

  private var memoryRows: [FigureRow] {
    Metric.ofRuns.map { metric in
      FigureRow(
        label: .text(metric.title),
        figures: records.map { record in
          guard case .figures(let figures)? = metric.figures(record, in: nil).first?.values else {
            return .absent("Not measured: \(metric.remedy ?? "run it again").")
          }
          return metric.unit == .bytes
            ? .bytes(figures[0].value) : .count(mean: figures[0].value, maximum: nil)
        })
    }
  }

  /// Equal checksums are equal output, so the reference's is compared with rather than divided by.
  private var checksumRow: FigureRow {
    let reference = records.first.map(\.checksum)
    return FigureRow(
      label: "output checksum",
      figures: records.enumerated().map { index, record in
        .text(index > 0 && record.checksum == reference ? "the same" : .code(record.checksum))
      }, hasRatio: false)
  }

  private static let notCounted =
    "Allocations were not counted: the counter was not linked in, or another allocator was loaded first."

  private static let counterLabels: [String: RichText] = [
    BenchmarkRecord.activeCounterName: "active items",
    BenchmarkRecord.springCounterName: "springs advanced per frame",
    BenchmarkRecord.churnCounterName: "tile churn per frame",
    BenchmarkRecord.visibleCounterName: "visible items",
  ]
}
