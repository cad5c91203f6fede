import CAllocationCounter
import CollectionLayout
import Dynamics
import Foundation
import Testing

/// Tests drags of several items out of a flow layout.
@Suite struct DragTests {
  private func drag(_ count: Int = 1_000) throws -> (view: CollectionView, layout: DraggableLayout) {
    var options = FlowOptions()
    options.itemSize = Size(width: 20, height: 20)
    let layout = try DraggableLayout(options)
    return (try CollectionView(layout: layout, itemCount: count, size: Size(width: 1024, height: 1024)), layout)
  }

  private func place(_ layout: CollectionViewLayout, _ index: Int) throws -> LayoutAttributes {
    try #require(layout.layoutAttributesForItem(at: index))
  }

  /// The index of an item at (530, 470). Rows have 33 items, 30 points apart.
  private static let middle = 15 * 33 + 17

  @Test(arguments: [1, 10, 40]) func draggedItemsFollowTheFingerInFormationOnTopAndTheOthersStay(count: Int) throws {
    let (view, layout) = try drag()
    let rest = view.visibleAttributes().map(\.self)
    #expect(rest.count == 1_000)
    // The selected items are up to about 130 points from the finger.
    let selection = (0..<count).map { (11 + $0 / 8) * 33 + 6 + $0 % 8 }
    let start = Point(x: 300, y: 400)
    try layout.startDragging(selection.reversed(), at: start)
    #expect(layout.draggedIndices == selection)
    for frame in 1...60 {
      try layout.drag(to: Point(x: 300 + Double(frame), y: 400 - 2 * Double(frame)))
      view.step(by: 1 / 60)
    }
    #expect(try place(layout, selection[0]).center != rest[selection[0]].center)
    for _ in 0..<2_000 where layout.animator.isRunning { view.step(by: 1 / 60) }
    let visible = view.visibleAttributes()
    #expect(visible.map(\.index) == Array(0..<1_000))
    for attributes in visible {
      let home = rest[attributes.index].center
      if selection.contains(attributes.index) {
        #expect(attributes.zIndex > 0)
        #expect(hypot(attributes.center.x - home.x - 60, attributes.center.y - home.y + 120) < 0.5)
      } else {
        #expect(attributes == rest[attributes.index])
      }
    }
    let moved = rest[selection[0]].center
    let itemOnTop = try #require(view.indexForItem(at: Point(x: moved.x + 60, y: moved.y - 120)))
    #expect(layout.isDragged(itemOnTop) && !layout.isDragged(0))
  }

  @Test func aDragOfNothingIsNoDrag() throws {
    let (view, layout) = try drag()
    try layout.startDragging([], at: .zero)
    view.step(by: 1 / 60)
    layout.endDragging()
    #expect(!layout.isReturning)
  }

