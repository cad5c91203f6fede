import Dynamics
import Foundation
import Statistics
import Testing

@testable import CollectionLayout

/// Draws random batches that are always valid.
struct RandomUpdates {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns a batch of changes. Most changes are near the item `middle`, which is usually in view. All other changes
  /// are at random places in the list.
  mutating func batch(count: Int, near middle: Int, largest: Int = 6) -> [CollectionViewUpdate] {
    var gone: Set<Int> = []
    func free(_ index: Int) -> Int? {
      let index = min(max(0, index), count - 1)
      return count > 0 && gone.insert(index).inserted ? index : nil
    }
    func somewhere(_ random: inout SplitMix64) -> Int {
      Int.random(in: 0..<5, using: &random) == 0
        ? Int.random(in: 0...max(0, count - 1), using: &random) : middle + Int.random(in: -14...14, using: &random)
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
    func target(_ random: inout SplitMix64) -> Int {
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

/// Tests the computed limits of how far an update moves the anchors of items.
@Suite struct AnchorMovesTests {
  @Test func theBoundsHoldForAnyTwoGrids() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<400 {
      func lines(_ count: Int) -> FlowLines {
        var options = FlowOptions()
        options.itemSize = Size(
          width: .random(in: 20...120, using: &random), height: .random(in: 10...90, using: &random))
        options.minimumLineSpacing = .random(in: 0...30, using: &random)
        return FlowLines(FlowMetrics(options, viewSize: Size(width: 320, height: 480)), itemCount: count)
      }
      let (cut, inserted) = (Int.random(in: 0...40, using: &random), Int.random(in: 0...9, using: &random))
      let updates = (0..<inserted).map { CollectionViewUpdate.insert(at: cut + $0) }
      let map = try IndexMap(updates, oldCount: 60)
      let (old, new) = (lines(60), lines(60 + inserted))
      let bounds = AnchorMoves(map, from: old, to: new).common
      for index in 0..<60 {
        let displacement = old.center(at: index).main - new.center(at: index < cut ? index : index + inserted).main
        #expect(bounds.lowerBound - 1e-9 <= displacement && displacement <= bounds.upperBound + 1e-9)
      }
    }
  }
}

/// Tests springy lists whose rows are inserted, deleted and moved while they scroll.
@Suite struct SpringUpdateTests {
  /// The number of seeds. Debug builds are slow, so only release builds use all of them.
  #if DEBUG
    static let seeds = 1
  #else
    static let seeds = 12
  #endif

  private func views(_ flow: FlowOptions, _ count: Int, springs: SpringOptions = SpringOptions(), offset: Double = 0)
    throws -> (naive: CollectionView, tiled: CollectionView, exact: CollectionView)
  {
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
    /// The number of steps that the exact list has computed, summed over its springs.
    var evaluations = 0
  }

  /// Runs the naive and the exact list through the same scroll, with the same batches at random moments of a frame.
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
      let (offset, touch) = scroll.next(from: naive.scrollOffset, screen: screen, limit: naive.maximumContentOffset)
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
        if a.size != b.size { difference.framesWithOtherItems += 1 }
        difference.largestDistance = max(
          difference.largestDistance, abs(a.center.x - b.center.x), abs(a.center.y - b.center.y))
      }
      if let layout = exact.layout as? SpringLayout, found.contains(where: { !layout.springs.range.contains($0.index) })
      {
        difference.strayFrames += 1
      }
    }
    difference.evaluations = (exact.layout as? SpringLayout)?.springs.evaluationCount ?? 0
    return difference
  }

  private func expectNone(_ difference: Difference, frames: Int) {
    #expect(difference.framesWithOtherItems == 0)
    #expect(difference.largestDistance < 1e-6)
    #expect(difference.shown > frames && difference.batches > 10 && difference.evaluations > frames)
  }

