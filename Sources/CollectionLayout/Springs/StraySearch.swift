import Dynamics

/// Finds the items that the remembered shifts have moved into view from outside the simulated range.
struct StraySearch {
  let lines: FlowLines
  let springs: AttachmentRangeBehavior
  let axis: Axis
  /// Breadth of the view across the scroll axis, points.
  let breadth: Double
  let visible: Stretch

  /// Stretches of at most this many items are examined one by one rather than halved again.
  private static let leafCount = 24

  /// Adds the visible items of a range, in ascending order.
  /// - Parameter stretches: Stretches of the axis, ascending and apart, with the anchors of all visible
  ///   items.
  func look(at candidates: Range<Int>, anchoredIn stretches: [AnchorStretch], _ found: inout VisibleItems) {
    let first = found.attributes.count
    // By index: without optimisation, iterating allocates.
    for position in stretches.indices {
      let stretch = stretches[position]
      let items = lines.items(from: stretch.anchors.lowerBound, to: stretch.anchors.upperBound)
      lines.forEachItem(in: items.clamped(to: candidates)) { index, anchor, size in
        guard stretch.anchors.contains(anchor.main) else { return }
        append(index, anchor, size, displacement: stretch.displacement, &found)
      }
    }
    // The items of a line need not be in the order of their anchors.
    if case .uniform = lines { return }
    found.attributes[first...].sort { $0.index < $1.index }
  }

  private func append(
    _ index: Int, _ anchor: MainCross, _ size: MainCross, displacement: Double?, _ found: inout VisibleItems
  ) {
    let center =
      if let displacement { MainCross(main: anchor.main + displacement, cross: anchor.cross) } else {
        MainCross(springs.rememberedCenter(ofItemAt: index, anchor: anchor.point(axis)), axis)
      }
    found.append(index, center, size, ifIn: visible)
  }

  /// Adds the visible items of a range, in ascending order, wherever updates have moved their anchors.
  ///
  /// Bisects the content: the displacements of the items of a stretch are bounded, and a stretch whose
  /// items cannot be in view is skipped as a whole.
  func halve(_ candidates: Range<Int>, _ found: inout VisibleItems) {
    guard !candidates.isEmpty, let first = place(candidates.lowerBound), let last = place(candidates.upperBound - 1)
    else { return }
    search(candidates, from: first, to: last, &found)
  }

  private func place(_ index: Int) -> Double? {
    var main: Double?
    lines.forEachItem(in: index..<index + 1) { _, anchor, _ in main = anchor.main }
    return main
  }

  /// - Parameters:
  ///   - low: Anchor of the first item along the scroll axis.
  ///   - high: Anchor of the last.
  private func search(_ items: Range<Int>, from low: Double, to high: Double, _ found: inout VisibleItems) {
    guard canShow(items, from: low, to: high) else { return }
    guard items.count > Self.leafCount else {
      return lines.forEachItem(in: items) { append($0, $1, $2, displacement: nil, &found) }
    }
    let middle = items.lowerBound + items.count / 2
    guard let end = place(middle - 1), let start = place(middle) else { return }
    search(items.lowerBound..<middle, from: low, to: end, &found)
    search(middle..<items.upperBound, from: start, to: high, &found)
  }

  /// Whether an item of a stretch can be in view, given the anchors of its ends.
  private func canShow(_ items: Range<Int>, from low: Double, to high: Double) -> Bool {
    // Anchors of a line's items differ by less than the line's length, and so do centre and edges.
    let (first, last) = (min(low, high) - lines.longestLine, max(low, high) + lines.longestLine)
    let origin = MainCross(main: first, cross: 0).point(axis)
    let size = MainCross(main: last - first, cross: breadth + lines.broadestItem).size(axis)
    let displacement = springs.rememberedDisplacements(ofItemsAt: items, anchorsIn: Rect(origin: origin, size: size))
    return first + displacement.lowerBound < visible.main.upperBound
      && last + displacement.upperBound > visible.main.lowerBound
  }
}
