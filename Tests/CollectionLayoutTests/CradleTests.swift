import CAllocationCounter
import Dynamics
import Foundation
import Testing

@testable import CollectionLayout

/// Tests Newton's cradle with insertions and deletions.
@Suite struct CradleTests {
  private func cradle(
    _ count: Int, _ options: CradleOptions = CradleOptions(), size: Size = Size(width: 1024, height: 768)
  ) throws -> (view: CollectionView, layout: CradleLayout) {
    let layout = try CradleLayout(options)
    return (try CollectionView(layout: layout, itemCount: count, size: size), layout)
  }

  private func center(_ layout: CradleLayout, _ index: Int) throws -> Point {
    try #require(layout.layoutAttributesForItem(at: index)).center
  }

  private func run(_ view: CollectionView, seconds: Double, _ each: () throws -> Void = {}) throws {
    for _ in 0..<Int(seconds * 60) {
      view.step(by: 1 / 60)
      try each()
    }
  }

  @Test func itemsFromTheStartHangAtRest() throws {
    let (view, layout) = try cradle(10)
    let rest = layout.options.restLength
    #expect(abs(rest - 300 - 1_000 / (4 * .pi * .pi)) < 1e-9)
    try run(view, seconds: 3)
    for index in 0..<10 {
      let anchor = layout.anchor(at: index)
      let place = try center(layout, index)
      #expect(abs(place.x - anchor.x) < 0.01 && abs(place.y - anchor.y - rest) < 0.01)
    }
    #expect(!layout.animator.isRunning)
  }

  @Test func nothingKeepsTheDiscsOfACradleThatIsGoneOrWasCutShort() throws {
    final class Witness { weak var behavior: DynamicBehavior? }
    func witnesses(_ layout: CradleLayout) -> [Witness] {
      layout.animator.behaviors.filter { $0 is AttachmentBehavior }.map { behavior in
        let witness = Witness()
        witness.behavior = behavior
        return witness
      }
    }
    var watched: [Witness] = []
    do {
      let (_, layout) = try cradle(6)
      watched = witnesses(layout)
      let view = try CollectionView(layout: layout, itemCount: 4, size: phone)
      #expect(watched.count { $0.behavior != nil } == 4)
      try view.performBatchUpdates([.delete(at: 1)])
      watched += witnesses(layout)
    }
    #expect(watched.count == 9 && watched.allSatisfy { $0.behavior == nil })
  }