  @Test(arguments: FlowOptions.varied) func exactShowsWhatNaiveShowsWhileRowsComeGoAndMove(_ flow: FlowOptions.Named)
    throws
  {
    for seed in 1...Self.seeds {
      let difference = try compare(flow.options, items: 500, frames: 700, seed: UInt64(seed) * 104_729)
      expectNone(difference, frames: 700)
    }
  }

  @Test(arguments: [(1, 0.3), (8, 0.6), (1, 1), (0.5, 2)]) func exactShowsWhatNaiveShowsForOtherSpringsToo(
    _ frequency: Double, _ damping: Double
  ) throws {
    var springs = SpringOptions()
    springs.frequency = frequency
    springs.damping = damping
    for seed in 1...(Self.seeds + 1) / 2 {
      let difference = try compare(.messages, items: 300, frames: 900, seed: UInt64(seed), springs: springs, every: 11)
      expectNone(difference, frames: 900)
    }
  }

  @Test(arguments: FlowOptions.varied.filter { $0.options.scrollDirection == .vertical })
  func exactShowsWhatNaiveShowsThoughTheDeviceIsRotated(_ flow: FlowOptions.Named) throws {
    for seed in 1...(Self.seeds + 1) / 2 {
      let difference = try compare(flow.options, items: 300, frames: 600, seed: UInt64(seed) + 77, rotating: true)
      expectNone(difference, frames: 600)
    }
  }

  @Test func exactShowsWhatNaiveShowsAfterJumpsAndBatchesOfThousands() throws {
    let (naive, _, exact) = try views(.messages, 9_000)
    var random = SplitMix64(seed: 8)
    var strays = 0
    for step in 0..<200 {
      var offset = naive.scrollOffset + Double.random(in: -20...25, using: &random)
      if [5, 90].contains(step) { offset = .random(in: 0...400_000, using: &random) }
      let row = Int(offset / 65)
      let batch: [CollectionViewUpdate] =
        switch step {
        case 20: (0..<3_000).map { .insert(at: $0) }
        case 60: (100..<900).map { .delete(at: $0) }
        case 100: [.move(from: 8_000, to: row), .move(from: row + 2, to: 10), .move(from: 12, to: 11_000)]
        case 110: [.move(from: row, to: row + 300), .insert(at: row)]
        default: []
        }
      let shown = try [naive, exact].map { view in
        view.scroll(to: offset, touch: Point(x: 100, y: 300))
        if !batch.isEmpty { try view.performBatchUpdates(batch) }
        view.step(by: 1 / 60)
        try view.prepareLayout()
        return view.visibleAttributes()
      }
      #expect(shown[0].map(\.index) == shown[1].map(\.index))
      #expect(zip(shown[0], shown[1]).allSatisfy { abs($0.center.y - $1.center.y) < 1e-6 })
      let layout = try #require(exact.layout as? SpringLayout)
      strays += shown[1].count { !layout.springs.range.contains($0.index) }
    }
    #expect(strays > 50)
  }

  @Test(arguments: FlowOptions.varied) func noItemJumpsWhenRowsAroundItComeAndGo(_ flow: FlowOptions.Named) throws {
    let views = try views(flow.options, 4_000, offset: 300)
    for view in [views.naive, views.tiled, views.exact] {
      for step in 0..<20 {
        view.scroll(to: 300 + Double(step) * 8, touch: Point(x: 30, y: 400))
        view.step(by: 1 / 60)
        try view.prepareLayout()
      }
      let before = view.visibleAttributes()
      let first = try #require(before.first).index
      let batch: [CollectionViewUpdate] = [
        .insert(at: first), .insert(at: first + 1), .delete(at: first + 3), .insert(at: 0),
      ]
      let map = try IndexMap(batch, oldCount: 4_000)
      try view.performBatchUpdates(batch)
      let springs = try #require(view.layout as? SpringLayout).springs
      var kept = 0
      for item in before {
        guard let index = map.newIndex(ofItemAt: item.index), springs.range.contains(index) else { continue }
        let now = try #require(view.layout.layoutAttributesForItem(at: index)).center
        let (was, along) = flow.options.scrollDirection == .vertical ? (item.center.y, now.y) : (item.center.x, now.x)
        #expect(abs(was - along) < 1e-9)
        kept += 1
      }
      #expect(kept >= before.count - 1)
      // A new item rests at its place from the start.
      #expect(springs.displacement(ofItemAt: first) == 0)
    }
  }

