import Dynamics

/// The straight paths of items from their places in one layout to those in another. Items that only one layout shows
/// fade in or out.
struct LayoutPaths {
  /// A layout, and the offset from its coordinates to the coordinates of the paths, points.
  typealias End = (layout: CollectionViewLayout, offset: Point)

  let from: End
  let to: End

  /// Returns the path of an item; nil if neither layout shows the item.
  func path(ofItemAt index: Int) -> LookPath? {
    let next = look(ofItemAt: index, to)
    guard let first = look(ofItemAt: index, from) else { return next.map { LookPath(from: $0.faded, to: $0) } }
    return LookPath(from: first, to: next ?? first.faded)
  }

  private func look(ofItemAt index: Int, _ end: End) -> AnimatedAttributes? {
    end.layout.layoutAttributesForItem(at: index).map { end.layout.look(of: $0).moved(by: end.offset) }
  }

  /// - Parameters:
  ///   - before: The visible items of the first layout, in ascending order.
  ///   - after: The visible items of the second layout.
  ///   - all: Whether items that are neither in `before` nor in `after` have paths, too.
  ///   - areSeen: Receives, for each path, whether its item is in `before` or in `after`. It is filled only if `all` is
  ///     true. Nil if the caller does not need it.
  /// - Returns: The paths of the items in ascending order.
  func collect(before: [LayoutAttributes], after: [LayoutAttributes], all: Bool, areSeen: inout [Bool]?) -> [LookPath] {
    var seen: [Int] = []
    seen.reserveCapacity(before.count + after.count)
    for item in before { seen.append(item.index) }
    for item in after { seen.append(item.index) }
    seen.sort()
    var kept = 0
    for position in seen.indices where kept == 0 || seen[kept - 1] != seen[position] {
      seen[kept] = seen[position]
      kept += 1
    }
    seen.removeLast(seen.count - kept)
    var paths: [LookPath] = []
    guard all else {
      paths.reserveCapacity(seen.count)
      for index in seen { if let path = path(ofItemAt: index) { paths.append(path) } }
      return paths
    }
    let count = max(from.layout.itemCount, to.layout.itemCount)
    paths.reserveCapacity(count)
    areSeen?.reserveCapacity(count)
    for index in 0..<count {
      guard let path = path(ofItemAt: index) else { continue }
      paths.append(path)
      areSeen?.append(seen.position(of: index) != nil)
    }
    return paths
  }
}
