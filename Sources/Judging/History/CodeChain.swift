import FrameBench
import Measurements
import Statistics

/// What the code of a benchmark cost over the nights: the ratios of their comparisons, multiplied up. Both sides of a
/// ratio ran in turns, so neither the machine nor its kernel moves it.
package struct CodeChain: Sendable, Equatable {
  /// The code of a night against that of an earlier one, as indices into the history: the first nights of their
  /// commits.
  package struct Link: Sendable, Equatable {
    package var base: Int
    package var night: Int
    package var ratio: CodeRatio
    /// Whether the night reported that a time changed, which is then no part of a drift.
    package var isReported = false
  }

  private struct Anchor: Sendable, Equatable {
    /// The links that it spans.
    var range: Range<Int>
    var ratio: CodeRatio
  }

  /// Oldest first, each from where the one before ends; never empty.
  package let links: [Link]
  /// Comparisons over several links, oldest first; no two share a link.
  private var anchors: [Anchor] = []
  /// Sums over the links so far: the logarithms and their variances; and, of links that can be part of a drift, the
  /// logarithms, their variances, their squares, and the number of links.
  private var sums = [SIMD8<Double>()]

  /// - Parameters:
  ///   - links: For each night that was compared, the link that leads to it.
  ///   - anchors: Likewise, from nights that are farther back.
  /// - Returns: The chain that ends with the last of them; nil if there is none.
  init?(_ links: [Int: Link], anchors: [Int: Link] = [:]) {
    guard var node = (Array(links.keys) + anchors.keys).max() else { return nil }
    var line: [Link] = []
    while let link = links[node] ?? anchors[node] {
      line.append(link)
      node = link.base
    }
    self.links = line.reversed()
    for (link, isGradual) in zip(self.links, Self.areGradual(self.links)) {
      let (change, variance) = (link.ratio.logarithm, link.ratio.variance)
      let gradual = isGradual ? SIMD4(change, variance, change * change, 1) : .zero
      sums.append(sums[sums.count - 1] + SIMD8(lowHalf: SIMD4(change, variance, 0, 0), highHalf: gradual))
    }
    for link in self.links {
      guard links[link.night] != nil, let anchor = anchors[link.night], let start = position(of: anchor.base),
        let end = position(of: link.night), start >= self.anchors.last?.range.upperBound ?? 0
      else { continue }
      self.anchors.append(Anchor(range: start..<end, ratio: anchor.ratio))
    }
  }

  /// The number of links that lead to a night, the first one of its commit; nil if the chain does not pass it.
  package func position(of night: Int) -> Int? {
    links[0].base == night ? 0 : links.firstIndex { $0.night == night }.map { $0 + 1 }
  }

  /// The links from the last night of the chain up to one night, to the first from another night on: a night that was not
  /// judged is between them. Nil if the chain does not span these nights.
  func span(from start: Int, to end: Int) -> Range<Int>? {
    let ends = [links[0].base] + links.map(\.night)
    guard let low = ends.lastIndex(where: { $0 <= start }), let high = ends.firstIndex(where: { $0 >= end }), low < high
    else { return nil }
    return low..<high
  }

  /// Neighbouring links multiplied up: the variances of their logarithms add, so that an interval grows with the root
  /// of their number.
  package func ratio(over range: Range<Int>) -> CodeRatio {
    let (logarithm, variance) = estimate(over: range)
    return CodeRatio(logarithm: logarithm, variance: variance)
  }

  /// An anchor measured the sum of its links once more. The difference is distributed among them by their variances.
  private func estimate(over range: Range<Int>, gradual: Bool = false) -> (logarithm: Double, variance: Double) {
    let lane = gradual ? 4 : 0
    let own = sum(range)
    var (logarithm, variance) = (own[lane], own[lane + 1])
    for anchor in anchors where anchor.range.overlaps(range) {
      let (whole, part) = (sum(anchor.range), sum(range.clamped(to: anchor.range))[lane + 1])
      let total = whole[1] + anchor.ratio.variance
      guard total > 0 else { continue }
      logarithm += part / total * (anchor.ratio.logarithm - whole[0])
      variance -= part * part / total
    }
    return (logarithm, max(0, variance))
  }

  private func sum(_ range: Range<Int>) -> SIMD8<Double> { sums[range.upperBound] - sums[range.lowerBound] }

  // MARK: - Drifts

  /// Many small changes in one direction, none of which a night could report.
  package struct Drift: Sendable, Equatable {
    /// The links with changed code; none of them is large enough to be reported.
    package var links: [Link]
    package var ratio: CodeRatio
  }

  /// Fewer small changes are not a drift.
  private static let leastDriftLinks = 5
  /// How many links around one decide whether it stands out, and the standard errors by which it has to.
  private static let (window, mostErrors) = (7, 3.5)
  /// Standard deviations that a drift exceeds. Each night looks at all possible beginnings.
  private static let driftDeviations = 4.5

  /// The drift that ends with the last night, from where it is clearest; nil if there is none.
  /// - Parameter night: The drift begins after this night; nil: anywhere.
  package func drift(after night: Int? = nil) -> Drift? {
    let first = night.map { night in links.firstIndex { $0.night > night } ?? links.count } ?? 0
    let gradual = links.indices.filter { $0 >= first && sum($0..<($0 + 1))[7] > 0 }
    var clearest: (start: Int, logarithm: Double, variance: Double, deviations: Double)?
    for start in gradual.dropLast(Self.leastDriftLinks - 1) {
      let (logarithm, measured) = estimate(over: start..<links.count, gradual: true)
      let all = sum(start..<links.count)
      // The links may differ from each other by more than their own intervals say.
      let spread = (all[6] - all[4] * all[4] / all[7]) / (all[7] - 1) * all[7]
      let variance = measured * max(1, spread / all[5])
      let deviations = abs(logarithm) / variance.squareRoot()
      guard deviations > clearest?.deviations ?? Self.driftDeviations, abs(logarithm) > ComparisonRule.usualTolerance
      else { continue }
      clearest = (start, logarithm, variance, deviations)
    }
    return clearest.map { found in
      Drift(
        links: gradual.filter { $0 >= found.start }.map { links[$0] },
        ratio: CodeRatio(logarithm: found.logarithm, variance: found.variance))
    }
  }

  /// Whether each link has changed code, was not reported, and does not stand out from those around it: one commit that
  /// costs 0.9% is not a drift.
  private static func areGradual(_ links: [Link]) -> [Bool] {
    let open = links.indices.filter { !links[$0].isReported && links[$0].ratio.variance > 0 }
    var areGradual = Array(repeating: false, count: links.count)
    for (place, index) in open.enumerated() {
      let start = max(0, min(place - window / 2, open.count - window))
      let around = open[start...].prefix(window).map { links[$0].ratio.logarithm }
      let distance = abs(links[index].ratio.logarithm - Quantile.median(around))
      areGradual[index] = distance <= mostErrors * links[index].ratio.standardError
    }
    return areGradual
  }

  // MARK: - Anchors

  /// Fewer links are not worth another comparison, however wide their interval.
  private static let leastAnchoredLinks = 7
  /// Half of the interval of the links since the last anchor, as a fraction, beyond which there should be another one.
  private static let widestInterval = 0.03

  /// The night that the next one should be compared with, too; nil if none is needed yet.
  /// - Parameters:
  ///   - count: Number of links with changed code after which an anchor is needed.
  ///   - tried: The last night that was compared with an older one, if that failed.
  func nextAnchor(after count: Int, tried: Int?) -> Int? {
    let start = anchors.last?.range.upperBound ?? 0
    let open = links[start...].filter { $0.night > tried ?? -1 && $0.ratio.variance > 0 }
    let ratio = ratio(over: start..<links.count)
    let isWide = open.count >= Self.leastAnchoredLinks && ratio.standardError > Self.widestInterval / 2.33
    return open.count >= count || isWide ? links[start].base : nil
  }
}
