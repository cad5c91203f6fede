import Dynamics

/// A springy list that shows the same as `NaiveSpringLayout`, but simulates only items near the view, like
/// `TiledSpringLayout`.
///
/// Each scroll shifts items away from their anchors, to which springs pull them back. The springs are linear, so the
/// state of an item that enters the simulation is computed exactly from the shifts that it missed. The shifts also
/// limit how far an item can be from its anchor. This limit is the reach: all visible items have their anchors in the
/// visible rectangle extended by the reach.
///
/// After a jump through a long list, nearly all items would be within the reach. In that case only the surroundings of
/// the view are simulated, and `StraySearch` finds the few other items that fly past.
public final class ExactSpringLayout: SpringLayout {
  /// If more than `items` items are within the reach, and more than fit into `views` screens, distant items are
  /// searched for instead of simulated. Adding an item to the simulation takes about 0.1 µs, and a search a few
  /// microseconds per frame.
  private static let largestRange = (items: 256, views: 4.0)
  /// Extra length at both ends of the simulated range, as a fraction of `SpringOptions.padding`. It makes the range
  /// suffice for several frames.
  private static let slackShare = 0.25
  /// The number of frames after which the simulated range is computed again, even if it still suffices.
  private static let patience = 16
  /// While the springs remember an update, items leave the simulation only beyond this padding, points. It is large,
  /// because computing the state of an item that returns takes as long as simulating it for a few hundred frames.
  private static let paddingAfterUpdates = 1_000.0
  /// A range of the scroll axis, points. All items anchored in it are simulated. Nil if no such range is known.
  private var covered: Range<Double>?
  private var unfittedFrames = 0
  /// Items that `CollectionViewUpdate.move` displaced far and that may still be moving, ascending by index, with the
  /// numbers of the updates that moved them.
  private var movers: [(index: Int, rearrangement: Int)] = []
  private var hasMovers = false

  /// Creates a layout.
  /// - Throws: If a flow option or a spring option is invalid, or if the springs settle so slowly that the history of
  ///   shifts would be too long.
  public init(flow: FlowOptions = FlowOptions(), springs: SpringOptions = SpringOptions()) throws(LayoutError) {
    try super.init(flow: flow, springs: springs, remembersShifts: true)
  }

  override func simulatedRange() -> Range<Int> {
    let visible = Stretch(bounds, scrollDirection).main
    unfittedFrames += 1
    if unfittedFrames < Self.patience, isCovered(visible) { return springs.range }
    return fittedRange(visible)
  }

  override func anchorsChanged() { covered = nil }

  override func rangeAfterUpdate(_ displacements: ClosedRange<Double>) -> Range<Int> {
    fittedRange(Stretch(bounds, scrollDirection).main, displacements)
  }

  override func didRearrange(_ map: IndexMap, distant: [Int]) {
    movers = movers.compactMap { mover in
      guard !springs.hasForgotten(rearrangement: mover.rearrangement), let index = map.newIndex(ofItemAt: mover.index),
        !distant.contains(index)
      else { return nil }
      return (index, mover.rearrangement)
    }
    if let latest = springs.latestRearrangement { movers += distant.map { ($0, latest) } }
    movers.sort { $0.index < $1.index }
    hasMovers = !movers.isEmpty
  }

  /// Returns the range of items to simulate, given the shifts so far. It is a little larger than this frame needs.
  /// - Parameter displacements: The range of the displacements that an update adds, points. Zero unless an update is
  ///   being applied.
  private func fittedRange(_ visible: Range<Double>, _ displacements: ClosedRange<Double> = 0...0) -> Range<Int> {
    springs.tightenReach()
    unfittedFrames = 0
    func reachable(_ padding: Double) -> Range<Double> {
      let stretch = self.reachable(visible, padding: padding)
      return stretch.lowerBound - displacements.upperBound..<stretch.upperBound - displacements.lowerBound
    }
    let stretch = reachable(Self.slackShare * springOptions.padding)
    let needed = items(in: stretch)
    let (largest, views) = Self.largestRange
    guard needed.count <= largest || needed.count <= largestItemCount(inViews: views) else {
      covered = nil
      let padding = springOptions.padding
      return items(in: visible.lowerBound - padding..<visible.upperBound + padding)
    }
    covered = stretch
    let current = springs.range
    guard needed.overlaps(current) else { return needed }
    // The distance beyond which items leave the simulation is greater than the distance within which they enter it.
    // Otherwise items would leave and enter again and again, because the reach changes with the speed of the scroll.
    let padding = springs.latestRearrangement == nil ? springOptions.padding : Self.paddingAfterUpdates
    let kept = items(in: reachable(padding)).clamped(to: current)
    return min(needed.lowerBound, kept.lowerBound)..<max(needed.upperBound, kept.upperBound)
  }

  /// Returns the range of the scroll axis in which all visible items have their anchors, given the shifts so far. The
  /// range is extended by the padding. All lengths are in points.
  private func reachable(_ visible: Range<Double>, padding: Double = 0) -> Range<Double> {
    let reach = springs.reach
    return visible.lowerBound - reach.forward - padding..<visible.upperBound + reach.backward + padding
  }

  private func isCovered(_ visible: Range<Double>) -> Bool {
    guard let covered else { return false }
    let needed = reachable(visible)
    return covered.lowerBound <= needed.lowerBound && needed.upperBound <= covered.upperBound
  }

  private func items(in stretch: Range<Double>) -> Range<Int> {
    flow.pointee.lines.items(from: stretch.lowerBound, to: stretch.upperBound)
  }

  override var entry: AttachmentRangeBehavior.Entry { .remembered }

  override func largestSimulatedCount() -> Int {
    // Reserves twice the memory, so that springs can be added at one end and removed at the other without moving those
    // between. Even a fast fling displaces items by less than four times `scrollResistance`.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding + 4 * springOptions.scrollResistance) + 64
  }

  override func isComplete(in visible: Stretch) -> Bool { isCovered(visible.main) && !hasMovers }

  override func strays(in visible: Stretch) -> StraySearch {
    StraySearch(self, in: visible, movers: movers.map { $0.index }, findsOthers: !isCovered(visible.main))
  }

  /// Returns the place of an item, even if it is not simulated. Nil only if there is no such item.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    if let simulated = super.layoutAttributesForItem(at: index) { return simulated }
    guard var place = placeForItem(at: index) else { return nil }
    place.center = springs.rememberedCenter(ofItemAt: index, anchor: place.center)
    return place
  }
}
