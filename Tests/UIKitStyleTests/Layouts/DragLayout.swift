import UIKit

/// Holds an item with springs at the four corners of a square around a point (Napier and Kumar, "iOS 7 Programming
/// Pushing the Limits").
final class RectangleAttachmentBehavior: UIDynamicBehavior {
  private var attachments: [UIAttachmentBehavior] = []

  init(item: any UIDynamicItem, point: CGPoint) {
    super.init()
    for corner in Self.corners(about: point) {
      let attachment = UIAttachmentBehavior(item: item, attachedToAnchor: corner)
      attachment.frequency = 8
      attachment.damping = 0.6
      addChildBehavior(attachment)
      attachments.append(attachment)
    }
  }

  func updateAttachmentLocation(_ point: CGPoint) {
    for (attachment, corner) in zip(attachments, Self.corners(about: point)) { attachment.anchorPoint = corner }
  }

  private static func corners(about point: CGPoint) -> [CGPoint] {
    [
      CGPoint(x: point.x - 20, y: point.y - 20), CGPoint(x: point.x + 20, y: point.y - 20),
      CGPoint(x: point.x - 20, y: point.y + 20), CGPoint(x: point.x + 20, y: point.y + 20),
    ]
  }
}

final class DragBehavior: UIDynamicBehavior {
  init(items: [any UIDynamicItem], point: CGPoint) {
    super.init()
    for item in items { addChildBehavior(RectangleAttachmentBehavior(item: item, point: point)) }
  }

  func updateDragLocation(_ point: CGPoint) {
    for case let hold as RectangleAttachmentBehavior in childBehaviors { hold.updateAttachmentLocation(point) }
  }
}

final class DragLayout: UICollectionViewFlowLayout, UIDynamicAnimatorDelegate {
  private var animator: UIDynamicAnimator?
  private var behavior: DragBehavior?
  private var selectedIndexPaths: [IndexPath] = []
  private var start = CGPoint.zero
  private var isReturning = false

  override init() {
    super.init()
    itemSize = CGSize(width: 44, height: 44)
    sectionInset = UIEdgeInsets(top: 10, left: 30, bottom: 10, right: 30)
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

  func startDragging(_ indexPaths: [IndexPath], from point: CGPoint) {
    let items = indexPaths.compactMap { layoutAttributesForItem(at: $0) }
    for item in items { item.zIndex = 1 }
    (selectedIndexPaths, start, isReturning) = (indexPaths, point, false)
    let animator = UIDynamicAnimator(collectionViewLayout: self)
    let behavior = DragBehavior(items: items, point: point)
    animator.addBehavior(behavior)
    // The items of `DraggableLayout` have no resistance.
    let itemBehavior = UIDynamicItemBehavior(items: items)
    (itemBehavior.resistance, itemBehavior.angularResistance) = (0, 0)
    animator.addBehavior(itemBehavior)
    animator.delegate = self
    (self.animator, self.behavior) = (animator, behavior)
  }

  func updateDragLocation(_ point: CGPoint) { behavior?.updateDragLocation(point) }

  func endDragging() {
    isReturning = true
    behavior?.updateDragLocation(start)
  }

  func dynamicAnimatorDidPause(_ animator: UIDynamicAnimator) {
    guard isReturning else { return }
    (self.animator, behavior, selectedIndexPaths) = (nil, nil, [])
  }

  override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    let resting = super.layoutAttributesForElements(in: rect) ?? []
    let dragged = animator?.items(in: rect).compactMap { $0 as? UICollectionViewLayoutAttributes } ?? []
    return resting.filter { !selectedIndexPaths.contains($0.indexPath) } + dragged
  }
}
