/// A springy list that simulates every item, even off the screen. The other springy lists are compared with it.
public final class NaiveSpringLayout: SpringLayout {
  /// Creates a layout.
  /// - Throws: If a flow option is invalid, or if a spring option is negative or not finite.
  public init(flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()) throws(LayoutError) {
    try super.init(flow: flow, springs: springs)
  }
}
