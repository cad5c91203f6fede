import FrameBench
import Measurements

/// The functions behind a benchmark's regression, or why they are unknown.
package struct RegressionProfile: Codable, Sendable, Equatable {
  package var id: BenchmarkID
  /// Path of the files, relative to where the command ran; nil if there are none.
  package var folder: String?
  /// Why there is no profile, or why one lacks a part: one sentence without a full stop.
  package var problem: String?
  /// The frames that became slower, if time was profiled in these only.
  package var frames: FrameSet?
  /// Cost of a frame in both builds; nil if time was not profiled.
  package var frame: Mover?
  /// Functions that take more time than before, by more than chance explains; the largest first.
  package var movers: [Mover] = []
  /// Functions that allocate more often than before, or more bytes; the largest first.
  package var allocators: [Mover] = []

  /// A function that costs more than before, or a whole frame.
  package struct Mover: Codable, Sendable, Equatable {
    /// Demangled, without types of parameters; `frame` for a whole frame.
    package var function: String
    /// `Layout.swift:71`; nil if the compiler did not record it.
    package var position: String?
    /// Its caller with most of the growth.
    package var caller: String?
    /// The cost in `unit`; a function's time includes the library functions that it calls.
    package var baseline: Double
    package var candidate: Double
    /// Nanoseconds per frame, or allocations or allocated bytes in all frames.
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

  /// The most grown function of those that the figure is about.
  package func largest(_ row: ComparisonRow) -> Mover? { (Self.isAllocation(row) ? allocators : movers).first }

  /// Whether the figure is about allocations rather than time.
  package static func isAllocation(_ row: ComparisonRow) -> Bool {
    row.metric.isOfFrameAllocations || row.metric.isOfOtherThreads || row.metric.isOfHeap || row.metric.isOfSetUp
  }
}

extension ComparisonDocument {
  /// The profile of the row's benchmark; nil for a row that did not regress, and without a profile.
  package func profile(of row: ComparisonRow) -> RegressionProfile? {
    guard row.verdict == .regressed else { return nil }
    return profiles?.first { $0.id == row.id }
  }

  /// The rows at which profiles are reported: of each benchmark the first of its times and of its allocations.
  package var profiledRows: Set<ComparisonRow> {
    let profiled = Set((profiles ?? []).filter { $0.folder != nil }.map(\.id))
    let own = rows.filter { $0.verdict == .regressed && profiled.contains($0.id) }
    let ofKinds = own.grouped(by: \.id).flatMap { _, rows in
      [true, false].map { kind in rows.first { RegressionProfile.isAllocation($0) == kind } }
    }
    return Set(ofKinds.compactMap(\.self))
  }

  /// Benchmarks that became worse, by the increase of a frame's cost; last those with worse exact figures only.
  package var regressedBenchmarks: [BenchmarkID] {
    let losses = rows.grouped(by: \.id).compactMap { id, rows -> (id: BenchmarkID, loss: Double)? in
      let frame = rows.first { $0.metric == .frameTime && $0.phase == nil && $0.isMean }?.baseline?.number
      return rows.filter { $0.verdict == .regressed }.map { Self.loss($0, of: frame) }.max().map { (id, $0) }
    }
    return losses.sorted { $0.loss > $1.loss }.map(\.id)
  }

  /// The frames that say best what became slower in a benchmark; nil: those of the whole scroll.
  package func slowerFrames(of id: BenchmarkID) -> FrameSet? {
    let worse = rows.filter { $0.id == id && $0.verdict == .regressed }
    return ComparisonFinding.all(of: worse).first { $0.cause == .time }?.members[0].lead.frames
  }

  /// Increase as a part of the frame before; 0 if the row is not a time.
  private static func loss(_ row: ComparisonRow, of frame: Double?) -> Double {
    guard row.metric == .frameTime, let old = row.baseline?.number, let change = row.change, let frame, frame > 0 else {
      return 0
    }
    return old * change / frame
  }
}
