/// Simulates every item, wherever it is: the reference.
public final class NaiveSpringLayout: SpringLayout {
  /// - Throws: For what `FlowLayout` refuses, or a spring option that is negative or not finite.
  public init(
    flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()
  ) throws(LayoutError) {
    try super.init(flow: flow, springs: springs)
  }
}
