import FrameBench
import Statistics
import TextFormat

extension TimeFigures {
  init(_ summary: Summary) {
    self.init(p50: summary.p50, p90: summary.p90, p99: summary.p99, max: summary.max, mean: summary.mean)
  }

  /// Returns the value of a statistic; nil for the total, which times do not have.
  package subscript(statistic: FlatRow.Statistic) -> Double? {
    zip(FlatRow.Statistic.allCases, all).first { $0.0 == statistic }?.1
  }
}

extension Summary {
  /// Returns the value of a statistic; nil for the total, which a summary does not have.
  package subscript(statistic: FlatRow.Statistic) -> Double? { TimeFigures(self)[statistic] }
}

extension BenchmarkRecord {
  package func phase(_ name: String) -> PhaseRecord? { phases.first { $0.name == name } }

  /// The solver's time in all frames, divided by the number of springs that it advanced; nanoseconds. Nil if the time
  /// is unknown, or if no spring was advanced.
  package var solveNanosecondsPerSpring: Double? {
    guard let solve = phase(Self.solvePhaseName)?.time.alignedNanoseconds,
      let springs = counters[Self.springCounterName], springs.total > 0, springs.count == solve.count
    else { return nil }
    return solve.reduce(0, +) / Double(springs.total)
  }

  /// How many items or bytes the median call processes per second. Nil if the suite does not declare the amount of work
  /// of a call, or if no frame was recorded.
  package var ratePerSecond: Double? {
    guard let amount = throughput?.amount, let p50 = frame.aligned?.p50, p50 > 0 else { return nil }
    return Double(amount) / p50 * 1e9
  }

  /// Whether calls of a function were measured instead of frames. No display waits for calls, so they have no budget.
  package var isFunction: Bool { callsPerFrame != nil }

  /// How the frames' times compare with the budget of these options. Nil for calls of functions, or if no frame was
  /// recorded.
  package func budgetFigures(_ options: RunOptions) -> BudgetRecord? {
    isFunction ? nil : BudgetRecord(frames: frame.alignedNanoseconds, options: options)
  }

  /// Whether any frame returned a checksum other than 0, so that output can be compared. Functions have a checksum only
  /// if the author of the suite requests it.
  package var hasOutput: Bool {
    var zeros = Checksum()
    for _ in frame.alignedNanoseconds { zeros.combine(0) }
    return checksum != zeros.hexadecimal
  }

  /// Whether this and the reference are functions that return different results. Then the two do not do the same work,
  /// so comparing their costs is meaningless. If frames are measured, strategies may differ on purpose.
  package func contradicts(_ reference: BenchmarkRecord) -> Bool {
    isFunction && hasOutput && reference.hasOutput && checksum != reference.checksum
  }

  package static var solvePhaseName: String { "\(Phase.solve.name)" }
  package static var activeCounterName: String { "\(Counter.activeItems.name)" }
  package static var springCounterName: String { "\(Counter.springEvaluations.name)" }
}

extension Metric {
  /// The sum of a count over the frames, or the first figure of a metric that has no value for each frame. Nil for
  /// times of frames, or if the metric was not measured.
  package func total(_ record: BenchmarkRecord) -> Double? {
    switch figures(record, in: nil).first(where: { $0.phase == nil })?.values {
    case .counts(let series): Double(series.total)
    case .figures(let figures): figures.first?.value
    default: nil
    }
  }
}

extension CountSeries { package var summary: Summary? { Summary(values.lazy.map(Double.init)) } }

extension [BenchmarkRecord] {
  /// Names of all phases, in the order in which frames run them.
  package var phaseNames: [String] { flatMap { $0.phases.map(\.name) }.unique }

  /// Names of all counters: first those that have a meaning for reports, then the others in alphabetical order.
  package var counterNames: [String] {
    let present = Set(flatMap(\.counters.keys))
    let known = [Counter.activeItems, .springEvaluations, .tileChurn, .visibleItems].map { "\($0.name)" }
    return known.filter(present.contains) + present.subtracting(known).sorted()
  }
}

extension RunDocument {
  /// The functions whose results differ from those of the reference strategy (the scenario's first), each with the
  /// benchmark of the reference strategy.
  package var contradictions: [(id: BenchmarkID, reference: BenchmarkID)] {
    let firsts = Dictionary(benchmarks.map { ($0.id.variant, $0.id.strategy) }) { first, _ in first }
    let records = Dictionary(benchmarks.map { ($0.id, $0) }) { first, _ in first }
    return benchmarks.compactMap { record in
      guard let name = firsts[record.id.variant], let reference = records[record.id.with(strategy: name)],
        record.contradicts(reference)
      else { return nil }
      return (record.id, reference.id)
    }
  }
}

extension ClockRecord {
  /// A clock for the times of single calls. Its step is divided by the number of calls in a frame (the smallest of all
  /// benchmarks), because only whole frames are timed.
  package func perCall(_ records: [BenchmarkRecord]) -> ClockRecord {
    var clock = self
    clock.resolutionNanoseconds /= Double(records.map { $0.callsPerFrame ?? 1 }.min() ?? 1)
    return clock
  }

  /// The shortest time that is more than a rounding error, in nanoseconds: three steps of the clock.
  package var shortestNanoseconds: Double { 3 * resolutionNanoseconds }
}

extension FrameBudget {
  /// The budget in words: `60 Hz (16.67 ms)`, or `50% of 60 Hz (8.33 ms)`.
  package var label: String { "\(rate) (\(Format.fixed(budgetNanoseconds / 1e6, decimals: 2)) ms)" }

  /// The refresh rate, with the share if it is below 1: `60 Hz`, or `50% of 60 Hz`.
  package var rate: String {
    (share < 1 ? "\(Format.percent(share)) of " : "") + "\(Format.count(refreshRateHertz)) Hz"
  }
}
