import Statistics

/// How the cost of a benchmark's code changed over the nights: the product of the ratios of nightly comparisons. The
/// two builds of a comparison took turns on one core, so neither the machine nor its kernel affects their ratio.
package struct CodeChain: Sendable, Equatable {
  /// The code of one night compared with that of an earlier night. Both nights are indices into the history. Each is
  /// the first night of its commit.
  package struct Link: Sendable, Equatable {
    package var base: Int
    package var night: Int
    package var ratio: CodeRatio
    /// Whether the night reported that a time changed. Such a link is not part of a drift.
    package var isReported = false
  }

  private struct Anchor: Sendable, Equatable {
    /// The indices of the links from the older night to the night that was compared with it.
    var range: Range<Int>
    var ratio: CodeRatio
  }

  /// The links, oldest first. Each begins at the night where the one before it ends. Never empty.
  package let links: [Link]
  /// Comparisons that span several links, oldest first. No two of them span the same link.
  private var anchors: [Anchor] = []
  /// Running sums over the links. Elements 0 and 1 sum the logarithms and their variances. Elements 4 to 7 include only
  /// links that can be part of a drift: the sums of the logarithms, of their variances and of their squares, and the
  /// number of links.
  private var sums = [SIMD8<Double>()]

  /// Makes the chain that ends with the last night that has a link; nil if there is none.
  /// - Parameters:
  ///   - links: For each night that was compared, the link that leads to it.
  ///   - anchors: For some nights, a link from a much older night, in addition to the one in `links` or instead of it.
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

  /// The number of links before a night. The night must be the first one of its commit. Nil if the chain lacks it.
  package func position(of night: Int) -> Int? {
    links[0].base == night ? 0 : links.firstIndex { $0.night == night }.map { $0 + 1 }
  }

  /// The indices of the links between two nights. If the chain skips one of these nights because it was not judged, the
  /// links begin earlier or end later. Nil if the chain does not span the nights.
  func span(from start: Int, to end: Int) -> Range<Int>? {
    let ends = [links[0].base] + links.map(\.night)
    guard let low = ends.lastIndex(where: { $0 <= start }), let high = ends.firstIndex(where: { $0 >= end }), low < high
    else { return nil }
    return low..<high
  }

  /// The product of the ratios of several successive links. The variances of their logarithms add up, so the interval
  /// grows with the square root of the number of links.
  package func ratio(over range: Range<Int>) -> CodeRatio {
    let (logarithm, variance) = estimate(over: range)
    return CodeRatio(logarithm: logarithm, variance: variance)
  }

  /// The sum of the logarithms of the links, and the variance of this sum. An anchor is a second measurement of the
  /// links that it spans. The discrepancy between both measurements is distributed over these links in proportion to
  /// their variances.
  /// - Parameter gradual: Whether only links that can be part of a drift count.
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

  /// Many small changes in one direction, none of which was large enough for a night to report.
  package struct Drift: Sendable, Equatable {
    /// The links with changed code. None of them is large enough to be reported alone.
    package var links: [Link]
    package var ratio: CodeRatio
  }

  /// A drift has at least this many links (comparisons of a night with an earlier one).
  private static let leastDriftLinks = 5
  /// A link stands out if it differs from the median of the `window` links around it by more than `mostErrors` standard
  /// errors.
  private static let (window, mostErrors) = (7, 3.5)
  /// The total change of a drift differs from 0 by more than this many standard deviations. The limit is high, because
  /// many links are tried as the beginning of the drift.
  private static let driftDeviations = 4.5

  /// The most significant one of the drifts that end with the last night; nil if there is none.
  /// - Parameter night: The drift has to begin after this night. Nil means that it may begin anywhere.
  package func drift(after night: Int? = nil) -> Drift? {
    let first = night.map { night in links.firstIndex { $0.night > night } ?? links.count } ?? 0
    let gradual = links.indices.filter { $0 >= first && sum($0..<($0 + 1))[7] > 0 }
    var clearest: (start: Int, logarithm: Double, variance: Double, deviations: Double)?
    for start in gradual.dropLast(Self.leastDriftLinks - 1) {
      let (logarithm, measured) = estimate(over: start..<links.count, gradual: true)
      let all = sum(start..<links.count)
      // If the links differ from each other by more than their own intervals show, the variance is increased to match.
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

  /// Returns for each link whether it can be part of a drift: its code changed, and it was neither reported nor stands
  /// out from the links around it. For example, one commit that costs 0.9% is not a drift.
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

  /// An anchor is a comparison with a much older night. It is worthwhile only after at least this many nights with
  /// changed code.
  private static let leastAnchoredLinks = 7
  /// An anchor is needed if the change since the last anchor is uncertain by more than ± this fraction.
  private static let widestInterval = 0.03

  /// The index of the older night that the next night should also be compared with; nil if no anchor is needed yet.
  /// - Parameters:
  ///   - count: The number of links with changed code after which an anchor is needed in any case.
  ///   - tried: The index of the last night for which an anchor was tried, even if the comparison failed.
  ///   - failed: The index of the last night whose comparison with an anchor failed. Its anchor may be of no use any
  ///     more, because its commit no longer builds, or a shallow clone lacks it. So only newer nights are proposed.
  func nextAnchor(after count: Int, tried: Int?, failed: Int? = nil) -> Int? {
    let newer = failed.flatMap { failed in links.firstIndex { $0.base >= failed } } ?? 0
    let start = max(newer, anchors.last?.range.upperBound ?? 0)
    let open = links[start...].filter { $0.night > tried ?? -1 && $0.ratio.variance > 0 }
    let ratio = ratio(over: start..<links.count)
    let isWide = open.count >= Self.leastAnchoredLinks && ratio.standardError > Self.widestInterval / 2.33
    return open.count >= count || isWide ? links[start].base : nil
  }
}
