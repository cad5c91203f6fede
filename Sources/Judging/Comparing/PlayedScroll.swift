import Foundation
import Statistics

/// What each frame cost in one set of processes: either the whole frame, or one of its phases. Costs are in nanoseconds,
/// and NaN if unknown. A benchmark's frames are also called its scroll.
package struct PlayedScroll: Sendable {
  /// The costs of the frames in the baseline, then those in the candidate.
  package private(set) var costs: [[Double]]
  /// The costs in the two processes of the baseline. Empty if the baseline had only one process.
  private let twins: [[Double]]
  /// The mean cost of each frame over all plays (passes through all frames), including disturbed ones, by stall limit,
  /// build and frame. Empty if the plays are unknown.
  private let raw: [StallLimit: [[Double]]]

  /// A disturbance affects one process of a build, but not its twin, which runs the same frames. If one twin takes
  /// longer by more than this fraction, the excess does not count.
  static let mostDifference = 0.05

  /// - Parameters:
  ///   - processes: Costs by build, process (one or two) and frame, in nanoseconds without the cost of the clock.
  ///   - slack: Nanoseconds by which two processes may always differ, because the clock has steps.
  ///   - plays: Costs in all plays of all processes, by build, play and frame.
  package init(_ processes: [[[Double]]], slack: Double, plays: [[[Double]]] = []) {
    let agreed = processes.map { Self.agreed($0, slack: slack) }
    let costs = agreed.map { processes in
      processes.count == 1 ? processes[0] : zip(processes[0], processes[1]).map { ($0 + $1) / 2 }
    }
    self.costs = costs
    twins = agreed[0].count == 2 ? agreed[0] : []
    let means = StallLimit.allCases.map { limit in (limit, zip(plays, costs).map { Self.raw($0, $1, limit) }) }
    raw = Dictionary(uniqueKeysWithValues: means)
  }

  /// The mean time of each frame over all plays. In each play, a frame counts as at most its cost plus the longest
  /// stall that `limit` allows.
  private static func raw(_ plays: [[Double]], _ costs: [Double], _ limit: StallLimit) -> [Double] {
    let known = costs.filter { !$0.isNaN }
    let most = limit.rawValue * known.reduce(0, +) / Double(max(1, known.count))
    return costs.indices.map { frame in
      let limit = costs[frame] + most
      var (sum, count) = (0.0, 0)
      for play in plays where !play[frame].isNaN {
        sum += min(play[frame], limit)
        count += 1
      }
      return count == 0 || limit.isNaN ? .nan : sum / Double(count)
    }
  }

  private static func agreed(_ processes: [[Double]], slack: Double) -> [[Double]] {
    guard processes.count == 2 else { return processes }
    var (first, second) = (processes[0], processes[1])
    for frame in first.indices {
      if first[frame].isNaN { first[frame] = second[frame] }
      if second[frame].isNaN { second[frame] = first[frame] }
      let least = min(first[frame], second[frame])
      let most = max(least, 0) * (1 + mostDifference) + slack
      first[frame] = min(first[frame], most)
      second[frame] = min(second[frame], most)
    }
    return [first, second]
  }

  /// The cost of each frame over several plays of one process, in nanoseconds. It is the lower median of the plays,
  /// which ignores disturbances if fewer than half of the plays have one.
  /// - Parameter plays: Costs by play and frame; NaN if the frame was preempted.
  package static func level(_ plays: [[Double]]) -> [Double] {
    guard plays.count > 1 else { return plays.first ?? [] }
    // One array serves all frames, because this runs between the sets of a comparison and must be quick.
    var known: [Double] = []
    known.reserveCapacity(plays.count)
    return plays[0].indices.map { frame in
      known.removeAll(keepingCapacity: true)
      for play in plays where !play[frame].isNaN { known.append(play[frame]) }
      known.sort()
      return known.isEmpty ? .nan : known[(known.count - 1) / 2]
    }
  }

  /// ln(candidate ÷ baseline) by frame; NaN for a frame whose cost is unknown or not positive.
  package var ratios: [Double] { zip(costs[0], costs[1]).map { $0 > 0 && $1 > 0 ? log($1 / $0) : .nan } }

  /// Lowers the cost of the build that took longer than expected, in frames whose ratio lies beyond `expected` ±
  /// `reach`. Both parameters are logarithms by frame.
  mutating func limitRatios(_ expected: [Double], reach: [Double]) {
    for (frame, ratio) in ratios.enumerated() where !ratio.isNaN && !expected[frame].isNaN {
      let excess = abs(ratio - expected[frame]) - reach[frame]
      if excess > 0 { costs[ratio > expected[frame] ? 1 : 0][frame] *= exp(-excess) }
    }
  }

  /// The mean costs of the probe's frames in each build. `change` is ln of their ratio. For stalls, it is ln of the
  /// candidate's mean divided by the mean that the baseline's stalls lead us to expect. `control` is ln of the ratio
  /// between the two processes of the baseline. It is nil for stalls, and if the baseline has only one process.
  func comparison(_ probe: FrameProbe) -> (change: Double, control: Double?, baseline: Double, candidate: Double) {
    func mean(_ costs: [Double], _ frames: [Int]) -> Double {
      frames.isEmpty ? 0 : frames.reduce(0) { $0 + costs[$1] } / Double(frames.count)
    }
    // An empty phase can come out below zero, because the cost of the clock is subtracted.
    func log(_ cost: Double) -> Double { Foundation.log(max(cost, probe.phase == nil ? 0.01 : 1)) }
    if case .raw(let limit) = probe.statistic {
      let frames = stalls(limit).map { frame, _ in frame }
      let (means, undisturbed) = (raw[limit, default: []].map { mean($0, frames) }, costs.map { mean($0, frames) })
      guard means.count == 2 else { return (0, nil, 0, 0) }
      // Stalls are compared in nanoseconds, because as fractions of a frame they would grow whenever the frame becomes
      // faster. But a longer frame is interrupted more often. So a difference counts only if the length of the frames
      // does not explain it.
      let excess = zip(means, undisturbed).map { max(0, $0 - $1) }
      let scaled = excess[0] * (undisturbed[0] > 0 ? max(0, undisturbed[1]) / undisturbed[0] : 1)
      let expected = min(max(excess[1], min(excess[0], scaled)), max(excess[0], scaled))
      return (log(undisturbed[0] + excess[1]) - log(undisturbed[0] + expected), nil, means[0], means[1])
    }
    let frames = (0...1).map { self.frames(of: probe, build: $0) }
    let means = zip(costs, frames).map(mean)
    let control = twins.map { twin in mean(twin, frames[0].filter { !twin[$0].isNaN }) }
    return (
      log(means[1]) - log(means[0]), control.count == 2 ? log(control[1]) - log(control[0]) : nil, means[0], means[1]
    )
  }

  /// How much longer the plays of a frame took on average than its undisturbed cost, by build, in nanoseconds. Only
  /// frames whose cost is known in both builds are included.
  private func stalls(_ limit: StallLimit) -> [(frame: Int, excess: [Double])] {
    guard let raw = raw[limit], raw.count == 2 else { return [] }
    return costs[0].indices.compactMap { frame in
      let excess = [0, 1].map { raw[$0][frame] - costs[$0][frame] }
      return excess.contains(where: \.isNaN) ? nil : (frame, excess)
    }
  }

  /// The frames that a probe measures. For a quantile, these are the frames around it, because their mean is steadier
  /// than a single frame. These frames may differ between the builds.
  private func frames(of probe: FrameProbe, build: Int) -> [Int] {
    // A frame whose cost is known in only one build would look like a difference between the builds.
    func isKnown(_ frame: Int) -> Bool { costs.allSatisfy { frame < $0.count && !$0[frame].isNaN } }
    let range: ClosedRange<Double>
    switch probe.statistic {
    case .mean, .raw: return costs[build].indices.filter(isKnown)
    case .frames(let set): return set.frames.filter(isKnown)
    case .p50: range = 0.45...0.55
    case .p99: range = 0.985...0.995
    case .max: range = 1...1
    }
    let order = costs[build].indices.filter(isKnown).sorted { costs[build][$0] < costs[build][$1] }
    guard let last = order.indices.last else { return [] }
    let places = [range.lowerBound, range.upperBound].map { Int((Double(last) * $0).rounded()) }
    return Array(order[places[0]...places[1]])
  }

  /// The variance of a probe's change, which comes from the noise of single frames in this set of processes, and from
  /// the chance effect of where two processes place their memory.
  func variance(_ probe: FrameProbe, _ noise: FrameNoise) -> Double {
    let known = frames(of: probe, build: 0).filter { costs[0][$0] > 0 }
    let total = known.reduce(0) { $0 + costs[0][$1] }
    guard total > 0 else { return .infinity }
    if case .raw(let limit) = probe.statistic {
      // Stalls are few and long, so their own spread shows how far their sum varies.
      let excess = stalls(limit).map(\.excess)
      let variances = [0, 1].map { build in Moments(excess.map { $0[build] }[...]).variance }
      return variances.reduce(0, +) * Double(excess.count) / (total * total) + Self.luck * Self.luck
    }
    let ofFrames = known.reduce(0) { sum, frame in
      let part = costs[0][frame] / total * noise.deviations[frame]
      return sum + part * part
    }
    return ofFrames + Self.luck * Self.luck
  }

  /// The standard deviation of ln(a ÷ b), where a and b are the mean frame times of two processes of the same build. It
  /// is used only if the frames take so long that there are few sets of processes to estimate it from. Measured: 0.10%
  /// to 0.18% for frames of half a millisecond (docs/compare-method.md).
  static let luck = 0.0015
}

