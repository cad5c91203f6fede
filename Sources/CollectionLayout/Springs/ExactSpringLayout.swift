import Dynamics

/// Shows the same as the naive list, at the cost of the tiled one.
///
/// The springs are linear, so an entering item gets exactly the state that the missed shifts would have
/// left it in. No item is displaced further than those shifts reach, so all visible items lie within the
/// visible rectangle extended by that reach.
///
/// After a jump over much of a long list, that would be the whole list. Then only the surroundings of the
/// view are simulated, and the few items from elsewhere that fly past are found from the shifts that moved
/// them.
public final class ExactSpringLayout: SpringLayout {
  /// Maximum number of items that a reach can add to the simulation, or the same in views of them. Each
  /// enters in about 0.1 µs, and costs next to nothing then; searching for them costs some microseconds per
  /// frame.
  private static let largestRange = (items: 256, views: 4)
  /// Part of the simulated range that is not needed yet, as a share of the padding, so that it suffices for
  /// some frames.
  private static let slackShare = 0.25
  /// Frames after which a range that is still sufficient is fitted again.
  private static let patience = 16
  /// Distance beyond which items are released while updates are remembered, points. An item that enters is
  /// then followed back through each of them, which costs as much as keeping it for some hundred frames.
  private static let paddingAfterUpdates = 1_000.0
  /// All items anchored in this stretch are simulated. Nil if that is unknown.
  private var covered: Range<Double>?
  private var unfittedFrames = 0
  /// Items that were moved far by themselves, and may still be on their way, ascending by index.
  private var movers: [Mover] = []
  private var hasMovers = false
  /// Stretches with the anchors of items that shifts have moved into view, and whether they are known.
  private var strayAnchors: [AnchorStretch] = []
  private var knowsStrayAnchors = false

  private struct Mover {
    var index: Int
    /// The rearrangement that moved it.
    var rearrangement: Int
  }

  /// - Throws: Also for springs that settle so slowly that no history of shifts could be kept.
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

  private func isFew(_ needed: Range<Int>) -> Bool {
    needed.count <= Self.largestRange.items
      || needed.count <= largestItemCount(inViews: Double(Self.largestRange.views))
  }

  override func didRearrange(_ map: IndexMap, distant: [Int]) {
    let latest = springs.latestRearrangement
    movers = movers.compactMap { mover in
      guard !springs.hasForgotten(rearrangement: mover.rearrangement), let index = map.newIndex(ofItemAt: mover.index),
        !distant.contains(index)
      else { return nil }
      return Mover(index: index, rearrangement: mover.rearrangement)
    }
    if let latest { movers += distant.lazy.map { Mover(index: $0, rearrangement: latest) } }
    movers.sort { $0.index < $1.index }
    hasMovers = !movers.isEmpty
  }

  /// The range that has to be simulated according to present knowledge, and a little more.
  /// - Parameter displacements: Of items by an update that is not yet remembered, points.
  private func fittedRange(_ visible: Range<Double>, _ displacements: ClosedRange<Double> = 0...0) -> Range<Int> {
    springs.tightenReach()
    unfittedFrames = 0
    func reachable(_ padding: Double) -> Range<Double> {
      let stretch = self.reachable(visible, padding: padding)
      return stretch.lowerBound - displacements.upperBound..<stretch.upperBound - displacements.lowerBound
    }
    let stretch = reachable(Self.slackShare * springOptions.padding)
    let needed = items(in: stretch)
    guard isFew(needed) else {
      covered = nil
      return items(in: grown(visible, by: springOptions.padding))
    }
    covered = stretch
    let current = springs.range
    guard needed.overlaps(current) else { return needed }
    // Items are released only further away, because the reach varies with every change of speed.
    let padding = springs.latestRearrangement == nil ? springOptions.padding : Self.paddingAfterUpdates
    let kept = items(in: reachable(padding)).clamped(to: current)
    return min(needed.lowerBound, kept.lowerBound)..<max(needed.upperBound, kept.upperBound)
  }

  /// Range of the anchors of all items that the shifts so far can have moved into the stretch.
  private func reachable(_ visible: Range<Double>, padding: Double = 0) -> Range<Double> {
    let reach = springs.reach
    return visible.lowerBound - reach.forward - padding..<visible.upperBound + reach.backward + padding
  }

