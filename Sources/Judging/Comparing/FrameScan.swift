import Foundation
import Statistics

/// Looks for sets of frames that changed together: runs at all scales, frames at equal distances, frames of one kind,
/// and single ones. It explains the ratios of a scroll step by step by the set that stands out most, and looks at what
/// is left (matching pursuit: Mallat and Zhang, "Matching Pursuits with Time-Frequency Dictionaries", IEEE Transactions
/// on Signal Processing 41, 1993). What it finds is only suspected: other measurements decide.
package struct FrameScan {
  /// Suspects, the most striking first.
  package private(set) var found: [FrameSet] = []

  /// A reader learns less from more of them.
  static let mostSuspects = 6
  /// Standard deviations by which the mean of a set must differ.
  static let leastDeviations = 5.0
  /// Standard deviations by which each of many frames that stand out together must differ.
  static let leastOfMany = 1.5

  private let frameCount: Int
  private let ratios: [Double]
  /// 1 ÷ variance, 0 for a frame that is not known.
  private let weights: [Double]
  private let kinds: [[Int]]
  /// ln of the likelihood ratio from which more frames stand out in one direction than noise explains. Noise alone
  /// exceeds it in one of five scrolls.
  private static let leastEvidence = 3.0

  /// - Parameters:
  ///   - ratios: ln(candidate ÷ baseline) by frame; NaN: not known.
  ///   - costs: Of the baseline, nanoseconds.
  ///   - deviations: Of the ratios, by frame, where they are known to be larger than those of frames that cost as much.
  ///   - setCount: The number of sets that the ratios are of. One set does not tell a frame that changed from one that
  ///     was disturbed, so more of them are suspected.
  ///   - tolerance: The smallest change that counts, for a set of frames.
  package init(
    ratios: [Double], costs: [Double], deviations: [Double] = [], setCount: Int, tolerance: (FrameSet) -> Double
  ) {
    var noise = FrameNoise(ratios: ratios, costs: costs).deviations
    for (frame, deviation) in deviations.enumerated() { noise[frame] = max(noise[frame], deviation) }
    frameCount = ratios.count
    self.ratios = ratios.map { $0.isNaN ? 0 : $0 }
    weights = ratios.indices.map { ratios[$0].isNaN ? 0 : 1 / (noise[$0] * noise[$0]) }
    kinds = FrameNoise.kinds(ratios.indices.filter { !ratios[$0].isNaN }, costs)
    let most = setCount == 1 ? 6 * Self.mostSuspects : Self.mostSuspects
    guard frameCount >= 8 else { return }
    var left = self.ratios
    var explained: Set<Int> = []
    for _ in 0..<2 * most where found.count < most {
      guard let next = strongest(left), next.score >= Self.leastDeviations else { return }
      let frames = next.frames.filter { weights[$0] > 0 }
      let excess = mean(left, frames)
      for frame in frames { left[frame] -= excess }
      // A set that is most of the scroll says nothing that the whole scroll does not.
      guard frames.count * 10 <= frameCount * 9 else { continue }
      let set =
        (next.stride ?? Self.evenStride(frames.sorted(), frameCount)).map { FrameSet($0) } ?? FrameSet(frames.sorted())
      // A frame that is a suspect already would make any set that it is in look changed.
      let others = frames.filter { !explained.contains($0) }
      let change = mean(self.ratios, others.isEmpty ? frames : others)
      let least = tolerance(set)
      // A set that hardly differs from the rest of the scroll does not say where the change is.
      if change * excess > 0, abs(exp(change) - 1) > least, 2 * abs(excess) > least, !found.contains(set) {
        found.append(set)
        explained.formUnion(frames)
      }
    }
  }

  /// Frames at equal distances from one end of the scroll to the other; nil if they are not.
  private static func evenStride(_ frames: [Int], _ frameCount: Int) -> FrameSet.Stride? {
    guard frames.count >= 4, let first = frames.first, let last = frames.last else { return nil }
    let step = frames[1] - first
    let isEven = zip(frames.dropFirst(), frames).allSatisfy { $0 - $1 == step }
    return isEven && first < step && last + step >= frameCount ? .init(first: first, last: last, step: step) : nil
  }

  private struct Candidate {
    var frames: [Int]
    var stride: FrameSet.Stride?
    /// Standard deviations from 0 of the mean.
    var score: Double
    /// ln of the number of sets from which this one was selected. Among many sets one stands out by chance.
    var choices: Double

    /// How much likelier the ratios are with this set than without, less the length of its description (Rissanen,
    /// "Modeling by Shortest Data Description", Automatica 14, 1978).
    var gain: Double { score * score / 2 - choices }
  }

  private func mean(_ values: [Double], _ frames: [Int]) -> Double {
    let sums = frames.reduce((0.0, 0.0)) { ($0.0 + weights[$1] * values[$1], $0.1 + weights[$1]) }
    return sums.1 > 0 ? sums.0 / sums.1 : 0
  }

  private func score(_ values: [Double], _ frames: some Sequence<Int>) -> Double {
    let sums = frames.reduce((0.0, 0.0)) { ($0.0 + weights[$1] * values[$1], $0.1 + weights[$1]) }
    return sums.1 > 0 ? abs(sums.0) / sums.1.squareRoot() : 0
  }

  /// In one of few sets, a single frame may have taken any time. In the score of a run it counts as a factor of two at
  /// most.
  private static let mostOfOne = log(2.0)

  private func strongest(_ left: [Double]) -> Candidate? {
    let limited = left.map { max(-Self.mostOfOne, min(Self.mostOfOne, $0)) }
    let single = left.indices.map { (frame: $0, score: abs(left[$0]) * weights[$0].squareRoot()) }.max {
      $0.score < $1.score
    }
    let one = single.map {
      Candidate(
        frames: [$0.frame], stride: FrameSet.Stride(first: $0.frame, last: $0.frame), score: $0.score,
        choices: log(Double(frameCount)))
    }
    let candidates =
      [one, run(limited), comb(limited)] + kindsOfFrames(left) + [true, false].map { outstanding(left, above: $0) }
    return candidates.compactMap(\.self).max { $0.gain < $1.gain }
  }

  /// The run of frames that stands out most, the whole scroll included. Lengths grow by a quarter; then the ends move.
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

  /// Frames at equal distances, at least four of them.
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
        // Multiples of a distance have fewer frames: if these explain as much, the others explain nothing. Any other
        // distance has to be clearly better, so that noise does not decide.
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

  /// Frames of one kind, by their cost: a frame in which a feed is compared takes 500 times as long as another.
  private func kindsOfFrames(_ left: [Double]) -> [Candidate] {
    guard kinds.count > 1 else { return [] }
    return kinds.map { Candidate(frames: $0, stride: nil, score: score(left, $0), choices: log(Double(kinds.count))) }
  }

  /// The frames that stand out in one direction. Noise goes both ways, so those as far in the other direction show how
  /// many of these are noise (as in the filter of Barber and Candès, "Controlling the False Discovery Rate via
  /// Knockoffs", The Annals of Statistics 43, 2015). Where that is most of them, only frames far out are left.
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
    if best.evidence < Self.leastEvidence { best = (far, 0) }
    let frames = order.prefix(best.count).filter { deviations[$0] > 0 }
    guard !frames.isEmpty, frames.count * 4 <= frameCount else { return nil }
    let (all, some) = (Double(frameCount), Double(frames.count))
    let score = score(left, frames)
    let choices = lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1)
    // That so many go one way is evidence, and so is how far they go.
    return Candidate(
      frames: frames, stride: nil, score: score, choices: min(choices, score * score / 2 - best.evidence))
  }

  /// ln of how much likelier it is that so many go one way and so few the other if one way is likelier, than if both are
  /// equally likely.
  private static func evidence(_ those: Int, _ others: Int) -> Double {
    guard those > others else { return 0 }
    let all = Double(those + others)
    func term(_ count: Double) -> Double { count > 0 ? count * log(2 * count / all) : 0 }
    return term(Double(those)) + term(Double(others))
  }
}
