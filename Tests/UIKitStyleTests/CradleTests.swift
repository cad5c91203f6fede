import CollectionLayout
import Dynamics
import Testing

/// A disc of the cradle.
private final class DiscAttributes: CollectionViewLayoutAttributes {
  override var collisionBoundsType: CollisionBoundsType { .ellipse }
}

/// The Newtonian collection view of objc.io's "UICollectionView + UIKit Dynamics" (issue 5, 2013): discs fly in, hang
/// from attachments and collide; a deleted one falls.
private final class NewtonianLayout: CollectionViewLayout {
  private lazy var dynamicAnimator = DynamicAnimator(collectionViewLayout: self)
  private let itemBehavior = DynamicItemBehavior(items: [])
  private let gravityBehavior = GravityBehavior(items: [])
  private let collisionBehavior = CollisionBehavior(items: [])
  private var falling: [CollectionViewLayoutAttributes] = []
  private let itemSize = Size(width: 64, height: 64)

  override init() {
    super.init()
    itemBehavior.elasticity = 1
    itemBehavior.allowsRotation = false
    gravityBehavior.gravityDirection = Vector(dx: 0, dy: 1)
    for behavior in [itemBehavior, gravityBehavior, collisionBehavior] {
      do { try dynamicAnimator.addBehavior(behavior) } catch { Issue.record(error) }
    }
  }

  override var collectionViewContentSize: Size { collectionView?.bounds.size ?? .zero }

  /// Lets go of what has fallen off the screen.
  override func prepare() {
    super.prepare()
    guard let bounds = collectionView?.bounds else { return }
    for item in falling where item.frame.minY > bounds.maxY {
      for behavior in [collisionBehavior, gravityBehavior, itemBehavior] {
        do { try behavior.removeItem(item) } catch { Issue.record(error) }
      }
    }
    falling.removeAll { $0.frame.minY > bounds.maxY }
  }

  override func layoutAttributesForElements(in rect: Rect) -> [CollectionViewLayoutAttributes]? {
    dynamicAnimator.items(in: rect).compactMap { item in
      falling.contains { $0 === item } ? nil : item as? CollectionViewLayoutAttributes
    }
  }

  override func layoutAttributesForItem(at indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    attachment(of: indexPath)?.items.first as? CollectionViewLayoutAttributes
  }

  private func anchor(of indexPath: IndexPath) -> Point {
    Point(x: (Double(indexPath.item) + 0.5) * itemSize.width, y: 64)
  }

  private var attachments: [AttachmentBehavior] {
    dynamicAnimator.behaviors.compactMap { $0 as? AttachmentBehavior }
  }

  private func attachment(of indexPath: IndexPath) -> AttachmentBehavior? {
    attachments.first { ($0.items.first as? CollectionViewLayoutAttributes)?.indexPath == indexPath }
  }

  override func prepare(forCollectionViewUpdates updateItems: [CollectionViewUpdateItem]) {
    super.prepare(forCollectionViewUpdates: updateItems)
    for update in updateItems {
      switch (update.updateAction, update.indexPathBeforeUpdate, update.indexPathAfterUpdate) {
      case (.insert, _, let path?): add(path)
      case (.delete, let path?, _): detach(path)
      default: break
      }
    }
  }

  private func add(_ indexPath: IndexPath) {
    guard let bounds = collectionView?.bounds else { return }
    let attributes = DiscAttributes(forCellWith: indexPath)
    let anchor = anchor(of: indexPath)
    attributes.frame = Rect(
      center: Point(x: max(bounds.maxX, anchor.x) + itemSize.width, y: 364), size: itemSize)
    let attachment = AttachmentBehavior(item: attributes, attachedToAnchor: anchor)
    attachment.length = 300
    attachment.damping = 0.4
    attachment.frequency = 1
    do {
      try dynamicAnimator.addBehavior(attachment)
      for behavior in [itemBehavior, gravityBehavior, collisionBehavior] { try behavior.addItem(attributes) }
    } catch {
      Issue.record(error)
    }
  }

  private func detach(_ indexPath: IndexPath) {
    guard let attachment = attachment(of: indexPath),
      let item = attachment.items.first as? CollectionViewLayoutAttributes
    else { return }
    do { try dynamicAnimator.removeBehavior(attachment) } catch { Issue.record(error) }
    falling.append(item)
    for other in attachments {
      guard let item = other.items.first as? CollectionViewLayoutAttributes, item.indexPath > indexPath else {
        continue
      }
      item.indexPath.item -= 1
      other.anchorPoint = anchor(of: item.indexPath)
    }
  }
}

@Suite struct CradleTests {
  @Test func discsComeCollideAndFallAsInTheReadyLayout() throws {
    let numbers = Numbers(0)
    let view = CollectionView(frame: phone, collectionViewLayout: NewtonianLayout())
    view.dataSource = numbers
    let ready = try CollectionView(layout: CradleLayout(), itemCount: 0, size: phone.size)
    var script = Script(seed: 11)
    var largest = 0.0
    var mostSeen = 0
    for frame in 0..<600 {
      if frame < 240, frame % 40 == 0 {
        let index = numbers.counts[0]
        numbers.counts = [index + 1]
        view.insertItems(at: [IndexPath(item: index, section: 0)])
        try ready.performBatchUpdates([.insert(at: index)])
      } else if frame > 300, frame % 90 == 0, numbers.counts[0] > 2 {
        let index = script.next(below: numbers.counts[0])
        numbers.counts = [numbers.counts[0] - 1]
        view.deleteItems(at: [IndexPath(item: index, section: 0)])
        try ready.performBatchUpdates([.delete(at: index)])
      }
      for view in [view, ready] {
        view.step(by: 1 / 60)
        try view.prepareLayout()
      }
      let (ours, theirs) = (view.visibleAttributes(), ready.visibleAttributes())
      #expect(ours.map(\.index) == theirs.map(\.index))
      mostSeen = max(mostSeen, ours.count)
      for (one, other) in zip(ours, theirs) {
        largest = max(largest, abs(one.center.x - other.center.x), abs(one.center.y - other.center.y))
      }
    }
    #expect(largest < 1e-6)
    #expect(mostSeen > 3)
  }
}