  @Test func insertedItemsBeginOffScreenAndSettleInTheRow() throws {
    var options = CradleOptions()
    (options.elasticity, options.spacing) = (0.3, 2)
    let (view, layout) = try cradle(0, options, size: phone)
    for index in 0..<4 {
      try view.performBatchUpdates([.insert(at: index)])
      #expect(try center(layout, index).x - 32 >= view.bounds.maxX)
      #expect(!view.visibleAttributes().contains { $0.index == index })
      try run(view, seconds: 1)
    }
    try run(view, seconds: 20)
    #expect(view.visibleAttributes().map(\.index) == Array(0..<4))
    for index in 1..<4 { #expect(try center(layout, index).x > center(layout, index - 1).x) }
  }

  @Test func anItemInsertedFirstOrInTheMiddleBeginsOffScreenToo() throws {
    let (view, layout) = try cradle(4)
    try view.performBatchUpdates([.insert(at: 0)])
    #expect(try center(layout, 0).x + 32 <= view.bounds.minX)
    try view.performBatchUpdates([.insert(at: 2)])
    #expect(try center(layout, 2).y - 32 >= view.bounds.maxY)
    try run(view, seconds: 1)
    #expect(view.visibleAttributes().contains { $0.index == 2 })
  }

  @Test(arguments: [8, 10]) func theMomentumOfABlowPassesAlongTheRow(count: Int) throws {
    let (view, layout) = try cradle(count)
    try view.performBatchUpdates([.insert(at: count)])
    var leftmost = 0.0
    var inner = 0.0
    var blow = 0.0
    var previous = try center(layout, count).x
    for _ in 0..<150 {
      view.step(by: 1 / 60)
      let x = try center(layout, count).x
      blow = max(blow, (previous - x) * 60)
      previous = x
      leftmost = max(leftmost, layout.anchor(at: 0).x - (try center(layout, 0).x))
      if leftmost < 60 { inner = max(inner, abs(try center(layout, 2).x - layout.anchor(at: 2).x)) }
    }
    // The new item swings in from the right and makes the leftmost item swing out. The items between them hardly move.
    #expect(blow > 300 && leftmost > 100)
    #expect(inner < leftmost / 2)
  }

  @Test func aDeletedItemFallsAndIsGoneWhenItHasLeftTheScreen() throws {
    let (view, layout) = try cradle(5)
    let start = try center(layout, 2)
    try view.performBatchUpdates([.delete(at: 2)])
    #expect(view.itemCount == 4 && layout.fallingItemCount == 1)
    #expect(view.presentedAttributes().count == 5)
    var last = start.y
    var frames = 0
    while layout.fallingItemCount == 1, frames < 600 {
      view.step(by: 1 / 60)
      frames += 1
      if let falling = layout.layoutAttributesForLeavingElements(in: view.bounds).first {
        #expect(falling.center.y > last)
        last = falling.center.y
      }
    }
    // The item was shown at least until its center had left the screen.
    #expect(last > view.bounds.maxY)
    // The duration of a free fall from the item's place to below the screen.
    let fall = (2 * (view.bounds.maxY + 32 - start.y) / 1_000).squareRoot()
    #expect(abs(Double(frames) / 60 - fall) < 0.05)
    #expect(view.presentedAttributes().count == 4)
    try run(view, seconds: 12)
    for index in 0..<4 { #expect(abs(try center(layout, index).y - 64 - layout.options.restLength) < 20) }
  }

  @Test(arguments: [10, 60]) func insertionsAndDeletionsGoOnWhileItemsFall(count: Int) throws {
    let (view, layout) = try cradle(0)
    var most = 0
    for step in 0..<(3 * count) {
      if step % 3 == 2 {
        try view.performBatchUpdates([.delete(at: (step * 7) % view.itemCount)])
      } else {
        try view.performBatchUpdates([.insert(at: (step * 5) % (view.itemCount + 1))])
      }
      for _ in 0..<10 { view.step(by: 1 / 60) }
      most = max(most, layout.fallingItemCount)
    }
    #expect(view.itemCount == count && most >= 2)
    // Simulates a long time, because one deleted item rests on two others and falls only when these have swung apart.
    try run(view, seconds: 20)
    #expect(layout.fallingItemCount == 0)
    for index in 0..<count {
      let place = try center(layout, index)
      #expect(place.isFinite)
      #expect(hypot(place.x - layout.anchor(at: index).x, place.y - layout.anchor(at: index).y) < 900)
    }
  }

  @Test func updatesThatDoNotAddUpLeaveTheCradleAsItWas() throws {
    let (view, layout) = try cradle(3)
    let before = view.visibleAttributes()
    for updates: [CollectionViewUpdate] in [
      [.delete(at: 3)], [.insert(at: 5)], [.delete(at: 0), .delete(at: 0)], [.delete(at: -1)],
    ] { #expect(throws: LayoutError.self) { try view.performBatchUpdates(updates) } }
    #expect(throws: LayoutError.inconsistentItemCount(before: 3, inserted: 1, deleted: 0, after: 3)) {
      try view.performBatchUpdates([.insert(at: 0)], itemCount: 3)
    }
    #expect(view.visibleAttributes() == before && view.itemCount == 3 && layout.fallingItemCount == 0)
    view.scroll(to: .nan)
    #expect(throws: LayoutError.self) { try view.performBatchUpdates([.insert(at: 3)]) }
    view.scroll(to: 0)
    #expect(view.visibleAttributes() == before && view.itemCount == 3)
    try view.performBatchUpdates([.insert(at: 3)])
    #expect(view.itemCount == 4)
  }

  @Test func aBadOptionIsNamed() {
    for change: (inout CradleOptions) -> Void in [
      { $0.itemSize = Size(width: 0, height: 5) }, { $0.itemSize.width = .nan }, { $0.length = -1 },
      { $0.damping = .infinity }, { $0.frequency = .nan }, { $0.elasticity = 1.1 }, { $0.gravity = -1 },
      { $0.spacing = -3 }, { $0.frequency = 1e-200 },
    ] {
      var options = CradleOptions()
      change(&options)
      #expect(throws: LayoutError.self) { try CradleLayout(options) }
    }
  }

  @Test(.enabled(if: allocation_counter_is_active())) func noSteadyFrameAllocates() throws {
    let (view, layout) = try cradle(0)
    for index in 0..<30 {
      try view.performBatchUpdates([.insert(at: index)])
      for _ in 0..<4 { view.step(by: 1 / 60) }
    }
    try run(view, seconds: 2) { _ = view.visibleAttributes() }
    let place = try center(layout, 0)
    let before = allocation_counter_this_thread().count
    for _ in 0..<300 {
      view.step(by: 1 / 60)
      _ = view.visibleAttributes()
      _ = layout.layoutAttributesForLeavingElements(in: view.bounds)
    }
    #expect(allocation_counter_this_thread().count == before)
    #expect(try center(layout, 0) != place)
  }
}
