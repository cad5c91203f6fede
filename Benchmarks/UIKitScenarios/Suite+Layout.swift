import FrameBench
import Scenarios
import UIKit

extension Suite {
  /// Adds a scenario of a layout that is written for iOS: a scripted scroll of flings and drags through a collection
  /// view with the layout, in the middle of its content.
  ///
  /// - Parameters:
  ///   - name: The scenario's name; nil: the name of the layout's class.
  ///   - layout: Makes a layout for each run.
  ///   - items: Numbers of items, all in one section.
  ///   - viewSize: Size of the collection view, points.
  ///   - setUp: Sets the view's delegate or insets before the first frame, and returns what must live as long as the
  ///     view, which retains neither its delegate nor its data source.
  public mutating func add(
    _ name: String? = nil, layout: @autoclosure @escaping @Sendable () -> UICollectionViewLayout, items: [Int],
    viewSize: CGSize = UIScreen.main.bounds.size,
    setUp: @escaping @Sendable (UICollectionView) -> AnyObject? = { _ in nil }
  ) {
    let name = name ?? "\(type(of: layout()))"
    add(name, layouts: [Self.defaultStrategyName: { layout() }], items: items, viewSize: viewSize, setUp: setUp)
  }

  /// Adds a scenario in which layouts are compared; the first is the reference.
  ///
  /// `suite.add("list", layouts: ["naive": { SpringyLayout() }, "tiled": { TiledLayout() }], items: [1_000])`
  public mutating func add(
    _ name: String, layouts: KeyValuePairs<String, @Sendable () -> UICollectionViewLayout>, items: [Int],
    viewSize: CGSize = UIScreen.main.bounds.size,
    setUp: @escaping @Sendable (UICollectionView) -> AnyObject? = { _ in nil }
  ) {
    let makers = layouts.map { $0 }
    add(
      name, summary: "A collection view is scrolled by a script, as a reader of messages scrolls.",
      strategies: makers.map(\.key), sizes: items
    ) { strategy, context in
      guard let maker = makers.first(where: { $0.key == strategy }) else { fatalError("no layout \(strategy)") }
      return LayoutFrames.body(maker.value(), context, viewSize, setUp)
    }
  }

  private static var defaultStrategyName: String { "default" }
}

/// The frames of a scenario of a layout.
private enum LayoutFrames {
  static func body(
    _ layout: UICollectionViewLayout, _ context: ScenarioContext, _ viewSize: CGSize,
    _ setUp: (UICollectionView) -> AnyObject?
  ) -> Scenario.FrameBody {
    let view = UICollectionView(frame: CGRect(origin: .zero, size: viewSize), collectionViewLayout: layout)
    let items = Items(count: context.size)
    let kept = setUp(view)
    view.dataSource = items
    view.layoutIfNeeded()
    let isSideways = view.contentSize.width > max(viewSize.width, view.contentSize.height)
    let script = ScrollScript.messages(seed: context.seed, duration: Double(context.totalFrameCount) * context.timestep)
    let range = isSideways ? view.contentSize.width - viewSize.width : view.contentSize.height - viewSize.height
    let trace = ScrollTrace(script, refreshRateHertz: context.refreshRateHertz, frameCount: context.totalFrameCount)
      .placed(inContentOf: max(0, Double(range))).trace
    return { frame, timer in
      withExtendedLifetime((items, kept)) {
        let scroll = trace.frames[frame.index]
        timer.measure(.boundsChange) {
          view.scroll(
            to: isSideways ? CGPoint(x: scroll.contentOffset, y: 0) : CGPoint(x: 0, y: scroll.contentOffset),
            touch: CGPoint(x: scroll.touchX, y: scroll.touchY))
        }
        timer.measure(.solve) { view.step(by: frame.timestep) }
        timer.measure(.prepare) { view.layoutIfNeeded() }
        let visible = timer.measure(.query) { view.visibleAttributes() }
        timer.endFrame()
        timer.record(.visibleItems, visible.count)
        return checksum(visible, timer)
      }
    }
  }

  private static func checksum(_ visible: [UICollectionViewLayoutAttributes], _ timer: FrameTimer) -> UInt64 {
    var checksum = Checksum()
    for attributes in visible {
      let (x, y) = (Double(attributes.center.x), Double(attributes.center.y))
      for word in [UInt64(attributes.indexPath.item), x.bitPattern, y.bitPattern] { checksum.combine(whole: word) }
      if timer.isObserving, attributes.representedElementCategory == .cell {
        timer.observe(item: attributes.indexPath.item, x: x, y: y)
      }
    }
    return checksum.value
  }

  /// Items of one section.
  private final class Items: NSObject, UICollectionViewDataSource {
    private let count: Int

    init(count: Int) { self.count = count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { count }
  }
}
