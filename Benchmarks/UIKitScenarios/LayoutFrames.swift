import CollectionLayout
import Dynamics
import FrameBench
import Scenarios
import UIKit

/// Thrown if a layout shows none of its items, or only items without a size.
struct EmptyLayout: Error, CustomStringConvertible {
  let layout: String
  let itemCount: Int

  var description: String {
    "\(layout) shows none of its \(itemCount) items with a size; if it needs a delegate, set one in the closure setUp"
  }
}

/// Scrolls a collection view with a layout, frame by frame.
struct LayoutFrames {
  let view: UICollectionView
  private let items: Items
  /// The object that `setUp` returned, which must live as long as the view.
  private let kept: AnyObject?

  init(
    _ layout: UICollectionViewLayout, _ itemCount: Int, _ viewSize: CGSize, _ setUp: (UICollectionView) -> AnyObject?
  ) {
    view = UICollectionView(frame: CGRect(origin: .zero, size: viewSize), collectionViewLayout: layout)
    items = Items(count: itemCount)
    kept = setUp(view)
  }

  /// - Throws: An error if the layout shows no item anywhere, because frames without items would look fast.
  func contentSize() throws(EmptyLayout) -> CGSize {
    view.dataSource = items
    view.layoutIfNeeded()
    let content = CGRect(origin: .zero, size: view.contentSize)
    func hasItems(_ attributes: [UICollectionViewLayoutAttributes]?) -> Bool {
      attributes?.contains { $0.representedElementCategory == .cell && !$0.frame.isEmpty } ?? false
    }
    if items.count > 0, !hasItems(view.visibleAttributes()),
      !hasItems(view.collectionViewLayout.layoutAttributesForElements(in: content))
    {
      throw EmptyLayout(layout: "\(type(of: view.collectionViewLayout))", itemCount: items.count)
    }
    return content.size
  }

  /// Opens the view at an offset without scrolling there, because a scroll from the top would move all springs.
  func open(at offset: CGPoint) {
    let now = view.contentOffset
    view.engine.adjustOffset(by: Vector(dx: Double(offset.x - now.x), dy: Double(offset.y - now.y)))
    view.dataSource = items
    view.layoutIfNeeded()
  }

  /// Opens the view at the first offset of `trace`, and returns the frames that scroll the view along the trace.
  func body(_ trace: ScrollTrace, isSideways: Bool = false) -> Scenario.FrameBody {
    func offset(_ frame: ScrollTrace.Frame) -> CGPoint {
      isSideways ? CGPoint(x: frame.contentOffset, y: 0) : CGPoint(x: 0, y: frame.contentOffset)
    }
    open(at: offset(trace.frames[0]))
    return { frame, timer in
      withExtendedLifetime(self) {
        let scroll = trace.frames[frame.index]
        timer.measure(.boundsChange) { move(to: offset(scroll), scroll) }
        return finish(frame, timer) { view.visibleAttributes() }
      }
    }
  }

  /// Does the part of a frame that all scenarios share. The function is inlined, because calling it would take 1.6% of
  /// the time of the phase `query` in the scenario `springs-uikit`.
  @inline(__always) func finish(_ frame: Frame, _ timer: FrameTimer, _ query: () -> [UICollectionViewLayoutAttributes])
    -> UInt64
  {
    timer.measure(.solve) { view.step(by: frame.timestep) }
    timer.measure(.prepare) { view.layoutIfNeeded() }
    let shown = timer.measure(.query) { query() }
    timer.endFrame()
    timer.record(.visibleItems, shown.count)
    return Self.checksum(shown, timer)
  }

  private func move(to offset: CGPoint, _ frame: ScrollTrace.Frame) {
    guard frame.touchIsAtOrigin else {
      return view.scroll(to: offset, touch: CGPoint(x: frame.touchX, y: frame.touchY))
    }
    // Moves the touch to the origin of the content both before and after the bounds change, because the layout reads
    // the touch in `shouldInvalidateLayout` and again in `prepare()`.
    func liftTouch() { view.engine.moveTouch(to: Point(x: Double(-view.bounds.minX), y: Double(-view.bounds.minY))) }
    liftTouch()
    view.scroll(to: offset)
    liftTouch()
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

  private final class Items: NSObject, UICollectionViewDataSource {
    let count: Int

    init(count: Int) { self.count = count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int { count }
  }
}
