import CAllocationCounter
import Dynamics
import Testing

@testable import CollectionLayout

/// Tests transitions between layouts of a view, and between views.
@Suite struct TransitionTests {
  private func small() throws -> FlowLayout { try FlowLayout() }

  private func large() throws -> FlowLayout {
    var options = FlowOptions()
    options.itemSize = Size(width: 140, height: 90)
    return try FlowLayout(options)
  }

  private func view(_ count: Int = 300, offset: Double = 0) throws -> CollectionView {
    try CollectionView(layout: small(), itemCount: count, size: phone, contentOffset: offset)
  }

  /// Returns the centers of the visible items on the screen, keyed by index.
  private func onScreen(_ view: CollectionView) -> [Int: Point] {
    Dictionary(
      uniqueKeysWithValues: view.visibleAttributes().map {
        ($0.index, Point(x: $0.center.x - view.bounds.minX, y: $0.center.y - view.bounds.minY))
      })
  }

  private func distance(_ a: [Int: Point], _ b: [Int: Point]) -> Double {
    a.map { index, place in b[index].map { max(abs($0.x - place.x), abs($0.y - place.y)) } ?? 0 }.max() ?? 0
  }

  private func run(_ view: CollectionView, frames: Int) throws {
    for _ in 0..<frames {
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
  }

  @Test func aTransitionMovesEachItemStraightFromOldToNewPlaceOnTheScreen() throws {
    let view = try view(offset: 700)
    let next = try large()
    let start = onScreen(view)
    var options = AnimationOptions()
    options.duration = 0.5
    try view.startTransition(to: next, options: options)
    #expect(onScreen(view) == start)
    try run(view, frames: 15)
    #expect(abs(try #require(view.transitionProgress) - 0.5) < 1e-9)
    let half = onScreen(view)
    try run(view, frames: 14)
    let nearlyThere = onScreen(view)
    try run(view, frames: 1)
    #expect(view.layout === next && view.transitionProgress == nil)
    let end = onScreen(view)
    #expect(distance(nearlyThere, end) < 25)
    var common = 0
    for (index, place) in half {
      guard let a = start[index], let b = end[index] else { continue }
      #expect(abs(place.x - (a.x + b.x) / 2) < 1e-9 && abs(place.y - (a.y + b.y) / 2) < 1e-9)
      common += 1
    }
    #expect(common > 5)
    let plain = try CollectionView(layout: large(), itemCount: 300, size: phone, contentOffset: view.scrollOffset)
    #expect(view.visibleAttributes() == plain.visibleAttributes())
  }

  @Test func thereAndBackEndsWhereItBegan() throws {
    let view = try view(offset: 1_000)
    let (first, second) = (view.layout, try large())
    let middle = try #require(view.indexForItem(at: Point(x: 32, y: 1_284)))
    let start = onScreen(view)
    try view.startTransition(to: second, showing: middle)
    try run(view, frames: 20)
    #expect(view.layout === second && view.visibleAttributes().contains { $0.index == middle })
    try view.startTransition(to: first, showing: middle)
    try run(view, frames: 20)
    #expect(view.layout === first)
    #expect(abs(view.scrollOffset - 1_000) < 44)
    #expect(onScreen(view).count >= start.count - 5)
  }

  @Test func aTransitionCanBeStoppedMovedByHandAndTurnedRoundHalfWay() throws {
    let view = try view(offset: 300)
    let first = view.layout
    let start = onScreen(view)
    var options = AnimationOptions()
    options.duration = 0.4
    try view.startTransition(to: large(), options: options)
    try run(view, frames: 12)
    let half = onScreen(view)
    // When the transition is reversed, nothing jumps. Items return along the same path.
    try view.cancelTransition()
    #expect(onScreen(view) == half)
    try run(view, frames: 6)
    #expect(abs(try #require(view.transitionProgress) - 0.25) < 1e-9)
    // A transition that the user catches stops at its current progress.
    try view.updateTransition(progress: 0.25)
    let caught = onScreen(view)
    try run(view, frames: 10)
    #expect(onScreen(view) == caught)
    try view.updateTransition(progress: 0.8)
    #expect(onScreen(view) != caught)
    try view.cancelTransition()
    try run(view, frames: 21)
    #expect(view.layout === first && onScreen(view) == start && view.scrollOffset == 300)
  }

  @Test func theDataSourceIsHandedOverAtTheEndAndNotBefore() throws {
    let (all, selected) = (Numbers(0..<300), Numbers(repeatElement(7, count: 300)))
    let view = try view()
    let first = view.layout
    try view.setDataSource(all)
    try view.startTransition(to: large(), dataSource: selected)
    #expect(view.dataSource === all)
    try view.cancelTransition()
    try run(view, frames: 30)
    #expect(view.layout === first && view.dataSource === all)
    try view.startTransition(to: large(), dataSource: selected)
    try run(view, frames: 30)
    #expect(view.dataSource === selected)
    #expect(view.visibleAttributes().allSatisfy { view.dataSource?.contents(ofItemAt: $0.index) == 7 })
    try view.startTransition(to: first, dataSource: all)
    try run(view, frames: 30)
    #expect(view.layout === first && view.dataSource === all)
  }

  @Test func whatCannotBeIsNamedAndChangesNothing() throws {
    let view = try view()
    let first = view.layout
    #expect(throws: LayoutError.noTransition) { try view.finishTransition() }
    #expect(throws: LayoutError.noTransition) { try view.cancelTransition() }
    #expect(throws: LayoutError.noTransition) { try view.updateTransition(progress: 0.5) }
    #expect(throws: LayoutError.noSuchItem(index: 300, count: 300)) {
      try view.startTransition(to: large(), showing: 300)
    }
    let few = Numbers(0..<5)
    #expect(throws: LayoutError.unequalItemCounts(current: 300, next: 5)) {
      try view.startTransition(to: large(), dataSource: few, items: IndexMap(oldCount: 300, newCount: 300))
    }
    #expect(throws: LayoutError.unequalItemCounts(current: 300, next: 5)) {
      try view.startTransition(to: large(), items: IndexMap(oldCount: 5, newCount: 5))
    }
    #expect(throws: LayoutError.noSuchItem(index: 7, count: 5)) {
      try view.startTransition(to: large(), dataSource: few, showing: 7)
    }
    var options = AnimationOptions()
    options.duration = .nan
    #expect(throws: LayoutError.self) { try view.startTransition(to: large(), options: options) }
    #expect(view.layout === first && view.transitionProgress == nil)
    try view.startTransition(to: large(), isInteractive: true)
    for progress in [Double.nan, -0.1, 1.5] {
      #expect(throws: LayoutError.self) { try view.updateTransition(progress: progress) }
    }
    #expect(view.transitionProgress == 0)
    #expect(throws: LayoutError.transitionUnderWay) { try view.startTransition(to: large()) }
    #expect(throws: LayoutError.transitionUnderWay) { try view.performBatchUpdates([.delete(at: 0)]) }
    #expect(throws: LayoutError.transitionUnderWay) { try view.rotate(to: phone) }
    #expect(throws: LayoutError.transitionUnderWay) { try view.appendItems(1) }
    #expect(view.itemCount == 300)
  }

  @Test(arguments: [nil, 2_900], [3_000, 1_500, 3_200]) func allItemsAndTheVisibleOnesMakeTheSamePictures(
    showing item: Int?, nextCount: Int
  ) throws {
    var pictures: [[[AnimatedAttributes]]] = []
    let item = item.map { min($0, nextCount - 1) }
    for scope in [AnimationScope.everything, .visible] {
      let view = try view(3_000, offset: 9_000)
      var options = AnimationOptions()
      options.scope = scope
      try view.startTransition(
        to: large(), items: IndexMap(oldCount: 3_000, newCount: nextCount), showing: item, options: options)
      #expect(scope == .everything ? view.animatedItemCount == max(3_000, nextCount) : view.animatedItemCount < 110)
      var frames: [[AnimatedAttributes]] = []
      for _ in 0..<25 {
        frames.append(view.presentedAttributes())
        try run(view, frames: 1)
      }
      pictures.append(frames)
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func aSpringyListIsReachedAndLeftByATransition() throws {
    let view = try view(500, offset: 400)
    let springy = try ExactSpringLayout(flow: .messages)
    try view.startTransition(to: springy)
    try run(view, frames: 30)
    #expect(view.layout === springy)
    for step in 0..<60 {
      view.scroll(to: view.scrollOffset + 11, touch: Point(x: 10, y: Double(step)))
      try run(view, frames: 1)
    }
    #expect(springy.springs.maximumDisplacement > 1)
    try view.startTransition(to: small())
    try run(view, frames: 30)
    #expect(view.layout is FlowLayout && !view.visibleAttributes().isEmpty)
  }

  // MARK: Between views

  private let container = Rect(x: 0, y: 0, width: 320, height: 568)

  private func between(
    _ method: CollectionViewTransition.Method, counts: (Int, Int) = (200, 200), duration: Double = 0.5
  ) throws -> (transition: CollectionViewTransition, source: CollectionView, target: CollectionView) {
    // As in article 4 of docs/sources.md, a strip of one line grows into a grid that fills the screen.
    var strip = FlowOptions()
    strip.scrollDirection = .horizontal
    let source = try CollectionView(layout: FlowLayout(strip), itemCount: counts.0, size: Size(width: 320, height: 64))
    source.scroll(to: 500)
    let target = try CollectionView(layout: large(), itemCount: counts.1, size: phone, contentOffset: 300)
    let transition = try CollectionViewTransition(
      from: source, at: Rect(x: 0, y: 250, width: 320, height: 64), to: target, at: container, in: container,
      method: method, duration: duration)
    return (transition, source, target)
  }

  @Test(arguments: CollectionViewTransition.Method.allCases)
  func aTransitionBetweenViewsBeginsAsTheOneAndEndsAsTheOther(_ method: CollectionViewTransition.Method) throws {
    let (transition, source, target) = try between(method)
    let start = transition.items()
    #expect(transition.stage == .source)
    for item in source.visibleAttributes() {
      let look = try #require(start.first { $0.attributes.index == item.index })
      #expect(look.attributes.center == Point(x: item.center.x - 500, y: item.center.y + 250))
    }
    transition.finish()
    for _ in 0..<15 { transition.step(by: 1 / 60) }
    #expect(transition.stage == .underWay && abs(transition.progress - 0.5) < 1e-9)
    #expect(abs(transition.frame.minY - 125) < 1e-9 && abs(transition.frame.maxY - 441) < 1e-9)
    for _ in 0..<15 { transition.step(by: 1 / 60) }
    #expect(transition.stage == .target && transition.frame == container)
    let shown = Dictionary(uniqueKeysWithValues: transition.items().map { ($0.attributes.index, $0.attributes.center) })
    let expected = target.visibleAttributes()
    for item in expected {
      let center = shown[item.index]
      if method == .snapshots, center == nil { continue }
      #expect(center == Point(x: item.center.x, y: item.center.y - 300))
    }
    // Snapshots show only the items that were visible at first. The methods with layout attributes show all items.
    let missing = expected.count { shown[$0.index] == nil }
    #expect(method == .snapshots ? missing > 0 : missing == 0)
  }

  @Test(arguments: CollectionViewTransition.Method.allCases) func aTransitionBetweenViewsCanBeTurnedRoundHalfWay(
    _ method: CollectionViewTransition.Method
  ) throws {
    let (transition, _, _) = try between(method)
    let start = transition.items()
    transition.finish()
    for _ in 0..<12 { transition.step(by: 1 / 60) }
    let half = transition.items()
    transition.cancel()
    #expect(transition.items() == half)
    for _ in 0..<12 { transition.step(by: 1 / 60) }
    #expect(transition.stage == .source && transition.items() == start)
    try transition.update(progress: 0.3)
    transition.step(by: 1)
    #expect(transition.progress == 0.3)
    transition.finish()
    transition.step(by: 1)
    #expect(transition.stage == .target)
    #expect(throws: LayoutError.self) { try transition.update(progress: .nan) }
  }

  @Test func itemsThatOnlyOneViewHasFade() throws {
    let (shrinking, _, _) = try between(.layoutAttributes, counts: (200, 12))
    try shrinking.update(progress: 0.5)
    let fading = shrinking.items().filter { $0.alpha < 1 }
    #expect(!fading.isEmpty && fading.allSatisfy { $0.attributes.index >= 12 && $0.alpha == 0.5 })
    let (growing, _, _) = try between(.allLayoutAttributes, counts: (3, 200))
    #expect(growing.itemCount == 200)
    try growing.update(progress: 0.9)
    #expect(growing.items().contains { $0.attributes.index >= 3 && abs($0.alpha - 0.9) < 1e-9 })
  }

  @Test func theArticlesWayMovesOnlyWhatEitherViewShowsAndLooksAsIfAllMoved() throws {
    let (few, _, _) = try between(.layoutAttributes, counts: (5_000, 5_000))
    let (all, _, _) = try between(.allLayoutAttributes, counts: (5_000, 5_000))
    #expect(few.itemCount < 40 && all.itemCount == 5_000)
    for progress in [0, 1.0] {
      try few.update(progress: progress)
      try all.update(progress: progress)
      #expect(few.items() == all.items())
    }
  }

  @Test func framesThatAreNotTheViewsAreRefused() throws {
    let view = try view()
    let small = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(throws: LayoutError.invalidFrame(small, viewSize: phone)) {
      try CollectionViewTransition(
        from: view, at: small, to: view, at: container, in: container, method: .snapshots, duration: 1)
    }
    #expect(throws: LayoutError.invalidOption(name: "duration", value: -1)) { try between(.snapshots, duration: -1) }
  }

  @Test func aTimestepThatIsNoneDoesNotMoveATransition() throws {
    let (transition, _, _) = try between(.snapshots)
    transition.finish()
    for timestep in [-1, .nan] { transition.step(by: timestep) }
    #expect(transition.progress == 0)
    transition.step(by: 1)
    #expect(transition.stage == .target)
  }

  @Test(.enabled(if: allocation_counter_is_active())) func noFrameOfATransitionAllocates() throws {
    let view = try view(2_000, offset: 700)
    let (transition, _, _) = try between(.layoutAttributes)
    var options = AnimationOptions()
    options.duration = 1
    try view.startTransition(to: large(), options: options)
    transition.finish()
    func frame() throws -> Int {
      view.step(by: 1 / 100)
      try view.prepareLayout()
      transition.step(by: 1 / 200)
      return view.visibleAttributes().count + view.presentedAttributes().count + transition.items().count
    }
    var shown = 0
    // In these frames, the arrays for the visible items grow to their final size, so that later frames need not
    // allocate.
    for _ in 0..<99 { shown += try frame() }
    try view.updateTransition(progress: 0)
    try view.finishTransition()
    try transition.update(progress: 0)
    transition.finish()
    let before = allocation_counter_this_thread().count
    for _ in 0..<80 { shown += try frame() }
    let allocations = allocation_counter_this_thread().count - before
    #expect(allocations == 0)
    #expect(shown > 1_000 && view.transitionProgress != nil)
  }
}
