import CollectionLayout
import Dynamics

/// The springy list as the articles about it implement it (objc.io, "UICollectionView + UIKit Dynamics", issue 5,
/// 2013). Each simulated row is an item object with an attachment. The layout moves rows one by one when the list
/// scrolls, and queries the animator for the rows to show.
final class ObjectSpringLayout: FlowLayout {
  /// Which rows are simulated.
  enum Reach {
    /// All rows, from the start.
    case everywhere
    /// The rows in the view or near it. A row that comes near starts at its anchor, shifted by the scroll of the
    /// current frame. It is not shifted if the touch is at the origin of the content, because the articles treat that
    /// point as no touch.
    case tiled
  }

  private let reach: Reach
  private let springOptions = SpringOptions()
  private let animator = DynamicAnimator()
  private var simulated: Set<Int> = []
  private var latestDelta = 0.0
  /// The indices of the first and the last row near the view, when springs were last attached or removed.
  private var latestEnds: (first: Int?, last: Int?) = (nil, nil)
  /// The result of the last query, whose memory the next one reuses.
  private var shown: [LayoutAttributes] = []
  private(set) var churnCount = 0

  init(_ flow: FlowOptions, _ reach: Reach) throws(LayoutError) {
    self.reach = reach
    try super.init(flow)
  }

  var simulatedCount: Int { simulated.count }

  // MARK: The frame

  override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    latestDelta = newBounds.origin.y - bounds.origin.y
    for case let spring as AttachmentBehavior in animator.behaviors {
      let item = spring.item
      item.center.y += shift(ofAnchor: spring.anchorPoint)
      do { try animator.updateItem(usingCurrentState: item) } catch { fatalError("\(error)") }
    }
    return false
  }

  /// Returns how far the latest scroll moves a row, points. The nearer a row is to the touch, the less it moves.
  private func shift(ofAnchor anchor: Point) -> Double {
    let resistance = (abs(touch.y - anchor.y) + abs(touch.x - anchor.x)) / springOptions.scrollResistance
    let shift = latestDelta * resistance
    return latestDelta < 0 ? max(latestDelta, shift) : min(latestDelta, shift)
  }

  override func step(by timestep: Double) {
    animator.step(by: timestep)
    if animator.isRunning || latestDelta != 0 { invalidateLayout() }
  }

  override func prepare() {
    super.prepare()
    do throws(LayoutError) { try attachRows() } catch { fail(error) }
  }

  private func attachRows() throws(LayoutError) {
    switch reach {
    case .everywhere:
      for index in simulated.count..<itemCount {
        guard let place = super.layoutAttributesForItem(at: index) else { continue }
        try simulate(place, movedBy: 0)
      }
    case .tiled:
      let near = super.layoutAttributes(in: bounds.grown(by: springOptions.padding))
      // The rows near the view are consecutive, so they are the same as before if the first and the last are the same.
      let ends = (near.first?.index, near.last?.index)
      if ends == latestEnds { break }
      latestEnds = ends
      try keepOnly(Set(near.lazy.map(\.index)))
      for place in near where !simulated.contains(place.index) {
        try simulate(place, movedBy: touch == .zero ? 0 : shift(ofAnchor: place.center))
      }
    }
    latestDelta = 0
  }

  private func simulate(_ place: LayoutAttributes, movedBy shift: Double) throws(LayoutError) {
    let row = SpringyRow(place)
    let spring = AttachmentBehavior(item: row, attachedToAnchor: row.center)
    spring.length = 0
    spring.damping = springOptions.damping
    spring.frequency = springOptions.frequency
    row.center.y += shift
    do throws(DynamicsError) { try animator.addBehavior(spring) } catch { throw .dynamics(error) }
    simulated.insert(place.index)
    churnCount += 1
  }

  private func keepOnly(_ near: Set<Int>) throws(LayoutError) {
    for case let spring as AttachmentBehavior in animator.behaviors {
      guard let row = spring.item as? SpringyRow, !near.contains(row.index) else { continue }
      do throws(DynamicsError) { try animator.removeBehavior(spring) } catch { throw .dynamics(error) }
      simulated.remove(row.index)
      churnCount += 1
    }
  }

  // MARK: Queries

  override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    shown.removeAll(keepingCapacity: true)
    for case let row as SpringyRow in animator.items(in: rect) { shown.append(row.attributes) }
    shown.sort { $0.index < $1.index }
    return shown
  }
}

private final class SpringyRow: DynamicItem {
  let index: Int
  let size: Size
  /// Exclusivity is not checked at run time, because the checks would take longer than the springs.
  @exclusivity(unchecked) var center: Point

  init(_ place: LayoutAttributes) { (index, size, center) = (place.index, place.size, place.center) }

  var attributes: LayoutAttributes { LayoutAttributes(index: index, center: center, size: size) }
}
