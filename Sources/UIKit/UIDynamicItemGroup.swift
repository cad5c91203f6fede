import Foundation

/// Items that move as one. For collisions and for its mass, a group counts as the rectangle around its items.
open class UIDynamicItemGroup: NSObject, UIDynamicItem {
  public final let items: [any UIDynamicItem]
  private final let size: CGSize
  /// The offset of each item from the center of the group, and the item's transform, when the group was created.
  private final let places: [(offset: CGPoint, transform: CGAffineTransform)]
  private final var middle: CGPoint

  /// Ends the program if `items` is empty or contains a group, because UIKit raises an exception.
  public init(items: [any UIDynamicItem]) {
    guard !items.isEmpty, !items.contains(where: { $0 is UIDynamicItemGroup }) else {
      raise("a group needs items, and none of them may be a group")
    }
    let frames = items.map {
      CGRect(center: .zero, size: $0.bounds.size).applying($0.transform).offsetBy(dx: $0.center.x, dy: $0.center.y)
    }
    let frame = frames.dropFirst().reduce(frames[0]) { $0.union($1) }
    let middle = frame.center
    (self.items, self.middle, size) = (items, middle, frame.size)
    places = items.map { (CGPoint(x: $0.center.x - middle.x, y: $0.center.y - middle.y), $0.transform) }
    super.init()
  }

  /// The center of the rectangle around all items, points.
  open var center: CGPoint {
    get { middle }
    set {
      middle = newValue
      place()
    }
  }

  open var bounds: CGRect { CGRect(origin: .zero, size: size) }

  /// The transform around the center of the group.
  open var transform = CGAffineTransform.identity { didSet { place() } }

  private func place() {
    for (item, place) in zip(items, places) {
      let offset = place.offset.applying(transform)
      item.center = CGPoint(x: middle.x + offset.x, y: middle.y + offset.y)
      item.transform = place.transform.concatenating(transform)
    }
  }
}
