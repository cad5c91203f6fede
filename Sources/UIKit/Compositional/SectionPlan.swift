import Dynamics
import Foundation

/// The places of the groups, headers and backgrounds of a section, relative to the section's start.
struct SectionPlan: PlacedSection {
  /// A header, a footer or a similar view at an edge.
  struct Boundary {
    let item: NSCollectionLayoutBoundarySupplementaryItem
    let indexPath: IndexPath
    let size: CGSize
    /// The frame, relative to the section or layout to which the item belongs.
    var frame = CGRect.zero

    /// - Parameter preferred: The sizes that views have reported as preferred, points.
    init(
      _ item: NSCollectionLayoutBoundarySupplementaryItem, at indexPath: IndexPath, in place: CGSize,
      _ preferred: [UICollectionView.Element: CGSize]
    ) {
      (self.item, self.indexPath) = (item, indexPath)
      let element = UICollectionView.Element(kind: item.elementKind, indexPath: indexPath)
      size = item.layoutSize.size(in: place, preferred: preferred[element])
    }
  }

  let section: NSCollectionLayoutSection
  let environment: LayoutEnvironment
  /// The scroll direction of the layout.
  private let axis: FlowAxis
  let itemCount: Int
  var start: CGFloat = 0
  let length: CGFloat
  private(set) var boundaries: [Boundary]
  private let runs: [GroupRun]
  /// The direction in which groups follow each other.
  private let stacking: FlowAxis
  /// The corner of the first group, in points from the corner of the section.
  private let corner: CGPoint
  /// The distance between the starts of consecutive groups whose items have their estimated sizes, points.
  private let pitch: CGFloat
  /// How far the items and views of any group reach along `stacking`, in points from the start of their group.
  private let reach: (low: CGFloat, high: CGFloat)
  /// The largest scroll offset of a section that scrolls at a right angle to the layout, points; otherwise nil.
  let scrollLimit: CGFloat?

  /// - Parameters:
  ///   - number: The index of the section.
  ///   - sizes: The preferred sizes of cells, keyed by item, and the preferred sizes of boundary items, points.
  ///   - old: The section's earlier plan, and the index of the item whose preferred size has changed since then (`.max`
  ///     if only a boundary item's size has changed). Nil if no part of the plan can be reused.
  init(
    _ section: NSCollectionLayoutSection, _ number: Int, itemCount: Int, _ axis: FlowAxis,
    in environment: LayoutEnvironment, sizes: ([Int: CGSize], [UICollectionView.Element: CGSize]),
    from old: (plan: SectionPlan, changed: Int)? = nil
  ) {
    (self.section, self.environment, self.axis, self.itemCount) = (section, environment, axis, itemCount)
    let insets = section.contentInsets
    let whole = CGRect(origin: .zero, size: environment.contentSize)
    let inner = whole.inset(by: insets)
    let isOrthogonal = section.orthogonalScrollingBehavior != .none
    let stacking = FlowAxis(isVertical: axis.isVertical != isOrthogonal)
    // As in UIKit, the insets make groups smaller only across the direction in which groups follow each other.
    let room = stacking.size(stacking.main(whole.size), stacking.cross(inner.size))
    let plan = GroupPlan(section.group, in: room)
    let place = section.supplementariesFollowContentInsets ? inner : whole
    var boundaries = section.boundarySupplementaryItems.enumerated().map { index, item in
      let earlier = section.boundarySupplementaryItems[..<index].count { $0.elementKind == item.elementKind }
      return Boundary(item, at: IndexPath(item: earlier, section: number), in: place.size, sizes.1)
    }
    let (header, after) = axis.lengths(of: boundaries)
    let before = header + section.headerTopPadding
    let (along, across) = (
      EdgePair(section.group.edgeSpacing, along: stacking), EdgePair(section.group.edgeSpacing, across: stacking)
    )
    let gap = along.fixed + section.interGroupSpacing
    runs = GroupRun.runs(
      of: section.group, plan, in: room, MeasuredItems(sizes: sizes.0, itemCount: itemCount), stacking, gap,
      from: old.map { ($0.plan.runs, $0.changed) })
    pitch = stacking.main(plan.size) + gap
    let groupsLength = runs.last.map { $0.next - section.interGroupSpacing } ?? 0
    // Flexible edge spacings share the free space perpendicular to the direction in which groups follow each other.
    let flexible = across.flexibleCount
    let free = max(0, stacking.cross(room) - stacking.cross(plan.size) - across.fixed)
    let aside = isOrthogonal ? 0 : across.start(flexible > 0 ? free / CGFloat(flexible) : 0).onPixel
    let leading = CGPoint(x: insets.leading, y: insets.top)
    let isCentered = section.orthogonalScrollingBehavior == .groupPagingCentered
    let centered = isCentered ? (stacking.main(whole.size) - stacking.main(plan.size)) / 2 - stacking.main(leading) : 0
    let offset =
      isOrthogonal
      ? axis.rect(main: before, cross: along.start(0) + centered, length: 0, breadth: 0).origin
      : axis.rect(main: before + along.start(0), cross: aside, length: 0, breadth: 0).origin
    corner = CGPoint(x: leading.x + offset.x, y: leading.y + offset.y)
    let groupsExtent = isOrthogonal ? runs.reduce(0) { max($0, axis.main($1.plan.size)) } : groupsLength
    let trail = axis.isVertical ? insets.bottom : insets.trailing
    // As in UIKit, a section without items has insets only if it has boundary items.
    length = runs.isEmpty && boundaries.isEmpty ? 0 : before + axis.main(leading) + groupsExtent + trail + after
    let breadth = stacking.main(leading) + groupsLength + (stacking.isVertical ? insets.bottom : insets.trailing)
    let limit = isCentered ? runs.last?.end ?? 0 : breadth - stacking.main(whole.size)
    scrollLimit = isOrthogonal ? max(0, limit) : nil
    self.stacking = stacking
    reach = runs.reduce((.infinity, -.infinity)) { (min($0.low, $1.reach.low), max($0.high, $1.reach.high)) }
    for index in boundaries.indices {
      boundaries[index].frame = axis.frame(
        of: boundaries[index], to: length, before: before, after: after,
        cross: axis.isVertical ? place.minX..<place.maxX : place.minY..<place.maxY)
    }
    self.boundaries = boundaries
  }