/// The frames, and the statistic of their times, that one row of a comparison shows.
package struct FrameProbe: Sendable, Hashable {
  /// The phase; nil for the whole frame.
  package var phase: String?
  package var statistic = Statistic.mean

  package enum Statistic: Sendable, Hashable {
    case mean, p50, p99, max
    /// The time lost in stalls, which hit different frames in each play: the mean time over all plays, minus the mean
    /// time of undisturbed frames.
    case raw(StallLimit)
    /// Frames that changed together.
    case frames(FrameSet)
  }

  package init(phase: String?) { self.phase = phase }

  package init(_ statistic: Statistic) { self.statistic = statistic }

  package init(_ frames: FrameSet) { statistic = .frames(frames) }

  var isOfStalls: Bool { if case .raw = statistic { true } else { false } }

  var isOfQuantile: Bool { [.p50, .p99, .max].contains(statistic) }

  /// The number of frames on which a p99, a maximum or the mean of a set of frames depends. Nil for other statistics,
  /// which depend on many frames.
  /// - Parameter frameCount: The number of recorded frames.
  func fewFrameCount(_ frameCount: Int) -> Int? {
    switch statistic {
    case .mean, .p50, .raw: nil
    case .p99: max(1, frameCount / 100)
    case .max: 1
    case .frames(let set): set.count
    }
  }

  /// The tolerance of this probe, as a multiple of the tolerance of the mean of all frames: 10 for a figure that depends
  /// on a single frame, 1.9 for one that depends on a hundred. A change in only a few frames matters only if it is large,
  /// and a figure that depends on only a few frames varies more from run to run.
  package func toleranceFactor(_ frameCount: Int) -> Double {
    fewFrameCount(frameCount).map { 1 + 9 / Double($0).squareRoot() } ?? 1
  }
}

