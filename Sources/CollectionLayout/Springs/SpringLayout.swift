import Dynamics

/// Parameters of the springs of a springy list. The defaults come from the article on which `SpringLayout` is based.
public struct SpringOptions: Hashable, Sendable {
  /// Damping ratio; 1 is critical.
  public var damping = 0.8
  /// Frequency in Hz.
  public var frequency = 1.0
  /// Distance from the touch at which an item moves as far as the bounds do, points. Nearer items move less.
  public var scrollResistance = 1500.0
  /// Distance around the visible rectangle within which items are simulated, points. Unused if all items are simulated.
  public var padding = 100.0

  public init() {}
}

/// A flow layout whose items are attached to their places by damped springs (objc.io's "UICollectionView + UIKit
/// Dynamics", issue 5, 2013). The subclasses choose the items that are simulated.
public class SpringLayout: FlowLayout {
  /// The options with which the layout was created.
  public let springOptions: SpringOptions
  /// The animator that runs `springs`. The layout's `step(by:)` steps this animator.
  public let animator: DynamicAnimator
  /// The springs of the simulated items.
  public let springs: AttachmentRangeBehavior
  /// If at most this many items are simulated, a query examines all of them, because computing which of them are near
  /// its rectangle would take longer.
  private static let fewItems = 24
  // These properties are private, so that the compiler sees all accesses and omits the exclusivity checks at run time.
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

  /// The last shift of the bounds along the scroll direction, points.
  public final var latestDelta: Double { delta }
  /// How often items have gained or lost a spring so far.
  public final var churnCount: Int { churn }

  /// Shifts all simulated items along with the bounds and returns false. Their springs then pull them back to their
  /// places, so nothing has to be laid out again.
  public final override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    let axis = scrollDirection
    delta = MainCross(newBounds.origin, axis).main - MainCross(bounds.origin, axis).main
    unansweredDelta = delta
    springs.shift(by: latestShift)
    return false
  }

  /// The shift of the items by this frame's scroll. It depends on `touch`, which refers to the old bounds before they
  /// change, and to the new bounds in `prepare()`. The code in objc.io's article reads the touch at both moments, too.
  final var latestShift: ScrollShift {
    ScrollShift(delta: unansweredDelta, touch: touch, resistance: springOptions.scrollResistance)
  }

  /// Advances the springs. The layout becomes invalid while the springs or the bounds move.
  public final override func step(by timestep: Double) {
    animator.step(by: timestep)
    if moveReach > 0 {
      moveReach *= PortableMath.exp(-springs.parameters.decayRate * timestep)
      if moveReach < 0.01 { moveReach = 0 }
    }
    if animator.isRunning || unansweredDelta != 0 { invalidateLayout() }
  }

  final override var canTurn: Bool { false }

  /// Attaches springs to the items that must be simulated now, and detaches all other items.
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
          flow.pointee.lines.forEachItem(in: entering) { index, center in place(index, center.point(axis)) }
        }
      } catch { throw .dynamics(error) }
      churn += old.count + new.count - 2 * old.clamped(to: new).count
    }
    unansweredDelta = 0
  }

  /// Reserves memory, so that frames of a scroll do not allocate.
  final func makeRoom() throws(LayoutError) {
    do throws(DynamicsError) { try springs.reserveCapacity(largestSimulatedCount()) } catch { throw .dynamics(error) }
    // Displaced items crowd together, so memory for the items of three views is reserved.
    flow.pointee.attributes.reserveCapacity(largestItemCount(inViews: 3))
  }

  /// Returns the largest number of items that can overlap a range of this many views plus `length` points on the scroll
  /// axis.
  final func largestItemCount(inViews views: Double, plus length: Double = 0) -> Int {
    let view = MainCross(bounds.size, scrollDirection).main
    return flow.pointee.lines.largestItemCount(inLength: views * view + length)
  }

  /// The distance by which the padding is extended after an update, points. It keeps items that the update moves out of
  /// view in the simulation until they have left the view. The distance decays as the springs settle.
  final var remainingMove: Double { moveReach }

  final func noteMove(upTo distance: Double) {
    let view = MainCross(bounds.size, scrollDirection).main
    moveReach = max(moveReach, min(distance, 2 * view))
  }

  override func apply(_ map: IndexMap) throws(LayoutError) {
    let before = flow.pointee
    do throws(LayoutError) {
      try super.apply(map)
      try makeRoom()
      try takeOver(map, from: before.lines)
    } catch {
      flow.pointee = before
      view.pointee.itemCount = map.oldCount
      anchorsChanged()
      throw error
    }
  }

  /// True, because the springs move the items.
  public final override var animatesChangesItself: Bool { true }

  /// Returns the range of items to simulate after an update. It is called when the items are laid out again.
  /// - Parameter displacements: The range of the displacements that the update causes by moving anchors, points.
  func rangeAfterUpdate(_ displacements: ClosedRange<Double>) -> Range<Int> { simulatedRange() }

  /// Called after an update.
  /// - Parameter distant: The indices of items that were moved much further than the others, in ascending order.
  func didRearrange(_ map: IndexMap, distant: [Int]) {}

  func simulatedRange() -> Range<Int> { 0..<itemCount }

  /// Called before the items are laid out again, and when an update fails and the old lines are restored.
  func anchorsChanged() {}

  /// The state in which items enter the simulation.
  var entry: AttachmentRangeBehavior.Entry { .atRest }

  /// Returns the number of items for which to reserve memory.
  func largestSimulatedCount() -> Int { itemCount }

  /// Whether all visible items are among the simulated ones.
  func isComplete(in visible: Stretch) -> Bool { true }

  /// Returns a search for visible items outside the simulated range. Called only if `isComplete(in:)` is false.
  func strays(in visible: Stretch) -> StraySearch { preconditionFailure("all visible items are simulated") }

  /// Returns the visible items in the rectangle at their present positions.
  public final override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    let visible = Stretch(rect, scrollDirection)
    let columns = springs.columns
    let low = visible.main.lowerBound - columns.displacementBound
    let high = visible.main.upperBound + columns.displacementBound
    let isComplete = isComplete(in: visible)
    let lines = flow.pointee.lines
    if lines.columnCount == 1, isComplete {
      let candidates =
        columns.range.count <= Self.fewItems
        ? columns.range : lines.items(from: low, to: high).clamped(to: columns.range)
      return overwrite(candidates, of: lines, ifIn: visible) { columns.center(ofItemAt: $0).main }
    }
    let strays = isComplete ? nil : strays(in: visible)
    return answer { found in
      strays?.collect(0..<columns.range.lowerBound, &found)
      for index in lines.items(from: low, to: high).clamped(to: columns.range) {
        let (main, cross) = columns.center(ofItemAt: index)
        found.append(index, MainCross(main: main, cross: cross), lines.item, ifIn: visible)
      }
      strays?.collect(columns.range.upperBound..<max(columns.range.upperBound, lines.itemCount), &found)
    }
  }

  /// Returns the place of an item; nil if the item is not simulated now.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard springs.range.contains(index) else { return nil }
    return LayoutAttributes(
      index: index, center: springs.center(ofItemAt: index), size: flow.pointee.lines.item.size(scrollDirection))
  }
}
