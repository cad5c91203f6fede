import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// Two fingers pinch one item of the grid after another. The item grows and shrinks with the distance of the fingers,
/// on top of the others. When the fingers lift, a batch update returns the item to its size.
enum PinchedItem {
  static let period = 1.2
  /// Seconds from touch to release.
  static let hold = 0.7

  static func setUp(_ strategy: LayoutScenario.Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let layout = try AnimatedFlowLayout(LayoutScenario.grid)
    let view = try LayoutScenario.view(layout, itemCount: context.size)
    let options = LayoutScenario.animation(strategy, context)
    let (period, hold) = (LayoutScenario.frames(period, context), LayoutScenario.frames(hold, context))
    var random = SplitMix64(seed: context.seed)
    var pinched: Int?
    return { frame, timer in
      let moment = frame.index % period
      timer.measure(.update) {
        if moment == 0 { pinched = touchedItem(in: view, &random) }
        guard let item = pinched else { return }
        LayoutScenario.must { () throws(LayoutError) in
          if moment < hold {
            try layout.pinchItem(at: item, distance: distance(at: Double(moment) / Double(hold)))
          } else if moment == hold {
            try view.performBatchUpdates([], options: options, changes: layout.resetPinchedItem)
          }
        }
      }
      return LayoutScenario.finish(view, frame, timer)
    }
  }

  /// Returns the item at a random point of the view, which is the one to pinch. Nil if there is no item at that point.
  private static func touchedItem(in view: CollectionView, _ random: inout SplitMix64) -> Int? {
    let bounds = view.bounds
    return view.indexForItem(
      at: Point(
        x: bounds.minX + random.uniform(in: 0...bounds.size.width),
        y: bounds.minY + random.uniform(in: 0...bounds.size.height)))
  }

  /// Returns the distance between the fingers, points, after the fraction `share` of the pinch. The fingers spread, and
  /// near the end they approach each other a little.
  private static func distance(at share: Double) -> Double { 50 + 150 * PortableMath.sin(2.2 * share) }
}
