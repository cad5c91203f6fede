import Dynamics

/// Shows what the naive list shows, at the price of the tiled one.
///
/// The springs are linear, so an item that enters is given the very state that the shifts which it missed
/// would have left it in. And no item is displaced further than those shifts reach, so the items that can be
/// seen lie within the visible rectangle grown by that reach.
public final class ExactSpringLayout: SpringLayout {
  /// - Throws: Also for springs that settle so slowly that no history of shifts could be kept.
  public init(
    flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()
  ) throws(LayoutError) {
    try super.init(flow: flow, springs: springs, remembersShifts: true)
  }

  override func simulatedRange() -> Range<Int> {
    let visible = Stretch(bounds, scrollDirection).main
    let reach = springs.reach()
    let low = visible.lowerBound - reach.forward
    let high = visible.upperBound + reach.backward
    let needed = flow.pointee.lines.items(from: low, to: high)
    let current = springs.range
    guard needed.overlaps(current) else { return needed }
    // An item is let go only beyond the padding, because the reach breathes with every change of speed.
    let kept = flow.pointee.lines.items(
      from: low - springOptions.padding, to: high + springOptions.padding
    ).clamped(to: current)
    return min(needed.lowerBound, kept.lowerBound)..<max(needed.upperBound, kept.upperBound)
  }

  override var entry: AttachmentRangeBehavior.Entry { .remembered }

  override func largestSimulatedCount() -> Int {
    // Twice, and a little, so that the window can slide in its memory. Four resistances of reach are more
    // than fast flings make.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding + 4 * springOptions.scrollResistance)
      + 64
  }
}
