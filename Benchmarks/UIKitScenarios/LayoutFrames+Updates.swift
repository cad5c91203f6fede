import CollectionLayout
import Foundation
import FrameBench
import Scenarios
import UIKit

extension LayoutFrames {
  /// Returns frames with a change every quarter of a second: a batch of updates, the end of a drag, a rotation of the
  /// device and, if cells report preferred sizes, a scroll by one page. Each change is animated until the next one
  /// begins. Only the deceleration after a drag would take longer, and the rotation stops it.
  /// - Parameter range: The largest content offset along the scroll direction, points.
  func updates(_ context: ScenarioContext, range: CGFloat, isSideways: Bool) -> Scenario.FrameBody {
    let middle = max(0, range) / 2
    open(at: isSideways ? CGPoint(x: middle, y: 0) : CGPoint(x: 0, y: middle))
    let period = max(4, context.refreshRateHertz)
    return { frame, timer in
      withExtendedLifetime(self) {
        // Alternates the direction every second, so that the list stays near its first offset.
        let direction: CGFloat = (frame.index / period).isMultiple(of: 2) ? 1 : -1
        func offset(_ points: CGFloat) -> CGPoint {
          let (now, distance) = (view.contentOffset, direction * points)
          return isSideways ? CGPoint(x: now.x + distance, y: now.y) : CGPoint(x: now.x, y: now.y + distance)
        }
        switch frame.index % period {
        case 0: timer.measure(.batch) { performBatch() }
        case period / 4:
          let size = view.bounds.size
          timer.measure(.boundsChange) {
            view.scroll(to: offset(40), touch: CGPoint(x: size.width / 2, y: size.height / 2))
          }
          let velocity = direction * 0.8
          timer.measure(.snap) {
            view.endDragging(withVelocity: isSideways ? CGPoint(x: velocity, y: 0) : CGPoint(x: 0, y: velocity))
          }
        case period / 2:
          timer.measure(.rotation) {
            view.rotate(to: CGSize(width: view.bounds.height, height: view.bounds.width))
            view.layoutIfNeeded()
          }
        case period * 3 / 4 where view.preferredLayoutAttributesFitting != nil:
          timer.measure(.selfSizing) {
            view.scroll(to: offset(isSideways ? view.bounds.width : view.bounds.height))
            view.layoutIfNeeded()
          }
        default: break
        }
        return finish(frame, timer) { view.presentedAttributes() }
      }
    }
  }

  private func performBatch() {
    let items = view.indexPathsForVisibleItems.map(\.item).sorted()
    guard let first = items.first, let last = items.last else { return }
    func path(_ distance: Int) -> IndexPath { IndexPath(item: first + distance, section: 0) }
    view.performBatchUpdates {
      view.deleteItems(at: [path(0)])
      view.insertItems(at: [path(min(2, last - first))])
      guard last - first >= 4 else { return }
      view.moveItem(at: path(3), to: path(1))
      view.reloadItems(at: [path(4)])
    }
    view.layoutIfNeeded()
  }
}

extension Phase {
  /// A batch of updates and the layout that follows.
  static var batch: Phase { Phase("batch") }
  /// The end of a drag, in which the layout and the delegate choose where the scroll comes to rest.
  static var snap: Phase { Phase("snap") }
  /// A rotation of the device and the layout that follows.
  static var rotation: Phase { Phase("rotation") }
  /// A scroll by one page, and the layout with the sizes that the new cells prefer.
  static var selfSizing: Phase { Phase("selfSizing") }
}
