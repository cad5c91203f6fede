import FrameBench

/// The allocations of several runs, which should be equal.
///
/// If they differ, the smaller count is used, frame by frame, with a warning: what allocates only sometimes
/// is mostly the runtime (a lazily built table, a cache that another thread filled), and the minimum is what
/// the work itself needs.
struct AllocationAgreement {
  private(set) var record: AllocationRecord?
  private(set) var phases: [String: AllocationSeries] = [:]
  private(set) var warnings: [Warning] = []

  init(id: BenchmarkID, _ runs: [RunMeasurement]) {
    let records = runs.compactMap(\.allocations)
    guard let first = records.first, records.count == runs.count else { return }
    record = records.dropFirst().reduce(first) { $0.least($1) }
    for phase in runs[0].phases {
      let series = runs.compactMap { run in run.phases.first { $0.name == phase.name }?.allocations }
      guard let firstSeries = series.first else { continue }
      phases[phase.name] = series.dropFirst().reduce(firstSeries) { $0.least($1) }
    }
    for other in records.dropFirst() {
      guard let frame = first.frameThread.firstDifference(from: other.frameThread) else { continue }
      let counts = [first, other].map { $0.frameThread.count.values[frame] }
      let bytes = [first, other].map { $0.frameThread.bytes.values[frame] }
      warnings.append(
        Warning(
          "Two runs allocated differently, first in recorded frame \(frame): \(counts[0]) allocations of "
            + "\(bytes[0]) bytes and \(counts[1]) of \(bytes[1]). The smaller figures are shown; "
            + "look for state that is shared or depends on hashing order.",
          benchmark: id))
      return
    }
  }
}

extension AllocationRecord {
  fileprivate func least(_ other: AllocationRecord) -> AllocationRecord {
    AllocationRecord(
      frameThread: frameThread.least(other.frameThread),
      otherThreads: otherThreads.smaller(other.otherThreads),
      setUpCount: min(setUpCount, other.setUpCount), setUpBytes: min(setUpBytes, other.setUpBytes),
      warmUpCount: min(warmUpCount, other.warmUpCount), warmUpBytes: min(warmUpBytes, other.warmUpBytes))
  }
}

extension AllocationSeries {
  /// The smaller counts and bytes of two runs, frame by frame.
  package func least(_ other: AllocationSeries) -> AllocationSeries {
    self == other
      ? self
      : AllocationSeries(
        count: CountSeries(zip(count.values, other.count.values).map(min)),
        bytes: CountSeries(zip(bytes.values, other.bytes.values).map(min)))
  }

  /// The run of the two that allocated less in total. The scheduler decides in which frame another thread
  /// allocates, so the smaller figure of each frame would add up to less than any run needed.
  package func smaller(_ other: AllocationSeries) -> AllocationSeries {
    (other.count.total, other.bytes.total) < (count.total, bytes.total) ? other : self
  }

  fileprivate func firstDifference(from other: AllocationSeries) -> Int? {
    guard self != other else { return nil }
    let mine = zip(count.values, bytes.values)
    let theirs = zip(other.count.values, other.bytes.values)
    return Array(zip(mine, theirs)).firstIndex { $0 != $1 }
  }
}