  @Test(arguments: FlowOptions.varied) func allListsComeToRestAsThePlainFlowOfTheNewItems(_ flow: FlowOptions.Named)
    throws
  {
    let views = try views(flow.options, 300, offset: 200)
    var updates = RandomUpdates(seed: 4)
    for step in 0..<30 {
      let batch = updates.batch(count: views.naive.itemCount, near: 20)
      for view in [views.naive, views.tiled, views.exact] {
        view.scroll(to: 200 + 20 * sin(Double(step)), touch: Point(x: 5, y: 500))
        view.step(by: 1 / 60)
        try view.performBatchUpdates(batch)
        try view.prepareLayout()
      }
    }
    let count = views.naive.itemCount
    let plain = try CollectionView(layout: FlowLayout(flow.options), itemCount: count, size: phone, contentOffset: 200)
    for view in [views.naive, views.tiled, views.exact] {
      for _ in 0..<900 {
        view.scroll(to: 200)
        view.step(by: 1 / 60)
        try view.prepareLayout()
      }
      #expect(view.itemCount == count)
      #expect(view.visibleAttributes() == plain.visibleAttributes())
    }
  }

  @Test func exactKeepsRowsThatAnUpdateBroughtIntoTheSimulation() throws {
    let layout = try ExactSpringLayout(flow: .messages)
    let view = try CollectionView(
      layout: layout, itemCount: 1_000, size: Size(width: 320, height: 568), contentOffset: 20_000)
    let before = layout.springs.range
    let shown = try #require(view.visibleAttributes().first).index
    try view.performBatchUpdates([.move(from: shown + 5, to: shown + 20)])
    let after = layout.springs.range
    #expect(after.upperBound > before.upperBound + 5)
    for _ in 0..<60 {
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
    try view.performBatchUpdates([.delete(at: shown), .insert(at: shown)])
    #expect(layout.springs.range.clamped(to: after) == after)
    for frame in 0..<900 {
      view.step(by: 1 / 60)
      view.scroll(to: 20_000 + 0.25 * Double(frame))
      try view.prepareLayout()
    }
    #expect(layout.springs.range.count < after.count, "kept though no update is remembered any more")
  }

  @Test func anItemThatTheTiledListPushesOutIsSeenOnItsWay() throws {
    let view = try views(.messages, 2_000, offset: 6_500).tiled
    let before = view.visibleAttributes()
    try view.performBatchUpdates((0..<12).map { .insert(at: $0 + 50) })
    let after = view.visibleAttributes()
    #expect(after.map { $0.index - 12 }.filter { $0 >= 100 } == before.map(\.index).filter { $0 < 117 })
    for _ in 0..<400 {
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
    let layout = try #require(view.layout as? SpringLayout)
    #expect(layout.springs.range.count < 20)
  }

  @Test(arguments: UpdateErrorTests.broken.indices) func aBatchThatCannotBeLeavesTheSpringsAsTheyWere(_ index: Int)
    throws
  {
    let (batch, count, _) = UpdateErrorTests.broken[index]
    let views = try views(.messages, 10)
    for view in [views.naive, views.tiled, views.exact] {
      view.scroll(to: 30)
      view.step(by: 1 / 60)
      try view.prepareLayout()
      let shown = view.visibleAttributes()
      #expect(throws: LayoutError.self) { try view.performBatchUpdates(batch, itemCount: count) }
      #expect(view.itemCount == 10 && view.visibleAttributes() == shown)
    }
  }
}
