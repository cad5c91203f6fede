import CAllocationCounter
import Dynamics
import Foundation
import Testing

@testable import CollectionLayout

/// Tests insertions, deletions, rotations of the device, and pinches.
@Suite struct AnimatedUpdateTests {
  /// A layout with the mistake of the first layout in article 4 of docs/sources.md: all items that appear or disappear
  /// fly in or out, not only inserted and deleted ones.
  private final class MistakenLayout: AnimatedFlowLayout {
    override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
      layoutAttributesForItem(at: index).map(farEnd)
    }

    override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
      layoutAttributesBeforeChange(ofItemAt: index).map(farEnd)
    }
  }

  private final class LoggingLayout: AnimatedFlowLayout {
    var log: [String] = []

    override func prepare() {
      log.append("prepare")
      super.prepare()
    }

    override func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
      log.append("updates \(updates.count)")
      super.prepare(forCollectionViewUpdates: updates)
    }

    override func finalizeCollectionViewUpdates() {
      log.append("finalize updates")
      super.finalizeCollectionViewUpdates()
    }

    override func prepare(forAnimatedBoundsChange oldBounds: Rect) { log.append("bounds") }
    override func finalizeAnimatedBoundsChange() { log.append("finalize bounds") }

    override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
      if log.last != "initial" { log.append("initial") }
      return super.initialLayoutAttributesForAppearingItem(at: index)
    }

    override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
      if log.last != "final" { log.append("final") }
      return super.finalLayoutAttributesForDisappearingItem(at: index)
    }
  }

  private func grid(_ count: Int, offset: Double = 0) throws -> CollectionView {
    try CollectionView(layout: AnimatedFlowLayout(), itemCount: count, size: phone, contentOffset: offset)
  }

  private var landscape: Size { Size(width: phone.height, height: phone.width) }

  /// Steps until all animations have ended.
  /// - Returns: The visible items of each frame.
  @discardableResult private func settle(_ view: CollectionView) throws -> [[AnimatedAttributes]] {
    var frames: [[AnimatedAttributes]] = []
    for _ in 0..<200 where view.animatedItemCount > 0 {
      view.step(by: 1 / 60)
      frames.append(view.presentedAttributes())
    }
    #expect(view.animatedItemCount == 0)
    #expect(view.presentedAttributes() == view.visibleAttributes().map { AnimatedAttributes($0) })
    return frames
  }

  @Test func anInsertedItemFliesUpFromTheMiddleOfTheLowerEdge() throws {
    let view = try grid(40)
    try view.performBatchUpdates([.insert(at: 7)])
    let start = try #require(view.presentedAttributes().first { $0.attributes.index == 7 })
    #expect(start.attributes.center == Point(x: 160, y: 568))
    #expect(start.scale == 0.2 && start.rotation == .pi && start.alpha == 1)
    let place = try #require(view.layout.layoutAttributesForItem(at: 7)).center
    var previous = start
    for shown in try settle(view) {
      let now = try #require(shown.first { $0.attributes.index == 7 })
      #expect(now.scale > previous.scale && now.rotation < previous.rotation)
      #expect(now.attributes.center.y < previous.attributes.center.y)
      // The item moves along a straight line, and its scale changes in proportion to the distance covered.
      let share = (568 - now.attributes.center.y) / (568 - place.y)
      #expect(abs(now.attributes.center.x - (160 + (place.x - 160) * share)) < 1e-9)
      #expect(abs(now.scale - (0.2 + 0.8 * share)) < 1e-9)
      previous = now
    }
    #expect(previous == AnimatedAttributes(try #require(view.layout.layoutAttributesForItem(at: 7))))
  }

  @Test func aDeletedItemFliesBackAndOnlyThenIsGone() throws {
    let view = try grid(40)
    let place = try #require(view.layout.layoutAttributesForItem(at: 3))
    try view.performBatchUpdates([.delete(at: 3)])
    #expect(view.itemCount == 39)
    let start = try #require(view.presentedAttributes().last)
    #expect(start == AnimatedAttributes(place))
    var last = start
    for _ in 0..<14 {
      view.step(by: 1 / 60)
      last = try #require(view.presentedAttributes().last)
      #expect(last.attributes.index == 3 && last.scale < 1 && last.rotation > 0)
    }
    #expect(abs(last.scale - 0.2) < 0.02 && abs(last.attributes.center.y - 568) < 10)
    try settle(view)
  }

  @Test func onlyWhatIsReallyInsertedDeletedOrMovedFlies() throws {
    var updates = RandomUpdates(seed: 12)
    for scope in [AnimationScope.visible, .everything] {
      var flying = 0
      let view = try grid(120, offset: 300)
      for _ in 0..<40 {
        let batch = updates.batch(count: view.itemCount, near: 40)
        var options = AnimationOptions()
        options.scope = scope
        let map = try IndexMap(batch, oldCount: view.itemCount)
        var inserted = Set((0..<map.newCount).filter { map.oldIndex(ofItemAt: $0) == nil })
        var deleted = Set((0..<map.oldCount).filter { map.newIndex(ofItemAt: $0) == nil })
        for case .move(let from, let to) in batch {
          deleted.insert(from)
          inserted.insert(to)
        }
        try view.performBatchUpdates(batch, options: options)
        view.step(by: 0.1)
        let shown = view.presentedAttributes()
        for look in shown where look.scale != 1 || look.rotation != 0 || look.alpha != 1 {
          let index = look.attributes.index
          #expect(inserted.contains(index) || deleted.contains(index))
          flying += 1
        }
        #expect(shown.count > 20)
        try settle(view)
      }
      #expect(flying > 20)
    }
  }

  @Test func itemsThatMakeWayMoveFromWhereTheyWere() throws {
    let view = try grid(40)
    let before = view.presentedAttributes()
    try view.performBatchUpdates([.insert(at: 10), .move(from: 30, to: 2)])
    let map = try IndexMap([.insert(at: 10), .move(from: 30, to: 2)], oldCount: 40)
    let now = view.presentedAttributes()
    for look in before where look.attributes.index != 30 {
      let new = try #require(map.newIndex(ofItemAt: look.attributes.index))
      let start = try #require(now.first { $0.attributes.index == new })
      #expect(start.looksLike(look))
    }
    // In article 4 of docs/sources.md, a moved item leaves as one copy and arrives as another.
    let moved = try #require(now.first { $0.attributes.index == 2 })
    #expect(moved.scale == AnimatedFlowLayout.flightScale)
    #expect(now.last?.looksLike(try #require(before.first { $0.attributes.index == 30 })) == true)
    try settle(view)
  }

  @Test func anUpdateWhileAnotherRunsGoesOnFromWhereThingsAre() throws {
    let view = try grid(60)
    try view.performBatchUpdates([.insert(at: 5), .delete(at: 20)])
    for _ in 0..<7 { view.step(by: 1 / 60) }
    let before = view.presentedAttributes()
    try view.performBatchUpdates([.insert(at: 0), .delete(at: 9)])
    let now = view.presentedAttributes()
    let map = try IndexMap([.insert(at: 0), .delete(at: 9)], oldCount: 60)
    // The last attributes are those of an item deleted by the first batch, which keeps its old index while it leaves.
    for look in before.dropLast() where look.attributes.index != 9 {
      let new = try #require(map.newIndex(ofItemAt: look.attributes.index))
      #expect(now.contains { $0.attributes.index == new && $0.looksLike(look) })
    }
    #expect(now.suffix(2).contains(try #require(before.last)))
    try settle(view)
  }

  @Test func aLayoutIsCalledInTheOrderOfUIKit() throws {
    let layout = try LoggingLayout()
    let view = try CollectionView(layout: layout, itemCount: 30, size: phone)
    layout.log = []
    try view.performBatchUpdates([.insert(at: 0), .delete(at: 4)])
    #expect(layout.log == ["prepare", "updates 2", "final", "initial", "finalize updates"])
    layout.log = []
    try view.rotate(to: landscape)
    #expect(layout.log == ["prepare", "bounds", "final", "initial", "finalize bounds"])
    layout.log = []
    try view.rotate(to: phone, announcement: .beforePreparation)
    #expect(layout.log == ["bounds", "prepare", "final", "initial", "finalize bounds"])
  }

  @Test(arguments: CollectionView.BoundsAnnouncement.allCases, [0, 230])
  func aRotationMovesItemsSmoothlyFromOldToNewPlaces(_ announcement: CollectionView.BoundsAnnouncement, offset: Double)
    throws
  {
    let view = try grid(200, offset: offset)
    let before = view.presentedAttributes()
    let origin = view.bounds.origin
    try view.rotate(to: landscape, announcement: announcement)
    let shift = Point(x: view.bounds.minX - origin.x, y: view.bounds.minY - origin.y)
    var previous = view.presentedAttributes()
    for look in before {
      guard let start = previous.first(where: { $0.attributes.index == look.attributes.index }) else {
        // An item may be missing only if it lies below the lower edge of the landscape screen.
        #expect(look.frame.minY - origin.y >= landscape.height)
        continue
      }
      #expect(start == look.moved(by: shift))
    }
    for shown in try settle(view) {
      #expect(shown.allSatisfy { $0.alpha == 1 && $0.scale == 1 && $0.rotation == 0 })
      for look in shown {
        guard let old = previous.first(where: { $0.attributes.index == look.attributes.index }) else { continue }
        let (a, b) = (old.attributes.center, look.attributes.center)
        #expect(hypot(a.x - b.x, a.y - b.y) < 80)
      }
      #expect(Set(shown.map(\.attributes.index)).count == shown.count)
      previous = shown
    }
    let plain = try CollectionView(
      layout: FlowLayout(), itemCount: 200, size: landscape, contentOffset: view.scrollOffset)
    #expect(view.visibleAttributes() == plain.visibleAttributes())
  }

  @Test(arguments: CollectionView.BoundsAnnouncement.allCases)
  func theMistakeOfTheArticleLetsFlyAllThatARotationShowsAndTheLayoutDoesNot(
    _ announcement: CollectionView.BoundsAnnouncement
  ) throws {
    func flying(_ layout: FlowLayout) throws -> Set<Int> {
      let view = try CollectionView(layout: layout, itemCount: 200, size: phone, contentOffset: 400)
      try view.rotate(to: landscape, announcement: announcement)
      for _ in 0..<6 { view.step(by: 1 / 60) }
      let flying = Set(view.presentedAttributes().filter { $0.scale != 1 || $0.rotation != 0 }.map(\.attributes.index))
      #expect(flying.isEmpty || flying.isSuperset(of: view.visibleAttributes().map(\.index)))
      return flying
    }
    #expect(try flying(MistakenLayout()).count > 20)
    #expect(try flying(AnimatedFlowLayout()).isEmpty)
  }

  @Test(arguments: [true, false]) func anInsertionAndARotationAgreeInEitherOrder(insertsFirst: Bool) throws {
    let view = try grid(60)
    func insert() throws { try view.performBatchUpdates([.insert(at: 4)]) }
    func rotate() throws { try view.rotate(to: landscape) }
    if insertsFirst { try insert() } else { try rotate() }
    for _ in 0..<5 { view.step(by: 1 / 60) }
    if insertsFirst { try rotate() } else { try insert() }
    view.step(by: 1 / 60)
    // Only the inserted item is scaled or rotated, whether the insertion or the rotation of the device came first.
    let odd = view.presentedAttributes().filter { $0.scale != 1 || $0.rotation != 0 }
    #expect(odd.allSatisfy { $0.attributes.index == 4 } && odd.count <= 1)
    #expect(view.animations.look(ofItemAt: 4).map { $0.scale < 1 } == true)
    try settle(view)
    let plain = try CollectionView(layout: FlowLayout(), itemCount: 61, size: landscape)
    #expect(view.visibleAttributes() == plain.visibleAttributes())
  }

  @Test func everythingAndTheVisibleLookTheSameWhereRowsOnlyMakeWay() throws {
    var looks: [[[AnimatedAttributes]]] = []
    for scope in [AnimationScope.everything, .visible] {
      var options = AnimationOptions()
      options.scope = scope
      let view = try grid(3_000, offset: 4_000)
      var updates = RandomUpdates(seed: 3)
      var frames: [[AnimatedAttributes]] = []
      for step in 0..<240 {
        if step.isMultiple(of: 40) {
          let middle = Int.random(in: 385...400, using: &updates.random)
          try view.performBatchUpdates([.insert(at: middle), .delete(at: middle + 11)], options: options)
          #expect(scope == .visible ? view.animatedItemCount < 80 : view.animatedItemCount > 5)
        }
        view.step(by: 1 / 60)
        frames.append(view.presentedAttributes().sorted { $0.attributes.index < $1.attributes.index })
      }
      looks.append(frames)
    }
    #expect(looks[0] == looks[1])
    #expect(looks[0][1] != looks[0][2])
  }

  @Test func aPinchedItemResizesOnTopAndReturnsInABatchUpdate() throws {
    let layout = try AnimatedFlowLayout()
    let view = try CollectionView(layout: layout, itemCount: 100, size: phone)
    let place = try #require(layout.layoutAttributesForItem(at: 8))
    let item = try #require(view.indexForItem(at: place.center))
    #expect(item == 8)
    for distance in [60.0, 120, 200] {
      try layout.pinchItem(at: item, distance: distance)
      try view.prepareLayout()
      let shown = view.presentedAttributes()
      let pinched = try #require(shown.first { $0.attributes.index == 8 }).attributes
      #expect(pinched.size == Size(width: distance, height: distance) && pinched.center == place.center)
      #expect(shown.allSatisfy { $0.attributes.index == 8 || $0.attributes.zIndex < pinched.zIndex })
      #expect(view.indexForItem(at: Point(x: place.center.x + 29, y: place.center.y)) == 8)
    }
    // The same item stays pinched when rows are inserted before it.
    try view.performBatchUpdates([.insert(at: 0), .insert(at: 1)])
    #expect(layout.pinchedItem == 10)
    try settle(view)
    try view.performBatchUpdates([], changes: layout.resetPinchedItem)
    #expect(view.animatedItemCount == 1)
    var previous = 200.0
    for _ in 0..<14 {
      view.step(by: 1 / 60)
      let look = try #require(view.presentedAttributes().first { $0.attributes.index == 10 }).attributes
      #expect(look.size.width < previous && look.size.width > 44)
      #expect(look.zIndex == AnimatedFlowLayout.pinchedZIndex)
      previous = look.size.width
    }
    try settle(view)
    #expect(layout.layoutAttributesForItem(at: 10)?.size == Size(width: 44, height: 44))
    try layout.pinchItem(at: 3, distance: 90)
    try view.performBatchUpdates([.delete(at: 3)])
    #expect(layout.pinchedItem == nil)
  }

  @Test func aPinchedItemIsInViewWhereItsPlaceIsNot() throws {
    let layout = try AnimatedFlowLayout()
    let view = try CollectionView(layout: layout, itemCount: 100, size: phone, contentOffset: 120)
    #expect(!view.visibleAttributes().contains { $0.index == 2 })
    try layout.pinchItem(at: 2, distance: 250)
    try view.prepareLayout()
    #expect(view.visibleAttributes().first?.index == 2)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func noFrameOfAnAnimationAllocates() throws {
    for scope in [AnimationScope.visible, .everything] {
      var options = AnimationOptions()
      options.scope = scope
      options.duration = 0.5
      let view = try grid(1_000, offset: 500)
      for round in 0..<12 {
        try view.performBatchUpdates([.insert(at: 80), .delete(at: 90)], options: options)
        if round.isMultiple(of: 3) {
          try view.rotate(to: Size(width: view.bounds.size.height, height: view.bounds.size.width), options: options)
        }
        var shown = view.presentedAttributes().count
        view.step(by: 1 / 60)
        shown += view.presentedAttributes().count
        let before = allocation_counter_this_thread().count
        for _ in 0..<40 {
          view.step(by: 1 / 60)
          shown += view.presentedAttributes().count
        }
        let allocations = allocation_counter_this_thread().count - before
        #expect(round < 4 || allocations == 0)
        #expect(shown > 400 && view.animatedItemCount == 0)
      }
    }
  }
}
