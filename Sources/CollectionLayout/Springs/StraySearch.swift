import Dynamics

/// Finds the items that the remembered shifts have moved into view from outside the simulated range.
///
/// Where they can come from is narrowed down by halves: of a stretch of the content it is known between
/// which displacements its items lie, and a stretch whose items cannot be in view is given up whole.
struct StraySearch {
  let lines: FlowLines
  let springs: AttachmentRangeBehavior
  let axis: Axis
  /// Breadth of the view across the scroll axis, points.
  let breadth: Double
  let visible: Stretch
  /// The only items that are asked for.
  let candidates: Range<Int>

  /// Items of a stretch that are looked at one by one rather than halved again.
  private static let leafCount = 24

  /// Adds the items that are shown, in ascending order.
  func collect(_ found: inout VisibleItems) {
    guard let first = place(candidates.lowerBound), let last = place(candidates.upperBound - 1) else {
      return
    }
    search(candidates, from: first, to: last, &found)
  }

  private func place(_ index: Int) -> Double? {
    var main: Double?
    lines.forEachCenter(in: index..<index + 1) { main = $1.main }
    return main
  }

  /// - Parameters:
  ///   - low: Anchor of the first item along the scroll axis.
  ///   - high: Anchor of the last.
  private func search(_ items: Range<Int>, from low: Double, to high: Double, _ found: inout VisibleItems) {
    guard canShow(items, from: low, to: high) else { return }
    guard items.count > Self.leafCount else { return look(at: items, &found) }
    let middle = items.lowerBound + items.count / 2
    guard let end = place(middle - 1), let start = place(middle) else { return }
    search(items.lowerBound..<middle, from: low, to: end, &found)
    search(middle..<items.upperBound, from: start, to: high, &found)
  }

  /// Whether an item of a stretch can be in view, given the anchors of its ends.
  private func canShow(_ items: Range<Int>, from low: Double, to high: Double) -> Bool {
    // The anchors of a line's items differ by less than the line is long, and so do centre and edges.
    let (first, last) = (min(low, high) - lines.longestLine, max(low, high) + lines.longestLine)
    let origin = MainCross(main: first, cross: 0).point(axis)
    let size = MainCross(main: last - first, cross: breadth + lines.broadestItem).size(axis)
    let displacement = springs.rememberedDisplacements(
      ofItemsAt: items, anchorsIn: Rect(origin: origin, size: size))
    return first + displacement.lowerBound < visible.main.upperBound
      && last + displacement.upperBound > visible.main.lowerBound
  }

  private func look(at items: Range<Int>, _ found: inout VisibleItems) {
    lines.forEachCenter(in: items) { index, anchor in
      let center = springs.rememberedCenter(ofItemAt: index, anchor: anchor.point(axis))
      found.append(index, MainCross(center, axis), lines.size(at: index), ifIn: visible)
    }
  }
}
