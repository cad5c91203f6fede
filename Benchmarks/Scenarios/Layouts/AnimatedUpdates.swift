import CollectionLayout
import FrameBench
import Statistics

/// Inserts items into a grid and deletes others, about three times a second. New items fly up from the bottom of the
/// screen, deleted items fly back there, and all others move to make room. Each batch begins before the animations of
/// the previous batch have ended.
enum AnimatedUpdates {
  static let period = 0.3

  static func setUp(_ strategy: LayoutScenario.Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let view = try LayoutScenario.view(AnimatedFlowLayout(LayoutScenario.grid), itemCount: context.size)
    let options = LayoutScenario.animation(strategy, context)
    let period = LayoutScenario.frames(period, context)
    var random = SplitMix64(seed: context.seed)
    // The first visible item is read only once, because the updates must not depend on what a strategy shows during
    // animations.
    let first = view.visibleAttributes().first?.index ?? 0
    var batch: [CollectionViewUpdate] = []
    batch.reserveCapacity(4)
    return { frame, timer in
      if frame.index.isMultiple(of: period) {
        fill(&batch, first: first, count: view.itemCount, &random)
        timer.measure(.update) {
          LayoutScenario.must { () throws(LayoutError) in try view.performBatchUpdates(batch, options: options) }
        }
      }
      return LayoutScenario.finish(view, frame, timer)
    }
  }

  /// Fills the batch with two deletions and two insertions among the items in view, so that the list keeps its length.
  private static func fill(_ batch: inout [CollectionViewUpdate], first: Int, count: Int, _ random: inout SplitMix64) {
    func index(_ low: Double, _ high: Double) -> Int { min(first + Int(random.uniform(in: low...high)), count - 1) }
    batch.removeAll(keepingCapacity: true)
    let (gone, come) = ((index(1, 9), index(11, 19)), (index(2, 9), index(12, 20)))
    batch.append(.delete(at: gone.0))
    batch.append(.insert(at: come.0))
    // Short lists may yield equal indices. In that case, only one item is deleted and one inserted.
    guard gone.0 != gone.1, come.0 != come.1 else { return }
    batch.append(.delete(at: gone.1))
    batch.append(.insert(at: come.1))
  }
}
