import Dynamics

/// The straight paths of items from their places in one layout to those in another. Items that only one layout shows
/// fade in or out.
struct LayoutPaths {
  /// A layout, and the offset from its coordinates to the coordinates of the paths, points.
  typealias End = (layout: CollectionViewLayout, offset: Point)

  let from: End
  let to: End
  let items: IndexMap
  /// Whether items keep the first layout's indices. Items that only the second layout has then get `items.oldCount`
  /// plus their index there. If false, items get the second layout's indices, except those that it lacks.
  let keepsIndices: Bool

  /// Returns the path of an item of the first layout; nil if neither layout shows the item.
  func path(ofItemAt index: Int) -> LookPath? {
    let next = items.newIndex(ofItemAt: index).flatMap { look(ofItemAt: $0, to, as: keepsIndices ? index : $0) }
    guard let first = look(ofItemAt: index, from, as: index) else {
      return next.map { LookPath(from: $0.faded, to: $0) }
    }
    return LookPath(from: first, to: next ?? first.faded)
  }

  /// Returns the path of an item that only the second layout has.
  private func path(ofNewItemAt index: Int) -> LookPath? {
    look(ofItemAt: index, to, as: keepsIndices ? items.oldCount + index : index).map {
      LookPath(from: $0.faded, to: $0)
    }
  }

  private func look(ofItemAt index: Int, _ end: End, as name: Int) -> AnimatedAttributes? {
    guard let place = end.layout.layoutAttributesForItem(at: index) else { return nil }
    var look = end.layout.look(of: place).moved(by: end.offset)
    look.attributes.index = name
    return look
  }

  /// - Parameters:
  ///   - before: The visible items of the first layout, in ascending order.
  ///   - after: The visible items of the second layout.
  ///   - all: Whether items that are neither in `before` nor in `after` have paths, too.
  ///   - areSeen: Receives, for each path, whether its item is in `before` or in `after`. It is filled only if `all` is
  ///     true. Nil if the caller does not need it.
  /// - Returns: The paths of the items of the first layout in ascending order, then those of the items that only the
  ///   second layout has.
  func collect(before: [LayoutAttributes], after: [LayoutAttributes], all: Bool, areSeen: inout [Bool]?) -> [LookPath] {
    var (seen, seenAlone): ([Int], [Int]) = ([], [])
    seen.reserveCapacity(before.count + after.count)
    for item in before { seen.append(item.index) }
    for item in after {
      if let old = items.oldIndex(ofItemAt: item.index) { seen.append(old) } else { seenAlone.append(item.index) }
    }
    seen.sort()
    var kept = 0
    for position in seen.indices where kept == 0 || seen[kept - 1] != seen[position] {
      seen[kept] = seen[position]
      kept += 1
    }
    seen.removeLast(seen.count - kept)
    var paths: [LookPath] = []
    guard all else {
      paths.reserveCapacity(seen.count + seenAlone.count)
      for index in seen { if let path = path(ofItemAt: index) { paths.append(path) } }
      for index in seenAlone { if let path = path(ofNewItemAt: index) { paths.append(path) } }
      return paths
    }
    paths.reserveCapacity(max(items.oldCount, items.newCount))
    areSeen?.reserveCapacity(max(items.oldCount, items.newCount))
    for index in 0..<items.oldCount {
      guard let path = path(ofItemAt: index) else { continue }
      paths.append(path)
      areSeen?.append(seen.position(of: index) != nil)
    }
    guard items.keptCount < items.newCount else { return paths }
    for index in 0..<items.newCount where items.oldIndex(ofItemAt: index) == nil {
      guard let path = path(ofNewItemAt: index) else { continue }
      paths.append(path)
      areSeen?.append(seenAlone.position(of: index) != nil)
    }
    return paths
  }
}
