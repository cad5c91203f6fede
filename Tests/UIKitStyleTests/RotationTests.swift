import CollectionLayout
import Dynamics
import Testing

/// The article's layout while the device rotates: nothing flies that is not inserted or deleted.
private final class RotatingLayout: FlyingLayout {
  private(set) var announced: [Rect] = []

  override func prepare(forAnimatedBoundsChange oldBounds: Rect) {
    super.prepare(forAnimatedBoundsChange: oldBounds)
    announced.append(oldBounds)
  }

  override func finalizeAnimatedBoundsChange() {
    super.finalizeAnimatedBoundsChange()
    announced.append(collectionView?.bounds ?? .init(x: 0, y: 0, width: 0, height: 0))
  }
}

@Suite struct RotationTests {
  @Test func itemsMoveAsInTheReadyLayout() throws {
    let numbers = Numbers(150)
    let layout = RotatingLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(), itemCount: 150, size: phone.size)
    let landscape = Size(width: 568, height: 320)
    var script = Script(seed: 3)
    for turn in 0..<8 {
      let size = turn % 2 == 0 ? landscape : phone.size
      for view in [view, ready] { try view.rotate(to: size) }
      for _ in 0..<(3 + script.next(below: 16)) {
        #expect(difference(view, ready) < 1e-6)
        for view in [view, ready] {
          view.step(by: 1 / 60)
          try view.prepareLayout()
        }
      }
    }
    #expect(layout.announced.count == 16)
    #expect(layout.announced.prefix(2).map(\.size) == [phone.size, landscape])
  }
}
