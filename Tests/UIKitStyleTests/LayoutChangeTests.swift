import CollectionLayout
import Dynamics
import Testing
import UIKit

@Suite struct LayoutChangeTests {
  private let sizes = (small: Size(width: 44, height: 44), large: Size(width: 80, height: 120))

  private func layout(_ size: Size) -> SizedLayout { SizedLayout(CGSize(width: size.width, height: size.height)) }

  private func step(_ view: UICollectionView, _ ready: CollectionView) throws {
    try stepBoth(view, ready)
    #expect(difference(view, ready) < 1e-6)
  }

  @Test func itemsFlyToTheOtherLayoutAsInTheReadyOnes() throws {
    let numbers = Numbers(200)
    let view = UICollectionView(frame: phone, collectionViewLayout: layout(sizes.small))
    view.dataSource = numbers
    let ready = try CollectionView(layout: FlowLayout(fullLines(sizes.small)), itemCount: 200, size: phoneSize)
    view.scroll(to: CGPoint(x: 0, y: 700))
    ready.scroll(to: 700)
    for size in [sizes.large, sizes.small, sizes.large] {
      let next = layout(size)
      var completed: Bool?
      view.startInteractiveTransition(to: next) { completed = $1 }
      view.finishInteractiveTransition()
      try ready.startTransition(to: FlowLayout(fullLines(size)))
      for frame in 1...20 {
        try step(view, ready)
        #expect((completed == true) == (frame >= 15))
      }
      #expect(view.collectionViewLayout === next && next.collectionView === view)
    }
  }

  @Test func aHandCanMoveTheTransition() throws {
    let numbers = Numbers(200)
    let first = layout(sizes.small)
    let view = UICollectionView(frame: phone, collectionViewLayout: first)
    view.dataSource = numbers
    let ready = try CollectionView(layout: FlowLayout(fullLines(sizes.small)), itemCount: 200, size: phoneSize)
    var finished: Bool?
    let between = view.startInteractiveTransition(to: layout(sizes.large)) { finished = $1 }
    try ready.startTransition(to: FlowLayout(fullLines(sizes.large)), isInteractive: true)
    for progress in [0.1, 0.25, 0.7, 0.4] {
      between.transitionProgress = CGFloat(progress)
      between.invalidateLayout()
      try ready.updateTransition(progress: progress)
      try step(view, ready)
    }
    view.cancelInteractiveTransition()
    try ready.cancelTransition()
    for _ in 0..<12 { try step(view, ready) }
    #expect(finished == false && view.collectionViewLayout === first)
  }

  @Test func aLayoutCanBeExchangedAtOnce() throws {
    let numbers = Numbers(200)
    let old = layout(sizes.small)
    let view = UICollectionView(frame: phone, collectionViewLayout: old)
    view.dataSource = numbers
    view.collectionViewLayout = layout(sizes.large)
    #expect(view.visibleAttributes().allSatisfy { $0.size == CGSize(width: 80, height: 120) })
    #expect(old.collectionView == nil)
  }
}
