import FrameBench
import Markup
import Measurements
import TextFormat

/// The table of one scenario at one size: the cost of a frame and of its parts, with strategies side by side.
package struct SizeTable {
  private let group: ScenarioGroup
  private let size: Int
  private let records: [BenchmarkRecord]

  package init(_ group: ScenarioGroup, size: Int) {
    (self.group, self.size, records) = (group, size, group.records(at: size))
  }

  private var clock: ClockRecord { group.clock.perCall(records) }

  package var blocks: [Block] {
    // The first column belongs to the reference only if the reference was measured at this size.
    let challengers = records.first?.id.strategy == group.reference ? Array(records.indices.dropFirst()) : []
    let figures = records.enumerated().map { column, record -> TableColumn<FigureRow> in
      .right(group.warnings(of: record.id).reduce("\(group.label(record.id.strategy))") { $0 + $1.mark }) {
        $0.cell(column)
      }
    }
    let ratios = challengers.map { column -> TableColumn<FigureRow> in
      .right("\(records[column].id.strategy) ÷ \(records[0].id.strategy)") { RichText($0.ratio(ofColumn: column)) }
    }
    let table = Table(rows, [.left("") { $0.label }, .left("unit") { "\($0.unitSymbol)" }] + figures + ratios)
    let missing = group.strategies.filter { group.record($0, size) == nil }.map { strategy -> RichText in
      "\(group.label(strategy))\(footnote: RichText(group.reasonForAbsence(strategy, size)))"
    }
    return [.table(table)] + (missing.isEmpty ? [] : [.paragraph("Not in this table: \(missing.list()).")])
  }

  private var rows: [FigureRow] {
    frameRows + phaseRows + solverRows + instructionRows + allocationRows + counterRows + memoryRows + deviationRows
      + (records.contains(where: \.hasOutput) ? [checksumRow] : [])
  }

  private var unit: WorkUnit { group.unit }

  // MARK: Time

  private var frameRows: [FigureRow] {
    func row(_ label: RichText, _ statistic: FlatRow.Statistic) -> FigureRow {
      timeRow(.strong(label), records.map { $0.frame.timing(statistic) })
    }
    var tail = row("\(unit.noun) p99", .p99)
    let counts = records.compactMap { $0.frame.aligned?.count }
    if Set(counts) == [1] { return [row("the only \(unit.sample)", .max)] }
    if let fewest = counts.min(), fewest < 1_000 {
      let note = "A p99 needs 1,000 \(unit.sample)s; this one rests on \(Format.plural(fewest, unit.sample))."
      tail.label = tail.label + .footnote(RichText(note))
    }
    return [row("\(unit.noun) p50", .p50), row("\(unit.noun) p90", .p90), tail, row("worst \(unit.noun)", .max)]
  }

  private var phaseRows: [FigureRow] {
    records.phaseNames.flatMap { name -> [FigureRow] in
      let phases = records.map { $0.phase(name)?.time }
      let label: RichText = name == BenchmarkRecord.solvePhaseName ? "solver (\(code: name))" : .code(name)
      let reason = "This strategy has no phase \(name)."
      return [
        timeRow("\(label) p50", phases.map { $0?.timing(.p50) }, otherwise: reason),
        timeRow("\(label) p99", phases.map { $0?.timing(.p99) }, otherwise: reason),
      ]
    }
  }

  private func timeRow(_ label: RichText, _ times: [Timing?], otherwise reason: String = Figure.noFrames) -> FigureRow {
    let frames = records.compactMap(\.frame.aligned)
    return FigureRow(
      label: label, figures: times.map { Figure(time: $0, otherwise: reason) }, clock: clock,
      doubts: doubts(times.map { $0?.nanoseconds ?? .infinity }),
      unitNearby: TimeUnit.fitting(frames.map(\.p50) + frames.map(\.p99)))
  }

  private var solverRows: [FigureRow] {
    guard records.contains(where: { $0.counters[BenchmarkRecord.springCounterName] != nil }) else { return [] }
    var perSpring = row("solver per spring") { record in
      let time = record.solveNanosecondsPerSpring.map { Timing(nanoseconds: $0) }
      return Figure(time: time, otherwise: "No spring was advanced or counted.")
    }
    perSpring.doubts = doubts(records.map { $0.phase(BenchmarkRecord.solvePhaseName)?.time.aligned?.p50 ?? .infinity })
    return [perSpring]
  }

  private func doubts(_ times: [Double]) -> [Int: String] {
    let resolution = Format.significant(clock.resolutionNanoseconds)
    let note = "Too short for the clock: less than 3 of its steps of \(resolution) ns."
    let short = times.indices.filter { times[$0] < clock.shortestNanoseconds }
    return Dictionary(uniqueKeysWithValues: short.map { ($0, note) })
  }

  // MARK: Counts

  private func row(_ label: RichText, unit: String? = nil, hasRatio: Bool = true, _ figure: (BenchmarkRecord) -> Figure)
    -> FigureRow
  { FigureRow(label: label, figures: records.map(figure), fixedUnit: unit, hasRatio: hasRatio) }

  private var allocationRows: [FigureRow] {
    func row(_ label: RichText, hasRatio: Bool = true, _ figure: (AllocationRecord) -> Figure) -> FigureRow {
      self.row(label, hasRatio: hasRatio) { $0.allocations.map(figure) ?? .absent(Self.notCounted) }
    }
    func bytes(_ series: AllocationSeries) -> Figure { series.bytes.mean.map(Figure.bytes) ?? .absent(Figure.noFrames) }
    let allocations = records.compactMap(\.allocations)
    let isAllocating = allocations.contains { $0.frameThread.count.total > 0 }
    let first = row("first allocating \(unit.sample), counted from 0", hasRatio: false) {
      .text("\($0.firstAllocatingFrame.map(Format.integer) ?? "none")")
    }
    let ofOthers = [
      row("allocations on other threads") { Figure(count: $0.otherThreads.count) },
      row("allocated on other threads") { bytes($0.otherThreads) },
    ]
    let isGrowing = allocations.contains { ($0.netBytes?.total ?? 0) > 0 }
    let growth = row("heap growth per \(unit.noun)") { $0.netBytes?.mean.map(Figure.bytes) ?? .absent(Self.notCounted) }
    let before = [row("allocations in warm-up") { .count(mean: Double($0.warmUpCount), maximum: nil) }]
    return [row(.strong("allocations per \(unit.noun)")) { Figure(count: $0.frameThread.count) }]
      + (isAllocating ? allocatingPhaseRows : []) + [row("allocated per \(unit.noun)") { bytes($0.frameThread) }]
      + (isAllocating ? [first] : []) + (isGrowing ? [growth] : [])
      + (allocations.contains { $0.otherThreads.count.total > 0 } ? ofOthers : []) + (allocations.isEmpty ? [] : before)
  }

  private var allocatingPhaseRows: [FigureRow] {
    records.phaseNames.compactMap { name in
      let counts = { (record: BenchmarkRecord) in record.phase(name)?.allocations?.count }
      guard records.contains(where: { (counts($0)?.total ?? 0) > 0 }) else { return nil }
      return row("… of which in \(code: name)") { counts($0).map(Figure.init(count:)) ?? .absent(Self.notCounted) }
    }
  }

  private var counterRows: [FigureRow] {
    records.counterNames.map { name in
      row(Self.counterLabels[name] ?? .code(name)) {
        $0.counters[name].map(Figure.init(count:)) ?? .absent("This strategy does not count \(name).")
      }
    }
  }

  private var memoryRows: [FigureRow] {
    // The warm-up of a function is not timed.
    Metric.ofRuns.filter { unit != .call || $0 != .warmUpNanoseconds }.map { metric in
      row(.text(metric == .firstFrameNanoseconds ? "time of the first \(unit.noun)" : metric.title)) { record in
        guard case .figures(let figures)? = metric.figures(record, in: nil).first?.values else {
          return .absent("Not measured: \(metric.remedy ?? "run it again").")
        }
        let value = figures[0].value
        switch metric.unit {
        case .bytes: return .bytes(value)
        case .nanoseconds: return .time(Timing(nanoseconds: value))
        default: return .count(mean: value, maximum: nil)
        }
      }
    }
  }

  /// The row of checksums. A cell reads `the same` if its checksum equals that of the first column.
  private var checksumRow: FigureRow {
    row("output checksum", hasRatio: false) { record in
      let reference = records[0]
      return .text(
        record.id != reference.id && record.checksum == reference.checksum ? "the same" : .code(record.checksum))
    }
  }

  private var deviationRows: [FigureRow] {
    guard let reference = records.lazy.compactMap(\.deviation?.reference).first else { return [] }
    func row(_ label: RichText, unit: String, _ text: (DeviationRecord) -> String?) -> FigureRow {
      self.row(label, unit: unit, hasRatio: false) { record in
        guard let deviation = record.deviation else {
          return record.id.strategy == reference ? .text("") : .absent("This strategy was not compared.")
        }
        return .text("\(text(deviation) ?? "")")
      }
    }
    func perFrame(_ count: Int, _ deviation: DeviationRecord) -> String {
      Format.count(Double(count) / Double(max(deviation.frameCount, 1)))
    }
    return [
      row("distance from \(reference), largest", unit: "points") { $0.largestDistance.map(DeviationRecord.text) },
      row("distance from \(reference), mean", unit: "points") { $0.meanDistance.map(DeviationRecord.text) },
      row("items \(reference) alone shows", unit: "per frame") { perFrame($0.missingCount, $0) },
      row("items shown beyond those", unit: "per frame") { perFrame($0.extraCount, $0) },
    ]
  }

  // MARK: Instructions

  private var instructionRows: [FigureRow] {
    func row(_ label: RichText, _ record: KeyPath<BenchmarkRecord, InstructionRecord?>, phase: String? = nil)
      -> FigureRow
    {
      self.row(label) {
        guard let counted = $0[keyPath: record] else {
          return .absent("Instructions were not counted; a warning says why.")
        }
        guard let phase else { return Figure(count: counted.frames) }
        let own = counted.phases.first { $0.name == phase }
        return own.map { Figure(count: $0.frames) } ?? .absent("This strategy has no phase \(phase).")
      }
    }
    var rows: [FigureRow] = []
    let counted = records.compactMap(\.instructions)
    if let note = InstructionRecord.note(counted) {
      rows.append(row("\(strong: "instructions per frame") (a model)\(footnote: note)", \.instructions))
      // Phases that were counted, in the order in which frames run them.
      let phases = counted.flatMap(\.phases).map(\.name).unique
      rows += phases.map { row("… of which in \(code: $0)", \.instructions, phase: $0) }
    }
    if let note = InstructionRecord.note(records.compactMap(\.hardwareInstructions)) {
      rows.append(row("instructions per frame, by the processor\(footnote: note)", \.hardwareInstructions))
    }
    return rows
  }

  private static let notCounted =
    "Allocations were not counted: the counter was not linked in, or another allocator was loaded first."

  private static let counterLabels: [String: RichText] = [
    BenchmarkRecord.activeCounterName: "active items", BenchmarkRecord.springCounterName: "springs advanced per frame",
    "\(Counter.tileChurn.name)": "tile churn per frame", "\(Counter.visibleItems.name)": "visible items",
  ]
}

