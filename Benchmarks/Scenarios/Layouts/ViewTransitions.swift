import CollectionLayout
import Dynamics
import FrameBench

/// Transitions between two views, each with its own layout and place: a strip of items in the middle of the screen
/// becomes a grid that fills the screen, and then a strip again.
enum ViewTransitions {
  /// Which items move. The first case is the reference, with which the others are compared.
  enum Strategy: String, CaseIterable {
    /// All items of the lists.
    case naive
    /// Snapshots of the items in the first view.
    case snapshots
    /// The items that are visible in at least one of the two views. They move from their places in the first layout to
    /// those in the second.
    case attributes

    var method: CollectionViewTransition.Method {
      switch self {
      case .naive: .allLayoutAttributes
      case .snapshots: .snapshots
      case .attributes: .layoutAttributes
      }
    }
  }

  static let period = 0.8
  private static let screen = Rect(origin: .zero, size: LayoutScenario.viewSize)
  private static let strip = Rect(x: 0, y: 250, width: 320, height: 66)

  static func setUp(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    var sideways = LayoutScenario.grid
    sideways.scrollDirection = .horizontal
    let source = try CollectionView(layout: FlowLayout(sideways), itemCount: context.size, size: strip.size)
    source.scroll(to: (source.maximumContentOffset / 2).rounded())
    let target = try LayoutScenario.view(FlowLayout(LayoutScenario.grid), itemCount: context.size)
    let period = LayoutScenario.frames(period, context)
    let interruption = LayoutScenario.frames(LayoutScenario.duration / 2, context)
    var transition = try begin(source, target, strategy.method)
    var isThere = false
    return { frame, timer in
      let (turn, moment) = frame.index.quotientAndRemainder(dividingBy: period)
      timer.measure(.update) {
        if moment == 0 {
          if transition.stage == .target { isThere.toggle() }
          transition = LayoutScenario.must { () throws(LayoutError) in
            try isThere ? begin(target, source, strategy.method) : begin(source, target, strategy.method)
          }
          transition.finish()
        } else if moment == interruption, turn % 3 == 2 {
          transition.cancel()
        }
      }
      timer.measure(.solve) { transition.step(by: frame.timestep) }
      let shown = timer.measure(.query) { transition.items() }
      timer.endFrame()
      timer.record(.animatedItems, transition.itemCount)
      timer.record(.visibleItems, shown.count)
      return LayoutScenario.observe(shown, timer)
    }
  }

  private static func begin(
    _ source: CollectionView, _ target: CollectionView, _ method: CollectionViewTransition.Method
  ) throws(LayoutError) -> CollectionViewTransition {
    func place(_ view: CollectionView) -> Rect { view.bounds.size == strip.size ? strip : screen }
    return try CollectionViewTransition(
      from: source, at: place(source), to: target, at: place(target), in: screen, method: method,
      duration: LayoutScenario.duration)
  }
}
