import Dynamics
import Testing

@testable import CollectionLayout

/// Tests transitions to a layout that shows only some of the items, and back.
@Suite struct DetailTransitionTests {
  private func large() throws -> FlowLayout {
    var options = FlowOptions()
    options.itemSize = Size(width: 140, height: 90)
    return try FlowLayout(options)
  }

  private func view() throws -> CollectionView { try CollectionView(layout: FlowLayout(), itemCount: 300, size: phone) }

  private func run(_ view: CollectionView, frames: Int) throws {
    for _ in 0..<frames {
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
  }

  /// Returns the visible items, in the coordinates of the screen.
  private func onScreen(_ view: CollectionView) -> [AnimatedAttributes] {
    view.presentedAttributes().map { $0.moved(by: Point(x: -view.bounds.minX, y: -view.bounds.minY)) }
  }

  @Test func aDetailViewShowsOnlyTheSelectedItemAndTheOthersFade() throws {
    let (all, selected) = (Numbers(0..<300), Numbers([17]))
    let view = try view()
    let (grid, detail) = (view.layout, try large())
    try view.setDataSource(all)
    let map = try IndexMap(keeping: [17], of: 300)
    let start = onScreen(view)
    var options = AnimationOptions()
    options.duration = 0.5
    try view.startTransition(to: detail, dataSource: selected, items: map, options: options)
    #expect(onScreen(view) == start && view.itemCount == 300)
    try run(view, frames: 15)
    for look in view.presentedAttributes() {
      #expect(look.attributes.index == 17 ? look.alpha == 1 : abs(look.alpha - 0.5) < 1e-9)
    }
    // The transition is canceled half-way and reversed. All items appear again.
    try view.cancelTransition()
    try run(view, frames: 15)
    #expect(view.layout === grid && onScreen(view) == start && view.dataSource === all)
    try view.startTransition(to: detail, dataSource: selected, items: map, showing: 17, options: options)
    try run(view, frames: 30)
    #expect(view.layout === detail && view.itemCount == 1 && view.visibleAttributes().map(\.index) == [0])
    #expect(view.dataSource?.contents(ofItemAt: 0) == 17)
    // During the transition back to the grid, the items that the detail layout does not show reappear.
    try view.startTransition(to: grid, dataSource: all, items: map.inverse, options: options)
    try run(view, frames: 15)
    let layout = try #require(view.layout as? TransitionLayout)
    let half = view.presentedAttributes()
    #expect(half.first?.alpha == 1 && half.first.flatMap { layout.nextIndex(ofItemAt: $0.attributes.index) } == 17)
    #expect(half.count == start.count && view.visibleAttributes().count == 1)
    for look in half.dropFirst() {
      #expect(abs(look.alpha - 0.5) < 1e-9)
      #expect(try #require(layout.nextIndex(ofItemAt: look.attributes.index)) == look.attributes.index - 1)
    }
    try run(view, frames: 15)
    #expect(view.layout === grid && view.itemCount == 300 && onScreen(view) == start)
  }

  @Test func anyLayoutCanBeUsedAgainForAShorterList() throws {
    let flow = FlowOptions.messages
    let layouts: [CollectionViewLayout] = [
      try FlowLayout(flow), try AnimatedFlowLayout(flow), try NaiveSpringLayout(flow: flow),
      try TiledSpringLayout(flow: flow), try ExactSpringLayout(flow: flow), try DraggableLayout(flow),
      try CradleLayout(),
    ]
    for layout in layouts {
      let view = try CollectionView(layout: layout, itemCount: 40, size: phone)
      try (layout as? DraggableLayout)?.startDragging([3, 30], at: Point(x: 10, y: 10))
      try view.startTransition(to: large())
      try run(view, frames: 30)
      try view.startTransition(to: layout, items: IndexMap(keeping: [2, 9, 30], of: 40))
      try run(view, frames: 30)
      #expect(view.layout === layout && view.itemCount == 3)
      #expect(view.visibleAttributes().map(\.index) == [0, 1, 2])
    }
  }

  @Test func aMapOfWhatIsKeptNamesItemsThatDoNotExistOrComeTwice() throws {
    let map = try IndexMap(keeping: [9, 3, 4, 5], of: 10)
    #expect((0..<5).map(map.oldIndex) == [3, 4, 5, 9, nil])
    #expect((0..<10).map(map.newIndex) == [nil, nil, nil, 0, 1, 2, nil, nil, nil, 3])
    #expect((0..<10).map(map.inverse.oldIndex) == (0..<10).map(map.newIndex))
    #expect(throws: LayoutError.noSuchItem(index: 10, count: 10)) { try IndexMap(keeping: [1, 10], of: 10) }
    #expect(throws: LayoutError.itemSelectedTwice(index: 4)) { try IndexMap(keeping: [4, 3, 4], of: 10) }
    let updates = try IndexMap([.move(from: 1, to: 4), .delete(at: 2), .insert(at: 0)], oldCount: 6)
    #expect((0..<6).map(updates.inverse.newIndex) == (0..<6).map(updates.oldIndex))
    #expect((0..<6).map(updates.inverse.oldIndex) == (0..<6).map(updates.newIndex))
  }
}
