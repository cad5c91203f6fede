import CAllocationCounter
import Dynamics
import Foundation
import Testing

@testable import CollectionLayout

/// Tests the naive list, which simulates all rows, and the tiled list, which simulates those near the view.
@Suite struct SpringLayoutTests {
  /// Runs one frame in the order of UIKit: it scrolls, steps the springs, and prepares the layout.
  @discardableResult private func frame(
    _ view: CollectionView, to offset: Double, touch: Point? = nil, timestep: Double = 1 / 60
  ) throws -> [LayoutAttributes] {
    view.scroll(to: offset, touch: touch)
    view.step(by: timestep)
    try view.prepareLayout()
    return view.visibleAttributes()
  }

  private func naive(_ count: Int, _ flow: FlowOptions = .messages) throws -> CollectionView {
    try CollectionView(layout: NaiveSpringLayout(flow: flow), itemCount: count, size: phone)
  }

  private func tiled(_ count: Int, _ flow: FlowOptions = .messages) throws -> CollectionView {
    try CollectionView(layout: TiledSpringLayout(flow: flow), itemCount: count, size: phone)
  }

  private func springs(_ view: CollectionView) throws -> AttachmentRangeBehavior {
    try #require(view.layout as? SpringLayout).springs
  }

  @Test(arguments: FlowOptions.varied) func atRestBothListsShowWhatThePlainFlowShows(_ flow: FlowOptions.Named) throws {
    let plain = try CollectionView(layout: FlowLayout(flow.options), itemCount: 500, size: phone)
    for view in [try naive(500, flow.options), try tiled(500, flow.options)] {
      plain.scroll(to: 0)
      #expect(view.visibleAttributes() == plain.visibleAttributes())
      #expect(!plain.visibleAttributes().isEmpty)
      for offset in [30.0, 400, 390] { try frame(view, to: offset) }
      for _ in 0..<600 { try frame(view, to: 390) }
      plain.scroll(to: 390)
      #expect(view.visibleAttributes() == plain.visibleAttributes())
    }
  }

  @Test func aScrollShiftsItemsByTheArticlesRuleAndTheSpringsPullThemBack() throws {
    let view = try naive(100)
    view.scroll(to: 40, touch: Point(x: 100, y: 200))
    for index in 0..<20 {
      let anchor = 35 + 65 * Double(index)
      // The layout reads the touch before the bounds change, so distances to the touch start at 200, not at 240.
      let r = (abs(200 - anchor) + abs(100 - 160)) / 1500
      let expected = min(40, 40 * r)
      let center = try #require(view.layout.layoutAttributesForItem(at: index)).center
      #expect(abs(center.y - (anchor + expected)) < 1e-9)
    }
    for _ in 0..<600 { try frame(view, to: 40) }
    #expect(view.layout.layoutAttributesForItem(at: 3)?.center == Point(x: 160, y: 35 + 195))
  }

