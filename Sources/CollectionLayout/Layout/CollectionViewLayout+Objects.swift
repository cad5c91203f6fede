import Dynamics

/// A change of a list while it is being animated.
struct ListChange {
  var map: IndexMap
  /// Sections before the change; nil: all items were in one section.
  var oldSections: Sections?
  /// Reloaded items.
  var reloads: [CollectionViewUpdateItem] = []
}

// MARK: - Index paths

extension CollectionViewLayout {
  final func indexPath(at index: Int) -> IndexPath {
    view.pointee.sections?.indexPath(at: index) ?? IndexPath(item: index, section: 0)
  }

  /// The former path of an item, during an animated change.
  final func indexPathBeforeChange(at index: Int) -> IndexPath {
    guard let listChange else { return indexPath(at: index) }
    return listChange.oldSections?.indexPath(at: index) ?? IndexPath(item: index, section: 0)
  }

  /// Nil if there is no such item.
  final func index(at path: IndexPath) -> Int? {
    Self.index(at: path, view.pointee.sections, itemCount: itemCount)
  }

  static func index(at path: IndexPath, _ sections: Sections?, itemCount: Int) -> Int? {
    if let sections { return sections.index(at: path) }
    guard path.count == 2, path.section == 0, (0..<itemCount).contains(path.item) else { return nil }
    return path.item
  }

  /// The updates by index paths, and the reloaded items.
  final func updateItems(_ updates: [CollectionViewUpdate]) -> [CollectionViewUpdateItem] {
    let items = updates.map { update in
      switch update {
      case .insert(let index):
        CollectionViewUpdateItem(before: nil, after: indexPath(at: index), .insert)
      case .delete(let index):
        CollectionViewUpdateItem(before: indexPathBeforeChange(at: index), after: nil, .delete)
      case .move(let from, let to):
        CollectionViewUpdateItem(before: indexPathBeforeChange(at: from), after: indexPath(at: to), .move)
      }
    }
    return items + (listChange?.reloads ?? [])
  }
}

// MARK: - Between values and objects

extension CollectionViewLayout {
  final func object(_ value: LayoutAttributes) -> CollectionViewLayoutAttributes {
    CollectionViewLayoutAttributes(value, at: indexPath(at: value.index))
  }

  /// Results of UIKit's query as values: visible items, in ascending order.
  final func values(in rect: Rect) -> [LayoutAttributes] {
    looks.removeAll(keepingCapacity: true)
    guard let objects = layoutAttributesForElements(in: rect) else { return [] }
    let seen = rect.grown(by: -Self.visibilityTolerance)
    var values: [LayoutAttributes] = []
    values.reserveCapacity(objects.count)
    var isAscending = true
    for object in objects where !object.isHidden && object.frame.intersects(seen) {
      guard let index = index(at: object.indexPath) else { continue }
      if let last = values.last, last.index >= index { isAscending = false }
      values.append(object.value(at: index))
      if !object.isPlain { looks[index] = object.look(at: index) }
    }
    if !isAscending { values.sort { $0.index < $1.index } }
    return values
  }

  final func value(at index: Int) -> LayoutAttributes? {
    guard (0..<itemCount).contains(index),
      let object = layoutAttributesForItem(at: indexPath(at: index)), !object.isHidden
    else { return nil }
    if object.isPlain { looks[index] = nil } else { looks[index] = object.look(at: index) }
    return object.value(at: index)
  }

  /// The full look of an item that a query has just returned.
  final func look(_ value: LayoutAttributes) -> AnimatedAttributes {
    guard !looks.isEmpty, var look = looks[value.index] else { return AnimatedAttributes(value) }
    look.attributes = value
    return look
  }

  /// An item that the current change adds, invisible.
  final func faded(appearing indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    guard let listChange, let index = index(at: indexPath), listChange.map.oldIndex(ofItemAt: index) == nil,
      let attributes = layoutAttributesForItem(at: indexPath)?.copy()
    else { return nil }
    attributes.alpha = 0
    return attributes
  }

  /// An item that the current change deletes, invisible.
  final func faded(disappearing indexPath: IndexPath) -> CollectionViewLayoutAttributes? {
    guard let listChange,
      let index = Self.index(
        at: indexPath, listChange.oldSections, itemCount: listChange.map.oldCount),
      listChange.map.newIndex(ofItemAt: index) == nil,
      let place = layoutAttributesBeforeChange(ofItemAt: index)
    else { return nil }
    let attributes = CollectionViewLayoutAttributes(place, at: indexPath)
    attributes.alpha = 0
    return attributes
  }
}