  @Test func onReleaseTheySpringBackAndTheStateIsClearedWhenTheAnimatorPauses() throws {
    let (view, layout) = try drag()
    let rest = view.visibleAttributes().map(\.self)
    let (near, far) = (Self.middle, Self.middle + 35)
    try layout.startDragging([near, far], at: Point(x: 500, y: 500))
    try layout.drag(to: Point(x: 700, y: 300))
    for _ in 0..<60 { view.step(by: 1 / 60) }
    layout.endDragging()
    #expect(layout.isReturning && layout.draggedIndices == [near, far])
    // This has no effect, because the finger has let go.
    try layout.drag(to: Point(x: 900, y: 900))
    var frames = 0
    while layout.animator.isRunning, frames < 600 {
      view.step(by: 1 / 60)
      frames += 1
      if frames == 3 { #expect(try place(layout, near).center != rest[near].center) }
      if layout.animator.isRunning { #expect(try place(layout, near).zIndex == DraggableLayout.draggedZIndex) }
    }
    #expect(frames < 400)
    #expect(layout.draggedIndices.isEmpty && !layout.isReturning && layout.animator.behaviors.isEmpty)
    #expect(view.visibleAttributes() == rest)
  }

  @Test func anItemThatIsHeldStillIsNotLetGoOfWhenTheAnimatorPauses() throws {
    let (view, layout) = try drag()
    try layout.startDragging([Self.middle], at: Point(x: 500, y: 500))
    for _ in 0..<300 { view.step(by: 1 / 60) }
    #expect(!layout.animator.isRunning && layout.draggedIndices == [Self.middle])
    try layout.drag(to: Point(x: 510, y: 500))
    #expect(layout.animator.isRunning)
  }

  @Test func aNewDragTakesTheItemsOfTheOneBefore() throws {
    let (view, layout) = try drag()
    let (first, second, third) = (Self.middle, Self.middle + 1, Self.middle + 2)
    let home = try place(layout, second).center
    try layout.startDragging([first, second], at: Point(x: 500, y: 500))
    try layout.drag(to: Point(x: 550, y: 500))
    for _ in 0..<30 { view.step(by: 1 / 60) }
    layout.endDragging()
    for _ in 0..<3 { view.step(by: 1 / 60) }
    let taken = try place(layout, second).center
    try layout.startDragging([second, third], at: home)
    #expect(layout.draggedIndices == [second, third] && !layout.isReturning)
    #expect(layout.animator.behaviors.count == 1)
    try layout.drag(to: Point(x: 100, y: 700))
    for _ in 0..<120 { view.step(by: 1 / 60) }
    // The item keeps the offset from the finger that it had when the second drag began.
    #expect(abs(try place(layout, second).center.y - (700 + taken.y - home.y)) < 0.5)
  }

  @Test func draggedItemsKeepTheirHoldThroughUpdatesAndReturnToTheirNewPlaces() throws {
    let (view, layout) = try drag(100)
    let offset = try place(layout, 12).center.x - place(layout, 10).center.x
    try layout.startDragging([10, 11, 12], at: try place(layout, 11).center)
    try layout.drag(to: Point(x: 500, y: 500))
    for _ in 0..<300 { view.step(by: 1 / 60) }
    try view.performBatchUpdates([.insert(at: 0), .delete(at: 11), .move(from: 12, to: 2)])
    #expect(layout.draggedIndices == [2, 12])
    for _ in 0..<300 { view.step(by: 1 / 60) }
    // After the updates, item 10 has index 12, and item 12 has index 2.
    #expect(abs(try place(layout, 2).center.x - place(layout, 12).center.x - offset) < 0.5)
    #expect(abs(try place(layout, 2).center.y - 500) < 0.5)
    layout.endDragging()
    for _ in 0..<900 where layout.animator.isRunning { view.step(by: 1 / 60) }
    #expect(layout.draggedIndices.isEmpty && view.visibleAttributes().map(\.index) == Array(0..<100))
    try layout.startDragging([4], at: Point(x: 500, y: 500))
    try view.performBatchUpdates([.delete(at: 4)])
    #expect(layout.draggedIndices.isEmpty && layout.animator.behaviors.isEmpty)
  }

  @Test func anItemTakenWhileAnUpdateMovesItIsShownAtTheFinger() throws {
    let (view, layout) = try drag()
    func shown(_ index: Int) throws -> AnimatedAttributes {
      try #require(view.presentedAttributes().first { $0.attributes.index == index })
    }
    func distance(_ a: Point, _ b: Point) -> Double { hypot(a.x - b.x, a.y - b.y) }
    try view.performBatchUpdates([.move(from: 3, to: 700), .insert(at: 40)])
    for _ in 0..<4 { view.step(by: 1 / 60) }
    let taken = try (shown(700).attributes.center, shown(40))
    #expect(distance(taken.0, try place(layout, 700).center) > 300)
    try layout.startDragging([700], at: taken.0)
    #expect(try shown(700).attributes.center == taken.0)
    for frame in 1..<40 {
      let finger = Point(x: taken.0.x + Double(frame), y: taken.0.y)
      try layout.drag(to: finger)
      if frame == 3 { try view.performBatchUpdates([.insert(at: 0), .delete(at: 0)]) }
      view.step(by: 1 / 60)
      #expect(distance(try shown(700).attributes.center, finger) < 10)
    }
    layout.cancelDragging()
    #expect(try shown(700).attributes == place(layout, 700))
  }

  @Test func anItemTakenWhileItAppearsGoesOnAppearing() throws {
    let (view, layout) = try drag()
    func shown() throws -> AnimatedAttributes {
      try #require(view.presentedAttributes().first { $0.attributes.index == 40 })
    }
    try view.performBatchUpdates([.insert(at: 40)])
    for _ in 0..<4 { view.step(by: 1 / 60) }
    var alpha = try shown().alpha
    try layout.startDragging([40], at: Point(x: 400, y: 800))
    #expect(try shown().alpha == alpha)
    for frame in 0..<20 {
      if frame == 3 { layout.cancelDragging() }
      view.step(by: 1 / 60)
      let look = try shown()
      #expect(look.alpha > alpha || look.alpha == 1)
      #expect(try look.attributes.center == place(layout, 40).center)
      alpha = look.alpha
    }
    #expect(alpha == 1)
  }

  @Test func anItemTakenAgainOnItsWayBackDoesNotJump() throws {
    let (view, layout) = try drag()
    try layout.startDragging([5], at: Point(x: 500, y: 500))
    for _ in 0..<60 { view.step(by: 1 / 60) }
    layout.endDragging()
    for _ in 0..<4 { view.step(by: 1 / 60) }
    let seen = try place(layout, 5).center
    #expect(hypot(seen.x - 500, seen.y - 500) > 10)
    try layout.startDragging([5], at: seen)
    #expect(try place(layout, 5).center == seen)
  }

  @Test func aBadSelectionOrPointIsNamedAndChangesNothing() throws {
    let (view, layout) = try drag(50)
    let finger = Point(x: 10, y: 10)
    #expect(throws: LayoutError.noSuchItem(index: 50, count: 50)) { try layout.startDragging([3, 50], at: finger) }
    #expect(throws: LayoutError.noSuchItem(index: -1, count: 50)) { try layout.startDragging([-1], at: finger) }
    #expect(throws: LayoutError.itemSelectedTwice(index: 3)) { try layout.startDragging([3, 4, 3], at: finger) }
    #expect(throws: LayoutError.self) { try layout.startDragging([3], at: Point(x: .nan, y: 0)) }
    #expect(layout.draggedIndices.isEmpty && layout.animator.behaviors.isEmpty)
    let home = try place(layout, 3).center
    try layout.startDragging([3], at: home)
    try layout.drag(to: finger)
    for _ in 0..<120 { view.step(by: 1 / 60) }
    #expect(throws: LayoutError.self) { try layout.drag(to: Point(x: 0, y: .infinity)) }
    #expect(throws: LayoutError.self) { try layout.startDragging([90], at: finger) }
    for _ in 0..<30 { view.step(by: 1 / 60) }
    #expect(layout.draggedIndices == [3])
    #expect(hypot(try place(layout, 3).center.x - 10, try place(layout, 3).center.y - 10) < 0.5)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func noSteadyFrameAllocatesNorDoesTheReturn() throws {
    let (view, layout) = try drag()
    let selection = (0..<36).map { (14 + $0 / 6) * 33 + 14 + $0 % 6 }
    try layout.startDragging(selection, at: Point(x: 500, y: 500))
    for frame in 0..<30 {
      try layout.drag(to: Point(x: 500 + Double(frame), y: 500))
      view.step(by: 1 / 60)
      _ = view.visibleAttributes()
    }
    let before = allocation_counter_this_thread().count
    for frame in 0..<600 {
      if frame < 100 { try layout.drag(to: Point(x: 530 - Double(frame), y: 500)) }
      if frame == 100 { layout.endDragging() }
      view.step(by: 1 / 60)
      _ = view.visibleAttributes()
    }
    let allocated = allocation_counter_this_thread().count - before
    #expect(layout.draggedIndices.isEmpty)
    // In debug builds, loops over arrays allocate their iterators.
    #if !DEBUG
      #expect(allocated == 0)
    #else
      _ = allocated
    #endif
  }
}
