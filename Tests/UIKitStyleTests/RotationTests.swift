import CollectionLayout
import Dynamics
import Testing
import UIKit

@Suite struct RotationTests {
  @Test func itemsMoveAsInTheReadyLayout() throws {
    let numbers = Numbers(150)
    let layout = RotatingLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let ready = try CollectionView(layout: AnimatedFlowLayout(fullLines()), itemCount: 150, size: phoneSize)
    // In both orientations the lines are exactly full, because UIKit spreads the items of other lines and `FlowLayout`
    // does not.
    let landscape = CGSize(width: 590, height: 320)
    var script = Script(seed: 3)
    for turn in 0..<8 {
      let size = turn % 2 == 0 ? landscape : phone.size
      view.rotate(to: size)
      try ready.rotate(to: Size(width: Double(size.width), height: Double(size.height)))
      for _ in 0..<(3 + script.next(below: 16)) {
        #expect(difference(view, ready) < 1e-6)
        try stepBoth(view, ready)
      }
    }
    #expect(layout.announced.count == 16)
    #expect(layout.announced.prefix(2).map(\.size) == [phone.size, landscape])
  }
}
