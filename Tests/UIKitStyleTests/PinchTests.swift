import CollectionLayout
import Testing
import UIKit

@Suite struct PinchTests {
  @Test func aPinchedItemGrowsAndReturnsAsInTheReadyLayout() throws {
    let numbers = Numbers(60)
    let layout = PinchLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let readyLayout = try AnimatedFlowLayout(fullLines())
    let ready = try CollectionView(layout: readyLayout, itemCount: 60, size: phoneSize)
    let path = try #require(view.indexPathForItem(at: CGPoint(x: 106, y: 140)))
    #expect(path == IndexPath(item: 11, section: 0))
    func frame() throws {
      try stepBoth(view, ready)
      #expect(difference(view, ready) < 1e-6)
    }
    for distance in stride(from: 50.0, through: 170, by: 7) {
      layout.resizeItem(at: path, withPinchDistance: CGFloat(distance))
      try readyLayout.pinchItem(at: 11, distance: distance)
      try frame()
    }
    view.performBatchUpdates { layout.resetPinchedItem() }
    try ready.performBatchUpdates([], changes: { readyLayout.resetPinchedItem() })
    var sizes: [Double] = []
    for _ in 0..<20 {
      try frame()
      sizes += view.presentedAttributes().filter { $0.indexPath.item == 11 }.map { Double($0.size.width) }
    }
    #expect(sizes.first.map { $0 < 169 && $0 > 100 } == true && sizes.last == 44)
  }
}
