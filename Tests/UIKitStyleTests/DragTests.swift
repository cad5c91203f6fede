import CollectionLayout
import Dynamics
import Testing

/// Holds an item from the corners of a square about a point (Napier and Kumar, "iOS 7 Programming Pushing the
/// Limits").
private final class RectangleAttachmentBehavior: DynamicBehavior {
  private var attachments: [AttachmentBehavior] = []

  init(item: any DynamicItem, point: Point) {
    super.init()
    for corner in Self.corners(about: point) {
      let attachment = AttachmentBehavior(item: item, attachedToAnchor: corner)
      attachment.frequency = 8
      attachment.damping = 0.6
      do { try addChildBehavior(attachment) } catch { Issue.record(error) }
      attachments.append(attachment)
    }
  }

  func updateAttachmentLocation(_ point: Point) {
    for (attachment, corner) in zip(attachments, Self.corners(about: point)) {
      attachment.anchorPoint = corner
    }
  }

  private static func corners(about point: Point) -> [Point] {
    [
      Point(x: point.x - 20, y: point.y - 20), Point(x: point.x + 20, y: point.y - 20),
      Point(x: point.x - 20, y: point.y + 20), Point(x: point.x + 20, y: point.y + 20),
    ]
  }
}

private final class DragBehavior: DynamicBehavior {
  init(items: [any DynamicItem], point: Point) {
    super.init()
    for item in items {
      do {
        try addChildBehavior(RectangleAttachmentBehavior(item: item, point: point))
      } catch {
        Issue.record(error)
      }
    }
  }

  func updateDragLocation(_ point: Point) {
    for case let hold as RectangleAttachmentBehavior in childBehaviors {
      hold.updateAttachmentLocation(point)
    }
  }
}

private final class DragLayout: CollectionViewFlowLayout, DynamicAnimatorDelegate {
  private var animator: DynamicAnimator?
  private var behavior: DragBehavior?
  private var selectedIndexPaths: [IndexPath] = []
  private var start = Point.zero
  private var isReturning = false

  override init() {
    super.init()
    itemSize = Size(width: 44, height: 44)
    sectionInset = EdgeInsets(top: 10, left: 10, bottom: 10, right: 10)
  }

  func startDragging(_ indexPaths: [IndexPath], from point: Point) {
    let items = indexPaths.compactMap { layoutAttributesForItem(at: $0) }
    for item in items { item.zIndex = 1 }
    (selectedIndexPaths, start, isReturning) = (indexPaths, point, false)
    let animator = DynamicAnimator(collectionViewLayout: self)
    let behavior = DragBehavior(items: items, point: point)
    do { try animator.addBehavior(behavior) } catch { Issue.record(error) }
    animator.delegate = self
    (self.animator, self.behavior) = (animator, behavior)
  }

  func updateDragLocation(_ point: Point) { behavior?.updateDragLocation(point) }

  func endDragging() {
    isReturning = true
    behavior?.updateDragLocation(start)
  }

  func dynamicAnimatorDidPause(_ animator: DynamicAnimator) {
    guard isReturning else { return }
    (self.animator, behavior, selectedIndexPaths) = (nil, nil, [])
  }

  override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    let resting = super.layoutAttributesForElements(in: rect) ?? []
    let dragged = animator?.items(in: rect).compactMap { $0 as? CollectionViewLayoutAttributes } ?? []
    return resting.filter { !selectedIndexPaths.contains($0.indexPath) } + dragged
  }
}

@Suite struct DragTests {
  @Test func draggedItemsFollowAndReturnAsInTheReadyLayout() throws {
    let numbers = Numbers(80)
    let layout = DragLayout()
    let view = CollectionView(frame: phone, collectionViewLayout: layout)
    view.dataSource = numbers
    let readyLayout = try DraggableLayout()
    let ready = try CollectionView(layout: readyLayout, itemCount: 80, size: phone.size)
    var script = Script(seed: 21)
    var (largest, farthest) = (0.0, 0.0)
    for drag in 0..<3 {
      var finger = Point(x: 150, y: 200)
      let selection = [3, 11, 12, 24].prefix(drag + 2).map { $0 + drag }
      layout.startDragging(selection.map { IndexPath(item: $0, section: 0) }, from: finger)
      try readyLayout.startDragging(Array(selection), at: finger)
      for frame in 0..<900 {
        if frame < 120 {
          finger.x += script.next(-9...10)
          finger.y += script.next(-6...12)
          layout.updateDragLocation(finger)
          try readyLayout.drag(to: finger)
        } else if frame == 120 {
          layout.endDragging()
          readyLayout.endDragging()
        }
        for view in [view, ready] {
          view.step(by: 1 / 60)
          try view.prepareLayout()
        }
        largest = max(largest, difference(view, ready))
        let item = view.presentedAttributes().first { $0.attributes.index == selection[0] }
        farthest = max(farthest, item.map { $0.attributes.center.y } ?? 0)
      }
      #expect(readyLayout.draggedIndices.isEmpty)
    }
    #expect(largest < 1e-6)
    #expect(farthest > 300)
  }
}
