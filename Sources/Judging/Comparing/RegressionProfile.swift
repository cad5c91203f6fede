import FrameBench
import Measurements

/// Where a benchmark that became worse spends more than before, or why that is unknown.
package struct RegressionProfile: Sendable, Equatable {
  package var id: BenchmarkID
  /// Path of the files, relative to where the command ran; nil if there are none.
  package var folder: String?
  /// Why there is no profile, or one without a part that it should have: one sentence without a full stop.
  package var problem: String?
  /// Functions that take more time than before, by more than chance explains; the largest first.
  package var movers: [Mover]
  /// Functions that allocate more often than before, or more bytes; the largest first.
  package var allocators: [Mover]

  /// What a frame costs in both builds; nil where time was not looked at, or could not be.
  package var frame: Mover?

  /// A function that costs more than before, or a whole frame.
  package struct Mover: Sendable, Equatable {
    /// Demangled, without types of parameters; `frame` for a whole one.
    package var function: String
    /// `Layout.swift:71`; nil where the compiler said nothing.
    package var position: String?
    /// Its caller with most of the growth.
    package var caller: String?
    /// In `unit`; a function's time includes the library functions that it calls.
    package var baseline: Double
    /// In `unit`, as `baseline`.
    package var candidate: Double
    /// Nanoseconds of a frame, or allocations, or the bytes that they ask for, in all frames.
    package var unit: Metric.Unit

    package init(
      function: String, position: String? = nil, caller: String? = nil, baseline: Double,
      candidate: Double, unit: Metric.Unit
    ) {
      self.function = function
      self.position = position
      self.caller = caller
      self.baseline = baseline
      self.candidate = candidate
      self.unit = unit
    }

    /// By how much more.
    package var growth: Double { candidate - baseline }
  }

  package init(
    id: BenchmarkID, folder: String? = nil, problem: String? = nil, frame: Mover? = nil,
    movers: [Mover] = [], allocators: [Mover] = []
  ) {
    self.id = id
    self.folder = folder
    self.problem = problem
    self.frame = frame
    self.movers = movers
    self.allocators = allocators
  }
}

extension RegressionProfile {
  /// The function that grew most, of those that the figure looks at.
  package func largest(_ row: ComparisonRow) -> Mover? {
    (Self.isAllocation(row) ? allocators : movers).first
  }

  /// Whether the figure is about allocations rather than time.
  package static func isAllocation(_ row: ComparisonRow) -> Bool {
    row.metric.isOfFrameAllocations || row.metric.isOfOtherThreads
  }
}

extension ComparisonDocument {
  /// That of the row's benchmark; nil for a row that did not regress, and where there is no profile.
  package func profile(of row: ComparisonRow) -> RegressionProfile? {
    guard row.verdict == .regressed else { return nil }
    return profiles?.first { $0.id == row.id }
  }

  /// Whether this is the row of the benchmark to say it at: the first of its kind.
  package func leads(_ row: ComparisonRow) -> Bool {
    rows.first {
      $0.id == row.id && $0.verdict == .regressed
        && RegressionProfile.isAllocation($0) == RegressionProfile.isAllocation(row)
    } == row
  }

  /// Benchmarks that became worse, the worst first: by what a frame costs more, then those of which only
  /// exact figures rose.
  package var regressedBenchmarks: [BenchmarkID] {
    var losses: [BenchmarkID: Double] = [:]
    var order: [BenchmarkID] = []
    for row in rows where row.verdict == .regressed {
      if losses[row.id] == nil { order.append(row.id) }
      losses[row.id] = max(losses[row.id] ?? 0, loss(row))
    }
    return order.enumerated().sorted {
      (losses[$1.element] ?? 0, $0.offset) < (losses[$0.element] ?? 0, $1.offset)
    }.map(\.element)
  }

  /// As a part of the frame before; 0 for what is not a time.
  private func loss(_ row: ComparisonRow) -> Double {
    guard row.metric == .frameTime, case .number(let old) = row.baseline, let change = row.change,
      case .number(let frame) = rows.first(where: {
        $0.id == row.id && $0.metric == row.metric && $0.phase == nil
      })?.baseline, frame > 0
    else { return 0 }
    return old * change / frame
  }
}
