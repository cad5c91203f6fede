import Dynamics

/// A Newton's cradle: discs in a row that fall and collide, each attached to its own anchor by a spring (after Ash
/// Furrow's Newtonian collection view in objc.io, "UICollectionView + UIKit Dynamics", issue 5, 2013).
///
/// Inserted items come from off screen. A new first or last item swings in from the left or right. Any other new item
/// is pulled up from below, between its neighbors. A deleted item loses its attachment and falls. It is removed when it
/// has left the screen, or `fallSeconds` after its deletion. Later updates do not affect its fall.
open class CradleLayout: CollectionViewLayout {
  /// The options with which the layout was created.
  public let options: CradleOptions
  /// The animator that runs the attachments, properties, gravity and collisions of the discs. The layout's `step(by:)`
  /// steps this animator.
  public let animator: DynamicAnimator
  private let gravity: GravityBehavior
  private let collision = CollisionBehavior()
  private let properties: DynamicItemBehavior
  private var hanging: [CradleItem] = []
  private var falling: [CradleItem] = []
  /// The result of the last query, whose memory the next one reuses.
  private var answer: [LayoutAttributes] = []
  private var leaving: [LayoutAttributes] = []

  /// Creates a layout.
  /// - Parameter subStepCount: The number of sub-steps per frame; see `DynamicAnimator`.
  /// - Throws: If an option is invalid.
  public init(_ options: CradleOptions = CradleOptions(), subStepCount: Int = 4) throws(LayoutError) {
    try options.validate()
    self.options = options
    animator = DynamicAnimator(subStepCount: subStepCount)
    gravity = GravityBehavior(gravityDirection: Vector(dx: 0, dy: options.gravity))
    properties = DynamicItemBehavior(properties: ItemProperties(elasticity: options.elasticity, allowsRotation: false))
    super.init()
    do throws(DynamicsError) {
      for behavior in [properties, gravity, collision] { try animator.addBehavior(behavior) }
    } catch { throw .dynamics(error) }
  }

  deinit { for item in hanging + falling { item.attachment = nil } }

  open override var scrollDirection: Axis { .horizontal }
  open override var animatesChangesItself: Bool { true }

  open override var collectionViewContentSize: Size {
    Size(width: Double(hanging.count) * options.pitch, height: bounds.size.height)
  }

  /// The number of deleted items that are still falling.
  public final var fallingItemCount: Int { falling.count }

  /// Returns the anchor of the item at an index, points.
  public final func anchor(at index: Int) -> Point {
    Point(x: (Double(index) + 0.5) * options.pitch, y: options.anchorHeight)
  }

  /// Attaches items that exist from the start or were appended without a batch of updates. These items hang at rest.
  open override func prepare() {
    do throws(DynamicsError) {
      // The list has become shorter, so these items no longer exist.
      while hanging.count > itemCount {
        let item = hanging.removeLast()
        try cutOff(item)
        try letGo(item)
      }
      for index in hanging.count..<max(hanging.count, itemCount) {
        let anchor = anchor(at: index)
        let item = CradleItem(Point(x: anchor.x, y: anchor.y + options.restLength), options)
        try hang(item, from: anchor)
        hanging.append(item)
      }
    } catch { fail(.dynamics(error)) }
  }

  /// Advances the animator, and removes deleted items that are below the screen or have fallen for long enough.
  open override func step(by timestep: Double) {
    animator.step(by: timestep)
    falling.removeAll { item in
      guard item.attachment == nil else { return false }
      if let seconds = options.fallSeconds {
        item.fallen += timestep
        // The comparison has a tolerance, because a sum of timesteps is hardly ever equal to the duration.
        guard item.fallen >= seconds - 1e-9 else { return false }
      } else if item.center.y - item.size.height / 2 <= bounds.maxY {
        return false
      }
      do throws(DynamicsError) { try letGo(item) } catch {
        preconditionFailure("\(item.dynamicItemName) falls, but \(error)")
      }
      return true
    }
  }

