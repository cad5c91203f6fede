import CollectionLayout
import Dynamics
import Testing
import UIKit

@Suite struct DragTests {
  @Test func draggedItemsFollowAndReturnAsInTheReadyLayout() throws {
    let numbers = Numbers(80)
    let layout = DragLayout()
    let view = UICollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    view.layoutIfNeeded()
    let readyLayout = try DraggableLayout(fullLines())
    let ready = try CollectionView(layout: readyLayout, itemCount: 80, size: phoneSize)
    var script = Script(seed: 21)
    var (largest, farthest) = (0.0, 0.0)
    for drag in 0..<3 {
      var finger = CGPoint(x: 150, y: 200)
      let selection = [3, 11, 12, 24].prefix(drag + 2).map { $0 + drag }
      layout.startDragging(selection.map { IndexPath(item: $0, section: 0) }, from: finger)
      try readyLayout.startDragging(Array(selection), at: Point(x: Double(finger.x), y: Double(finger.y)))
      for frame in 0..<900 {
        if frame < 120 {
          finger.x += CGFloat(script.next(-9...10))
          finger.y += CGFloat(script.next(-6...12))
          layout.updateDragLocation(finger)
          try readyLayout.drag(to: Point(x: Double(finger.x), y: Double(finger.y)))
        } else if frame == 120 {
          layout.endDragging()
          readyLayout.endDragging()
        }
        try stepBoth(view, ready)
        largest = max(largest, difference(view, ready))
        let item = view.presentedAttributes().first { $0.indexPath.item == selection[0] }
        farthest = max(farthest, item.map { Double($0.center.y) } ?? 0)
      }
      #expect(readyLayout.draggedIndices.isEmpty)
    }
    #expect(largest < 1e-6)
    #expect(farthest > 300)
  }
}
