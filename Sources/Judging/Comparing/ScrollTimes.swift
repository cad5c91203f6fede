import Foundation
import Statistics

/// The measurements of one benchmark in several sets of processes. Each set has a `PlayedScroll` (the costs of all
/// frames in both builds) for whole frames, and one for each phase that both builds have in every set. The key nil
/// stands for whole frames.
package struct ScrollTimes: Sendable {
  package private(set) var phases: [String?] = [nil]
  /// The sets with their link orders; the order is nil for programs as they were built.
  private var sets: [(order: Int?, scrolls: [String?: PlayedScroll])] = []
  package var setCount: Int { sets.count }
  package var orderCount: Int { Set(sets.compactMap(\.order)).count }
  /// The measured time of a pair of clock reads with nothing between them, in nanoseconds, one value per set.
  private var pairCosts: [Double] = []
  /// The results of `withoutDisturbances`, by phase (nil is the whole frame). Empty until `end` is called.
  private var undisturbed: [String?: [PlayedScroll]] = [:]

  package init() {}

  /// - Parameters:
  ///   - scrolls: The times of whole frames first, then those of the phases that both builds have.
  ///   - order: The link order of both builds in the set. Nil means the programs as they were built.
  package mutating func add(_ scrolls: [(phase: String?, scroll: PlayedScroll)], order: Int?, pairCost: Double) {
    let names = scrolls.map(\.phase)
    // On a busy machine, the preparation of a process may end before a rare phase has run, so some sets lack this
    // phase.
    phases = sets.isEmpty ? names : phases.filter(names.contains)
    pairCosts.append(pairCost)
    undisturbed = [:]
    sets.append((order, Dictionary(scrolls.map { ($0.phase, $0.scroll) }) { first, _ in first }))
  }

  /// Computes the values that depend on all sets. Called after the last set was added.
  package mutating func end() { for phase in phases { undisturbed[phase] = withoutDisturbances(phase) } }

  /// Returns the sets of both measurements, with the phases that both have.
  package func joined(_ others: ScrollTimes) -> ScrollTimes {
    var all = self
    all.phases = phases.filter(others.phases.contains)
    all.sets += others.sets
    all.pairCosts += others.pairCosts
    all.undisturbed = [:]
    all.end()
    return all
  }

  private func scrolls(of phase: String?) -> [PlayedScroll] { sets.compactMap { $0.scrolls[phase] } }

  /// Returns the costs of all sets with disturbed frames corrected, because disturbances are most of the noise. A frame
  /// counts as disturbed in a set if its ratio (candidate ÷ baseline) differs from that in the other sets by more than
  /// its noise. Then the cost of the build that took longer is lowered.
  private func withoutDisturbances(_ phase: String?) -> [PlayedScroll] {
    if let known = undisturbed[phase] { return known }
    var scrolls = scrolls(of: phase)
    guard scrolls.count > 1 else { return scrolls }
    let ratios = scrolls.map(\.ratios)
    let (usual, spreads) = (Self.middle(ratios), Self.spreads(ratios))
    let costs = costs(of: phase)[0]
    let kinds = FrameNoise.kinds(usual.indices.filter { !usual[$0].isNaN }, costs)
    for (set, own) in ratios.enumerated() {
      let noise = FrameNoise(ratios: own, costs: costs).deviations
      var expected = usual
      for kind in kinds {
        // A difference that all frames of similar cost share in this set is not a disturbance.
        let distances = kind.map { own[$0] - usual[$0] }.filter { !$0.isNaN }
        guard !distances.isEmpty else { continue }
        let level = Quantile.median(distances)
        for frame in kind { expected[frame] += level }
      }
      scrolls[set].limitRatios(expected, reach: zip(noise, spreads).map { 2 * max($0, $1) })
    }
    return scrolls
  }

  /// ln(candidate ÷ baseline) of the shortest times that these frames took in any set. Nil if no frame is known.
  package func leastChange(of set: FrameSet) -> Double? {
    let scrolls = scrolls(of: nil)
    var sums = (0.0, 0.0)
    for frame in set.frames {
      let known = scrolls.filter { scroll in scroll.costs.allSatisfy { frame < $0.count && $0[frame] > 0 } }
      guard let least = known.map({ $0.costs[0][frame] }).min(), let other = known.map({ $0.costs[1][frame] }).min()
      else { continue }
      sums = (sums.0 + least, sums.1 + other)
    }
    return sums.0 > 0 ? log(sums.1 / sums.0) : nil
  }

  /// The measurements of a probe (a statistic of some frames). All sets of one link order are averaged into one value,
  /// because they share the effect of that order.
  /// - Parameter ranked: Whether a rank test decides if there are enough groups of sets for it.
  package func times(of probe: FrameProbe, ranked: Bool = true) -> PairedTimes {
    let frameCount = sets.first?.scrolls[probe.phase]?.costs[0].count ?? 0
    let fewFrameCount = probe.fewFrameCount(frameCount)
    // Without link orders, each set is a separate group. There are at most 200 such groups, because the time of a rank
    // test grows with the cube of their number.
    let length = max(1, (sets.count + 199) / 200)
    let groups = Dictionary(grouping: sets.indices) { sets[$0].order ?? -1 - $0 / length }.values.sorted {
      $0[0] < $1[0]
    }
    // A frame may look disturbed in one set only because its ratios in the other sets are alike by chance. Such errors
    // average out only over many frames, so disturbances are not removed from the times of few frames. Quantiles are an
    // exception if there are few sets, because each set may take them from different frames.
    let isOfFew = 20 * (fewFrameCount ?? frameCount) < frameCount
    let areRanked = ranked && groups.count >= PairedTimes.leastRankedCount
    let scrolls =
      isOfFew && (areRanked || !probe.isOfQuantile) ? scrolls(of: probe.phase) : withoutDisturbances(probe.phase)
    let found = scrolls.map { $0.comparison(probe) }
    func means(_ values: [Double]) -> [Double] { groups.map { $0.reduce(0) { $0 + values[$1] } / Double($0.count) } }
    var times = PairedTimes()
    times.toleranceFactor = probe.toleranceFactor(frameCount)
    times.changes = means(found.map(\.change))
    times.baseline = means(found.map(\.baseline))
    if let count = fewFrameCount, let cost = times.baseline.max(), cost > 0 {
      times.clockAllowance = Quantile.median(pairCosts) / Double(count).squareRoot() / cost
    }
    times.candidate = means(found.map(\.candidate))
    let controls = found.compactMap(\.control)
    if controls.count == found.count { times.controls = means(controls) }
    if !areRanked {
      // The noise of single frames shows less about few frames than about all frames, so it has less weight for few
      // frames. It has almost no weight if there are too few frames to estimate it, or if there are enough sets to show
      // how much sets differ. The variance of stalls has more weight: if nothing changed, stalls hit both builds alike,
      // so their sizes show how much their sum varies.
      let areFew = frameCount < FrameScan.leastFrameCount || groups.count >= PairedTimes.leastRankedCount
      times.priorDegrees = areFew ? 0.5 : isOfFew ? PairedTimes.priorDegreesOfFewFrames : probe.isOfStalls ? 24 : 8
      times.variances = means(scrolls.map { $0.variance(probe, FrameNoise(ratios: $0.ratios, costs: $0.costs[0])) })
    }
    return times
  }

  /// The frames of a set that changed by at least half as much as the set's mean, in the same direction. Returns the
  /// whole set if there are none.
  package func supporting(_ set: FrameSet) -> FrameSet {
    let ratios = ratios
    let known = set.frames.filter { $0 < ratios.count && !ratios[$0].isNaN }
    let half = Moments(FrameScan.limited(known.map { ratios[$0] })[...]).mean / 2
    let frames = known.filter { half > 0 ? ratios[$0] > half : ratios[$0] < half }
    return frames.isEmpty ? set : FrameSet(frames)
  }

  /// Whether the frame or phase takes longer than reading the clock, in at least one build. The ratio of two shorter
  /// times would be mostly error.
  package func isTestable(_ phase: String?) -> Bool {
    guard phase != nil else { return true }
    let scrolls = scrolls(of: phase)
    return !scrolls.isEmpty
      && [0, 1].contains { build in
        let costs = scrolls.map { scroll in
          let known = scroll.costs[build].filter { !$0.isNaN && $0 != 0 }
          return known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count)
        }
        return Quantile.median(costs) >= Quantile.median(pairCosts)
      }
  }

  /// The costs of each build by frame, in nanoseconds: the lower median over the sets. NaN for a frame without a cost
  /// in any set.
  package func costs(of phase: String?) -> [[Double]] {
    let scrolls = scrolls(of: phase)
    return [0, 1].map { build in PlayedScroll.level(scrolls.map { $0.costs[build] }) }
  }

  /// ln(candidate ÷ baseline) of a probe, computed from the usual costs of the frames (`costs(of:)`). Different frames
  /// are disturbed in each set, so disturbances hardly change the usual costs.
  package func usualChange(of probe: FrameProbe) -> Double {
    PlayedScroll(costs(of: probe.phase).map { [$0] }, slack: 0).comparison(probe).change
  }

  /// ln(candidate ÷ baseline) by frame: the mean over all sets after disturbances are removed. NaN for a frame without
  /// a cost in any set.
  package var ratios: [Double] {
    let ratios = withoutDisturbances(nil).map(\.ratios)
    return (ratios.first ?? []).indices.map { frame in
      let known = ratios.map { $0[frame] }.filter { !$0.isNaN }
      return known.isEmpty ? .nan : known.reduce(0, +) / Double(known.count)
    }
  }

  /// The median over the sets, by frame. If there are two middle values, it is the one closer to 0, or 0 if their signs
  /// differ: with two sets, both have to show a change.
  private static func middle(_ ratios: [[Double]]) -> [Double] {
    guard let first = ratios.first else { return [] }
    return first.indices.map { frame in
      let known = ratios.compactMap { $0[frame].isNaN ? nil : $0[frame] }.sorted()
      guard !known.isEmpty else { return .nan }
      let (low, high) = (known[(known.count - 1) / 2], known[known.count / 2])
      return low > 0 ? low : high < 0 ? high : 0
    }
  }

  /// The standard deviation of each frame's ratio across the sets. The fifth of the sets that is furthest from the
  /// median is left out, because something may have disturbed these sets. If fewer were left out, a disturbed set might
  /// remain. If more were left out, the variation of the frame itself would be lost. The result is 0 for a frame that
  /// has a cost in only one set.
  private static func spreads(_ ratios: [[Double]]) -> [Double] {
    let middle = middle(ratios)
    return middle.indices.map { frame in
      let distances = ratios.map { abs($0[frame] - middle[frame]) }.filter { !$0.isNaN }.sorted()
      // Four fifths of normally distributed numbers are within 1.28 standard deviations.
      return distances.isEmpty ? 0 : distances[(distances.count - 1) * 4 / 5] / 1.28
    }
  }

  /// The standard deviations of `ratios`, estimated from the differences between sets.
  package var ratioDeviations: [Double] {
    let ratios = scrolls(of: nil).map(\.ratios)
    return Self.spreads(ratios).map { $0 / Double(max(1, ratios.count)).squareRoot() }
  }

  /// How much the link order (the order of functions) changes the baseline's time, as a standard deviation of its
  /// logarithm. It is computed from the difference between consecutive sets, minus the difference between the two
  /// processes of the baseline within a set. Nil for fewer than eight orders.
  ///
  /// A machine that changes its pace affects all times at once. So the differences between sets are computed twice: as
  /// measured, and without the part that the other times of the set share. The smaller result counts.
  package func layoutSpread(of phase: String?) -> Double? {
    guard orderCount >= 8 else { return nil }
    func steps(_ values: [Double]) -> Double { RobustSpread.deviation(zip(values.dropFirst(), values).map(-)) }
    let logs = logs(of: phase)
    let between = min(steps(logs), steps(zip(logs, pace(beside: phase)).map(-)))
    // A step, the difference between successive sets, has twice the variance of a set. A control, the difference
    // between two processes, has twice the variance of a process. The baseline's time in a set is the mean of two
    // processes, so it has half the variance of a process.
    let within = RobustSpread.deviation(
      scrolls(of: phase).compactMap { $0.comparison(FrameProbe(phase: phase)).control })
    return max(0, between * between / 2 - within * within / 4).squareRoot()
  }

  /// The logarithm of the baseline's time in each set, for the whole frame (nil) or a phase.
  private func logs(of phase: String?) -> [Double] {
    scrolls(of: phase).map { log(max($0.comparison(FrameProbe(phase: phase)).baseline, 0.01)) }
  }

  /// How slow the machine was in each set, as a logarithm: all times except that of `phase` are compared with their
  /// medians over the sets, and the median of these differences counts.
  private func pace(beside phase: String?) -> [Double] {
    let others = phases.filter { $0 != phase }.map { other in
      let logs = logs(of: other)
      let usual = Quantile.median(logs)
      return logs.map { $0 - usual }
    }
    return sets.indices.map { set in others.isEmpty ? 0 : Quantile.median(others.map { $0[set] }) }
  }
}
