import Foundation
import Statistics
import TextFormat

/// The frames of the scroll in which the costs of two builds differ.
package struct FrameDifference: Sendable, Hashable {
  /// Frames that stand out, ascending; empty: the difference is spread over the scroll.
  package let frames: [Int]
  package let worstFrame: Int
  package let worstBaseline: Double
  package let worstCandidate: Double
  /// All frames, including those that were not measured.
  package let frameCount: Int

  /// Costs frame by frame, nanoseconds; NaN for a frame that was not measured. A frame stands out if its difference is
  /// six robust standard deviations from the median, and a twentieth of the cost. Frames that stand out are named if
  /// they contain at least half of the whole difference. Nil if fewer than eight frames were measured in both.
  package init?(baseline: [Double], candidate: [Double]) {
    precondition(baseline.count == candidate.count, "\(baseline.count) frames against \(candidate.count)")
    let measured = baseline.indices.filter { baseline[$0].isFinite && candidate[$0].isFinite }
    guard measured.count >= 8 else { return nil }
    let differences = measured.map { candidate[$0] - baseline[$0] }
    let middle = Quantile.median(differences)
    let spread = RobustSpread.deviation(differences)
    let total = differences.reduce(0, +)
    var outstanding: [Int] = []
    var sum = 0.0
    for (frame, difference) in zip(measured, differences) {
      let distance = abs(difference - middle)
      guard distance > 6 * spread, distance > 0.05 * baseline[frame], difference * total > 0 else { continue }
      outstanding.append(frame)
      sum += difference
    }
    frames = abs(sum) >= abs(total) / 2 ? outstanding : []
    frameCount = baseline.count
    let signed = total >= 0 ? differences : differences.map { -$0 }
    let worst = signed.indices.max { signed[$0] < signed[$1] } ?? 0
    worstFrame = measured[worst]
    worstBaseline = baseline[worstFrame]
    worstCandidate = candidate[worstFrame]
  }

  package var sentence: String {
    guard !frames.isEmpty else { return "spread over all frames" }
    let ranges = IndexSet(frames).rangeView
    let shown = ranges.prefix(4).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound - 1)" }
    let rest = ranges.count > 4 ? " and \(ranges.count - 4) more places" : ""
    return "in \(Format.plural(frames.count, "frame")) of \(Format.integer(frameCount))"
      + " (\(shown.joined(separator: ", "))\(rest)), most in frame \(worstFrame):"
      + " \(TimeUnit.text(worstBaseline)) → \(TimeUnit.text(worstCandidate))"
  }
}
