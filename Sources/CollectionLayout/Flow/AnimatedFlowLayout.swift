import Dynamics

/// A flow layout with flying items, from objc.io's "Animating Collection Views" (issue 12, 2014). An inserted item
/// flies in from the bottom edge of the screen; on its way it rotates by 180° and grows to its size. A deleted item
/// flies back the same way. For a moved item, one copy flies out and another flies in. An item can be resized by a
/// pinch.
///
/// The article uses one transform for flying in and another for flying out, but prints only the first. Here both
/// flights use that first transform.
open class AnimatedFlowLayout: FlowLayout {
  /// The scale factor at the far end of an item's flight, which is at the bottom edge of the screen.
  public static let flightScale = 0.2
  /// The rotation at the far end of an item's flight, which is at the bottom edge of the screen, radians.
  public static let flightRotation = Double.pi
  /// The z index of the pinched item, which covers the others.
  public static let pinchedZIndex = 100

  private var inserted: [Int] = []
  private var deleted: [Int] = []
  private var pinched: (index: Int, size: Size)?

  /// The index of the pinched item; nil if there is none.
  public final var pinchedItem: Int? { pinched?.index }

  /// Resizes an item to a square, as a pinch does.
  /// - Parameter distance: Distance between the fingers, points, which becomes the width and the height.
  /// - Throws: If the distance is not positive and finite, or there is no such item.
  public final func pinchItem(at index: Int, distance: Double) throws(LayoutError) {
    guard distance > 0, distance.isFinite else { throw .invalidPinchDistance(distance) }
    guard (0..<itemCount).contains(index) else { throw .noSuchItem(index: index, count: itemCount) }
    pinched = (index, Size(width: distance, height: distance))
    invalidateLayout()
  }

  /// Resets the pinched item to its own size. The change is animated if this is called in the `changes` of
  /// `CollectionView.performBatchUpdates`.
  public final func resetPinchedItem() {
    pinched = nil
    invalidateLayout()
  }

  override func optionsUndo() -> (() -> Void)? {
    let (undo, pinched) = (super.optionsUndo(), pinched)
    return { [unowned self] in
      undo?()
      self.pinched = pinched
    }
  }

  override func apply(_ map: IndexMap) throws(LayoutError) {
    try super.apply(map)
    guard let old = pinched else { return }
    pinched = map.newIndex(ofItemAt: old.index).map { ($0, old.size) }
  }

  open override var showsCopies: Bool { true }

  /// Records the inserted, deleted and moved items. For all other items, and when only the bounds change, the layout
  /// returns no initial and final attributes, so these items do not fly.
  open override func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
    for update in updates {
      switch update {
      case .insert(let index): inserted.append(index)
      case .delete(let index): deleted.append(index)
      case .move(let from, let to):
        deleted.append(from)
        inserted.append(to)
      }
    }
    inserted.sort()
    deleted.sort()
  }

  open override func finalizeCollectionViewUpdates() {
    inserted.removeAll(keepingCapacity: true)
    deleted.removeAll(keepingCapacity: true)
  }

  open override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
    guard inserted.position(of: index) != nil, let place = layoutAttributesForItem(at: index) else { return nil }
    return farEnd(of: place)
  }

  open override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
    guard deleted.position(of: index) != nil, let place = layoutAttributesBeforeChange(ofItemAt: index) else {
      return nil
    }
    return farEnd(of: place)
  }

  /// Returns the look of an item at the far end of its flight: small, upside down, and in the middle of the bottom edge
  /// of the screen.
  public final func farEnd(of place: LayoutAttributes) -> AnimatedAttributes {
    var place = place
    place.center = Point(x: bounds.center.x, y: bounds.maxY)
    return AnimatedAttributes(place, scale: Self.flightScale, rotation: Self.flightRotation)
  }

  open override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    let visible = Stretch(rect, scrollDirection)
    return answer { found in
      collectPlaces(in: visible, &found)
      if let pinched { replace(pinched.index, in: visible, &found) }
    }
  }

  open override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard var place = super.layoutAttributesForItem(at: index) else { return nil }
    if let pinched, pinched.index == index {
      place.size = pinched.size
      place.zIndex = Self.pinchedZIndex
    }
    return place
  }

  /// Gives the pinched item its pinched size in the result. The item can be visible at that size even if its place in
  /// the flow is not.
  private func replace(_ index: Int, in visible: Stretch, _ found: inout VisibleItems) {
    guard let attributes = layoutAttributesForItem(at: index) else { return }
    let position = found.attributes.indices.partitioningIndex { found.attributes[$0].index >= index }
    let isThere = position < found.attributes.count && found.attributes[position].index == index
    let isShown = visible.shows(
      MainCross(attributes.center, scrollDirection), MainCross(attributes.size, scrollDirection))
    switch (isThere, isShown) {
    case (true, true): found.attributes[position] = attributes
    case (true, false): found.attributes.remove(at: position)
    case (false, true): found.attributes.insert(attributes, at: position)
    case (false, false): break
    }
  }
}
