import CollectionLayout
import Dynamics
import FrameBench

/// Switches between the grid and a grid of large items, by transitions between two layouts of one view. Every third
/// transition is reversed half-way.
enum LayoutTransitions {
  static let period = 0.8

  static func setUp(_ strategy: LayoutScenario.Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    var large = LayoutScenario.grid
    large.itemSize = Size(width: 140, height: 90)
    let layouts = (try FlowLayout(LayoutScenario.grid), try FlowLayout(large))
    let view = try LayoutScenario.view(layouts.0, itemCount: context.size)
    let options = LayoutScenario.animation(strategy, context)
    let period = LayoutScenario.frames(period, context)
    let interruption = LayoutScenario.frames(LayoutScenario.duration / 2, context)
    return { frame, timer in
      let (turn, moment) = frame.index.quotientAndRemainder(dividingBy: period)
      timer.measure(.update) {
        LayoutScenario.must { () throws(LayoutError) in
          if moment == 0 {
            try view.startTransition(
              to: view.layout === layouts.0 ? layouts.1 : layouts.0, showing: context.size / 2, options: options)
          } else if moment == interruption, turn % 3 == 2, view.transitionProgress != nil {
            try view.cancelTransition()
          }
        }
      }
      return LayoutScenario.finish(view, frame, timer)
    }
  }
}
