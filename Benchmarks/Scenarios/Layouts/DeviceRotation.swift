import CollectionLayout
import FrameBench

/// Rotates the device once a second, alternately to landscape and back. Every third rotation is reversed before its
/// animation has ended. The items of the grid move from their old positions to their new ones.
enum DeviceRotation {
  static let period = 1.0

  static func setUp(_ strategy: LayoutScenario.Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let view = try LayoutScenario.view(AnimatedFlowLayout(LayoutScenario.grid), itemCount: context.size)
    let options = LayoutScenario.animation(strategy, context)
    let period = LayoutScenario.frames(period, context)
    let interruption = LayoutScenario.frames(LayoutScenario.duration / 2, context)
    return { frame, timer in
      let (turn, moment) = frame.index.quotientAndRemainder(dividingBy: period)
      if moment == 0 || (turn % 3 == 2 && moment == interruption) {
        let isUpright = view.bounds.size == LayoutScenario.viewSize
        timer.measure(.update) {
          LayoutScenario.must { () throws(LayoutError) in
            try view.rotate(
              to: isUpright ? LayoutScenario.landscape : LayoutScenario.viewSize, showing: context.size / 2,
              options: options)
          }
        }
      }
      return LayoutScenario.finish(view, frame, timer)
    }
  }
}
