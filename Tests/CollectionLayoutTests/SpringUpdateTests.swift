import Dynamics
import Foundation
import Testing

@testable import CollectionLayout

/// Batches that are put together at random, but always add up.
struct RandomUpdates {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Changes near an item, of which most lists have their view nearby, and now and then anywhere.
  mutating func batch(count: Int, near middle: Int, largest: Int = 6) -> [CollectionViewUpdate] {
    var gone: Set<Int> = []
    func free(_ index: Int) -> Int? {
      let index = min(max(0, index), count - 1)
      return count > 0 && gone.insert(index).inserted ? index : nil
    }
    func somewhere(_ random: inout SeededGenerator) -> Int {
      Int.random(in: 0..<5, using: &random) == 0
        ? Int.random(in: 0...max(0, count - 1), using: &random)
        : middle + Int.random(in: -14...14, using: &random)
    }
    var origins: [Int] = []
    var deletions = 0
    for _ in 0..<Int.random(in: 0...largest, using: &random) {
      if let index = free(somewhere(&random)) {
        if Bool.random(using: &random) { origins.append(index) } else { deletions += 1 }
      }
    }
    let insertions = Int.random(in: 0...largest, using: &random)
    let newCount = count - deletions + insertions
    var come: Set<Int> = []
    var updates = gone.filter { !origins.contains($0) }.sorted().map { CollectionViewUpdate.delete(at: $0) }
    func target(_ random: inout SeededGenerator) -> Int {
      var index = min(max(0, somewhere(&random)), newCount - 1)
      while !come.insert(index).inserted { index = (index + 1) % newCount }
      return index
    }
    for origin in origins { updates.append(.move(from: origin, to: target(&random))) }
    for _ in 0..<insertions { updates.append(.insert(at: target(&random))) }
    updates.shuffle(using: &random)
    return updates
  }
}

/// Springy lists whose rows are inserted, deleted and moved while they scroll.
@Suite struct SpringUpdateTests {
  private func views(
    _ flow: FlowOptions, _ count: Int, springs: SpringOptions = SpringOptions(), offset: Double = 0
  ) throws -> (naive: CollectionView, tiled: CollectionView, exact: CollectionView) {
    func view(_ layout: SpringLayout) throws -> CollectionView {
      try CollectionView(layout: layout, itemCount: count, size: phone, contentOffset: offset)
    }
    return (
      try view(NaiveSpringLayout(flow: flow, springs: springs)),
      try view(TiledSpringLayout(flow: flow, springs: springs)),
      try view(ExactSpringLayout(flow: flow, springs: springs))
    )
  }

  private struct Difference {
    var largestDistance = 0.0
    var framesWithOtherItems = 0
    var shown = 0
    var batches = 0
    var strayFrames = 0
  }

  /// Runs both lists through the same scroll and the same batches, at any moment of a frame.
  private func compare(
    _ flow: FlowOptions, items: Int, frames: Int, seed: UInt64, springs: SpringOptions = SpringOptions(),
    every period: Int = 23, rotating: Bool = false
  ) throws -> Difference {
    let (naive, _, exact) = try views(flow, items, springs: springs)
    var scroll = ExactTilingTests.RandomScroll(seed: seed)
    var updates = RandomUpdates(seed: seed &* 31)
    let screen = flow.scrollDirection == .vertical ? phone.height : phone.width
    var difference = Difference()
    for frame in 0..<frames {
      let (offset, touch) = scroll.next(
        from: naive.contentOffset, screen: screen, limit: naive.maximumContentOffset)
      let moment = frame % period == 0 ? Int.random(in: 0..<4, using: &updates.random) : -1
      let middle = naive.visibleAttributes().first.map { $0.index + 4 } ?? naive.itemCount / 2
      let batch = moment >= 0 ? updates.batch(count: naive.itemCount, near: middle) : []
      if moment >= 0 { difference.batches += 1 }
      if frame % 211 == 100 { for view in [naive, exact] { try view.appendItems(3) } }
      for view in [naive, exact] {
        if moment == 0 { try view.performBatchUpdates(batch) }
        if rotating, frame % 131 == 60 {
          try view.rotate(to: Size(width: view.bounds.size.height, height: view.bounds.size.width))
        }
        view.scroll(to: offset, touch: touch)
        if moment == 1 { try view.performBatchUpdates(batch) }
        view.step(by: 1 / 60)
        if moment == 2 { try view.performBatchUpdates(batch) }
        try view.prepareLayout()
        if moment == 3 { try view.performBatchUpdates(batch) }
      }
      #expect(naive.itemCount == exact.itemCount)
      let (expected, found) = (naive.visibleAttributes(), exact.visibleAttributes())
      difference.shown += expected.count
      guard expected.map(\.index) == found.map(\.index) else {
        difference.framesWithOtherItems += 1
        continue
      }
      for (a, b) in zip(expected, found) {
        #expect(a.size == b.size)
        difference.largestDistance = max(
          difference.largestDistance, abs(a.center.x - b.center.x), abs(a.center.y - b.center.y))
      }
      if let layout = exact.layout as? SpringLayout,
        found.contains(where: { !layout.springs.range.contains($0.index) })
      {
        difference.strayFrames += 1
      }
    }
    return difference
  }

  private func expectNone(_ difference: Difference, frames: Int) {
    #expect(difference.framesWithOtherItems == 0)
    #expect(difference.largestDistance < 1e-6)
    #expect(difference.shown > frames && difference.batches > 10)
  }

  @Test(arguments: FlowOptions.varied)
  func exactShowsWhatNaiveShowsWhileRowsComeGoAndMove(_ flow: FlowOptions.Named) throws {
    for seed in 1...6 {
      let difference = try compare(flow.options, items: 500, frames: 700, seed: UInt64(seed) * 104_729)
      expectNone(difference, frames: 700)
    }
  }

  @Test(arguments: [(1, 0.3), (8, 0.6), (1, 1), (0.5, 2)])
  func exactShowsWhatNaiveShowsForOtherSpringsToo(_ frequency: Double, _ damping: Double) throws {
    var springs = SpringOptions()
    springs.frequency = frequency
    springs.damping = damping
    for seed in 1...3 {
      let difference = try compare(
        .messages, items: 300, frames: 900, seed: UInt64(seed), springs: springs, every: 11)
      expectNone(difference, frames: 900)
    }
  }

  @Test(arguments: FlowOptions.varied.filter { $0.options.scrollDirection == .vertical })
  func exactShowsWhatNaiveShowsThoughTheDeviceIsRotated(_ flow: FlowOptions.Named) throws {
    for seed in 1...2 {
      let difference = try compare(
        flow.options, items: 300, frames: 600, seed: UInt64(seed) + 77, rotating: true)
      expectNone(difference, frames: 600)
    }
  }
}
