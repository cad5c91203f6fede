import FrameBench
import Measurements
import TextFormat

/// Compares exact figures: any increase of a total is a regression, including from zero. So is a frame that
/// newly allocates, whatever the total, because that frame stutters.
package struct ExactComparison: Sendable {
  private let id: BenchmarkID
  private let baseline: ExactFigures
  private let candidate: ExactFigures

  package init(id: BenchmarkID, baseline: ExactFigures, candidate: ExactFigures) {
    self.id = id
    self.baseline = baseline
    self.candidate = candidate
  }

  /// Whether both show the same, by the checksum over all recorded frames.
  package var sameBehavior: Bool { baseline.checksum == candidate.checksum }

  /// - Parameter deviation: How far the builds stray from each other, if known.
  package func rows(deviation: DeviationRecord?) -> [ComparisonRow] {
    [checksumRow(deviation)] + allocationRows + counterRows
  }

  private func checksumRow(_ deviation: DeviationRecord?) -> ComparisonRow {
    ComparisonRow(
      id: id, metric: .checksum, baseline: .text(baseline.checksum), candidate: .text(candidate.checksum),
      verdict: sameBehavior ? .unchanged : .behaviorChanged,
      note: sameBehavior ? nil : deviation?.differenceSentence ?? "the scenario does not report what it shows"
    )
  }

  private var allocationRows: [ComparisonRow] {
    guard let old = baseline.frames, let new = candidate.frames else { return [] }
    var rows = [
      row(.allocationCount, nil, old.count, new.count, in: changedPhase),
      row(.allocatedBytes, nil, old.bytes, new.bytes, in: changedPhase),
    ]
    for phase in phaseNames {
      let (old, new) = (baseline.phases[phase], candidate.phases[phase])
      guard old != nil || new != nil else { continue }
      rows.append(row(.allocationCount, phase, old?.count, new?.count))
      rows.append(row(.allocatedBytes, phase, old?.bytes, new?.bytes))
    }
    if let old = baseline.otherThreads, let new = candidate.otherThreads {
      rows.append(row(.otherThreadAllocationCount, nil, old.count, new.count))
      rows.append(row(.otherThreadAllocatedBytes, nil, old.bytes, new.bytes))
    }
    return rows
  }

  private var counterRows: [ComparisonRow] {
    Set(baseline.counters.keys).union(candidate.counters.keys).sorted().map { name in
      row(
        .named(name, declared: candidate.counterKinds ?? baseline.counterKinds), nil,
        baseline.counters[name], candidate.counters[name])
    }
  }

  private var phaseNames: [String] {
    baseline.phaseNames + candidate.phaseNames.filter { !baseline.phaseNames.contains($0) }
  }

  /// The first phase that allocates more, or in a frame in which it did not.
  private var changedPhase: String? {
    phaseNames.first { (candidate.phases[$0]?.count.total ?? 0) > (baseline.phases[$0]?.count.total ?? 0) }
      ?? phaseNames.first { name in
        guard let old = baseline.phases[name]?.count, let new = candidate.phases[name]?.count else {
          return false
        }
        return !old.framesThatBegin(new).isEmpty
      }
  }

  private func row(
    _ metric: Metric, _ phase: String?, _ old: CountSeries?, _ new: CountSeries?, in place: String? = nil
  ) -> ComparisonRow {
    var row = ComparisonRow(
      id: id, metric: metric, phase: phase, baseline: old.map { .number(Double($0.total)) },
      candidate: new.map { .number(Double($0.total)) }, verdict: .missing)
    guard let old, let new else { return row }
    row.change =
      old.total == 0 ? (new.total == 0 ? 0 : nil) : Double(new.total - old.total) / Double(old.total)
    let (before, after) = (Double(old.total), Double(new.total))
    let newFrames = metric.isOfFrameAllocations ? old.framesThatBegin(new) : []
    let isWorse = metric.isWorse(after, than: before)
    row.verdict =
      isWorse || !newFrames.isEmpty
      ? .regressed : metric.isBetter(after, than: before) ? .improved : .unchanged
    row.note =
      isWorse || newFrames.isEmpty
      ? note(old, new, in: phase ?? place) : note(new, beginningIn: newFrames, of: phase ?? place)
    return row
  }

  private func note(_ old: CountSeries, _ new: CountSeries, in phase: String?) -> String? {
    let pairs = Array(zip(old.values, new.values))
    let isMore = new.total > old.total
    let differing = pairs.indices.filter { isMore ? pairs[$0].1 > pairs[$0].0 : pairs[$0].1 != pairs[$0].0 }
    guard let first = differing.first else { return nil }
    let place = phase.map { " of \($0)" } ?? ""
    let others = differing.count > 1 ? "; \(Format.plural(differing.count, "frame")) in all" : ""
    return "first in frame \(first)\(place): \(Format.integer(pairs[first].0)) → "
      + "\(Format.integer(pairs[first].1))\(others)"
  }

  /// For a total that did not grow.
  private func note(_ new: CountSeries, beginningIn frames: [Int], of phase: String?) -> String {
    let first = frames[0]
    let place = phase.map { " of \($0)" } ?? ""
    let others = frames.count > 1 ? "; \(Format.plural(frames.count, "such frame")) in all" : ""
    return "newly allocates in frame \(first)\(place): 0 → \(Format.integer(new.values[first]))\(others)"
  }
}

