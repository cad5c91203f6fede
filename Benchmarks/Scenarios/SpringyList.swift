import CollectionLayout
import Dynamics
import FrameBench
import Statistics

/// The springy list of the Messages app under a scripted scroll: rows of 310×60 points in a view of
/// 320×568, each on a damped spring.
///
/// Lists of all sizes scroll by the same distances past the same number of rows. The trace (the offset and the touch in
/// each frame) fits a list of a hundred rows. Longer lists play it in their middle, shifted by whole rows. In a list
/// that is too short for the trace, the offsets stop at the ends of the content, and the report warns not to compare
/// this size with others.
package enum SpringyList {
  /// The ways to simulate the list. The first is the reference strategy, with which the others are compared.
  enum Strategy: String, CaseIterable {
    case naive, tiled, exact

    func layout() throws(LayoutError) -> SpringLayout {
      switch self {
      case .naive: try NaiveSpringLayout(flow: .messages)
      case .tiled: try TiledSpringLayout(flow: .messages)
      case .exact: try ExactSpringLayout(flow: .messages)
      }
    }
  }

  static let viewSize = Size(width: ScrollViewport.phone.width, height: ScrollViewport.phone.height)
  /// The distance between the starts of two neighboring rows, points.
  static let rowPitch = FlowOptions.messages.itemSize.height + FlowOptions.messages.minimumLineSpacing

  /// Returns the scroll of a run, shifted to fit into a list of `context.size` rows.
  package static func placement(_ context: ScenarioContext) throws -> ScrollTrace.Placement {
    let trace = try trace(context)
    let margin = scrollRange(size: context.size) - (trace.extent.upperBound - trace.extent.lowerBound)
    guard margin > 2 * rowPitch else { return trace.placed(inContentOf: scrollRange(size: context.size)) }
    // The shift is a whole number of rows, so that a frame has equally many rows near the viewport at every size.
    let rows = ((margin / 2 - trace.extent.lowerBound) / rowPitch).rounded()
    let start = trace.frames[0].contentOffset + rows * rowPitch
    return ScrollTrace.Placement(trace: trace.rebased(toOffset: start), clampedFrameCount: 0)
  }

  /// Returns the recorded scroll if the user chose one, otherwise the scripted scroll.
  package static func trace(_ context: ScenarioContext) throws -> ScrollTrace {
    let (rate, count) = (context.refreshRateHertz, context.totalFrameCount)
    let trace =
      if let path = context.tracePath {
        ScrollTrace(try RecordedTrace(contentsOfFile: path), refreshRateHertz: rate, frameCount: count)
      } else {
        ScrollTrace(
          .messages(seed: context.seed, duration: Double(count) * context.timestep), refreshRateHertz: rate,
          frameCount: count)
      }
    return context.liftsTouchToOrigin ? trace.liftingTouchToOrigin() : trace
  }

  /// Returns how far a list of `size` rows can scroll, points.
  static func scrollRange(size: Int) -> Double {
    let flow = FlowOptions.messages
    let content = Double(size) * rowPitch - flow.minimumLineSpacing + flow.sectionInset.top + flow.sectionInset.bottom
    return max(0, content - viewSize.height)
  }

  /// Returns, for each frame, the part of the run to which the frame belongs: `drag`, `fling` or `rest`.
  package static func stretches(_ context: ScenarioContext) throws -> [String] {
    try placement(context).trace.frames.map { frame in
      switch frame.phase {
      case .dragging: "drag"
      case .decelerating: "fling"
      case .idle: "rest"
      }
    }
  }

  package static func warnings(_ context: ScenarioContext) throws -> [Warning] {
    var warnings: [Warning] = []
    let clamped = try placement(context).clampedFrameCount
    if clamped > 0 {
      warnings.append(
        Warning(
          "The list of \(context.size) rows is too short for the scroll: in \(clamped) of"
            + " \(context.totalFrameCount) frames it stands at an end of the content. Do not compare its"
            + " figures with those of longer lists."))
    }
    if let path = context.tracePath {
      let recorded = try RecordedTrace(contentsOfFile: path).frameCount(refreshRateHertz: context.refreshRateHertz)
      if recorded < context.totalFrameCount {
        warnings.append(
          Warning(
            "\(path) ends after \(recorded) of \(context.totalFrameCount) frames; the list stands still"
              + " for the rest. Choose fewer --frames and --warm-up, or a longer recording."))
      }
    }
    return warnings
  }

  /// Estimates the memory of the springs of a run, bytes. The naive list stores four Doubles per row. For the other
  /// strategies, the estimate is 0.
  static func memoryEstimate(_ context: ScenarioContext) -> Int {
    guard context.strategy == Strategy.naive.rawValue else { return 0 }
    let (bytes, overflow) = context.size.multipliedReportingOverflow(by: 4 * MemoryLayout<Double>.stride)
    return overflow ? .max : bytes
  }

  static func setUp(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    try body(strategy, context, frames: placement(context).trace.frames)
  }

  /// Sets up a scroll that jumps to a random place in every frame, which is the worst case for a list.
  static func setUpJumps(_ strategy: Strategy, _ context: ScenarioContext) throws -> Scenario.FrameBody {
    var random = SplitMix64(seed: context.seed)
    let range = 0...scrollRange(size: context.size)
    let frames = (0..<context.totalFrameCount).map { _ in
      ScrollTrace.Frame(
        contentOffset: .random(in: range, using: &random), touchX: .random(in: 0...viewSize.width, using: &random),
        touchY: .random(in: 0...viewSize.height, using: &random), phase: .idle)
    }
    return try body(strategy, context, frames: frames)
  }

  private static func body(_ strategy: Strategy, _ context: ScenarioContext, frames: [ScrollTrace.Frame]) throws
    -> Scenario.FrameBody
  {
    let layout = try strategy.layout()
    let view = try CollectionView(
      layout: layout, itemCount: context.size, size: viewSize, contentOffset: frames[0].contentOffset)
    return { frame, timer in
      let scroll = frames[frame.index]
      let (churn, evaluations) = (layout.churnCount, layout.springs.evaluationCount)
      timer.measure(.boundsChange) { self.scroll(view, scroll) }
      timer.measure(.solve) { view.step(by: frame.timestep) }
      timer.measure(.prepare) { prepare(view) }
      let visible = timer.measure(.query) { view.visibleAttributes() }
      timer.endFrame()
      timer.record(.activeItems, layout.springs.range.count)
      timer.record(.springEvaluations, layout.springs.evaluationCount - evaluations)
      timer.record(.tileChurn, layout.churnCount - churn)
      timer.record(.visibleItems, visible.count)
      if timer.isObserving {
        for item in visible { timer.observe(item: item.index, x: item.center.x, y: item.center.y) }
      }
      return visible.checksum
    }
  }

  @inline(__always) static func scroll(_ view: CollectionView, _ frame: ScrollTrace.Frame) {
    guard frame.touchIsAtOrigin else {
      return view.scroll(to: frame.contentOffset, touch: Point(x: frame.touchX, y: frame.touchY))
    }
    // Moves the touch to the origin twice, because the layout reads it before the bounds change and again after that,
    // in `prepare()`.
    func liftTouch() { view.scroll(to: view.scrollOffset, touch: Point(x: -view.bounds.minX, y: -view.bounds.minY)) }
    liftTouch()
    view.scroll(to: frame.contentOffset)
    liftTouch()
  }

  static func prepare(_ view: CollectionView) { do { try view.prepareLayout() } catch { fatalError("\(error)") } }
}
