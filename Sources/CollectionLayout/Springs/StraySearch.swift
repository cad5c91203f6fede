import Dynamics

/// Finds visible items that are not simulated. Earlier shifts, which the springs remember, have moved them into view.
struct StraySearch {
  let lines: FlowLines
  let springs: AttachmentRangeBehavior
  let axis: Axis
  /// The length of the view perpendicular to the scroll axis, points.
  let breadth: Double
  let visible: Stretch
  /// Items that a `CollectionViewUpdate.move` displaced far, in ascending order. They are examined one by one, because
  /// the limits on the displacement of other items do not apply to them.
  let movers: [Int]
  /// Whether the search must also find items that are not among `movers`.
  let findsOthers: Bool
  /// Ranges of the scroll axis that contain the anchors of all visible items, ascending and without overlaps. Nil if
  /// the ranges are unknown, or if `findsOthers` is false.
  let stretches: UnsafeMutableBufferPointer<AnchorStretch>?

  /// A range of at most this many items is examined item by item instead of being halved again.
  private static let leafCount = 24

  init(_ layout: ExactSpringLayout, in visible: Stretch, movers: [Int], findsOthers: Bool) {
    (lines, springs, axis) = (layout.flow.pointee.lines, layout.springs, layout.scrollDirection)
    breadth = MainCross(layout.bounds.size, axis).cross
    (self.visible, self.movers, self.findsOthers) = (visible, movers, findsOthers)
    let (length, main) = (lines.item.main, visible.main)
    stretches =
      findsOthers
      ? springs.rememberedAnchors(
        shown: main.lowerBound - length...main.upperBound + length, cross: lines.centersAcross) : nil
  }

  /// Adds the visible items of a range, in ascending order.
  func collect(_ candidates: Range<Int>, _ found: inout VisibleItems) {
    let (first, candidates) = (found.attributes.count, candidates.clamped(to: 0..<lines.itemCount))
    if findsOthers {
      let firstAdded = stretches == nil ? 0 : springs.firstAddedItem ?? lines.itemCount
      if let stretches { look(at: candidates.clamped(to: 0..<firstAdded), anchoredIn: stretches, &found) }
      halve(candidates.clamped(to: firstAdded..<max(firstAdded, lines.itemCount)), &found)
    }
    guard !movers.isEmpty else { return }
    found.attributes[first...].indices.reversed().forEach { position in
      if movers.contains(found.attributes[position].index) { found.attributes.remove(at: position) }
    }
    for mover in movers where candidates.contains(mover) {
      append(mover, lines.center(at: mover), displacement: .nan, &found)
    }
    found.attributes[first...].sort { $0.index < $1.index }
  }

  private func look(
    at candidates: Range<Int>, anchoredIn stretches: UnsafeMutableBufferPointer<AnchorStretch>,
    _ found: inout VisibleItems
  ) {
    for stretch in stretches {
      let items = lines.items(from: stretch.low, to: stretch.high)
      lines.forEachItem(in: items.clamped(to: candidates)) { index, anchor in
        guard stretch.low <= anchor.main, anchor.main <= stretch.high else { return }
        append(index, anchor, displacement: stretch.displacement, &found)
      }
    }
  }

  /// Adds an item if it is visible.
  /// - Parameter displacement: The displacement of the item; NaN if it is unknown and must be computed.
  private func append(_ index: Int, _ anchor: MainCross, displacement: Double, _ found: inout VisibleItems) {
    let center =
      displacement.isNaN
      ? MainCross(springs.rememberedCenter(ofItemAt: index, anchor: anchor.point(axis)), axis)
      : MainCross(main: anchor.main + displacement, cross: anchor.cross)
    found.append(index, center, lines.item, ifIn: visible)
  }

  /// Adds the visible items of a range, in ascending order, even if updates have moved their anchors.
  ///
  /// Halves the range again and again, and skips a half if none of its items can have been displaced far enough to be
  /// visible.
  private func halve(_ items: Range<Int>, _ found: inout VisibleItems) {
    guard !items.isEmpty, canShow(items) else { return }
    guard items.count > Self.leafCount else {
      return lines.forEachItem(in: items) { append($0, $1, displacement: .nan, &found) }
    }
    let middle = items.lowerBound + items.count / 2
    halve(items.lowerBound..<middle, &found)
    halve(middle..<items.upperBound, &found)
  }

  private func canShow(_ items: Range<Int>) -> Bool {
    let (low, high) = (lines.center(at: items.lowerBound).main, lines.center(at: items.upperBound - 1).main)
    // The range is extended by the length of an item, because an item can be visible although its center is not.
    let (first, last) = (min(low, high) - lines.item.main, max(low, high) + lines.item.main)
    let origin = MainCross(main: first, cross: 0).point(axis)
    let size = MainCross(main: last - first, cross: breadth + lines.item.cross).size(axis)
    let displacement = springs.rememberedDisplacements(ofItemsAt: items, anchorsIn: Rect(origin: origin, size: size))
    return first + displacement.lowerBound < visible.main.upperBound
      && last + displacement.upperBound > visible.main.lowerBound
  }
}