  private func isCovered(_ visible: Range<Double>) -> Bool {
    guard let covered else { return false }
    let needed = reachable(visible)
    return covered.lowerBound <= needed.lowerBound && needed.upperBound <= covered.upperBound
  }

  private func grown(_ stretch: Range<Double>, by padding: Double) -> Range<Double> {
    stretch.lowerBound - padding..<stretch.upperBound + padding
  }

  private func items(in stretch: Range<Double>) -> Range<Int> {
    flow.pointee.lines.items(from: stretch.lowerBound, to: stretch.upperBound)
  }

  override var entry: AttachmentRangeBehavior.Entry { .remembered }

  override func largestSimulatedCount() -> Int {
    // A little more than twice, so that the window can slide in its memory. Fast flings reach less than
    // four resistances.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding + 4 * springOptions.scrollResistance) + 64
  }

  override func collectStrays(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {
    if hasMovers { return collectStraysAndMovers(side, in: visible, &found) }
    guard !isCovered(visible.main) else { return }
    collectDistantStrays(side, in: visible, &found)
  }

  @inline(never) private func collectStraysAndMovers(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {
    let first = found.attributes.count
    if !isCovered(visible.main) { collectDistantStrays(side, in: visible, &found) }
    collectMovers(side, in: visible, &found, from: first)
  }

  /// Adds the items that were moved far, which no reach covers.
  /// - Parameter first: Index of the first item of this side, which contains no mover.
  private func collectMovers(_ side: Side, in visible: Stretch, _ found: inout VisibleItems, from first: Int) {
    let simulated = springs.range
    found.attributes[first...].indices.reversed().forEach { position in
      if isMover(found.attributes[position].index) { found.attributes.remove(at: position) }
    }
    for mover in movers {
      let isOnSide =
        switch side {
        case .before: mover.index < simulated.lowerBound
        case .behind: mover.index >= simulated.upperBound
        }
      guard isOnSide else { continue }
      let lines = flow.pointee.lines
      let center = springs.rememberedCenter(
        ofItemAt: mover.index, anchor: lines.center(at: mover.index).point(scrollDirection))
      found.append(mover.index, MainCross(center, scrollDirection), lines.size(at: mover.index), ifIn: visible)
    }
    found.attributes[first...].sort { $0.index < $1.index }
  }

  private func isMover(_ index: Int) -> Bool { movers.contains { $0.index == index } }

  /// Adds the items outside the simulated range that have been moved into view. For the side before the
  /// range it searches both sides.
  @inline(never) private func collectDistantStrays(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {
    let lines = flow.pointee.lines
    if side == .before {
      knowsStrayAnchors = springs.findRememberedAnchors(
        shownIn: visible.main.lowerBound - lines.longestLine...visible.main.upperBound + lines.longestLine,
        cross: lines.centersAcross, into: &strayAnchors)
    }
    let simulated = springs.range
    let candidates =
      switch side {
      case .before: 0..<min(simulated.lowerBound, lines.itemCount)
      case .behind: min(simulated.upperBound, lines.itemCount)..<lines.itemCount
      }
    let search = StraySearch(
      lines: lines, springs: springs, axis: scrollDirection, breadth: MainCross(bounds.size, scrollDirection).cross,
      visible: visible)
    guard knowsStrayAnchors else { return search.halve(candidates, &found) }
    let firstAdded = springs.firstAddedItem ?? lines.itemCount
    search.look(at: candidates.clamped(to: 0..<firstAdded), anchoredIn: strayAnchors, &found)
    search.halve(candidates.clamped(to: firstAdded..<max(firstAdded, lines.itemCount)), &found)
  }

  /// Nil only for an index without an item.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    if let simulated = super.layoutAttributesForItem(at: index) { return simulated }
    guard (0..<flow.pointee.itemCount).contains(index) else { return nil }
    var found: LayoutAttributes?
    flow.pointee.lines.forEachItem(in: index..<index + 1) { index, anchor, size in
      found = LayoutAttributes(
        index: index, center: springs.rememberedCenter(ofItemAt: index, anchor: anchor.point(scrollDirection)),
        size: size.size(scrollDirection))
    }
    return found
  }
}