  /// Arranges the items by their new indices. Inserted items wait off screen until `prepare(forCollectionViewUpdates:)`
  /// attaches them.
  override func apply(_ map: IndexMap) throws(LayoutError) {
    guard bounds.origin.isFinite else { throw .invalidContentOffset(bounds.origin.x) }
    var next: [CradleItem] = []
    next.reserveCapacity(map.newCount)
    for index in 0..<map.newCount {
      if let old = map.oldIndex(ofItemAt: index) {
        next.append(hanging[old])
      } else {
        next.append(CradleItem(start(ofItemAt: index, count: map.newCount), options))
      }
    }
    for (old, item) in hanging.enumerated() where map.newIndex(ofItemAt: old) == nil { falling.append(item) }
    hanging = next
    view.pointee.itemCount = map.newCount
    invalidateLayout()
  }

  /// Returns the place off screen where an inserted item starts. The first and the last item start beside the screen,
  /// unless a start below it is nearer to the anchor: a spring that is stretched too far would throw the item over the
  /// row.
  private func start(ofItemAt index: Int, count: Int) -> Point {
    let anchor = anchor(at: index)
    let (width, height) = (options.itemSize.width, options.itemSize.height)
    let hangs = options.anchorHeight + options.length
    let below = Point(x: anchor.x, y: max(bounds.maxY, hangs + options.pitch) + height)
    let side: Double
    if index == count - 1 {
      side = max(bounds.maxX, anchor.x) + width
    } else if index == 0 {
      side = min(bounds.minX, anchor.x) - width
    } else {
      return below
    }
    let (x, y) = (side - anchor.x, below.y - anchor.y)
    return x * x + options.length * options.length <= y * y ? Point(x: side, y: hangs) : below
  }

  /// Attaches inserted items, detaches deleted ones, and moves the anchors of the others.
  open override func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
    do throws(DynamicsError) {
      for item in falling { try cutOff(item) }
      for (index, item) in hanging.enumerated() {
        let anchor = anchor(at: index)
        if item.attachment == nil {
          try hang(item, from: anchor)
        } else if item.attachment?.anchorPoint != anchor {
          try item.attachment?.setAnchorPoint(anchor)
        }
      }
    } catch { preconditionFailure("items that `apply` has checked: \(error)") }
  }

  private func hang(_ item: CradleItem, from anchor: Point) throws(DynamicsError) {
    let attachment = AttachmentBehavior(
      item: item, attachedToAnchor: anchor, length: options.length, damping: options.damping,
      frequency: options.frequency)
    try animator.addBehavior(attachment)
    item.attachment = attachment
    for group in [properties, gravity, collision] as [GroupBehavior] { try group.addItem(item) }
  }

  private func cutOff(_ item: CradleItem) throws(DynamicsError) {
    guard let attachment = item.attachment else { return }
    try animator.removeBehavior(attachment)
    item.attachment = nil
  }

  private func letGo(_ item: CradleItem) throws(DynamicsError) {
    for group in [collision, gravity, properties] as [GroupBehavior] { try group.removeItem(item) }
  }

  /// Returns the items that overlap the rectangle.
  /// - Complexity: O(items), because items may be anywhere.
  open override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] { Self.collect(hanging, in: rect, &answer) }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    hanging.indices.contains(index) ? hanging[index].attributes(index) : nil
  }

  /// Returns the deleted items that are still on the screen, in the order in which they were deleted. Their indices
  /// follow that of the last item.
  open override func layoutAttributesForLeavingElements(in rect: Rect) -> [LayoutAttributes] {
    Self.collect(falling, from: hanging.count, in: rect, &leaving)
  }

  private static func collect(
    _ items: [CradleItem], from first: Int = 0, in rect: Rect, _ answer: inout [LayoutAttributes]
  ) -> [LayoutAttributes] {
    var found: [LayoutAttributes] = []
    swap(&found, &answer)
    found.removeAll(keepingCapacity: true)
    for index in items.indices {
      let attributes = items[index].attributes(first + index)
      if attributes.frame.intersects(rect) { found.append(attributes) }
    }
    answer = found
    return found
  }
}
