import CollectionLayout
import Dynamics
import Foundation

/// A change of a list while it is being animated.
struct ListChange {
  /// Sections before the change.
  var oldSections: Sections
  /// Nil until the updates are known.
  var map: IndexMap?
  /// Reloaded items, and changes of whole sections.
  var others: [UICollectionViewUpdateItem] = []
}

/// A layout with UIKit's calls, as the engine's view sees it: index paths become indices, objects values.
final class ObjectLayout: CollectionViewLayout {
  let layout: UICollectionViewLayout
  /// The looks, from the last query, of items that are not plain, by index.
  private var looks: [Int: AnimatedAttributes] = [:]

  init(_ layout: UICollectionViewLayout) {
    self.layout = layout
    super.init()
  }

  private var sections: Sections { layout.owner?.sections ?? Sections(counts: []) }

  private func indexPath(at index: Int) -> IndexPath { sections.indexPath(at: index) }

  /// The former path of an item, during a change.
  private func indexPathBeforeChange(at index: Int) -> IndexPath {
    (layout.change?.oldSections ?? sections).indexPath(at: index)
  }

  // MARK: The frame

  override var scrollDirection: Axis { layout.engineAxis }

  override var collectionViewContentSize: Size { Size(layout.collectionViewContentSize) }

  override func prepare() { layout.prepare() }

  override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
    let newBounds = CGRect(newBounds)
    guard layout.shouldInvalidateLayout(forBoundsChange: newBounds) else { return false }
    layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: newBounds))
    return true
  }

  override func step(by timestep: Double) { layout.stepAnimators(by: timestep) }

  override func contentChanged() {
    let context = layout.makeInvalidationContext()
    (context.invalidateEverything, context.invalidateDataSourceCounts) = (true, true)
    layout.invalidateLayout(with: context)
    invalidateLayout()
  }

  // MARK: Queries

  /// Visible items, in ascending order.
  override func layoutAttributes(in rect: Rect) -> [LayoutAttributes] {
    looks.removeAll(keepingCapacity: true)
    guard let objects = layout.layoutAttributesForElements(in: CGRect(rect)) else { return [] }
    let seen = CGRect(rect.grown(by: -Self.visibilityTolerance))
    let sections = sections
    var values: [LayoutAttributes] = []
    values.reserveCapacity(objects.count)
    var isAscending = true
    for object in objects
    where object.representedElementCategory == .cell && !object.isHidden && object.frame.intersects(seen) {
      guard let index = sections.index(at: object.indexPath) else { continue }
      if let last = values.last, last.index >= index { isAscending = false }
      values.append(object.value(at: index))
      if !object.isPlain { looks[index] = object.look(at: index) }
    }
    if !isAscending { values.sort { $0.index < $1.index } }
    return values
  }

  override func layoutAttributesForItem(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index), let object = layout.layoutAttributesForItem(at: indexPath(at: index)),
      !object.isHidden
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

  /// The updates by index paths, and what else the batch changes.
  override func prepare(forCollectionViewUpdates updates: [CollectionViewUpdate]) {
    let items = updates.map { update in
      switch update {
      case .insert(let index): UICollectionViewUpdateItem(before: nil, after: indexPath(at: index), .insert)
      case .delete(let index): UICollectionViewUpdateItem(before: indexPathBeforeChange(at: index), after: nil, .delete)
      case .move(let from, let to):
        UICollectionViewUpdateItem(before: indexPathBeforeChange(at: from), after: indexPath(at: to), .move)
      }
    }
    layout.prepare(forCollectionViewUpdates: items + (layout.change?.others ?? []))
  }

  override func finalizeCollectionViewUpdates() { layout.finalizeCollectionViewUpdates() }

  override func prepare(forAnimatedBoundsChange oldBounds: Rect) {
    layout.prepare(forAnimatedBoundsChange: CGRect(oldBounds))
  }

  override func finalizeAnimatedBoundsChange() { layout.finalizeAnimatedBoundsChange() }

  override func initialLayoutAttributesForAppearingItem(at index: Int) -> AnimatedAttributes? {
    layout.change?.map = listChange ?? layout.change?.map
    return layout.initialLayoutAttributesForAppearingItem(at: indexPath(at: index))?.look(at: index)
  }

  override func finalLayoutAttributesForDisappearingItem(at index: Int) -> AnimatedAttributes? {
    layout.change?.map = listChange ?? layout.change?.map
    return layout.finalLayoutAttributesForDisappearingItem(at: indexPathBeforeChange(at: index))?.look(at: index)
  }

  override func layoutAttributesBeforeChange(ofItemAt oldIndex: Int) -> LayoutAttributes? {
    layout.attributesBeforeChange(at: indexPathBeforeChange(at: oldIndex))?.value(at: oldIndex)
  }

  override func prepareForTransition(to newLayout: CollectionViewLayout) {
    if let newLayout = newLayout as? ObjectLayout { layout.prepareForTransition(to: newLayout.layout) }
  }

  override func prepareForTransition(from oldLayout: CollectionViewLayout) {
    if let oldLayout = oldLayout as? ObjectLayout { layout.prepareForTransition(from: oldLayout.layout) }
  }

  override func finalizeLayoutTransition() { layout.finalizeLayoutTransition() }
}
