import CollectionLayout
import Dynamics
import Testing

/// A flow of items of some size.
private final class SizedLayout: CollectionViewFlowLayout {
  convenience init(_ size: Size) {
    self.init()
    itemSize = size
    sectionInset = EdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
  }
}

@Suite struct LayoutChangeTests {
  private let sizes = (small: Size(width: 44, height: 44), large: Size(width: 90, height: 120))

  private func options(_ size: Size) -> FlowOptions {
    var options = FlowOptions()
    options.itemSize = size
    return options
  }

  private func step(_ views: [CollectionView]) throws {
    for view in views {
      view.step(by: 1 / 60)
      try view.prepareLayout()
    }
    #expect(difference(views[0], views[1]) < 1e-6)
  }

  @Test func itemsFlyToTheOtherLayoutAsInTheReadyOnes() throws {
    let numbers = Numbers(200)
    let view = CollectionView(frame: phone, collectionViewLayout: SizedLayout(sizes.small))
    view.dataSource = numbers
    let ready = try CollectionView(
      layout: FlowLayout(options(sizes.small)), itemCount: 200, size: phone.size)
    for view in [view, ready] { view.scroll(to: 700) }
    for size in [sizes.large, sizes.small, sizes.large] {
      let next = SizedLayout(size)
      var completed: Bool?
      try view.setCollectionViewLayout(next, animated: true) { completed = $0 }
      try ready.startTransition(to: FlowLayout(options(size)))
      for frame in 1...20 {
        try step([view, ready])
        #expect((completed == true) == (frame >= 15))
      }
      #expect(view.collectionViewLayout === next && next.collectionView === view)
    }
  }

  @Test func aHandCanMoveTheTransition() throws {
    let numbers = Numbers(200)
    let first = SizedLayout(sizes.small)
    let view = CollectionView(frame: phone, collectionViewLayout: first)
    view.dataSource = numbers
    let ready = try CollectionView(
      layout: FlowLayout(options(sizes.small)), itemCount: 200, size: phone.size)
    var finished: Bool?
    let between = try view.startInteractiveTransition(to: SizedLayout(sizes.large)) { finished = $0 }
    try ready.startTransition(to: FlowLayout(options(sizes.large)), isInteractive: true)
    for progress in [0.1, 0.25, 0.7, 0.4] {
      between.transitionProgress = progress
      between.invalidateLayout()
      try ready.updateTransition(progress: progress)
      try step([view, ready])
    }
    try view.cancelInteractiveTransition()
    try ready.cancelTransition()
    for _ in 0..<12 { try step([view, ready]) }
    #expect(finished == false && view.collectionViewLayout === first)
  }

  @Test func aLayoutCanBeExchangedAtOnce() throws {
    let numbers = Numbers(200)
    let old = SizedLayout(sizes.small)
    let view = CollectionView(frame: phone, collectionViewLayout: old)
    view.dataSource = numbers
    view.collectionViewLayout = SizedLayout(sizes.large)
    #expect(view.visibleAttributes().allSatisfy { $0.size == sizes.large })
    #expect(old.collectionView == nil)
  }
}
