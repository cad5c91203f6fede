import FrameBench
import Scenarios
import UIKit

extension Suite {
  /// Adds two scenarios for a UIKit layout. Both start in the middle of the layout's content. The first scenario
  /// scrolls a collection view by scripted flings and drags. The second, whose name ends in `-updates`, performs
  /// batches of updates, ends of drags and rotations of the device.
  ///
  /// - Parameters:
  ///   - name: The name of the first scenario. If nil, the scenario is named after the layout's class.
  ///   - layout: Creates a layout for each run.
  ///   - items: The numbers of items with which the scenarios run. All items are in one section.
  ///   - viewSize: The size of the collection view, points.
  ///   - setUp: Sets the view's delegate or insets before the first frame. It returns an object that must live as long
  ///     as the view, because the view does not retain its delegate or data source.
  public mutating func add(
    _ name: String? = nil, layout: @autoclosure @escaping @Sendable () -> UICollectionViewLayout, items: [Int],
    viewSize: CGSize = UIScreen.main.bounds.size,
    setUp: @escaping @Sendable (UICollectionView) -> AnyObject? = { _ in nil }
  ) {
    let name = name ?? "\(type(of: layout()))"
    add(name, layouts: [Self.defaultStrategyName: { layout() }], items: items, viewSize: viewSize, setUp: setUp)
  }

  /// Adds two scenarios that compare layouts with the first of them, the reference.
  ///
  /// `suite.add("list", layouts: ["naive": { SpringyLayout() }, "tiled": { TiledLayout() }], items: [1_000])`
  public mutating func add(
    _ name: String, layouts: KeyValuePairs<String, @Sendable () -> UICollectionViewLayout>, items: [Int],
    viewSize: CGSize = UIScreen.main.bounds.size,
    setUp: @escaping @Sendable (UICollectionView) -> AnyObject? = { _ in nil }
  ) {
    let makers = layouts.map { $0 }
    @Sendable func opened(_ strategy: String, _ context: ScenarioContext) throws(EmptyLayout) -> (
      frames: LayoutFrames, range: CGFloat, isSideways: Bool
    ) {
      guard let maker = makers.first(where: { $0.key == strategy }) else { fatalError("no layout \(strategy)") }
      // Lays out a temporary view to find the length of the content, which only the layout knows.
      let content = try LayoutFrames(maker.value(), context.size, viewSize, setUp).contentSize()
      let isSideways = content.width > max(viewSize.width, content.height)
      let range = isSideways ? content.width - viewSize.width : content.height - viewSize.height
      return (LayoutFrames(maker.value(), context.size, viewSize, setUp), range, isSideways)
    }
    add(
      name, summary: "A collection view is scrolled by a script, as a reader of messages scrolls.",
      strategies: makers.map(\.key), sizes: items, options: .init(playsTraces: true)
    ) { strategy, context in
      let (frames, range, isSideways) = try opened(strategy, context)
      let trace = try SpringyList.trace(context).placed(inContentOf: max(0, Double(range))).trace
      return frames.body(trace, isSideways: isSideways)
    }
    add(
      "\(name)-updates", summary: "Items come, go and move, a drag ends, and the device turns, each once a second.",
      strategies: makers.map(\.key), sizes: items
    ) { strategy, context in
      let (frames, range, isSideways) = try opened(strategy, context)
      return frames.updates(context, range: range, isSideways: isSideways)
    }
  }

  private static var defaultStrategyName: String { "default" }
}