/// The longest stall that counts, as a multiple of the mean frame time. A longer stall counts as if it were this long,
/// because preemptions of short frames are not detected and may make a frame a thousand times as long.
package enum StallLimit: Double, CaseIterable, Sendable {
  /// Shows rare stalls, even one in thousands of frames, if other processes seldom use the core.
  case high = 1000
  /// Shows frequent stalls on a busy machine. Under the high limit, preempted frames would hide them.
  case low = 30
}

/// The noise of each frame's ratio. It is estimated from the differences between successive frames of about the same
/// cost, so that a change of many frames does not count as noise.
package struct FrameNoise: Sendable {
  /// Standard deviations of ln(candidate ÷ baseline), by frame.
  package let deviations: [Double]

  /// - Parameters:
  ///   - ratios: ln(candidate ÷ baseline) by frame; NaN if unknown.
  ///   - costs: The costs of the frames in the baseline, in nanoseconds.
  ///   - manyChanged: Whether as many as half of the frames may have changed. The median of the differences could then
  ///     be a change instead of noise, so the noise is estimated from their lower quartile.
  package init(ratios: [Double], costs: [Double], manyChanged: Bool = false) {
    // For normally distributed numbers, the `share` quantile of the absolute values is `normal` standard deviations.
    let (share, normal) = manyChanged ? (0.25, 0.31864) : (0.5, 0.67449)
    let known = ratios.indices.filter { !ratios[$0].isNaN }
    // The differences between so few frames may all be changes instead of noise.
    let areFew = ratios.count < FrameScan.leastFrameCount
    var deviations = [Double](repeating: areFew ? PlayedScroll.luck : 1, count: ratios.count)
    for kind in Self.kinds(known, costs) where !areFew {
      let steps = zip(kind.dropFirst(), kind).map { abs(ratios[$0] - ratios[$1]) }.sorted()
      let deviation = steps.isEmpty ? 1 : Quantile.type7(sorted: steps, at: share) / normal / 2.0.squareRoot()
      // The clock's steps can make many differences 0, so the deviation has a lower limit.
      for frame in kind { deviations[frame] = max(deviation, 0.001, 2 / max(costs[frame], 1)) }
    }
    self.deviations = deviations
  }

  /// The smallest number of frames from which their noise can be estimated.
  private static let leastCount = 24

  /// Groups frames of about the same cost: the highest cost is at most 1.5 times the lowest. A group of fewer than 24
  /// frames joins the nearest group.
  static func kinds(_ frames: [Int], _ costs: [Double]) -> [[Int]] {
    var kinds: [[Int]] = []
    for frame in frames.sorted(by: { costs[$0] < costs[$1] }) {
      if let last = kinds.indices.last, costs[frame] <= 1.5 * costs[kinds[last][0]] {
        kinds[last].append(frame)
      } else {
        kinds.append([frame])
      }
    }
    while kinds.count > 1, let few = kinds.indices.first(where: { kinds[$0].count < leastCount }) {
      func distance(_ low: Int, _ high: Int) -> Double {
        guard kinds.indices.contains(low), kinds.indices.contains(high) else { return .infinity }
        return costs[kinds[high][0]] / max(costs[kinds[low][kinds[low].count - 1]], 0.01)
      }
      let low = distance(few - 1, few) <= distance(few, few + 1) ? few - 1 : few
      kinds[low] += kinds.remove(at: low + 1)
    }
    return kinds.map { $0.sorted() }
  }
}
