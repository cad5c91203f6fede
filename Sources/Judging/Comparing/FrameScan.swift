import Foundation
import Statistics

/// Looks for sets of frames that changed together: consecutive frames, frames at equal distances, frames of similar
/// cost, scattered frames that stand out, and single frames. In each step it takes the set that stands out most,
/// subtracts the set's change from the ratios of its frames, and looks at the rest (matching pursuit: Mallat and Zhang,
/// "Matching Pursuits with Time-Frequency Dictionaries", IEEE Transactions on Signal Processing 41, 1993). The sets
/// found are only suspected. Other measurements confirm or clear them.
package struct FrameScan {
  /// The suspected sets, the most striking one first.
  package private(set) var found: [FrameSet] = []

  /// The largest number of suspected sets of frames. A reader learns little from more of them. If the ratios come from
  /// a single set of processes, six times as many are allowed, because disturbed frames then look changed.
  static let mostSuspects = 6
  /// Among fewer frames, noise cannot be told from changes. So each of them is examined by itself.
  package static let leastFrameCount = 8
  /// A set of frames stands out if the mean of its log ratios is at least this many standard deviations from 0.
  static let leastDeviations = 5.0
  /// If many frames stand out together, each must be at least this many standard deviations from 0.
  static let leastOfMany = 1.5

  private let frameCount: Int
  private let ratios: [Double]
  private let costs: [Double]
  /// 1 ÷ variance for each frame; 0 if the frame's ratio is unknown.
  private let weights: [Double]
  private let kinds: [[Int]]
  /// Frames that stand out are suspected together if they have at least this `evidence`, because noise seldom moves so
  /// many of them in one direction. Noise alone reaches this limit in one of five benchmarks.
  private static let leastEvidence = 3.0

  /// Looks for frames whose cost has changed.
  /// - Parameters:
  ///   - ratios: ln(candidate ÷ baseline) by frame; NaN if unknown.
  ///   - costs: The costs of the frames in the baseline, in nanoseconds.
  ///   - deviations: Standard deviations of the ratios, by frame. A deviation is used only if it is larger than the
  ///     noise of frames of similar cost.
  ///   - setCount: The number of groups of processes that the ratios come from. If it is 1, a changed frame looks like
  ///     a disturbed one, so more frames are reported as possibly changed.
  ///   - tolerance: Returns the smallest change that counts for a set of frames.
  package init(
    ratios: [Double], costs: [Double], deviations: [Double] = [], setCount: Int, tolerance: (FrameSet) -> Double
  ) {
    // With `manyChanged`, the noise is estimated from the quietest frames. Compared with this noise, the disturbed
    // frames of a single set would look changed.
    var noise = FrameNoise(ratios: ratios, costs: costs, manyChanged: setCount > 1).deviations
    for (frame, deviation) in deviations.enumerated() { noise[frame] = max(noise[frame], deviation) }
    frameCount = ratios.count
    self.ratios = ratios.map { $0.isNaN ? 0 : $0 }
    self.costs = costs
    weights = ratios.indices.map { ratios[$0].isNaN ? 0 : 1 / (noise[$0] * noise[$0]) }
    kinds = FrameNoise.kinds(ratios.indices.filter { !ratios[$0].isNaN }, costs)
    let most = setCount == 1 ? 6 * Self.mostSuspects : Self.mostSuspects
    guard frameCount >= Self.leastFrameCount else { return }
    var left = self.ratios
    var explained: Set<Int> = []
    for _ in 0..<2 * most where found.count < most {
      guard let next = strongest(left), next.score >= Self.leastDeviations else { return }
      let frames = next.frames.filter { weights[$0] > 0 }
      let excess = mean(left, frames)
      for frame in frames { left[frame] -= excess }
      // A set that contains most frames shows only what the mean of all frames shows, too.
      guard frames.count * 10 <= frameCount * 9 else { continue }
      let set =
        (next.stride ?? Self.evenStride(frames.sorted(), frameCount)).map { FrameSet($0) } ?? FrameSet(frames.sorted())
      // A frame that is already a suspect would make every set that contains it look changed.
      let others = frames.filter { !explained.contains($0) }
      let change = mean(self.ratios, others.isEmpty ? frames : others)
      let least = tolerance(set)
      // A set that hardly differs from the other frames does not show where the change is.
      if change * excess > 0, abs(exp(change) - 1) > least, 2 * abs(excess) > least, !found.contains(set) {
        found.append(set)
        explained.formUnion(frames)
      }
    }
  }

  /// The stride of the frames if they are evenly spaced from the first frames to the last; otherwise nil.
  private static func evenStride(_ frames: [Int], _ frameCount: Int) -> FrameSet.Stride? {
    guard frames.count >= 4, let first = frames.first, let last = frames.last else { return nil }
    let step = frames[1] - first
    let isEven = zip(frames.dropFirst(), frames).allSatisfy { $0 - $1 == step }
    return isEven && first < step && last + step >= frameCount ? .init(first: first, last: last, step: step) : nil
  }

  private struct Candidate {
    var frames: [Int]
    var stride: FrameSet.Stride?
    /// The distance of the frames' mean ratio from 0, in standard deviations of this mean.
    var score: Double
    /// The logarithm of the number of sets from which this one was selected. The more sets there are, the further the
    /// best one stands out by chance.
    var choices: Double
    /// How much better a change explains the numbers of slower and faster frames than noise does: the logarithm of the
    /// likelihood ratio. Negative infinity if the set was not selected by these numbers.
    var evidence = -Double.infinity

    /// How much better the ratios are explained with a change of this set than without: the logarithm of the likelihood
    /// ratio, minus the length of the set's description (Rissanen, "Modeling by Shortest Data Description", Automatica
    /// 14, 1978). If `evidence` is larger, it counts instead.
    var gain: Double { max(score * score / 2 - choices, evidence) }
  }

  private func mean(_ values: [Double], _ frames: [Int]) -> Double {
    let sums = frames.reduce((0.0, 0.0)) { ($0.0 + weights[$1] * values[$1], $0.1 + weights[$1]) }
    return sums.1 > 0 ? sums.0 / sums.1 : 0
  }

  private func score(_ values: [Double], _ frames: some Sequence<Int>) -> Double {
    let sums = frames.reduce((0.0, 0.0)) { ($0.0 + weights[$1] * values[$1], $0.1 + weights[$1]) }
    return sums.1 > 0 ? abs(sums.0) / sums.1.squareRoot() : 0
  }

  /// Limits each ratio to a factor of two, because a disturbance may have made it arbitrarily large.
  static func limited(_ ratios: [Double]) -> [Double] { ratios.map { max(-log(2), min(log(2), $0)) } }

  private func strongest(_ left: [Double]) -> Candidate? {
    let limited = Self.limited(left)
    let single = left.indices.map { (frame: $0, score: abs(left[$0]) * weights[$0].squareRoot()) }.max {
      $0.score < $1.score
    }
    let one = single.map {
      Candidate(
        frames: [$0.frame], stride: FrameSet.Stride(first: $0.frame, last: $0.frame), score: $0.score,
        choices: log(Double(frameCount)))
    }
    let regular = [run(limited), comb(limited)].compactMap(\.self)
    let candidates = [one] + regular + kindsOfFrames(left) + [true, false].map { outstanding(left, above: $0) }
    let best = candidates.compactMap(\.self).max { $0.gain < $1.gain }
    // If the best set has no stride, but consists mostly of the run or the comb, the run or the comb is returned,
    // because it is easier to describe. The other frames of the best set may only have been disturbed.
    return best.flatMap { best in regular.first { best.stride == nil && consists(best.frames, of: $0.frames) } } ?? best
  }

  /// Whether at least four fifths of the part belong to the set, and make up half of it, by number and by cost.
  private func consists(_ set: [Int], of part: [Int]) -> Bool {
    let shared = Array(Set(set).intersection(part))
    func isMost(_ size: ([Int]) -> Double) -> Bool {
      5 * size(shared) >= 4 * size(part) && 2 * size(shared) >= size(set)
    }
    return isMost { Double($0.count) } && isMost { $0.reduce(0) { $0 + (costs[$1].isNaN ? 0 : costs[$1]) } }
  }

  /// The consecutive frames that stand out most, which may be all frames. The search tries lengths that grow by a
  /// quarter, then moves the ends of the best run.
  private func run(_ left: [Double]) -> Candidate? {
    var (sums, totals) = ([0.0], [0.0])
    for frame in left.indices {
      sums.append(sums[frame] + weights[frame] * left[frame])
      totals.append(totals[frame] + weights[frame])
    }
    func score(_ range: Range<Int>) -> Double {
      let total = totals[range.upperBound] - totals[range.lowerBound]
      return total > 0 ? abs(sums[range.upperBound] - sums[range.lowerBound]) / total.squareRoot() : 0
    }
    var best = (range: 0..<frameCount, score: score(0..<frameCount))
    var length = 1
    while length < frameCount {
      for start in stride(from: 0, through: frameCount - length, by: max(1, length / 8)) {
        let found = score(start..<start + length)
        if found > best.score { best = (start..<start + length, found) }
      }
      length = max(length + 1, length * 5 / 4)
    }
    var reach = max(1, best.range.count / 4)
    while reach >= 1 {
      let (low, high) = (best.range.lowerBound, best.range.upperBound)
      let moved = [
        low - reach..<high, low + reach..<max(high, low + reach + 1), low..<high + reach,
        low..<max(high - reach, low + 1),
      ]
      let better = moved.filter { $0.lowerBound >= 0 && $0.upperBound <= frameCount && !$0.isEmpty }.map {
        (range: $0, score: score($0))
      }.max { $0.score < $1.score }
      if let better, better.score > best.score { best = better } else { reach /= 2 }
    }
    let stride = FrameSet.Stride(first: best.range.lowerBound, last: best.range.upperBound - 1)
    return Candidate(
      frames: Array(best.range), stride: stride, score: best.score, choices: log(Double(frameCount * frameCount) / 2))
  }

  /// The frames at equal distances that stand out most, at least four of them.
  private func comb(_ left: [Double]) -> Candidate? {
    var best: (first: Int, step: Int, score: Double)?
    let mostStep = max(2, min(frameCount / 4, 240))
    for step in 2...mostStep where step < frameCount {
      var sums = [Double](repeating: 0, count: step)
      var totals = sums
      for frame in left.indices {
        sums[frame % step] += weights[frame] * left[frame]
        totals[frame % step] += weights[frame]
      }
      for first in 0..<step where totals[first] > 0 {
        let score = abs(sums[first]) / totals[first].squareRoot()
        // If these frames are a part of the best ones so far, and score almost as high, the other frames of the best
        // ones add nothing, so these replace them. Any other frames have to score clearly higher, so that noise does
        // not decide.
        let isPart = best.map { step % $0.step == 0 && first % $0.step == $0.first } ?? false
        if score > (isPart ? 0.99 : 1.02) * (best?.score ?? 0) { best = (first, step, score) }
      }
    }
    guard let best else { return nil }
    let last = best.first + (frameCount - 1 - best.first) / best.step * best.step
    return Candidate(
      frames: Array(stride(from: best.first, through: last, by: best.step)),
      stride: FrameSet.Stride(first: best.first, last: last, step: best.step), score: best.score,
      choices: log(Double(mostStep * mostStep) / 2))
  }

  /// The frames of each kind, that is, of about the same cost. For example, frames that compute the difference of two
  /// long lists may take 500 times as long as others.
  private func kindsOfFrames(_ left: [Double]) -> [Candidate] {
    guard kinds.count > 1 else { return [] }
    return kinds.map { Candidate(frames: $0, stride: nil, score: score(left, $0), choices: log(Double(kinds.count))) }
  }

  /// The frames that stand out in one direction. Noise is equally likely in both directions, so the number of frames
  /// that are as far from 0 in the other direction shows how many of the frames are noise (as in the filter of Barber
  /// and Candès, "Controlling the False Discovery Rate via Knockoffs", The Annals of Statistics 43, 2015). If most of
  /// them may be noise, only frames that are very far from 0 are returned.
  private func outstanding(_ left: [Double], above: Bool) -> Candidate? {
    let deviations = left.indices.map { (above ? left[$0] : -left[$0]) * weights[$0].squareRoot() }
    let order = deviations.indices.sorted { abs(deviations[$0]) > abs(deviations[$1]) }
    var (those, others, far) = (0, 0, 0)
    var best = (count: 0, evidence: 0.0)
    for (position, frame) in order.enumerated() {
      guard abs(deviations[frame]) >= Self.leastOfMany else { break }
      if deviations[frame] > 0 { those += 1 } else { others += 1 }
      if others == 0, abs(deviations[frame]) > Self.leastDeviations { far = position + 1 }
      let evidence = Self.evidence(those, others)
      if evidence > best.evidence { best = (position + 1, evidence) }
    }
    if best.evidence < Self.leastEvidence { best = (far, -.infinity) }
    let members = order.prefix(best.count).filter { deviations[$0] > 0 }
    // An unchanged frame that takes long may be far from 0 because it is precise. It would hide the change of the others.
    let half = members.isEmpty ? 0 : Quantile.median(members.map { abs(left[$0]) }) / 2
    let frames = members.filter { abs(left[$0]) >= half }
    guard !frames.isEmpty else { return nil }
    let (all, some) = (Double(frameCount), Double(frames.count))
    let choices = lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1)
    return Candidate(frames: frames, stride: nil, score: score(left, frames), choices: choices, evidence: best.evidence)
  }

  /// Logarithm of the likelihood ratio between two explanations for the numbers of frames in each direction: one
  /// direction is likelier, or both are equally likely.
  private static func evidence(_ those: Int, _ others: Int) -> Double {
    guard those > others else { return 0 }
    let all = Double(those + others)
    func term(_ count: Double) -> Double { count > 0 ? count * log(2 * count / all) : 0 }
    return term(Double(those)) + term(Double(others))
  }
}
