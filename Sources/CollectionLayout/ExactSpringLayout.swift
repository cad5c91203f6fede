import Dynamics

/// Shows what the naive list shows, at the price of the tiled one.
///
/// The springs are linear, so an item that enters is given the very state that the shifts which it missed
/// would have left it in. And no item is displaced further than those shifts reach, so the items that can be
/// seen lie within the visible rectangle grown by that reach.
///
/// After a jump over much of a long list that would be all of it. Then only the surroundings of the view are
/// simulated, and the few items from elsewhere that fly past are looked for: see `StraySearch`.
public final class ExactSpringLayout: SpringLayout {
  /// Items that are simulated at the most because a reach demands it. So many cost a microsecond or two,
  /// less than a search does.
  private static let largestRange = 4096

  /// - Throws: Also for springs that settle so slowly that no history of shifts could be kept.
  public init(
    flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()
  ) throws(LayoutError) {
    try super.init(flow: flow, springs: springs, remembersShifts: true)
  }

  override func simulatedRange() -> Range<Int> {
    let visible = Stretch(bounds, scrollDirection).main
    let needed = reachableItems(visible)
    guard needed.count <= Self.largestRange else { return items(around: visible) }
    let current = springs.range
    guard needed.overlaps(current) else { return needed }
    // An item is let go only beyond the padding, because the reach breathes with every change of speed.
    let kept = reachableItems(visible, padding: springOptions.padding).clamped(to: current)
    return min(needed.lowerBound, kept.lowerBound)..<max(needed.upperBound, kept.upperBound)
  }

  /// All items that the shifts so far can have moved into the stretch.
  private func reachableItems(_ visible: Range<Double>, padding: Double = 0) -> Range<Int> {
    let reach = springs.reach()
    return flow.pointee.lines.items(
      from: visible.lowerBound - reach.forward - padding, to: visible.upperBound + reach.backward + padding)
  }

  private func items(around visible: Range<Double>) -> Range<Int> {
    flow.pointee.lines.items(
      from: visible.lowerBound - springOptions.padding, to: visible.upperBound + springOptions.padding)
  }

  override var entry: AttachmentRangeBehavior.Entry { .remembered }

  override func largestSimulatedCount() -> Int {
    // Twice, and a little, so that the window can slide in its memory. Four resistances of reach are more
    // than fast flings make.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding + 4 * springOptions.scrollResistance)
      + 64
  }

  override func collectStrays(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {
    let needed = reachableItems(visible.main)
    let simulated = springs.range
    let elsewhere =
      switch side {
      case .before: needed.lowerBound..<max(needed.lowerBound, min(needed.upperBound, simulated.lowerBound))
      case .behind: min(max(needed.lowerBound, simulated.upperBound), needed.upperBound)..<needed.upperBound
      }
    guard !elsewhere.isEmpty else { return }
    StraySearch(
      lines: flow.pointee.lines, springs: springs, axis: scrollDirection,
      breadth: MainCross(bounds.size, scrollDirection).cross, visible: visible, candidates: elsewhere
    ).collect(&found)
  }

  /// Nil only for an index without an item.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    if let simulated = super.layoutAttributesForItem(at: index) { return simulated }
    guard (0..<flow.pointee.itemCount).contains(index) else { return nil }
    var found: LayoutAttributes?
    flow.pointee.lines.forEachCenter(in: index..<index + 1) { index, anchor in
      found = LayoutAttributes(
        index: index,
        center: springs.rememberedCenter(ofItemAt: index, anchor: anchor.point(scrollDirection)),
        size: flow.pointee.lines.size(at: index).size(scrollDirection))
    }
    return found
  }
}