  @Test(arguments: FlowOptions.varied) func tiledSimulatesTheLinesWithinThePaddingAndNoOthers(_ flow: FlowOptions.Named)
    throws
  {
    let view = try tiled(2000, flow.options)
    let plain = PlainFlow(flow.options, itemCount: 2000, viewSize: phone)
    let vertical = flow.options.scrollDirection == .vertical
    for step in 0..<200 {
      let offset = 300 + 250 * sin(Double(step) * 0.07)
      try frame(view, to: offset)
      let active = try springs(view).range
      let low = offset - 100, high = offset + (vertical ? phone.height : phone.width) + 100
      for (index, rect) in plain.frames.enumerated() {
        let (start, end) = vertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
        if start < high - 1e-5, end > low + 1e-5 { #expect(active.contains(index)) }
        // All items of a line are simulated together. So a short item that ends before `low` is simulated if a longer
        // item of its line ends after `low`. In these layouts, the short item ends at most 100 points before `low`.
        if start >= high || end < low - 100 { #expect(!active.contains(index)) }
      }
    }
  }

  @Test func anItemThatEntersStartsInFlight() throws {
    let view = try tiled(1000)
    try frame(view, to: 1000, touch: Point(x: 160, y: 284))
    for _ in 0..<600 { try frame(view, to: 1000) }
    let before = try springs(view).range
    try frame(view, to: 1080)
    let after = try springs(view).range
    #expect(after.upperBound > before.upperBound)
    for index in before.upperBound..<after.upperBound {
      let anchor = 35 + 65 * Double(index)
      let expected = 80 * min(1, abs(1080 + 284 - anchor) / 1500)
      #expect(abs(try springs(view).displacement(ofItemAt: index) - expected) < 1e-9)
    }
  }

  @Test func aFlingAfterTheFingerLiftedStillCreatesItemsInFlight() throws {
    let view = try tiled(1000)
    try frame(view, to: 500, touch: Point(x: 160, y: 400))
    var offset = 500.0
    for _ in 0..<30 {
      let before = try springs(view).range
      offset += 60
      // If the touch is nil, the list keeps using the last touch, although the finger has left the screen.
      try frame(view, to: offset)
      let after = try springs(view).range
      for index in before.upperBound..<max(before.upperBound, after.upperBound) {
        let expected = 60 * min(1, abs(offset + 400 - (35 + 65 * Double(index))) / 1500)
        #expect(abs(try springs(view).displacement(ofItemAt: index) - expected) < 1e-9)
        #expect(expected > 1)
      }
    }
  }

  @Test func aJumpBeyondEverythingActiveStartsAnew() throws {
    for view in [try naive(100_000), try tiled(100_000)] {
      try frame(view, to: 3_000_000, touch: Point(x: 10, y: 10))
      for _ in 0..<900 { try frame(view, to: 3_000_000) }
      let plain = try CollectionView(layout: FlowLayout(.messages), itemCount: 100_000, size: phone)
      plain.scroll(to: 3_000_000)
      #expect(view.visibleAttributes() == plain.visibleAttributes())
      try frame(view, to: -5000)
      for _ in 0..<900 { try frame(view, to: -5000) }
      #expect(view.visibleAttributes().isEmpty)
    }
  }

  @Test(arguments: FlowOptions.varied) func rowsAddedWhileScrollingAppearAndDisturbNobody(_ flow: FlowOptions.Named)
    throws
  {
    let grown = [try naive(20, flow.options), try tiled(20, flow.options)]
    let whole = try CollectionView(layout: FlowLayout(flow.options), itemCount: 230, size: phone)
    for view in grown {
      for step in 0..<210 {
        try view.appendItems(1)
        let offset = min(Double(step) * 12, view.maximumContentOffset)
        let shown = try frame(view, to: offset)
        #expect(shown.allSatisfy { $0.index < 21 + step })
      }
      #expect(view.itemCount == 230)
      let offset = whole.maximumContentOffset
      for _ in 0..<900 { try frame(view, to: offset) }
      whole.scroll(to: offset)
      #expect(view.visibleAttributes() == whole.visibleAttributes())
      #expect(view.visibleAttributes().last?.index == 229)
    }
  }

  @Test func theListPausesWhenItLiesStillAndWakesWithTheNextScroll() throws {
    for view in [try naive(200), try tiled(200)] {
      let layout = try #require(view.layout as? SpringLayout)
      try frame(view, to: 20)
      #expect(layout.animator.isRunning)
      for _ in 0..<600 { try frame(view, to: 20) }
      #expect(!layout.animator.isRunning && !layout.isInvalid)
      let evaluated = layout.springs.evaluationCount
      for _ in 0..<60 { try frame(view, to: 20) }
      #expect(layout.springs.evaluationCount == evaluated)
      try frame(view, to: 21)
      #expect(layout.animator.isRunning)
    }
  }

  @Test(.enabled(if: allocation_counter_is_active()), arguments: FlowOptions.varied, [100, 1_000, 10_000])
  func noSteadyFrameAllocates(_ flow: FlowOptions.Named, count: Int) throws {
    for view in [try naive(count, flow.options), try tiled(count, flow.options)] {
      let middle = view.maximumContentOffset / 2
      let swing = min(2000, middle)
      var shown = 0
      for step in 0..<300 { shown += try frame(view, to: middle + swing * sin(Double(step) * 0.03)).count }
      let before = allocation_counter_this_thread().count
      let churnBefore = (view.layout as? SpringLayout)?.churnCount ?? 0
      for step in 300..<1300 {
        shown += try frame(
          view, to: middle + swing * sin(Double(step) * 0.03), touch: Point(x: 160, y: Double(step % 500))
        ).count
      }
      let allocations = allocation_counter_this_thread().count - before
      let churn = ((view.layout as? SpringLayout)?.churnCount ?? 0) - churnBefore
      #expect(allocations == 0)
      #expect(shown > 1000)
      #expect(churn > 0 || view.layout is NaiveSpringLayout || count == 100)
    }
  }

  static let senseless: [(@Sendable (inout SpringOptions) -> Void, String)] = [
    ({ $0.damping = -0.1 }, "damping"), ({ $0.frequency = .nan }, "frequency"),
    ({ $0.scrollResistance = -1 }, "scrollResistance"), ({ $0.padding = .infinity }, "padding"),
  ]

  @Test(arguments: senseless.indices) func senselessSpringOptionsAreRefusedByName(_ index: Int) {
    let (spoil, name) = Self.senseless[index]
    var options = SpringOptions()
    spoil(&options)
    let error = #expect(throws: LayoutError.self) { try TiledSpringLayout(springs: options) }
    #expect(error?.description.contains(name) == true)
  }
}
