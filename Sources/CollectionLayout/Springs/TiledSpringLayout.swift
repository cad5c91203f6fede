import Dynamics

/// A springy list that simulates only items near the view, up to `SpringOptions.padding` away. Scrolling does not move
/// an item before it enters the simulation, so the list only resembles `NaiveSpringLayout`.
///
/// An item that enters the simulation is moved by the current frame's scroll, unless the touch is at the content's
/// origin: in the article that `SpringLayout` names, a touch there means that there is no finger.
public final class TiledSpringLayout: SpringLayout {
  /// Creates a layout.
  /// - Throws: If a flow option is invalid, or if a spring option is negative or not finite.
  public init(flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()) throws(LayoutError) {
    try super.init(flow: flow, springs: springs)
  }

  /// The items near the view, and the range of scroll offsets at which these items stay the same, points. An unknown
  /// range is empty.
  private var near = (items: 0..<0, offsets: 0.0..<0.0)

  override func simulatedRange() -> Range<Int> {
    let visible = Stretch(bounds, scrollDirection).main
    let padding = springOptions.padding + remainingMove
    guard !near.offsets.contains(visible.lowerBound) || remainingMove > 0 else { return near.items }
    let (low, high) = (visible.lowerBound - padding, visible.upperBound + padding)
    let lines = flow.pointee.lines
    near = (lines.items(from: low, to: high), 0..<0)
    if remainingMove == 0 {
      let way = lines.wayWithoutChange(from: low, to: high)
      near.offsets = visible.lowerBound + way.lowerBound..<visible.lowerBound + way.upperBound
    }
    return near.items
  }

  override func rangeAfterUpdate(_ displacements: ClosedRange<Double>) -> Range<Int> {
    anchorsChanged()
    return simulatedRange()
  }

  override func anchorsChanged() { near.offsets = 0..<0 }

  override var entry: AttachmentRangeBehavior.Entry { touch == .zero ? .atRest : .shifted(by: latestShift) }

  override func largestSimulatedCount() -> Int {
    // Reserves twice the memory, so that springs can be added at one end and removed at the other without moving those
    // between.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding) + 64
  }
}
