import Dynamics

/// Shows the same as the naive list, at the cost of the tiled one.
///
/// The springs are linear, so an entering item gets exactly the state that the missed shifts would have left it in. No
/// item is displaced further than those shifts reach, so all visible items lie within the visible rectangle extended by
/// that reach.
///
/// After a jump over much of a long list, that would be the whole list. Then only the surroundings of the view are
/// simulated, and the few items from elsewhere that fly past are found from the shifts that moved them.
public final class ExactSpringLayout: SpringLayout {
  /// Maximum number of items that a reach can add to the simulation, or the same in views of them. Each enters in about
  /// 0.1 µs, and costs next to nothing then; searching for them costs some microseconds per frame.
  private static let largestRange = (items: 256, views: 4.0)
  /// Part of the simulated range that is not needed yet, so that it suffices for some frames, as a share of the
  /// padding.
  private static let slackShare = 0.25
  /// Frames after which a range that is still sufficient is fitted again.
  private static let patience = 16
  /// Distance beyond which items are released while updates are remembered, points. An item that enters is then
  /// followed back through each of them, which costs as much as keeping it for some hundred frames.
  private static let paddingAfterUpdates = 1_000.0
  /// All items anchored in this stretch are simulated. Nil if that is unknown.
  private var covered: Range<Double>?
  private var unfittedFrames = 0
  /// Items that were moved far by themselves, and may still be on their way, ascending by index, and the updates that
  /// moved them.
  private var movers: [(index: Int, rearrangement: Int)] = []
  private var hasMovers = false
  /// Set while a query collects items.
  private var strays: StraySearch?

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

  /// The range of items to simulate after the shifts so far, with some slack.
  /// - Parameter displacements: What an update that is not yet remembered adds to the displacements of items, points.
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

  private func items(in stretch: Range<Double>) -> Range<Int> {
    flow.pointee.lines.items(from: stretch.lowerBound, to: stretch.upperBound)
  }

  override var entry: AttachmentRangeBehavior.Entry { .remembered }

  override func largestSimulatedCount() -> Int {
    // A little more than twice, so that the window can slide in its memory. Fast flings reach less than four
    // resistances.
    2 * largestItemCount(inViews: 1, plus: 2 * springOptions.padding + 4 * springOptions.scrollResistance) + 64
  }

  override func collectStrays(_ side: Side, in visible: Stretch, _ found: inout VisibleItems) {
    let isCovered = isCovered(visible.main)
    if !isCovered || hasMovers { search(side, in: visible, isCovered, &found) }
  }

  @inline(never) private func search(_ side: Side, in visible: Stretch, _ isCovered: Bool, _ found: inout VisibleItems)
  {
    let (simulated, end) = (springs.range, flow.pointee.lines.itemCount)
    switch side {
    case .before:
      strays = StraySearch(self, in: visible, movers: movers.map { $0.index }, findsOthers: !isCovered)
      strays?.collect(0..<simulated.lowerBound, &found)
    case .behind:
      strays?.collect(simulated.upperBound..<max(simulated.upperBound, end), &found)
      strays = nil
    }
  }

  /// Nil only for an index without an item.
  public override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    if let simulated = super.layoutAttributesForItem(at: index) { return simulated }
    guard var place = placeForItem(at: index) else { return nil }
    place.center = springs.rememberedCenter(ofItemAt: index, anchor: place.center)
    return place
  }
}
