/// Simulates every item, wherever it is: the reference.
public final class NaiveSpringLayout: SpringLayout {
  /// - Throws: If `FlowLayout` does, or if a spring option is negative or not finite.
  public init(flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()) throws(LayoutError) {
    try super.init(flow: flow, springs: springs)
  }
}
