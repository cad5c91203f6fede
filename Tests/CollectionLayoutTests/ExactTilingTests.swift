import CAllocationCounter
import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Compares the exact list, which simulates only some rows, with the naive list, which simulates all. Both must show
/// the same items in the same places in every frame.
@Suite struct ExactTilingTests {
  /// A simulated user who drags, flings, jumps by whole screens, rests, and touches unexpected places.
  struct RandomScroll {
    var random: SplitMix64
    var velocity = 0.0
    var framesLeft = 0
    var decay = 1.0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns the next offset and touch. A nil touch means that no finger is on the screen.
    mutating func next(from offset: Double, screen: Double, limit: Double) -> (Double, Point?) {
      if framesLeft == 0 { begin(screen: screen) }
      framesLeft -= 1
      var target = offset + velocity
      velocity *= decay
      if decay == 0 { velocity = 0 }
      if target < -screen / 4 || target > limit + screen / 4 { (velocity, target) = (-velocity, offset) }
      return (target, touch(screen))
    }

    private mutating func begin(screen: Double) {
      framesLeft = .random(in: 1...60, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: (velocity, decay) = (.random(in: -25...25, using: &random), 1)
      case 4..<7: (velocity, decay) = (.random(in: -130...130, using: &random), 0.967)
      case 7: (velocity, decay) = ((screen * Double.random(in: -6...6, using: &random)).rounded(), 0)
      case 8: (velocity, decay, framesLeft) = (0, 1, framesLeft * 6)
      default: (velocity, decay) = (Double(Int.random(in: -3...3, using: &random)) * 65, 1)
      }
    }

