import CollectionLayout
import Dynamics
import FrameBench

/// Common parts of the scenarios of animated layouts: a grid of items of 50×50 points in a view of 320×568, scrolled to
/// the middle.
enum LayoutScenario {
  /// Which items are animated. The first case is the reference, with which the other is compared.
  enum Strategy: String, CaseIterable {
    /// All items of the list, on the screen or not.
    case naive
    /// The items that are on the screen before or after a change.
    case visible

    var scope: AnimationScope {
      switch self {
      case .naive: .everything
      case .visible: .visible
      }
    }
  }

  static let viewSize = Size(width: ScrollViewport.phone.width, height: ScrollViewport.phone.height)
  static var landscape: Size { Size(width: viewSize.height, height: viewSize.width) }

  /// The duration of an animation, seconds.
  static let duration = 0.4

  /// The grid of objc.io's "Animating Collection Views" (issue 12, 2014). Its sizes are not from the article.
  static var grid: FlowOptions {
    var options = FlowOptions()
    options.itemSize = Size(width: 50, height: 50)
    options.minimumLineSpacing = 16
    options.sectionInset = EdgeInsets(all: 8)
    return options
  }

  static func animation(_ strategy: Strategy, _ context: ScenarioContext) -> AnimationOptions {
    var options = AnimationOptions()
    options.duration = duration
    options.scope = strategy.scope
    return options
  }

  /// Returns a view with this layout, scrolled by a whole number of lines to about the middle.
  static func view(_ layout: CollectionViewLayout, itemCount: Int) throws -> CollectionView {
    let view = try CollectionView(layout: layout, itemCount: itemCount, size: viewSize)
    let pitch = grid.itemSize.height + grid.minimumLineSpacing
    view.scroll(to: (view.maximumContentOffset / 2 / pitch).rounded(.down) * pitch)
    try view.prepareLayout()
    return view
  }

  /// Returns the number of frames in this many seconds, at least one.
  static func frames(_ seconds: Double, _ context: ScenarioContext) -> Int {
    max(1, Int((seconds * Double(context.refreshRateHertz)).rounded()))
  }

  /// Makes a call that fails only for invalid values. The scenario chose the values, so a failure is a bug and traps.
  static func must<Value>(_ body: () throws(LayoutError) -> Value) -> Value {
    do throws(LayoutError) { return try body() } catch { fatalError("\(error)") }
  }

  /// Does the part of a frame that follows the update: a step of the animations, the layout, and the query of the
  /// visible items. Returns the checksum of these items.
  static func finish(_ view: CollectionView, _ frame: Frame, _ timer: FrameTimer) -> UInt64 {
    timer.measure(.solve) { view.step(by: frame.timestep) }
    timer.measure(.prepare) { must { () throws(LayoutError) in try view.prepareLayout() } }
    let shown = timer.measure(.query) { view.presentedAttributes() }
    timer.endFrame()
    timer.record(.animatedItems, view.animatedItemCount)
    timer.record(.visibleItems, shown.count)
    return observe(shown, timer)
  }

  /// Records the places of the shown items for comparisons of the output, and returns a hash of the items. Loops over
  /// indices, because in debug builds iterating over an array of large elements allocates.
  static func observe(_ shown: [AnimatedAttributes], _ timer: FrameTimer) -> UInt64 {
    var checksum = AttributesChecksum()
    for position in shown.indices {
      checksum.add(shown[position])
      if timer.isObserving {
        let item = shown[position].attributes
        timer.observe(item: item.index, x: item.center.x, y: item.center.y)
      }
    }
    return checksum.value
  }
}

extension Phase {
  /// The phase of changes such as insertions and deletions, a rotation of the view, or a movement of the fingers.
  static var update: Phase { Phase("update") }
}

extension Counter { static var animatedItems: Counter { Counter("animatedItems") } }
