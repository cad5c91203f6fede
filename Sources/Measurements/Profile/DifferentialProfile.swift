import FrameBench

/// Where two builds of a benchmark differ.
package struct DifferentialProfile: Sendable {
  package var id: BenchmarkID
  /// As the reader knows it: a revision, for example.
  package var baselineName: String
  /// As the reader knows it: a revision, or the working tree.
  package var candidateName: String
  /// Of the same frames as `candidate`.
  package var baseline: SampledProfile
  /// Of the same frames as `baseline`.
  package var candidate: SampledProfile
  /// The largest first.
  package var movers: [Mover]

  /// A function whose own cost differs.
  package struct Mover: Sendable, Equatable {
    /// With the candidate's file and line, unless only the baseline spends anything in it.
    package var frame: CallFrame
    /// Of a frame, nanoseconds.
    package var baseline: Double
    /// Of a frame, nanoseconds; 0 where no sample met it.
    package var candidate: Double
    /// Standard error of the difference, from the numbers of samples.
    package var error: Double

    /// Of a frame, nanoseconds; above 0 where the candidate spends more.
    package var change: Double { candidate - baseline }
    /// Whether it is more than chance explains: three standard errors.
    package var isClear: Bool { abs(change) > 3 * error }
  }

  /// Finds the movers in the two profiles.
  package init(
    id: BenchmarkID, baselineName: String, baseline: SampledProfile, candidateName: String,
    candidate: SampledProfile
  ) {
    self.id = id
    self.baselineName = baselineName
    self.candidateName = candidateName
    self.baseline = baseline
    self.candidate = candidate
    movers = Self.movers(baseline, candidate)
  }

  private static func movers(_ baseline: SampledProfile, _ candidate: SampledProfile) -> [Mover] {
    var sides: [String: (frame: CallFrame, baseline: Double, candidate: Double)] = [:]
    for cost in FunctionCost.costs(of: baseline.stacks, value: { Double($0.count) }) where cost.own > 0 {
      sides[cost.frame.function] = (cost.frame, cost.own, 0)
    }
    for cost in FunctionCost.costs(of: candidate.stacks, value: { Double($0.count) }) where cost.own > 0 {
      // The candidate's file and line are the ones that the reader has.
      sides[cost.frame.function] = (cost.frame, sides[cost.frame.function]?.baseline ?? 0, cost.own)
    }
    let (one, other) = (baseline.nanosecondsPerSample, candidate.nanosecondsPerSample)
    return sides.values.map { side in
      Mover(
        frame: side.frame, baseline: side.baseline * one, candidate: side.candidate * other,
        error: error(side.baseline, side.candidate, one, other))
    }
    .sorted { (abs($1.change), $0.frame.function) < (abs($0.change), $1.frame.function) }
  }

  /// Both sides in one, in nanoseconds of a frame; put together at each call.
  package var tree: CallTree {
    var tree = CallTree(root: id.description)
    for stack in baseline.stacks { tree.add(stack.frames, baseline.nanoseconds(stack), to: .baseline) }
    for stack in candidate.stacks { tree.add(stack.frames, candidate.nanoseconds(stack), to: .candidate) }
    return tree
  }
}