extension InstructionRecord {
  /// A note on instructions: how they were counted, over how many frames, and what the figure does not show. Nil if
  /// nothing was counted.
  fileprivate static func note(_ records: [InstructionRecord]) -> RichText? {
    guard let first = records.first else { return nil }
    let counts = Set(records.map(\.frameCount)).sorted()
    let frames = Format.list(counts.map { Format.plural($0, "frame") })
    switch first.source {
    case .callgrind:
      return """
        Counted by callgrind (valgrind\(first.version.map { " \($0)" } ?? "")) over the first \(frames): \
        instructions outside the kernel, as a processor without AVX-512 executes them. A model of the machine, \
        not time.
        """
    case .hardware:
      return """
        Counted by the processor over the first \(frames): instructions of the frame's thread outside the \
        kernel. Not time, and it varies a little from run to run.
        """
    }
  }
}

extension DeviationRecord {
  /// Items at most this far apart, in points, count as being in the same place. Such a distance is invisible.
  package static let invisibleDistance = 1e-6

  /// A distance in points as text: `152`, `0`, `<1e-6`.
  package static func text(_ distance: Double) -> String {
    distance > 0 && distance < invisibleDistance ? "<1e-6" : Format.significant(distance)
  }

  /// A sentence that compares the outputs of a strategy and its reference, from the records of several sizes. Nil if
  /// there are no records.
  package static func sentence(_ challenger: String, _ deviations: [DeviationRecord]) -> String? {
    guard let reference = deviations.first?.reference else { return nil }
    let largest = deviations.compactMap(\.largestDistance).max() ?? 0
    guard largest > invisibleDistance || deviations.contains(where: { $0.differingFrameCount != 0 }) else {
      return "\(challenger) shows what \(reference) shows: the same items in every frame, in the same places"
        + " to within 1e-6 points."
    }
    let mean = deviations.compactMap(\.meanDistance).max() ?? 0
    // The fraction of frames that show other items than the reference, at the size where this fraction is largest.
    let share = deviations.map { Double($0.differingFrameCount) / Double(max(1, $0.frameCount)) }.max() ?? 0
    guard largest > invisibleDistance else {
      let frames = "in \(Format.percent(share)) of the frames; items shown by both are in the same places."
      if deviations.allSatisfy({ $0.extraCount == 0 }) {
        return "\(challenger) leaves out items that \(reference) shows \(frames)"
      }
      if deviations.allSatisfy({ $0.missingCount == 0 }) {
        return "\(challenger) shows items that \(reference) does not \(frames)"
      }
      return "\(challenger) shows other items than \(reference) \(frames)"
    }
    return "\(challenger) strays from \(reference) by up to \(text(largest)) points (\(text(mean)) on average)"
      + (share > 0 ? ", and shows other items in \(Format.percent(share)) of the frames." : ".")
  }
}
