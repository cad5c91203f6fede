import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// Newton's cradle: discs of 64 points in a row, each on a spring 300 points long, in a view of 1024×768. Batch updates
/// before the first frame insert the discs one at a time, each from off screen. From then on all discs swing and knock
/// against each other.
enum Cradle {
  /// How items are removed. Both strategies simulate all items, because an item affects its neighbors even when it is
  /// out of view.
  enum Strategy: String, CaseIterable {
    /// A deleted item disappears when it has left the screen.
    case coupled
    /// A deleted item disappears two seconds after its deletion. Until then no item is inserted or deleted, as in the
    /// article behind `CradleLayout`.
    case timed
  }

  /// How long a deleted item falls with the strategy `timed`, seconds.
  static let fallSeconds = 2.0

  /// The claim of the article behind `CradleLayout`: even ten items are slow on an iPad of the second generation.
  static let claim = CapacityClaim(strategy: Strategy.coupled.rawValue, wording: "ten items", itemCount: 10)

  static let viewSize = Size(width: 1024, height: 768)
  /// Frames between two batches of updates.
  static let updateInterval = 20
  /// The number of frames in which the discs are inserted, whether they are few or many. A few discs have time to swing
  /// into place. Of many discs, most still swing when the last ones are inserted.
  static let fillFrameCount = 240

  /// Alternates insertions and deletions at random positions.
  private struct Script {
    var random: SplitMix64
    var insertsNext = true

    mutating func next(count: Int) -> CollectionViewUpdate {
      defer { insertsNext.toggle() }
      guard !insertsNext, count > 0 else { return .insert(at: Int(random.next() % UInt64(count + 1))) }
      return .delete(at: Int(random.next() % UInt64(count)))
    }
  }

  /// Returns a cradle into which `size` items have been inserted, one after the other.
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

  /// - Parameter isUpdated: Whether items are alternately inserted and deleted during the run, at random positions.
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
