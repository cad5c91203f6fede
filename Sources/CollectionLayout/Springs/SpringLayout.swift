import Dynamics

/// Parameters of the springs of a springy list. The defaults are the article's.
public struct SpringOptions: Hashable, Sendable {
  /// Damping ratio; 1 is critical.
  public var damping = 0.8
  /// Hz.
  public var frequency = 1.0
  /// Distance from the touch at which an item follows the bounds entirely, points.
  public var scrollResistance = 1500.0
  /// Distance beyond the visible rectangle within which items are simulated if not all are, points.
  public var padding = 100.0

  public init() {}
}

/// A flow layout whose items hang on damped springs at their places (objc.io's "UICollectionView + UIKit Dynamics",
/// issue 5, 2013). The subclasses decide which items are simulated.
public class SpringLayout: FlowLayout {
  /// The options that the layout was made with.
  public let springOptions: SpringOptions
  /// Runs `springs`; stepped by the layout's `step(by:)`.
  public let animator: DynamicAnimator
  /// The springs of the items that are simulated.
  public let springs: AttachmentRangeBehavior
  // Private, so that the compiler sees all accesses and need not check them at run time.
  private var delta = 0.0
  private var unansweredDelta = 0.0
  private var churn = 0
  private var moveReach = 0.0

  init(flow: FlowOptions, springs options: SpringOptions, remembersShifts: Bool = false) throws(LayoutError) {
    try LayoutError.checkNotNegative(["scrollResistance": options.scrollResistance, "padding": options.padding])
    springOptions = options
    animator = DynamicAnimator()
    do throws(DynamicsError) {
      springs = try AttachmentRangeBehavior(
        axis: flow.scrollDirection, frequency: options.frequency, damping: options.damping,
        remembersShifts: remembersShifts)
      try animator.addBehavior(springs)
    } catch { throw .dynamics(error) }
    try super.init(flow)
  }

  /// Shift of the bounds by their last change, along the scroll direction, points.
  public final var latestDelta: Double { delta }
  /// Items that gained or lost their spring so far.
  public final var churnCount: Int { churn }

