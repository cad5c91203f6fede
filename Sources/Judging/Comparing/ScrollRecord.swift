import FrameBench

/// The cost of each frame in both builds, for charts. It is the median over several sets of processes, which took turns
/// on one core.
package struct ScrollRecord: Codable, Sendable, Equatable {
  package var id: BenchmarkID
  /// Nanoseconds of each frame, rounded to tenths; nil if unknown.
  package var baseline: [Double?]
  package var candidate: [Double?]

  /// - Parameter costs: Costs by build and frame; NaN if unknown.
  init(id: BenchmarkID, _ costs: [[Double]]) {
    self.id = id
    let known = costs.map { $0.map { $0.isNaN ? nil : inTenths(max(0, $0)) } }
    (baseline, candidate) = (known[0], known[1])
  }

  /// Divides the frames into pieces of about equal length, and returns the mean change in each, as a fraction. Nil for
  /// a piece in which no frame was measured in both builds.
  package func changes(pieceCount: Int) -> [Double?] {
    let count = min(pieceCount, baseline.count)
    return (0..<count).map { piece in
      let frames = piece * baseline.count / count..<(piece + 1) * baseline.count / count
      let known = frames.compactMap { frame in baseline[frame].flatMap { old in candidate[frame].map { (old, $0) } } }
      let old = known.reduce(0) { $0 + $1.0 }
      return old > 0 ? known.reduce(0) { $0 + $1.1 } / old - 1 : nil
    }
  }

  /// Whether the record has values that no comparison can produce.
  var isImpossible: Bool {
    let values = (baseline + candidate).compactMap(\.self)
    return baseline.count != candidate.count || !values.allSatisfy { (0...1e15).contains($0) }
  }
}
