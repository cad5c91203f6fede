import CollectionLayout
import Dynamics
import FrameBench

/// The springy list as the articles about it implement it, with an object and an attachment for each row. It scrolls
/// like `SpringyList`.
package enum SpringyObjects {
  /// The ways to simulate the list. The first is the reference strategy, with which the other is compared.
  enum Strategy: String, CaseIterable {
    case naive, tiled

    var reach: ObjectSpringLayout.Reach {
      switch self {
      case .naive: .everywhere
      case .tiled: .tiled
      }
    }
  }

  /// The articles' claims about both strategies, for the phones of 2013.
  package static let claims = [
    CapacityClaim(strategy: Strategy.naive.rawValue, wording: "a few hundred items", itemCount: 300),
    CapacityClaim(strategy: Strategy.tiled.rawValue, wording: "ten thousand items", itemCount: 10_000),
  ]

  /// Bytes per row: an item, its behavior, and their entries in arrays and tables.
  private static let rowBytes = 512

  package static func memoryEstimate(_ context: ScenarioContext) -> Int {
    guard context.strategy == Strategy.naive.rawValue else { return 0 }
    let (bytes, overflow) = context.size.multipliedReportingOverflow(by: rowBytes)
    return overflow ? .max : bytes
  }

  static func setUp(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    let trace = try SpringyList.placement(context).trace
    let layout = try ObjectSpringLayout(.messages, strategy.reach)
    let view = try CollectionView(
      layout: layout, itemCount: context.size, size: SpringyList.viewSize, contentOffset: trace.frames[0].contentOffset)
    return { frame, timer in
      let scroll = trace.frames[frame.index]
      let churn = layout.churnCount
      timer.measure(.boundsChange) { SpringyList.scroll(view, scroll) }
      timer.measure(.solve) { view.step(by: frame.timestep) }
      timer.measure(.prepare) { SpringyList.prepare(view) }
      let visible = timer.measure(.query) { view.visibleAttributes() }
      timer.endFrame()
      timer.record(.activeItems, layout.simulatedCount)
      timer.record(.tileChurn, layout.churnCount - churn)
      timer.record(.visibleItems, visible.count)
      if timer.isObserving {
        for item in visible { timer.observe(item: item.index, x: item.center.x, y: item.center.y) }
      }
      return visible.checksum
    }
  }
}