  /// Shifts all simulated items with the scroll. Springs pull them along, so nothing is laid out again.
  public final override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    let axis = scrollDirection
    delta = MainCross(newBounds.origin, axis).main - MainCross(bounds.origin, axis).main
    unansweredDelta = delta
    springs.shift(by: latestShift)
    return false
  }

  /// Effect of this frame's scroll on an item, by the touch as it is read now: in the bounds before the scroll while
  /// they change, in those after it in `prepare()`. The article reads it at both times, too.
  final var latestShift: ScrollShift {
    ScrollShift(delta: unansweredDelta, touch: touch, resistance: springOptions.scrollResistance)
  }

  /// Advances the springs; while they or the bounds move, the layout is invalid.
  public final override func step(by timestep: Double) {
    animator.step(by: timestep)
    if moveReach > 0 {
      moveReach *= PortableMath.exp(-springs.parameters.decayRate * timestep)
      if moveReach < 0.01 { moveReach = 0 }
    }
    if animator.isRunning || unansweredDelta != 0 { invalidateLayout() }
  }

  final override var canTurn: Bool { false }

  /// Attaches the items to be simulated now, and releases the others.
  public final override func prepare() { do throws(LayoutError) { try prepareSprings() } catch { fail(error) } }

  private func prepareSprings() throws(LayoutError) {
    if isOutdated {
      anchorsChanged()
      let placed = flow.pointee.itemCount
      if placed > 0, needsNewLines {
        let old = flow.pointee.lines
        try placeItems()
        try makeRoom()
        try takeOver(IndexMap(oldCount: placed, newCount: itemCount), from: old)
      } else {
        try placeItems()
        try makeRoom()
        springs.itemsAdded(from: placed)
      }
    }
    let old = springs.range
    let new = simulatedRange()
    if new != old {
      let axis = scrollDirection
      do throws(DynamicsError) {
        try springs.setRange(new, entering: entry) { entering, place in
          flow.pointee.lines.forEachItem(in: entering) { index, center, _ in place(index, center.point(axis)) }
        }
      } catch { throw .dynamics(error) }
      churn += old.count + new.count - 2 * old.clamped(to: new).count
    }
    unansweredDelta = 0
  }

  /// Reserves the memory of steady frames, so that they allocate nothing.
  final func makeRoom() throws(LayoutError) {
    do throws(DynamicsError) { try springs.reserveCapacity(largestSimulatedCount()) } catch { throw .dynamics(error) }
    // Displaced items crowd together: room for those of three views.
    flow.pointee.attributes.reserveCapacity(largestItemCount(inViews: 3))
  }

  /// The largest number of items that a stretch of this many views and points can touch.
  final func largestItemCount(inViews views: Double, plus length: Double = 0) -> Int {
    let view = MainCross(bounds.size, scrollDirection).main
    return flow.pointee.lines.largestItemCount(inLength: views * view + length, near: 0)
  }

  /// Distance beyond the padding of items that updates moved out of view, points, as far as it is left now. Items that
  /// leave the surroundings of the view are seen on their way.
  final var remainingMove: Double { moveReach }

  final func noteMove(upTo distance: Double) {
    let view = MainCross(bounds.size, scrollDirection).main
    moveReach = max(moveReach, min(distance, 2 * view))
  }

  override func apply(_ map: IndexMap, sizeForItem: (@Sendable (Int) -> Size)?) throws(LayoutError) {
    let before = flow.pointee
    do throws(LayoutError) {
      try super.apply(map, sizeForItem: sizeForItem)
      try makeRoom()
      try takeOver(map, from: before.lines)
    } catch {
      flow.pointee = before
      view.pointee.itemCount = map.oldCount
      anchorsChanged()
      throw error
    }
  }

  /// The springs move the items.
  public final override var animatesChangesItself: Bool { true }

  /// The items to simulate from an update on, for the range of displacements after its moves of anchors, points; called
  /// when they are laid out again.
  func rangeAfterUpdate(_ displacements: ClosedRange<Double>) -> Range<Int> { simulatedRange() }

  /// Called after an update.
  /// - Parameter distant: Indices, ascending, of items that were moved further than the others.
  func didRearrange(_ map: IndexMap, distant: [Int]) {}

  /// The items to simulate now.
  func simulatedRange() -> Range<Int> { 0..<itemCount }

  /// Called before items are laid out again, and if that fails.
  func anchorsChanged() {}

  /// The state of items that start to be simulated.
  var entry: AttachmentRangeBehavior.Entry { .atRest }

  /// The number of items to make room for.
  func largestSimulatedCount() -> Int { itemCount }

  /// Side of the simulated range.
  enum Side { case before, behind }

  /// Adds the visible items, in ascending order, that are not simulated: first those before the range.
  func collectStrays(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {}

  /// The simulated items that are visible in the rectangle, at their present positions.
  public final override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    let visible = Stretch(rect, scrollDirection)
    let reach = springs.displacementBound
    let simulated = springs.range
    let candidates = flow.pointee.lines.items(
      from: visible.main.lowerBound - reach, to: visible.main.upperBound + reach
    ).clamped(to: simulated)
    let columns = springs.columns
    func center(_ index: Int) -> MainCross {
      let position = index - simulated.lowerBound
      return MainCross(
        main: columns.anchorMain[position] + columns.displacement[position], cross: columns.anchorCross[position])
    }
    return answer { found in
      collectStrays(.before, in: visible, &found)
      switch flow.pointee.lines {
      case .uniform(let lines):
        let size = lines.item
        for index in candidates { found.append(index, center(index), size, ifIn: visible) }
      case .variable(let lines):
        for index in candidates { found.append(index, center(index), lines.size(index), ifIn: visible) }
      }
      collectStrays(.behind, in: visible, &found)
    }
  }

  /// Nil for an item that is not simulated now.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard springs.range.contains(index) else { return nil }
    return LayoutAttributes(
      index: index, center: springs.center(ofItemAt: index),
      size: flow.pointee.lines.size(at: index).size(scrollDirection))
  }
}
