import Dynamics

/// Simulates the items on lines that reach into the visible rectangle grown by the padding. An entering item is moved
/// only by this frame's scroll: earlier shifts are lost, so the list only resembles the naive one. If the touch is at
/// the origin of the content, which the article takes for a finger that is not there, it is not even moved by that.
public final class TiledSpringLayout: SpringLayout {
  /// - Throws: If `FlowLayout` does, or if a spring option is negative or not finite.
  public init(flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()) throws(LayoutError) {
    try super.init(flow: flow, springs: springs)
  }

  override func simulatedRange() -> Range<Int> {
    let visible = Stretch(bounds, scrollDirection).main
    let padding = springOptions.padding + remainingMove
    return flow.pointee.lines.items(from: visible.lowerBound - padding, to: visible.upperBound + padding)
  }

  override var entry: AttachmentRangeBehavior.Entry { touch == .zero ? .atRest : .shifted(by: latestShift) }

  override func largestSimulatedCount() -> Int {
    // A little more than twice, so that the window can slide in its memory.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding) + 64
  }
}
