import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// Newton's cradle: discs of 64 points in a row, each on a spring of length 300, in a view of 1024×768. They are
/// inserted one at a time through batch updates before the first frame, each from off screen, so that all swing
/// and knock against each other from then on.
enum Cradle {
  /// The ways to simulate it, all items in each, as an item affects its neighbours, whether it is in view or not.
  enum Strategy: String, CaseIterable {
    /// A deleted item is gone once it has left the screen.
    case coupled
    /// A deleted item is gone after two seconds, and no other comes or goes meanwhile, as in the article.
    case timed
  }

  /// How long an item falls that is deleted by time, seconds.
  static let fallSeconds = 2.0

  /// The article's limit; it says that even ten are slow on an iPad of the second generation.
  static let claim = CapacityClaim(strategy: Strategy.coupled.rawValue, wording: "ten items", itemCount: 10)

  static let viewSize = Size(width: 1024, height: 768)
  /// Frames between two batches of updates.
  static let updateInterval = 20
  /// Frames in which the row is filled, however long it is. A small cradle has time to swing in; a large one is
  /// filled while its first items swing.
  static let fillFrameCount = 240

  /// The updates of the row, and their times.
  private struct Script {
    var random: SplitMix64
    var insertsNext = true

    /// - Parameter count: Items in the row.
    mutating func next(count: Int) -> CollectionViewUpdate {
      defer { insertsNext.toggle() }
      guard !insertsNext, count > 0 else { return .insert(at: Int(random.next() % UInt64(count + 1))) }
      return .delete(at: Int(random.next() % UInt64(count)))
    }
  }

  /// A cradle into which this many items have just been inserted, and are swinging.
  static func filled(size: Int, timestep: Double, fallSeconds: Double? = nil) throws -> (
    view: CollectionView, layout: CradleLayout
  ) {
    var options = CradleOptions()
    options.fallSeconds = fallSeconds
    let layout = try CradleLayout(options)
    let view = try CollectionView(layout: layout, itemCount: 0, size: viewSize)
    for index in 0..<size {
      try view.performBatchUpdates([.insert(at: index)])
      let frames = fillFrameCount * index / size..<fillFrameCount * (index + 1) / size
      for _ in frames { view.step(by: timestep) }
    }
    return (view, layout)
  }

  /// - Parameter isUpdated: Whether items are inserted and deleted in turns at intervals, somewhere in the
  ///   row.
  static func setUp(_ strategy: Strategy, _ context: ScenarioContext, isUpdated: Bool) throws -> Scenario.FrameBody {
    let (view, layout) = try filled(
      size: context.size, timestep: context.timestep, fallSeconds: strategy == .timed ? fallSeconds : nil)
    var script = Script(random: SplitMix64(seed: context.seed))
    return { frame, timer in
      if isUpdated, frame.index.isMultiple(of: updateInterval), strategy == .coupled || layout.fallingItemCount == 0 {
        let update = script.next(count: view.itemCount)
        timer.measure(Phase("update")) { perform(update, in: view) }
      }
      timer.measure(.solve) { view.step(by: frame.timestep) }
      let visible = timer.measure(.query) { view.visibleAttributes() }
      let falling = timer.measure(.query) { layout.layoutAttributesForLeavingElements(in: view.bounds) }
      timer.endFrame()
      timer.record(.activeItems, layout.animator.awakeBodyCount)
      timer.record(.visibleItems, visible.count + falling.count)
      timer.record(Counter("fallingItems"), layout.fallingItemCount)
      timer.record(Counter("contacts"), layout.animator.contactCount)
      if timer.isObserving {
        for item in visible { timer.observe(item: item.index, x: item.center.x, y: item.center.y) }
      }
      return visible.checksum ^ falling.checksum
    }
  }

  private static func perform(_ update: CollectionViewUpdate, in view: CollectionView) {
    do { try view.performBatchUpdates([update]) } catch { fatalError("\(error)") }
  }
}