extension Metric {
  /// The frame is as exact as the amount.
  fileprivate var isOfFrameAllocations: Bool { self == .allocationCount || self == .allocatedBytes }
}

extension CountSeries {
  /// Frames that are 0 here and more in the other.
  fileprivate func framesThatBegin(_ other: CountSeries) -> [Int] {
    guard self != other else { return [] }
    return zip(values, other.values).enumerated().filter { $0.element.0 == 0 && $0.element.1 > 0 }.map(
      \.offset)
  }
}

/// The exact figures of one benchmark in one build.
package struct ExactFigures: Sendable, Equatable {
  /// Over all recorded frames, 16 hexadecimal digits.
  package var checksum: String
  /// On the frame's own thread; nil where the counter is not available.
  package var frames: AllocationSeries?
  /// On all other threads while frames ran; nil as `frames` is.
  package var otherThreads: AllocationSeries?
  /// In the order in which they first ran.
  package var phaseNames: [String]
  /// By phase, on the frame's own thread; a phase whose allocations were not counted is absent.
  package var phases: [String: AllocationSeries]
  /// What the scenario counts, by name, a value for each recorded frame.
  package var counters: [String: CountSeries]
  /// What it declares of them.
  package var counterKinds: [String: CounterKind]?

  /// Of a run of the pass that counts allocations.
  package init(_ measurement: RunMeasurement) {
    checksum = measurement.checksum
    frames = measurement.allocations?.frameThread
    otherThreads = measurement.allocations?.otherThreads
    phaseNames = measurement.phases.map(\.name)
    phases = [:]
    for phase in measurement.phases { phases[phase.name] = phase.allocations }
    counters = measurement.counters
    counterKinds = measurement.counterKinds
  }

  /// The minimum of this run and another of the same build; what allocates only sometimes is mostly the
  /// runtime.
  package func least(_ other: ExactFigures) -> ExactFigures {
    var least = self
    if let mine = frames, let theirs = other.frames { least.frames = mine.least(theirs) }
    if let mine = otherThreads, let theirs = other.otherThreads { least.otherThreads = mine.smaller(theirs) }
    for (name, mine) in phases {
      if let theirs = other.phases[name] { least.phases[name] = mine.least(theirs) }
    }
    return least
  }
}

extension DeviationRecord {
  /// Between two builds; one sentence without a full stop.
  var differenceSentence: String {
    var parts: [String] = []
    if let largestDistance, let largestDistanceFrame, largestDistance > 0 {
      parts.append(
        "items are up to \(Format.significant(largestDistance)) points from where they were"
          + " (frame \(largestDistanceFrame))")
    }
    if differingFrameCount > 0 {
      parts.append(
        "\(Format.plural(differingFrameCount, "frame")) do not show the same items"
          + " (\(Format.integer(missingCount)) missing, \(Format.integer(extraCount)) extra)")
    }
    return parts.isEmpty ? "the same items in the same places, in another order" : Format.list(parts)
  }
}
