import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// Inserts, deletes and moves rows of the springy list of the Messages app five times a second, mostly near the view,
/// while the list scrolls. An update leaves all rows where they are, and springs pull them to their new places.
enum SpringUpdates {
  static let period = 0.2

  static func setUp(_ strategy: SpringyList.Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let trace = try SpringyList.placement(context).trace
    let layout = try strategy.layout()
    let view = try CollectionView(
      layout: layout, itemCount: context.size, size: LayoutScenario.viewSize,
      contentOffset: trace.frames[0].contentOffset)
    let period = LayoutScenario.frames(period, context)
    var random = SplitMix64(seed: context.seed)
    var batch: [CollectionViewUpdate] = []
    batch.reserveCapacity(4)
    return { frame, timer in
      let scroll = trace.frames[frame.index]
      let evaluations = layout.springs.evaluationCount
      timer.measure(.boundsChange) { SpringyList.scroll(view, scroll) }
      if frame.index.isMultiple(of: period) {
        fill(&batch, near: Int(scroll.contentOffset / SpringyList.rowPitch), count: context.size, &random)
        timer.measure(.update) { LayoutScenario.must { () throws(LayoutError) in try view.performBatchUpdates(batch) } }
      }
      timer.measure(.solve) { view.step(by: frame.timestep) }
      timer.measure(.prepare) { LayoutScenario.must { () throws(LayoutError) in try view.prepareLayout() } }
      let visible = timer.measure(.query) { view.visibleAttributes() }
      timer.endFrame()
      timer.record(.activeItems, layout.springs.range.count)
      timer.record(.springEvaluations, layout.springs.evaluationCount - evaluations)
      timer.record(.visibleItems, visible.count)
      var checksum = AttributesChecksum()
      for item in visible {
        checksum.add(item)
        if timer.isObserving { timer.observe(item: item.index, x: item.center.x, y: item.center.y) }
      }
      return checksum.value
    }
  }

  /// Returns the estimated memory of the springs, bytes. It is twice the estimate of `SpringyList`, because an update
  /// of a naive list copies the data of all springs.
  static func memoryEstimate(_ context: ScenarioContext) -> Int {
    let (bytes, overflow) = SpringyList.memoryEstimate(context).multipliedReportingOverflow(by: 2)
    return overflow ? .max : bytes
  }

  /// Fills the batch with a deletion, an insertion and, in half of the cases, a move. The list keeps its length.
  private static func fill(_ batch: inout [CollectionViewUpdate], near row: Int, count: Int, _ random: inout SplitMix64)
  {
    func index(_ low: Double, _ high: Double) -> Int {
      min(max(0, row + Int(random.uniform(in: low...high))), count - 1)
    }
    batch.removeAll(keepingCapacity: true)
    batch.append(.delete(at: index(-12, 3)))
    batch.append(.insert(at: index(-8, 12)))
    if random.chance(0.5) {
      let (from, to) = (index(4, 9), index(14, 20))
      if batch[0] != .delete(at: from), batch[1] != .insert(at: to) { batch.append(.move(from: from, to: to)) }
    }
  }
}
