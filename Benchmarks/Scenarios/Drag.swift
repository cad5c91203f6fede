import CollectionLayout
import Dynamics
import FrameBench
import Glibc
import Statistics

/// A thousand items of 20×20 points in a view of 1024×768. A finger drags a selection of `size` items in formation. The
/// finger lets go near the end of the run, and the items spring back.
enum Drag {
  /// The ways to simulate the drag. The first is the reference, with which the other is compared.
  enum Strategy: String, CaseIterable {
    /// Springs hold every item, and each item is shown where the animator places it.
    case naive
    /// Only the dragged items are simulated; the flow layout places the others.
    case dragged
  }

  static let itemCount = 1_000
  static let viewSize = Size(width: 1024, height: 768)
  /// The number of frames at the end of a run, after the finger has let go.
  static let returnFrameCount = 90

  static var flow: FlowOptions {
    var options = FlowOptions()
    options.itemSize = Size(width: 20, height: 20)
    options.minimumLineSpacing = 4
    options.minimumInteritemSpacing = 4
    return options
  }

  /// Returns the indices of the dragged items, chosen at random from all items.
  static func selection(size: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    var indices = Array(0..<itemCount)
    random.shuffle(&indices)
    return Array(indices.prefix(size))
  }

  /// Returns the position of the finger after `time` seconds, points. The finger circles without repeating its path.
  static func finger(at time: Double, seed: UInt64) -> Point {
    let turn = Double(seed % 360) * .pi / 180
    return Point(
      x: viewSize.width / 2 + 350 * PortableMath.sin(2 * .pi * 0.31 * time + turn),
      y: viewSize.height / 2 + 250 * PortableMath.sin(2 * .pi * 0.47 * time))
  }

  static func stretches(_ context: ScenarioContext) -> [String] {
    (0..<context.totalFrameCount).map { isHeld(inFrame: $0, context) ? "drag" : "return" }
  }

  private static func isHeld(inFrame index: Int, _ context: ScenarioContext) -> Bool {
    index < context.totalFrameCount - returnFrameCount
  }

  static func warnings(_ context: ScenarioContext) -> [Warning] {
    guard context.size > itemCount else { return [] }
    return [Warning("Only \(itemCount) items are there to be dragged, so that is what this size drags.")]
  }

  static func setUp(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let layout: any DragStage
    switch strategy {
    case .naive: layout = try HeldLayout(flow)
    case .dragged: layout = try DraggableLayout(flow)
    }
    let view = try CollectionView(layout: layout, itemCount: itemCount, size: viewSize)
    try layout.startDragging(selection(size: context.size, seed: context.seed), at: finger(at: 0, seed: context.seed))
    return { frame, timer in
      timer.measure(Phase("drag")) {
        if isHeld(inFrame: frame.index, context) {
          move(layout, to: finger(at: Double(frame.index + 1) * frame.timestep, seed: context.seed))
        } else {
          layout.endDragging()
        }
      }
      timer.measure(.solve) { view.step(by: frame.timestep) }
      let visible = timer.measure(.query) { view.visibleAttributes() }
      timer.endFrame()
      timer.record(.activeItems, layout.animator.awakeBodyCount)
      timer.record(.visibleItems, visible.count)
      if timer.isObserving {
        for item in visible { timer.observe(item: item.index, x: item.center.x, y: item.center.y) }
      }
      return visible.checksum
    }
  }

  private static func move(_ layout: any DragStage, to point: Point) {
    do { try layout.drag(to: point) } catch { fatalError("\(error)") }
  }
}

/// A layout whose items can be dragged.
protocol DragStage: CollectionViewLayout {
  var animator: DynamicAnimator { get }
  func startDragging(_ selection: [Int], at point: Point) throws(LayoutError)
  func drag(to point: Point) throws(LayoutError)
  func endDragging()
}

extension DraggableLayout: DragStage {}

/// The naive layout, which simulates every item, dragged or not.
private final class HeldLayout: FlowLayout, DragStage {
  let animator = DynamicAnimator()
  private var items: [HeldItem] = []
  private var drag = DragBehavior(items: [])
  private var selection: [Int] = []
  private var answer: [LayoutAttributes] = []

  func startDragging(_ selection: [Int], at point: Point) throws(LayoutError) {
    self.selection = selection
    items = (0..<itemCount).compactMap { super.layoutAttributesForItem(at: $0).map(HeldItem.init) }
    let others = Set(items.indices).subtracting(selection).sorted()
    drag = DragBehavior(items: selection.map { items[$0] }, point: point)
    do throws(DynamicsError) {
      try animator.addBehavior(DragBehavior(items: others.map { items[$0] }))
      try animator.addBehavior(drag)
    } catch { throw .dynamics(error) }
  }

  func drag(to point: Point) throws(LayoutError) {
    do throws(DynamicsError) { try drag.setPoint(point) } catch { throw .dynamics(error) }
  }

  func endDragging() {
    for position in selection.indices {
      guard let place = super.layoutAttributesForItem(at: selection[position]) else { continue }
      do throws(DynamicsError) { try drag.holds[position].pullItem(to: place.center) } catch { fatalError("\(error)") }
    }
    selection.removeAll(keepingCapacity: true)
  }

  override func step(by timestep: Double) { animator.step(by: timestep) }

  override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    var found: [LayoutAttributes] = []
    swap(&found, &answer)
    found.removeAll(keepingCapacity: true)
    for index in items.indices {
      let item = items[index]
      let attributes = LayoutAttributes(index: index, center: item.center, size: item.size)
      if attributes.frame.intersects(rect) { found.append(attributes) }
    }
    answer = found
    return found
  }
}

private final class HeldItem: DynamicItem {
  var center: Point
  let size: Size
  var angle = 0.0

  init(_ place: LayoutAttributes) {
    center = place.center
    size = place.size
  }
}