    private mutating func touch(_ screen: Double) -> Point? {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<6: nil
      case 6..<11: Point(x: .random(in: 0...320, using: &random), y: .random(in: 0...screen, using: &random))
      default: Point(x: .random(in: -4000...4000, using: &random), y: .random(in: -9000...9000, using: &random))
      }
    }
  }

  private struct Difference {
    var largestDistance = 0.0
    var framesWithOtherItems = 0
    var framesShown = 0
    /// The number of steps that the exact list has computed, summed over its springs.
    var evaluations = 0
  }

  /// Runs the naive and the exact list through the same frames and compares them.
  private func compare(
    _ flow: FlowOptions, items: Int, frames: Int, seed: UInt64, springs: SpringOptions = SpringOptions(),
    adding: Int = 0, timestep: (Int) -> Double
  ) throws -> Difference {
    let naive = try CollectionView(
      layout: NaiveSpringLayout(flow: flow, springs: springs), itemCount: items, size: phone)
    let exact = try CollectionView(
      layout: ExactSpringLayout(flow: flow, springs: springs), itemCount: items, size: phone)
    var scroll = RandomScroll(seed: seed)
    let screen = flow.scrollDirection == .vertical ? phone.height : phone.width
    var difference = Difference()
    for frame in 0..<frames {
      let (offset, touch) = scroll.next(from: naive.scrollOffset, screen: screen, limit: naive.maximumContentOffset)
      if adding > 0, frame % 97 == 13 { for view in [naive, exact] { try view.appendItems(adding) } }
      for view in [naive, exact] {
        view.scroll(to: offset, touch: touch)
        view.step(by: timestep(frame))
        try view.prepareLayout()
      }
      let (expected, found) = (naive.visibleAttributes(), exact.visibleAttributes())
      if expected.map(\.index) != found.map(\.index) {
        difference.framesWithOtherItems += 1
        continue
      }
      if !expected.isEmpty { difference.framesShown += 1 }
      for (a, b) in zip(expected, found) {
        difference.largestDistance = max(
          difference.largestDistance, abs(a.center.x - b.center.x), abs(a.center.y - b.center.y))
      }
    }
    difference.evaluations = (exact.layout as? SpringLayout)?.springs.evaluationCount ?? 0
    return difference
  }

  private func expectNone(_ difference: Difference, frames: Int) {
    #expect(difference.framesWithOtherItems == 0)
    #expect(difference.largestDistance < 1e-6)
    #expect(difference.framesShown > frames / 2 && difference.evaluations > frames)
  }

  @Test(arguments: FlowOptions.varied, [60.0, 120]) func exactShowsWhatNaiveShowsForManySeeds(
    _ flow: FlowOptions.Named, hertz: Double
  ) throws {
    for seed in 1...(SpringUpdateTests.seeds + 1) / 2 {
      let difference = try compare(flow.options, items: 800, frames: 1250, seed: UInt64(seed) * 7919 + UInt64(hertz)) {
        _ in 1 / hertz
      }
      expectNone(difference, frames: 1250)
    }
  }

  @Test(arguments: FlowOptions.varied) func exactShowsWhatNaiveShowsWhileRowsAreAdded(_ flow: FlowOptions.Named) throws
  {
    for seed in 1...(SpringUpdateTests.seeds + 3) / 4 {
      let difference = try compare(flow.options, items: 60, frames: 1000, seed: UInt64(seed), adding: 23) { _ in 1 / 60
      }
      expectNone(difference, frames: 1000)
    }
  }

  @Test func exactShowsWhatNaiveShowsThoughTimestepsJitter() throws {
    for (seed, jitter) in [(1, 1e-6), (2, 1e-4), (3, 5e-3)] {
      let difference = try compare(.messages, items: 800, frames: 1250, seed: UInt64(seed)) {
        1 / 60 + jitter * Double($0 * 7 % 11) / 11
      }
      expectNone(difference, frames: 1250)
    }
  }

  /// Computing the springs' tables for a new timestep takes as long as hundreds of frames. Jitter must not cause it.
  @Test(.enabled(if: allocation_counter_is_active())) func noFrameAllocatesThoughTimestepsJitter() throws {
    let view = try CollectionView(layout: ExactSpringLayout(flow: .messages), itemCount: 10_000, size: phone)
    func frame(_ step: Int) throws {
      view.scroll(to: 3_000 + 40 * Double(step % 50), touch: Point(x: 160, y: 300))
      view.step(by: 1 / 60 + Double(step % 7) * 1e-6)
      try view.prepareLayout()
    }
    for step in 0..<1_000 { try frame(step) }
    let before = allocation_counter_this_thread().count
    for step in 1_000..<2_000 { try frame(step) }
    let allocations = allocation_counter_this_thread().count - before
    #expect(allocations == 0 && view.visibleAttributes().count > 5)
  }

  @Test func exactShowsWhatNaiveShowsThoughTheRefreshRateChanges() throws {
    let rates = [60.0, 120, 90, 60, 60, 120]
    for seed in 1...4 {
      let difference = try compare(.messages, items: 800, frames: 1500, seed: UInt64(seed)) { frame in
        1 / rates[(frame / 70) % rates.count]
      }
      expectNone(difference, frames: 1500)
    }
  }

  static let springs: [(Double, Double)] = [(1, 0.3), (8, 0.6), (1, 1), (1, 2), (0.5, 0.8), (3, 5)]

  @Test(arguments: springs) func exactShowsWhatNaiveShowsForOtherSprings(_ frequency: Double, _ damping: Double) throws
  {
    var options = SpringOptions()
    options.frequency = frequency
    options.damping = damping
    let difference = try compare(.messages, items: 800, frames: 2500, seed: 99, springs: options) { _ in 1 / 60 }
    expectNone(difference, frames: 2500)
  }

  @Test func twoScrollsInAFrameAreBothRemembered() throws {
    let views = [
      try CollectionView(layout: NaiveSpringLayout(flow: .messages), itemCount: 500, size: phone),
      try CollectionView(layout: ExactSpringLayout(flow: .messages), itemCount: 500, size: phone),
    ]
    for step in 0..<600 {
      let shown = try views.map { view in
        view.scroll(to: view.scrollOffset + 9, touch: Point(x: 10, y: 20))
        if step.isMultiple(of: 3) { view.scroll(to: view.scrollOffset + 31, touch: Point(x: 300, y: 500)) }
        view.step(by: 1 / 60)
        try view.prepareLayout()
        return view.visibleAttributes()
      }
      #expect(shown[0].map(\.index) == shown[1].map(\.index))
      for (a, b) in zip(shown[0], shown[1]) { #expect(abs(a.center.y - b.center.y) < 1e-6) }
    }
  }

  @Test func undampedSpringsCannotBeTiledExactly() {
    var options = SpringOptions()
    options.damping = 0
    #expect(throws: LayoutError.dynamics(.endlessHistory(damping: 0))) { try ExactSpringLayout(springs: options) }
  }

  @Test func exactPausesWhenNaiveWouldAndNotBefore() throws {
    let view = try CollectionView(layout: ExactSpringLayout(flow: .messages), itemCount: 5000, size: phone)
    let layout = try #require(view.layout as? SpringLayout)
    for step in 1...40 {
      view.scroll(to: Double(step) * 60, touch: Point(x: 160, y: 280))
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
    var frames = 0
    while layout.animator.isRunning, frames < 2000 {
      view.step(by: 1 / 60)
      try view.prepareLayout()
      frames += 1
    }
    #expect(frames > 60 && frames < 600)
    #expect(view.visibleAttributes().allSatisfy { $0.center.y == 35 + 65 * Double($0.index) })
  }

  @Test func tenMillionItemsCostOnlyWhatIsActive() throws {
    for layout in [try TiledSpringLayout(flow: .messages), try ExactSpringLayout(flow: .messages)] as [SpringLayout] {
      let view = try CollectionView(layout: layout, itemCount: 10_000_000, size: phone, contentOffset: 300_000_000)
      for step in 0..<600 {
        view.scroll(to: 300_000_000 + 2000 * sin(Double(step) * 0.05), touch: Point(x: 160, y: 280))
        view.step(by: 1 / 60)
        try view.prepareLayout()
        #expect(layout.springs.range.count < 80 && view.visibleAttributes().count > 5)
      }
      #expect(layout.springs.evaluationCount < 600 * 80)
    }
  }

  @Test(arguments: FlowOptions.varied) func exactShowsWhatNaiveShowsAfterJumpsOverTheWholeList(
    _ flow: FlowOptions.Named
  ) throws {
    let views = [
      try CollectionView(layout: NaiveSpringLayout(flow: flow.options), itemCount: 9_000, size: phone),
      try CollectionView(layout: ExactSpringLayout(flow: flow.options), itemCount: 9_000, size: phone),
    ]
    let exact = try #require(views[1].layout as? SpringLayout)
    var random = SplitMix64(seed: 5)
    var strays = 0
    for step in 0..<240 {
      var offset = views[0].scrollOffset + Double.random(in: -20...25, using: &random)
      if [3, 4, 40, 130].contains(step) { offset = .random(in: 0...views[0].maximumContentOffset, using: &random) }
      let touch = Point(x: .random(in: 0...320, using: &random), y: .random(in: 0...568, using: &random))
      let shown = try views.map { view in
        view.scroll(to: offset, touch: touch)
        view.step(by: 1 / 60)
        try view.prepareLayout()
        return view.visibleAttributes()
      }
      #expect(shown[0].map(\.index) == shown[1].map(\.index))
      for (a, b) in zip(shown[0], shown[1]) {
        #expect(abs(a.center.x - b.center.x) + abs(a.center.y - b.center.y) < 1e-6)
      }
      strays += shown[1].count { !exact.springs.range.contains($0.index) }
      // At most half of the 9,000 items are simulated, although a jump can bring any item into view.
      #expect(exact.springs.range.count <= 4096 + 400)
    }
    #expect(strays > 20)
  }

  @Test(arguments: FlowOptions.varied) func anyRectangleAndAnyItemIsAnsweredAsNaiveDoes(_ flow: FlowOptions.Named)
    throws
  {
    let naive = try CollectionView(layout: NaiveSpringLayout(flow: flow.options), itemCount: 3000, size: phone)
    let exact = try CollectionView(layout: ExactSpringLayout(flow: flow.options), itemCount: 3000, size: phone)
    var scroll = RandomScroll(seed: 11)
    var random = SplitMix64(seed: 12)
    for step in 0..<300 {
      let (offset, touch) = scroll.next(from: naive.scrollOffset, screen: 568, limit: naive.maximumContentOffset)
      for view in [naive, exact] {
        view.scroll(to: offset, touch: touch)
        view.step(by: 1 / 60)
        try view.prepareLayout()
      }
      guard step.isMultiple(of: 5) else { continue }
      let rect = Rect(
        x: .random(in: -100...9000, using: &random), y: .random(in: -100...9000, using: &random),
        width: .random(in: 0...3000, using: &random), height: .random(in: 0...3000, using: &random))
      let (expected, found) = (naive.layout.layoutAttributes(in: rect), exact.layout.layoutAttributes(in: rect))
      #expect(expected.map(\.index) == found.map(\.index))
      for (a, b) in zip(expected, found) { #expect(abs(a.center.y - b.center.y) < 1e-6) }
      let index = Int.random(in: 0..<3000, using: &random)
      let (a, b) = (naive.layout.layoutAttributesForItem(at: index), exact.layout.layoutAttributesForItem(at: index))
      #expect(abs(try #require(a).center.y - #require(b).center.y) < 1e-6)
    }
  }

  @Test func aJumpInTenMillionItemsSimulatesFewOfThem() throws {
    let view = try CollectionView(layout: ExactSpringLayout(flow: .messages), itemCount: 10_000_000, size: phone)
    let layout = try #require(view.layout as? SpringLayout)
    for step in 0..<300 {
      view.scroll(to: 300_000_000 + Double(step), touch: Point(x: 160, y: 280))
      view.step(by: 1 / 60)
      try view.prepareLayout()
      _ = view.visibleAttributes()
      #expect(layout.springs.range.count <= 4096)
    }
    #expect(!view.visibleAttributes().isEmpty)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func noSteadyFrameAllocates() throws {
    for (flow, count) in [(FlowOptions.messages, 100), (.messages, 10_000), (FlowOptions(), 1_000)] {
      let layout = try ExactSpringLayout(flow: flow)
      let view = try CollectionView(layout: layout, itemCount: count, size: phone, contentOffset: 300)
      let swing = min(2000, view.maximumContentOffset - 300)
      var shown = 0
      func frame(_ step: Int) throws {
        view.scroll(
          to: 300 + swing * abs(sin(Double(step) * 0.02)),
          touch: step.isMultiple(of: 5) ? nil : Point(x: 160, y: Double(step % 500)))
        view.step(by: 1 / 60)
        try view.prepareLayout()
        shown += view.visibleAttributes().count
      }
      for step in 0..<400 { try frame(step) }
      let (before, churnBefore) = (allocation_counter_this_thread().count, layout.churnCount)
      for step in 400..<2000 { try frame(step) }
      let allocations = allocation_counter_this_thread().count - before
      #expect(allocations == 0)
      #expect(shown > 2000 && layout.churnCount > churnBefore + 100)
      #expect(layout.springs.evaluationCount > 2000)
    }
  }
}
