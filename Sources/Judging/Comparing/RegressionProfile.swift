import FrameBench
import Measurements

/// The functions behind a benchmark's regression, or why they are unknown.
package struct RegressionProfile: Codable, Sendable, Equatable {
  package var id: BenchmarkID
  /// The path of the folder with the profile's files, relative to where the command ran. Nil if there are no files.
  package var folder: String?
  /// Why there is no profile, or why a part of it is missing: one sentence without a period.
  package var problem: String?
  /// The frames that became slower, if time was profiled only in these frames. Nil means all frames.
  package var frames: FrameSet?
  /// The cost of a whole frame in both builds; nil if time was not profiled.
  package var frame: Mover?
  /// Functions whose time grew by more than chance explains, the largest growth first.
  package var movers: [Mover] = []
  /// Functions that allocate more often or more bytes than before, the largest growth first.
  package var allocators: [Mover] = []

  /// A function that costs more than before, or a whole frame.
  package struct Mover: Codable, Sendable, Equatable {
    /// The demangled name without the types of parameters, or `frame` for a whole frame.
    package var function: String
    /// The source file and line, such as `Layout.swift:71`. Nil if the compiler did not record them.
    package var position: String?
    /// The caller that causes most of the growth; nil if no caller does.
    package var caller: String?
    /// The cost in `unit`. The time of a function includes the library functions that it calls.
    package var baseline: Double
    package var candidate: Double
    /// The unit of both costs. Times are nanoseconds per frame. Allocations and bytes are totals over all frames.
    package var unit: Metric.Unit

    package init(
      function: String, position: String? = nil, caller: String? = nil, baseline: Double, candidate: Double,
      unit: Metric.Unit
    ) {
      (self.function, self.position, self.caller) = (function, position, caller)
      (self.baseline, self.candidate, self.unit) = (baseline, candidate, unit)
    }

    package var growth: Double { candidate - baseline }
  }
}

extension RegressionProfile {
  package init(id: BenchmarkID, problem: String?) { self.init(id: id, folder: nil, problem: problem) }

  /// The function with the largest growth: in allocations if the row's figure is about allocations, the heap, set-up or
  /// other threads; otherwise in time.
  package func largest(_ row: ComparisonRow) -> Mover? { (Self.isAllocation(row) ? allocators : movers).first }

  package static func isAllocation(_ row: ComparisonRow) -> Bool {
    row.metric.isOfFrameAllocations || row.metric.isOfOtherThreads || row.metric.isOfHeap || row.metric.isOfSetUp
  }
}

extension ComparisonDocument {
  /// The profile of the row's benchmark. Nil if the row did not regress, or if there is no profile.
  package func profile(of row: ComparisonRow) -> RegressionProfile? {
    guard row.verdict == .regressed else { return nil }
    return profiles?.first { $0.id == row.id }
  }

  /// The rows that get a profile in reports. For each benchmark with profile files, these are the first regressed row
  /// for which `RegressionProfile.isAllocation` is true, and the first for which it is false.
  package var profiledRows: Set<ComparisonRow> {
    let profiled = Set((profiles ?? []).filter { $0.folder != nil }.map(\.id))
    let own = rows.filter { $0.verdict == .regressed && profiled.contains($0.id) }
    let ofKinds = own.grouped(by: \.id).flatMap { _, rows in
      [true, false].map { kind in rows.first { RegressionProfile.isAllocation($0) == kind } }
    }
    return Set(ofKinds.compactMap(\.self))
  }

  /// Benchmarks that became worse, the largest increase of a frame's time first. Benchmarks in which only exact figures
  /// became worse come last.
  package var regressedBenchmarks: [BenchmarkID] {
    let losses = rows.grouped(by: \.id).compactMap { id, rows -> (id: BenchmarkID, loss: Double)? in
      let frame = rows.first(where: \.isMeanFrame)?.baseline?.number
      return rows.filter { $0.verdict == .regressed }.map { Self.loss($0, of: frame) }.max().map { (id, $0) }
    }
    return losses.sorted { $0.loss > $1.loss }.map(\.id)
  }

  /// The frames that best show what became slower in a benchmark. Nil means all frames.
  package func slowerFrames(of id: BenchmarkID) -> FrameSet? {
    let worse = rows.filter { $0.id == id && $0.verdict == .regressed }
    return ComparisonFinding.all(of: worse).first { $0.cause == .time }?.members[0].lead.frames
  }

  /// The increase of a time as a fraction of the baseline's frame time; 0 if the row is not a time.
  private static func loss(_ row: ComparisonRow, of frame: Double?) -> Double {
    guard row.metric == .frameTime, let old = row.baseline?.number, let change = row.change, let frame, frame > 0 else {
      return 0
    }
    return old * change / frame
  }
}
