import CollectionLayout
import Dynamics
import Foundation

/// A change of a list, or of the size of its view, whose animations are being set up.
struct ListChange {
  /// The sections before the change.
  var oldSections: Sections
  var map: IndexMap
  var updateItems: [UICollectionViewUpdateItem] = []
  /// The previous layout, if the change replaces the layout.
  var oldLayout: UICollectionViewLayout?
}

/// Adapts a UIKit layout to the module CollectionLayout: converts index paths to indices, and objects to structs.
final class ObjectLayout: CollectionViewLayout {
  let layout: UICollectionViewLayout
  /// The appearance of those items of the last query that are faded or transformed, keyed by index. `LayoutAttributes`
  /// cannot express opacity and transforms.
  private var looks: [Int: AnimatedAttributes] = [:]
  /// The size of the content when the layout was last prepared. Nil if it was never prepared.
  private(set) var preparedSize: Size?
  private var isPreparing = false
  /// The invalidation context for bounds that are about to be set.
  private var boundsContext: UICollectionViewLayoutInvalidationContext?
  private var isMeasuring = false
  /// How often the layout has been prepared.
  private(set) var passCount = 0

  init(_ layout: UICollectionViewLayout) {
    self.layout = layout
    super.init()
  }

  private var sections: Sections { layout.owner?.sections ?? Sections(counts: []) }

  private func indexPath(at index: Int) -> IndexPath { sections.indexPath(at: index) }

  private func indexPathBeforeChange(at index: Int) -> IndexPath {
    (layout.change?.oldSections ?? sections).indexPath(at: index)
  }

  // MARK: The frame

  override var scrollDirection: Axis { layout.engineAxis }

  /// The size of the content. During `prepare()`, and while the layout computes a new size, this is the size from the
  /// last layout pass, as a scroll view's `contentSize` would be.
  override var collectionViewContentSize: Size {
    if isMeasuring || isPreparing && preparedSize != nil { return preparedSize ?? .zero }
    isMeasuring = true
    defer { isMeasuring = false }
    return Size(layout.collectionViewContentSize)
  }

  override func prepare() {
    isPreparing = true
    layout.asked { layout.prepare() }
    isPreparing = false
    let before = preparedSize
    preparedSize = collectionViewContentSize
    if preparedSize != before { layout.owner?.mayBeBeyondContent = true }
    passCount += 1
  }

  override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    let newBounds = CGRect(newBounds)
    guard layout.shouldInvalidateLayout(forBoundsChange: newBounds) else { return false }
    boundsContext = layout.invalidationContext(forBoundsChange: newBounds)
    return true
  }

  override func boundsChanged() {
    guard let context = boundsContext else { return }
    boundsContext = nil
    layout.invalidate(using: context)
  }

  override func shouldInvalidateLayout(forSizeChange newBounds: Rect) -> Bool {
    shouldInvalidateLayout(forBoundsChange: newBounds)
  }

  override func targetContentOffset(forProposedContentOffset proposed: Point) -> Point {
    layout.owner.map { Point($0.targetContentOffset(of: layout, proposed: CGPoint(proposed))) } ?? proposed
  }

  override func step(by timestep: Double) { layout.stepAnimators(by: timestep) }

  override func contentChanged() {
    let context = layout.makeInvalidationContext()
    (context.invalidateEverything, context.invalidateDataSourceCounts) = (true, true)
    layout.invalidate(using: context)
    invalidateLayout()
  }

  // MARK: Queries

  /// Returns the visible items, sorted by index.
  override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    looks.removeAll(keepingCapacity: true)
    let objects = layout.shownElements(in: CGRect(rect))
    let seen = CGRect(rect.grown(by: -Self.visibilityTolerance))
    let sections = sections
    var values: [LayoutAttributes] = []
    values.reserveCapacity(objects.count)
    var isAscending = true
    for object in objects
    where object.representedElementCategory == .cell && !object.isHidden && object.frame.overlaps(seen) {
      let index = sections.shownIndex(at: object.indexPath)
      if let last = values.last, last.index >= index { isAscending = false }
      values.append(object.value(at: index))
      if !object.isPlain { looks[index] = object.look(at: index) }
    }
    guard !isAscending else { return values }
    values.sort { $0.index < $1.index }
    // If the layout has returned several attributes of the same item, only one of them is shown.
    return values.indices.filter { $0 == 0 || values[$0 - 1].index != values[$0].index }.map { values[$0] }
  }

  override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index),
      let object = layout.shown(layout.layoutAttributesForItem(at: indexPath(at: index))), !object.isHidden
    else { return nil }
    looks[index] = object.isPlain ? nil : object.look(at: index)
    return object.value(at: index)
  }

  override var hasLooks: Bool { !looks.isEmpty }

  override func look(of place: LayoutAttributes) -> AnimatedAttributes {
    guard var look = looks[place.index] else { return AnimatedAttributes(place) }
    look.attributes = place
    return look
  }

  // MARK: Changes

  override func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
    layout.asked {
      // UIKit asks for the elements in view first, and a layout may rely on this.
      if let view = layout.owner { _ = layout.layoutAttributesForElements(in: view.bounds) }
      layout.prepare(forCollectionViewUpdates: layout.change?.updateItems ?? [])
    }
  }

  override var showsCopies: Bool { true }

  override func finalizeCollectionViewUpdates() { layout.finalizeCollectionViewUpdates() }

  override func prepare(forAnimatedBoundsChange oldBounds: Rect) {
    layout.asked { layout.prepare(forAnimatedBoundsChange: CGRect(oldBounds)) }
  }

  override func finalizeAnimatedBoundsChange() { layout.finalizeAnimatedBoundsChange() }

  override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
    guard layout.change?.oldLayout == nil else { return nil }
    let path = indexPath(at: index)
    let given = layout.asked { layout.initialLayoutAttributesForAppearingItem(at: path) }
    return look(given, unlike: layout.placeBefore(ofItemAt: path), index)
  }

  /// Ends the program, as UIKit's exception does, if the layout has no attributes for an item that stays in the list.
  override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
    guard layout.change?.oldLayout == nil else { return nil }
    let path = indexPathBeforeChange(at: index)
    let place = layout.placeAfter(ofItemAt: path)
    if place == nil, let new = listChange?.newIndex(ofItemAt: index) {
      raise("no attributes from \(type(of: layout)).layoutAttributesForItem(at: \(Array(indexPath(at: new))))")
    }
    return look(layout.asked { layout.finalLayoutAttributesForDisappearingItem(at: path) }, unlike: place, index)
  }

  /// Returns the attributes that the layout requests for the start or end of an animation. Returns nil if they equal
  /// `place`, so that an item that is still in motion starts from its current position.
  private func look(
    _ given: UICollectionViewLayoutAttributes?, unlike place: UICollectionViewLayoutAttributes?, _ index: Int
  ) -> AnimatedAttributes? { given == place ? nil : layout.shown(given)?.look(at: index) }

  override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    layout.shown(layout.attributesBeforeChange(at: indexPathBeforeChange(at: oldIndex)))?.value(at: oldIndex)
  }

  override func prepareForTransition(to newLayout: CollectionViewLayout) {
    if let newLayout = newLayout as? ObjectLayout { layout.prepareForTransition(to: newLayout.layout) }
  }

  override func prepareForTransition(from oldLayout: CollectionViewLayout) {
    if let oldLayout = oldLayout as? ObjectLayout { layout.prepareForTransition(from: oldLayout.layout) }
  }

  override func finalizeLayoutTransition() { layout.finalizeLayoutTransition() }
}