  // MARK: Queries

  var end: CGFloat { start + length }

  /// Whether views change with the scroll offset, because a boundary item is pinned or a handler changes them.
  var followsScroll: Bool {
    section.visibleItemsInvalidationHandler != nil || boundaries.contains { $0.item.pinToVisibleBounds }
  }

  /// The frame of the whole section, including its insets and boundary items.
  var frame: CGRect { axis.rect(main: start, cross: 0, length: length, breadth: axis.cross(environment.contentSize)) }

  /// Whether the section has items, and its groups have places for them.
  var hasPlaces: Bool { !runs.isEmpty }

  /// The distance between the starts of two consecutive groups, and the length of the view in the same direction,
  /// points.
  var page: (pitch: CGFloat, view: CGFloat) { (pitch, stacking.main(environment.contentSize)) }

  private var origin: CGPoint {
    let base = axis.rect(main: start, cross: 0, length: 0, breadth: 0).origin
    return CGPoint(x: base.x + corner.x, y: base.y + corner.y)
  }

  /// - Precondition: The item exists, and `hasPlaces` is true.
  func place(at item: Int) -> GroupPlan.Place { run(of: item) { $0.items.lowerBound }.place(at: item, from: origin) }

  /// Returns the run that contains the item or group `number`. `first` returns the first item or group of a run.
  private func run(of number: Int, first: (GroupRun) -> Int) -> GroupRun {
    runs[max(0, runs.indices.partitioningIndex { first(runs[$0]) > number } - 1)]
  }

  /// Calls `item` with the items that overlap `rect`, and `view` with the views fixed to items or groups, in any order.
  /// - Complexity: O(log items + found), if no item is much longer than the others.
  func forEach(in rect: CGRect, item: (Int, GroupPlan.Place) -> Void, view: (FixedView, _ path: Int) -> Void) {
    guard hasPlaces else { return }
    let (origin, ends) = (origin, stacking.ends(rect))
    let (low, high) = (ends.low - stacking.main(origin) - reach.high, ends.high - stacking.main(origin) - reach.low)
    for number in runs.sections(from: low, to: high) {
      runs[number].forEach(in: rect, from: origin, item: item, view: view)
    }
  }

  /// Returns the view of a kind that is fixed to item number `path` or, if there is none, to group number `path`.
  func fixedView(ofKind kind: String, at path: Int) -> FixedView? {
    guard hasPlaces, (0..<itemCount).contains(path) else { return nil }
    return run(of: path) { $0.items.lowerBound }.fixedView(ofKind: kind, at: path, isOnGroup: false, from: origin)
      ?? run(of: path) { $0.firstGroup }.fixedView(ofKind: kind, at: path, isOnGroup: true, from: origin)
  }
}

// MARK: - Boundary items, of a section or of the whole layout

extension FlowAxis {
  func isBefore(_ item: NSCollectionLayoutBoundarySupplementaryItem) -> Bool {
    item.alignment.edges.contains(isVertical ? .top : .leading)
  }

  func isAfter(_ item: NSCollectionLayoutBoundarySupplementaryItem) -> Bool {
    item.alignment.edges.contains(isVertical ? .bottom : .trailing)
  }

  func lengths(of boundaries: [SectionPlan.Boundary]) -> (before: CGFloat, after: CGFloat) {
    func length(_ isHere: (NSCollectionLayoutBoundarySupplementaryItem) -> Bool) -> CGFloat {
      boundaries.filter { $0.item.extendsBoundary && isHere($0.item) }.reduce(0) { max($0, main($1.size)) }
    }
    return (length(isBefore), length(isAfter))
  }

  /// - Parameters:
  ///   - end: The length of the section or layout to which the item belongs, points.
  ///   - before: The length of the boundary items before the content, points. `after` is the length after the content.
  ///   - cross: The range perpendicular to the scroll direction in which the item is placed, points.
  func frame(of boundary: SectionPlan.Boundary, to end: CGFloat, before: CGFloat, after: CGFloat, cross: Range<CGFloat>)
    -> CGRect
  {
    let (item, size, edges) = (boundary.item, boundary.size, boundary.item.alignment.edges)
    let (first, last): (NSDirectionalRectEdge, NSDirectionalRectEdge) =
      isVertical ? (.leading, .trailing) : (.top, .bottom)
    let side =
      edges.contains(first)
      ? cross.lowerBound
      : edges.contains(last)
        ? cross.upperBound - self.cross(size) : (cross.lowerBound + cross.upperBound - self.cross(size)) / 2
    let place: CGFloat
    if isBefore(item) {
      place = item.extendsBoundary ? before - main(size) : before
    } else if isAfter(item) {
      place = item.extendsBoundary ? end - after : end - after - main(size)
    } else {
      place = (end - main(size)) / 2
    }
    return rect(main: place, cross: side, length: main(size), breadth: self.cross(size)).offsetBy(
      dx: item.offset.x, dy: item.offset.y)
  }
}
